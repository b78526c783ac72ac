"""The one event loop of a session, in a thread of its own, so that every case and async fixture shares it."""

from __future__ import annotations

import asyncio
import sys
import threading
from concurrent.futures import CancelledError, Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from pytest_schemascore.errors import SchemascoreError, UsageError
from pytest_schemascore.running.held import Held

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

Backend: TypeAlias = Literal["asyncio", "trio"]
T = TypeVar("T")

_LOOK_AGAIN: Final = 0.1
"""Seconds between two looks at whether the event loop still lives."""

_SETTLE: Final = 0.2
"""Seconds within which an event loop that was stopped has usually ended."""

_GRACE: Final = 1.0
"""Seconds that tasks left behind get to end when the portal closes."""


class LoopStoppedError(SchemascoreError):
    """The event loop that all cases share ended before the call did."""


class Contained(NamedTuple):
    """What a call raised that is no `Exception`: a skip, a failure or an exit, as pytest has them.

    It would end the event loop on its way through, so it is handed to the thread that waits as a value.
    """

    error: BaseException


if sys.platform == "win32":
    _BaseLoop: TypeAlias = asyncio.ProactorEventLoop
else:
    _BaseLoop: TypeAlias = asyncio.SelectorEventLoop


class _SharedLoop(_BaseLoop):
    """An event loop that no task can stop under the others."""

    def stop(self) -> None:
        """Stop the loop, unless asked to by one of its own tasks."""
        if asyncio.current_task(self) is not None:
            msg = "an extractor must not stop the event loop: all cases share it"
            raise RuntimeError(msg)
        super().stop()


class Portal:
    """Calls coroutine functions from the main thread in one lazily started event loop.

    For use by one thread at a time. A loop that died is replaced by a new one at the next call.

    Args:
        backend: ``asyncio``, or ``trio`` where that is installed.

    Attributes:
        stuck: whether a body that blocks the event loop was left behind, so that nothing waits for it.
    """

    def __init__(self, backend: Backend = "asyncio") -> None:
        self.backend: Final = backend
        self.stuck = False
        self._thread: threading.Thread | None = None
        self._inner: BlockingPortal | None = None

    @property
    def alive(self) -> bool:
        """Whether the event loop is running."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, function: Callable[..., Awaitable[T]], *args: object) -> Future[T]:
        """Begin ``await function(*args)`` with a copy of the caller's context; `wait` for the result.

        Cancelling the future cancels the call.
        """
        try:
            return self._started().start_task_soon(function, *args)
        except RuntimeError:
            # The event loop is about to end, though its thread is still there.
            self.close()
            return self._started().start_task_soon(function, *args)

    def wait(self, future: Future[Any], seconds: float = _LOOK_AGAIN) -> bool:
        """Wait for *future* at most so many *seconds*; return whether it is done.

        Raises:
            LoopStoppedError: it never will be, since the event loop ended.
        """
        wait_for([future], timeout=seconds)
        if future.done():
            return True
        if not self.alive:
            msg = "the event loop ended before the call did: something in the process stopped it"
            raise LoopStoppedError(msg)
        return False

    def begin(self, function: Callable[..., Awaitable[T]], *args: object) -> Future[T | Contained]:
        """Begin ``await function(*args)`` so that nothing it raises can end the event loop; see `result`."""
        return self.start(_contain, function, *args)

    def result(self, future: Future[T | Contained]) -> T:
        """Wait for what `begin` began; an interrupt while waiting cancels it.

        Raises:
            LoopStoppedError: the event loop ended meanwhile.
            BaseException: what the call raised.
        """
        try:
            while not self.wait(future):
                pass
        except BaseException:
            future.cancel()
            raise
        try:
            value = future.result()
        except CancelledError as error:
            msg = "the event loop was stopped during the call: something in the process stopped it"
            raise LoopStoppedError(msg) from error
        if isinstance(value, Contained):
            raise value.error
        return value

    def call(self, function: Callable[..., Awaitable[T]], *args: object) -> T:
        """Return ``await function(*args)``; raises what `result` does."""
        return self.result(self.begin(function, *args))

    def answers(self, seconds: float) -> bool:
        """Say whether the event loop does anything within so many *seconds*, or is blocked by a body."""
        inner, answered = self._inner, threading.Event()
        if inner is not None and self.alive:
            threading.Thread(target=_ask, args=(inner, answered.set), daemon=True).start()
        return answered.wait(seconds)

    def settle(self) -> None:
        """After a call that something else cancelled: give an event loop that is ending the time to end."""
        if self._thread is not None:
            self._thread.join(_SETTLE)

    def wrap_async_context_manager(
        self, manager: AbstractAsyncContextManager[T]
    ) -> AbstractContextManager[T]:
        """Make *manager* usable by ``with``; it is entered and left in one task of the event loop."""
        return Held(self, manager)

    def leave(self, manager: AbstractContextManager[object]) -> None:
        """Leave *manager*, which is of `wrap_async_context_manager`, unless the event loop is stuck."""
        if not self.stuck:
            manager.__exit__(None, None, None)

    def close(self) -> None:
        """End the event loop and cancel what still runs in it; what doesn't end within a second is left."""
        inner, thread = self._inner, self._thread
        self._inner = self._thread = None
        if inner is None or thread is None:
            return
        if thread.is_alive():
            # The loop may be blocked or dying, in which case nobody would ever answer a call.
            with suppress(RuntimeError):
                stopper = threading.Thread(target=_stop, args=(inner,), daemon=True)
                stopper.start()
        if not self.stuck:
            thread.join(_GRACE)

    def _started(self) -> BlockingPortal:
        if self._inner is None or not self.alive:
            self._inner, self._thread = _start(self.backend)
            self.stuck = False
        return self._inner


async def _contain(function: Callable[..., Awaitable[T]], *args: object) -> T | Contained:
    try:
        return await function(*args)
    except (Exception, anyio.get_cancelled_exc_class()):
        raise
    except BaseException as error:  # noqa: BLE001 - `result` raises it again in the thread that waits
        return Contained(error)


def _ask(inner: BlockingPortal, answer: Callable[[], object]) -> None:
    with suppress(RuntimeError, asyncio.CancelledError, CancelledError):
        inner.call(answer)


def _stop(inner: BlockingPortal) -> None:
    with suppress(RuntimeError, asyncio.CancelledError):
        inner.call(inner.stop, True)


def _start(backend: Backend) -> tuple[BlockingPortal, threading.Thread]:
    """Start the event loop in a daemon thread, so that nothing which blocks it can hold the process."""
    ready: Future[BlockingPortal] = Future()

    async def serve() -> None:
        async with BlockingPortal() as inner:
            ready.set_result(inner)
            await inner.sleep_until_stopped()

    def run() -> None:
        options = {"loop_factory": _SharedLoop} if backend == "asyncio" else {}
        try:
            anyio.run(serve, backend=backend, backend_options=options)
        except BaseException as error:  # noqa: BLE001 - whatever ended the loop, `wait` tells whoever waits
            if not ready.done():
                ready.set_exception(error)

    thread = threading.Thread(target=run, name="schemascore event loop", daemon=True)
    thread.start()
    try:
        return ready.result(), thread
    except LookupError as error:
        msg = f"the backend {backend!r} isn't installed; type: pip install {backend}"
        raise UsageError(msg) from error
