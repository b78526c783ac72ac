"""Async fixtures of extractors run in the event loop that their cases run in."""

from __future__ import annotations

import functools
import inspect
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

    from pytest_schemascore.running.portal import Portal


@contextmanager
def in_portal(definition: pytest.FixtureDef[Any], portal: Portal, request: Any) -> Iterator[None]:
    """While entered, *definition*'s async function is a sync one that runs in *portal*."""
    original: Callable[..., Any] = definition.func
    if inspect.isasyncgenfunction(original):
        replacement = _generator(original, portal, request)
    elif inspect.iscoroutinefunction(original):
        replacement = _coroutine(original, portal)
    else:
        yield
        return
    object.__setattr__(definition, "func", replacement)
    try:
        yield
    finally:
        object.__setattr__(definition, "func", original)


def _coroutine(function: Callable[..., Any], portal: Portal) -> Callable[..., Any]:
    @functools.wraps(function)
    def fixture(*args: Any, **kwargs: Any) -> Any:
        return portal.call(functools.partial(function, *args, **kwargs))

    return fixture


def _generator(function: Callable[..., Any], portal: Portal, request: Any) -> Callable[..., Any]:
    @functools.wraps(function)
    def fixture(*args: Any, **kwargs: Any) -> Any:
        manager = portal.wrap_async_context_manager(asynccontextmanager(function)(*args, **kwargs))
        value = manager.__enter__()
        request.addfinalizer(functools.partial(portal.leave, manager))
        return value

    return fixture
