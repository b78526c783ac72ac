"""Async bodies: one task each in the portal's event loop."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

import anyio

from pytest_schemascore.errors import SchemascoreError
from pytest_schemascore.running.batch import Call
from pytest_schemascore.running.capture import capture_into
from pytest_schemascore.running.portal import LoopStoppedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
    from concurrent.futures import Future

    from pytest_schemascore.running.batch import Batch
    from pytest_schemascore.running.job import Finished, Job
    from pytest_schemascore.running.portal import Portal

GRACE: Final = 0.8
"""Seconds that bodies get to end after an interrupt, so that the whole ends within a second."""


class CallCancelledError(SchemascoreError):
    """A body was cancelled, and not by the engine."""


class TaskRunner:
    """Runs the async *jobs* of *batch*, at most *limit* at once."""

    def __init__(self, portal: Portal, batch: Batch, jobs: Sequence[Job], limit: int) -> None:
        self._portal = portal
        self._batch = batch
        self._limit = limit
        self._pending: Iterator[Job] = iter(jobs)
        self._unstarted: dict[int, tuple[Job, Coroutine[object, None, None]]] = {}
        self._running: dict[int, Call] = {}
        self._complete = False
        self._over = threading.Event()
        self._scope: anyio.CancelScope | None = None

    def run(self, tick: Callable[[], object]) -> None:
        """Block until all is done, in a new event loop where something stops the one there was.

        *tick* is called about ten times a second. What it raises, an interrupt too, cancels all bodies.
        """
        while not self._complete:
            before = self._batch.done
            self._run_round(tick)
            if not self._complete and self._batch.done == before:
                msg = "the event loop ends as soon as it is started, so no case can be called"
                raise LoopStoppedError(msg)

    def _run_round(self, tick: Callable[[], object]) -> None:
        future: Future[None] | None = None
        try:
            future = self._portal.start(self._dispatch)
            while not self._portal.wait(future):
                tick()
            future.result()
        except (LoopStoppedError, CancelledError):
            self._recover()
        except BaseException:
            self._cancel(future)
            raise

    def _cancel(self, future: Future[None] | None) -> None:
        """Cancel all bodies; without a *future* where an interrupt came before there was one to keep."""
        self._batch.closed = True
        cancel = future.cancel if future is not None else partial(self._portal.start, self._cancel_tasks)
        # In a thread, since cancelling may wait for an event loop that a body blocks.
        threading.Thread(target=cancel, daemon=True).start()
        if not self._over.wait(GRACE):
            self._portal.stuck = not self._portal.answers(GRACE)
        if not self._portal.stuck:
            # On a busy machine cancelling takes longer, and fixtures must not close before it is done.
            self._over.wait(GRACE)

    def _recover(self) -> None:
        """Report the bodies that the event loop took down with it, and keep the jobs that never began."""
        self._portal.settle()
        unstarted = list(self._unstarted.values())
        self._unstarted.clear()
        for _, task in unstarted:
            task.close()
        self._pending = chain([job for job, _ in unstarted], self._pending)
        running = list(self._running.values())
        self._running.clear()
        for call in running:
            msg = "the event loop that all cases share was stopped while this case ran"
            self._batch.report(call.finished(error=LoopStoppedError(msg)))

    async def _dispatch(self) -> None:
        """Start one task per job, as slots come free, so that no more tasks than slots ever exist."""
        self._over.clear()
        slots = anyio.Semaphore(self._limit, fast_acquire=True)
        try:
            async with anyio.create_task_group() as tasks:
                self._scope = tasks.cancel_scope
                while True:
                    await slots.acquire()
                    if not self._batch.wants_more() or (job := next(self._pending, None)) is None:
                        break
                    task = self._run_job(job, slots, tasks.cancel_scope)
                    self._unstarted[id(job)] = job, task
                    tasks.start_soon(_itself, task)
                if self._batch.failure is not None:
                    tasks.cancel_scope.cancel()
            self._complete = True
        finally:
            self._over.set()

    async def _cancel_tasks(self) -> None:
        if self._scope is not None:
            self._scope.cancel()

    async def _run_job(self, job: Job, slots: anyio.Semaphore, all_tasks: anyio.CancelScope) -> None:
        self._running[id(job)] = call = Call(job)
        del self._unstarted[id(job)]
        capture_into(call.output)
        try:
            self._batch.report(await self._outcome(call))
            if self._batch.failure is not None:
                all_tasks.cancel()
        finally:
            self._running.pop(id(job), None)
            slots.release()

    async def _outcome(self, call: Call) -> Finished:
        value: object = None
        error: BaseException | None = None
        try:
            with anyio.move_on_after(call.job.timeout) as limit:
                value = await cast("Awaitable[object]", call.job.call())
        except anyio.get_cancelled_exc_class() as cancellation:
            if self._batch.closed:
                raise
            error = _cancelled_from_outside(cancellation)
        except BaseException as raised:  # noqa: BLE001 - whatever a body raises is its case's, not the run's
            error = raised
        # A body that blocks the event loop past its time is never cancelled.
        return call.finished(value, error, timed_out=limit.cancel_called or call.is_overdue)


def _itself(task: Coroutine[object, None, None]) -> Coroutine[object, None, None]:
    return task


def _cancelled_from_outside(cancellation: BaseException) -> CallCancelledError:
    msg = "cancelled by the extractor itself, or because something stopped the event loop all cases share"
    error = CallCancelledError(msg)
    error.__cause__ = cancellation
    return error
