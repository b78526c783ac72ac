"""Which functions of users are to be awaited: the same answer for extractors, judges and comparators."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def as_async(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]] | None:
    """Return *function* such that what a call gives can be awaited; None where it is sync.

    Of an object its ``__call__`` counts. A plain function that wraps a coroutine function may hand on the
    coroutine or run it itself, so it is called in a thread, and what it gives is awaited if it can be.
    """
    if _is_coroutine_function(function):
        return function
    if not _is_coroutine_function(inspect.unwrap(function)):
        return None

    @functools.wraps(function)
    async def either(*args: object, **kwargs: object) -> object:
        from anyio import to_thread  # few extractors are wrapped so

        call = functools.partial(function, *args, **kwargs)
        value = await to_thread.run_sync(call, abandon_on_cancel=True)
        return await value if inspect.isawaitable(value) else value

    return either


def _is_coroutine_function(function: Callable[..., Any]) -> bool:
    if isinstance(function, type):
        return False  # its instances may be called asynchronously, making one is not
    called = getattr(function, "__call__", None)  # noqa: B004 - the call's own kind is asked, not whether there is one
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)
