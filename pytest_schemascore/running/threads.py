"""Sync bodies: in daemon threads.

A thread takes its next job by itself. Through the event loop each call would cost two hand-overs, about
0.2 ms, and wait for any async fixture's task that blocks; an executor of the standard library would hold the
process at its end until the last body is through.
"""

from __future__ import annotations

import threading
from contextvars import copy_context
from typing import TYPE_CHECKING, Final

from pytest_schemascore.running.batch import Call
from pytest_schemascore.running.capture import capture_into
from pytest_schemascore.running.tasks import GRACE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_schemascore.running.batch import Batch
    from pytest_schemascore.running.job import Job

_TICK: Final = 0.1
"""Seconds between two looks at the time limits."""


class ThreadRunner:
    """Runs the sync *jobs* of *batch*, at most *limit* at once but for those that were left behind."""

    def __init__(self, batch: Batch, jobs: Sequence[Job], limit: int) -> None:
        self._batch = batch
        self._limit = min(limit, len(jobs))
        self._pending = iter(jobs)
        self._context = copy_context()
        # Guards all below and the batch; notified when the last thread has no more to do.
        self._changed = threading.Condition()
        self._running: dict[int, Call] = {}
        self._threads = 0

    def run(self, tick: Callable[[], object]) -> None:
        """Block until all is done.

        *tick* is called about ten times a second. If it raises, or an interrupt comes, no more jobs are
        started; outputs that arrive within the next moment are still reported, and the other threads left.
        """
        try:
            with self._changed:
                for _ in range(self._limit):
                    self._start_thread()
            while not self._is_over(_TICK):
                tick()
        except BaseException:
            self._batch.stopped = True
            self._is_over(GRACE)
            raise
        finally:
            with self._changed:
                self._batch.closed = self._batch.closed or bool(self._threads)

    def _is_over(self, seconds: float) -> bool:
        """Wait so many *seconds* at most for the last thread; give up those whose time is up."""
        with self._changed:
            self._changed.wait_for(self._has_ended, seconds)
            for call in [call for call in self._running.values() if call.is_overdue]:
                self._abandon(call)
            return self._has_ended()

    def _has_ended(self) -> bool:
        return not self._threads or self._batch.failure is not None

    def _abandon(self, call: Call) -> None:
        """Give the slot of a thread, which can't be cancelled, to a new one."""
        del self._running[id(call)]
        self._threads -= 1
        self._batch.report(call.finished(timed_out=True))
        self._start_thread()

    def _start_thread(self) -> None:
        threading.Thread(target=self._work, name="schemascore case", daemon=True).start()
        self._threads += 1

    def _work(self) -> None:
        try:
            while (call := self._next()) is not None:
                value, error = self._context.copy().run(_outcome, call)
                if not self._hand_in(call, value, error):
                    return
        except BaseException as error:  # noqa: BLE001 - or the calling thread would wait for this one for ever
            with self._changed:
                self._batch.fail(error)
                self._changed.notify_all()

    def _next(self) -> Call | None:
        with self._changed:
            job = next(self._pending, None) if self._batch.wants_more() else None
            if job is not None:
                call = Call(job)
                self._running[id(call)] = call
                return call
            self._threads -= 1
            if self._has_ended():
                self._changed.notify_all()
            return None

    def _hand_in(self, call: Call, value: object, error: BaseException | None) -> bool:
        """Report an outcome; return whether this thread still has a slot."""
        with self._changed:
            if self._running.pop(id(call), None) is None:
                return False
            self._batch.report(call.finished(value, error, timed_out=call.is_overdue))
            return True


def _outcome(call: Call) -> tuple[object, BaseException | None]:
    capture_into(call.output)
    try:
        return call.job.call(), None
    except BaseException as error:  # noqa: BLE001 - whatever a body raises is its case's, not the run's
        return None, error
