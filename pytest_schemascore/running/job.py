"""One call of an extractor, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import LogRecord


class JobKey(NamedTuple):
    """Which call this is: the suite's key, the case's id, and which repeat of it (from 0)."""

    suite: str
    case: str
    run: int


class Job(NamedTuple):
    """A call that is still to be made.

    Attributes:
        key: unique within a run.
        call: the body with its arguments bound; of an async body it returns the awaitable.
        is_async: whether `call` returns an awaitable, which runs in the event loop; else it runs in a thread.
        timeout: seconds from the start of the body; None for no limit.
        input_hash: of the case's input, which the journal needs.
    """

    key: JobKey
    call: Callable[[], object]
    is_async: bool
    timeout: float | None = None
    input_hash: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """A call that is over, whatever came of it.

    Attributes:
        job: what was called.
        value: what the body returned; None where it raised or was timed out.
        error: what the body raised, `KeyboardInterrupt`, `SystemExit` and the like too: it is for the caller
            to decide which of them to raise again.
        timed_out: whether the time limit was up before the body was through.
        started, stopped: seconds since the epoch.
        duration: seconds, by a clock that is never set back.
        stdout, stderr: what the body wrote, where a `CaptureRouter` was installed.
        records: what the body logged, likewise.
    """

    job: Job
    value: object
    error: BaseException | None
    timed_out: bool
    started: float
    stopped: float
    duration: float
    stdout: str = ""
    stderr: str = ""
    records: tuple[LogRecord, ...] = ()

    @property
    def key(self) -> JobKey:
        """The key of the job."""
        return self.job.key
