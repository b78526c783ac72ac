"""An async context manager held open in the session's event loop, for a thread outside it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from pytest_schemascore.running.portal import Contained, Portal

T = TypeVar("T")


class Held(Generic[T]):
    """Enters *manager* and leaves it in one task of *portal*'s event loop, since task groups insist on that.

    What the ``with`` block raises isn't told to *manager*.
    """

    def __init__(self, portal: Portal, manager: AbstractAsyncContextManager[T]) -> None:
        self._portal = portal
        self._manager = manager
        self._entered: Future[T] = Future()
        self._task: Future[Contained | None] = Future()
        self._leaving: anyio.Event | None = None

    def __enter__(self) -> T:
        """Return what *manager* gives; an interrupt while waiting cancels its task.

        Raises:
            LoopStoppedError: the event loop ended meanwhile.
            BaseException: what entering raised.
        """
        try:
            self._task = self._portal.begin(self._hold)
            while not self._portal.wait(self._entered):
                pass
        except BaseException:
            self._task.cancel()
            raise
        if self._entered.cancelled():
            self._portal.result(self._task)  # which says why
        return self._entered.result()

    def __exit__(self, *_: object) -> None:
        """Leave *manager*; raises likewise."""
        if self._portal.alive and not self._task.done():
            self._portal.start(self._leave)
        self._portal.result(self._task)

    async def _hold(self) -> None:
        self._leaving = anyio.Event()
        try:
            async with self._manager as value:
                self._entered.set_result(value)
                await self._leaving.wait()
        finally:
            if self._entered.cancel():
                self._entered.set_running_or_notify_cancel()

    async def _leave(self) -> None:
        if self._leaving is not None:
            self._leaving.set()
