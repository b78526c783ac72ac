"""Calls many bodies at once and no more than a limit at a time (R2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.errors import UsageError
from pytest_schemascore.running.batch import Batch
from pytest_schemascore.running.kept_modules import KeptModules
from pytest_schemascore.running.tasks import TaskRunner
from pytest_schemascore.running.threads import ThreadRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_schemascore.running.job import Finished, Job
    from pytest_schemascore.running.portal import Portal


class Engine:
    """Runs jobs in the portal's event loop (async bodies) and in threads (sync ones).

    Args:
        portal: whose event loop all async bodies share.
        limit: how many bodies run at once.

    Raises:
        UsageError: *limit* is below 1.
    """

    def __init__(self, portal: Portal, limit: int) -> None:
        if limit < 1:
            msg = f"concurrency is {limit}; it must be 1 or more"
            raise UsageError(msg)
        self.portal: Final = portal
        self.limit: Final = limit

    def run(
        self,
        jobs: Sequence[Job],
        on_finished: Callable[[Finished], object],
        should_stop: Callable[[], bool] | None = None,
        poll: Callable[[int, int], object] | None = None,
    ) -> None:
        """Call all *jobs* and block until they are done.

        Each body gets its own copy of the caller's context. One that isn't through after ``job.timeout``
        seconds is cancelled; a thread can't be, so it is left behind (looked at ten times a second) and its
        slot goes to the next job. Where something stops the event loop, the jobs that ran in it fail with
        `LoopStoppedError` or `CallCancelledError` and the others go on in a new one.

        Args:
            jobs: called in this order, but the async ones before the sync ones.
            on_finished: gets each job's outcome as it arrives, in another thread, one at a time, and before
                the next job takes the slot: an output that this writes to disk is there before another is
                waited for. All bodies wait for it, so it must be quick.
            should_stop: asked before each job is started, likewise; where true, no more are started and those
                that run are waited for.
            poll: gets the number of finished and of all jobs, in the calling thread, about ten times a second
                and at the end. What it loads stays loaded.

        Raises:
            KeyboardInterrupt: in the calling thread, within a second. Async bodies have been cancelled and
                could clean up; those aren't reported. Threads that aren't through by then are left behind.
            BaseException: what *on_finished*, *should_stop* or *poll* raised; the same then holds.
        """
        batch = Batch(len(jobs), on_finished, should_stop)
        kept = KeptModules()

        def tick() -> None:
            if poll is not None:
                with kept.watched():
                    poll(batch.done, batch.total)

        in_loop = [job for job in jobs if job.is_async]
        in_threads = [job for job in jobs if not job.is_async]
        try:
            if in_loop:
                TaskRunner(self.portal, batch, in_loop, self.limit).run(tick)
            if in_threads and batch.failure is None:
                ThreadRunner(batch, in_threads, self.limit).run(tick)
        finally:
            kept.restore()
        if batch.failure is not None:
            raise batch.failure
        tick()
