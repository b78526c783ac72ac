"""Async fixtures of extractors run in the event loop that their cases run in."""

from __future__ import annotations

import functools
import inspect
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from pytest_schemascore.plugin.compat import fixture_graph
from pytest_schemascore.plugin.context_changes import ContextChanges
from pytest_schemascore.plugin.fixture_checks import is_async_fixture

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping

    import pytest

    from pytest_schemascore.running.portal import Portal


def fixtures_of_portal(
    ours: Iterable[pytest.Function], others: Iterable[pytest.Function]
) -> frozenset[pytest.FixtureDef[Any]]:
    """Return the async fixtures that run in the cases' event loop whichever test asks for them first.

    These are the ones that the cases share, and those of other tests that are built on them.
    """
    shared = {
        definition
        for item in ours
        for definition in fixture_graph(item)
        if definition.scope != "function" and is_async_fixture(definition)
    }
    found = set(shared)
    for item in others if shared else ():
        found |= _built_on(shared, fixture_graph(item))
    return frozenset(definition for definition in found if is_async_fixture(definition))


def _built_on(
    shared: set[pytest.FixtureDef[Any]],
    graph: Mapping[pytest.FixtureDef[Any], Iterable[pytest.FixtureDef[Any]]],
) -> set[pytest.FixtureDef[Any]]:
    reached = shared & graph.keys()
    new = reached
    while new:
        new = {d for d in graph.keys() - reached if not reached.isdisjoint(graph[d])}
        reached |= new
    return reached


@contextmanager
def in_portal(definition: pytest.FixtureDef[Any], portal: Portal, request: Any) -> Iterator[None]:
    """While entered, *definition*'s async function is a sync one that runs in *portal*."""
    original: Callable[..., Any] = definition.func
    make = _generator if inspect.isasyncgenfunction(original) else _coroutine
    replacement = make(original, portal, request)
    object.__setattr__(definition, "func", replacement)
    try:
        yield
    finally:
        object.__setattr__(definition, "func", original)


def _stands_for(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    # Without the function's attributes, by which pytest-asyncio knows its own fixtures.
    return functools.wraps(function, updated=())


def _coroutine(function: Callable[..., Any], portal: Portal, request: Any) -> Callable[..., Any]:
    @_stands_for(function)
    def fixture(*args: Any, **kwargs: Any) -> Any:
        changes = ContextChanges()

        async def set_up() -> Any:
            with changes.noted():
                return await function(*args, **kwargs)

        value = portal.call(set_up)
        changes.make()
        request.addfinalizer(changes.undo)
        return value

    return fixture


def _generator(function: Callable[..., Any], portal: Portal, request: Any) -> Callable[..., Any]:
    @_stands_for(function)
    def fixture(*args: Any, **kwargs: Any) -> Any:
        changes = ContextChanges()

        @asynccontextmanager
        async def held() -> AsyncIterator[Any]:
            async with AsyncExitStack() as stack:
                with changes.noted():
                    value = await stack.enter_async_context(asynccontextmanager(function)(*args, **kwargs))
                yield value

        manager = portal.wrap_async_context_manager(held())
        value = manager.__enter__()
        request.addfinalizer(functools.partial(portal.leave, manager))
        changes.make()
        request.addfinalizer(changes.undo)
        return value

    return fixture
