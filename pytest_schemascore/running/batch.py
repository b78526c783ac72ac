"""What is known of a batch of jobs while it runs, and how a body's outcome is told."""

from __future__ import annotations

import time
from types import CoroutineType
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.detached import detached
from pytest_schemascore.running.capture import CaseOutput
from pytest_schemascore.running.job import Finished

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.running.job import Job


class Batch:
    """The state of one `Engine.run`, and its callbacks; see there for the arguments.

    Whoever calls `wants_more` or `report` sees to it that nobody else does at the same time.

    Attributes:
        done: how many jobs have been reported.
        stopped: whether no more jobs are to be started.
        closed: whether no more outcomes are to be reported.
        failure: what a callback raised, for the calling thread to raise again.
    """

    def __init__(
        self, total: int, on_finished: Callable[[Finished], object], should_stop: Callable[[], bool] | None
    ) -> None:
        self.total: Final = total
        self.done = 0
        self.stopped = False
        self.closed = False
        self.failure: BaseException | None = None
        self._on_finished = on_finished
        self._should_stop = should_stop

    def wants_more(self) -> bool:
        """Say whether another job may be started."""
        if self._should_stop is not None and not self.stopped:
            try:
                self.stopped = self._should_stop()
            except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
                self.fail(error)
        return not self.stopped

    def report(self, finished: Finished) -> None:
        """Count *finished* and hand it to the caller, unless the batch is closed."""
        if self.closed:
            return
        self.done += 1
        try:
            self._on_finished(finished)
        except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """End the batch with *error*, for the calling thread to raise."""
        self.failure = error
        self.stopped = self.closed = True


class Call:
    """One body that runs: when it began and what it printed."""

    __slots__ = ("_clock", "_started", "job", "output")

    def __init__(self, job: Job) -> None:
        self.job = job
        self.output = CaseOutput()
        self._started = time.time()
        self._clock = time.perf_counter()

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.perf_counter() - self._clock

    @property
    def is_overdue(self) -> bool:
        """Whether its time is up."""
        return self.job.timeout is not None and self.seconds > self.job.timeout

    def finished(
        self, value: object = None, error: BaseException | None = None, *, timed_out: bool = False
    ) -> Finished:
        """Return the outcome; of a body that was timed out, neither value nor error is kept."""
        duration, stopped = self.seconds, time.time()
        if type(value) is CoroutineType:  # by its own class: another's may raise when it is asked for
            value.close()  # Nobody is going to await it, and Python would warn.
        value = detached(value)
        if timed_out:
            value = error = None
        stdout, stderr, records = self.output.close()
        return Finished(
            self.job, value, error, timed_out, self._started, stopped, duration, stdout, stderr, records
        )
