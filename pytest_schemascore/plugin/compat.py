"""The few things of pytest that have no public name, in one place (pytest 8.4 to 9.2)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import pytest
from _pytest.skipping import evaluate_skip_marks, evaluate_xfail_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from _pytest.skipping import Xfail


def fixtures_in_signature(metafunc: pytest.Metafunc) -> dict[str, pytest.FixtureDef[Any]]:
    """Return the fixtures that the function's own signature names, parametrized arguments left out."""
    definitions: Mapping[str, Sequence[pytest.FixtureDef[Any]]] = metafunc._arg2fixturedefs
    names: Sequence[str] = metafunc.definition._fixtureinfo.argnames
    found = {name: definitions[name][-1] for name in names if definitions.get(name)}
    return {
        name: definition
        for name, definition in found.items()
        if definition.func.__name__ != "get_direct_param_fixture_func"
    }


def fixture_graph(item: pytest.Function) -> dict[pytest.FixtureDef[Any], list[pytest.FixtureDef[Any]]]:
    """Return every fixture that *item* uses by name, each with those it requests itself.

    One that another of the same name overrides is there only where that one requests it.
    """
    definitions: Mapping[str, Sequence[pytest.FixtureDef[Any]]] = item._fixtureinfo.name2fixturedefs
    pending = [chain[-1] for name in item._fixtureinfo.initialnames if (chain := definitions.get(name))]
    graph: dict[pytest.FixtureDef[Any], list[pytest.FixtureDef[Any]]] = {}
    while pending:
        definition = pending.pop()
        if definition not in graph:
            graph[definition] = list(_requested(definition, definitions))
            pending += graph[definition]
    return graph


def _requested(
    definition: pytest.FixtureDef[Any], definitions: Mapping[str, Sequence[pytest.FixtureDef[Any]]]
) -> Iterator[pytest.FixtureDef[Any]]:
    for name in definition.argnames:
        chain = definitions.get(name, ())
        if name == definition.argname:
            chain = chain[: chain.index(definition)]
        if chain:
            yield chain[-1]


def all_fixtures(item: pytest.Function) -> list[pytest.FixtureDef[Any]]:
    """Return every fixture that *item* uses, those of other fixtures included."""
    return list(fixture_graph(item))


def is_shared(item: pytest.Function, name: str) -> bool:
    """Say whether *item*'s fixture of that name has more than function scope."""
    definitions: Mapping[str, Sequence[pytest.FixtureDef[Any]]] = item._fixtureinfo.name2fixturedefs
    chain = definitions.get(name, ())
    return bool(chain) and chain[-1].scope != "function"


def own_arguments(item: pytest.Function) -> Sequence[str]:
    """Return the argument names of the function's own signature."""
    names: Sequence[str] = item._fixtureinfo.argnames
    return names


def request_of(item: pytest.Function) -> pytest.FixtureRequest:
    """Return the item's own ``request``; after a turn it has none until the next, as where it runs twice."""
    request: Any = item._request
    if not request:
        item._initrequest()
    return item._request


def expected_failure(item: pytest.Item) -> Xfail | None:
    """Return what an ``xfail`` mark that holds says of *item*; None where none does."""
    return None if item.config.getoption("runxfail", False) else evaluate_xfail_marks(item)


_SKIPPING: Final = frozenset({"skip", "skipif", "xfail"})


def will_not_run(item: pytest.Item) -> bool:
    """Say whether a mark keeps *item*'s body from being called; of a faulty one pytest tells in its turn."""
    if _SKIPPING.isdisjoint(mark.name for mark in item.iter_markers()):
        return False  # as of most; asking pytest takes three times as long
    try:
        xfail = expected_failure(item)
        return evaluate_skip_marks(item) is not None or (xfail is not None and not xfail.run)
    except pytest.fail.Exception:
        return True


def written_in_ini(config: pytest.Config, key: str) -> object:
    """Return what stands in the ini file under *key*, which pytest may not be able to read as its type."""
    # Under its public name pytest 9 warns of it.
    values: Mapping[str, object] = getattr(config, "_inicfg", None) or config.inicfg
    return getattr(values.get(key), "value", values.get(key))


def is_captured(config: pytest.Config) -> bool:
    """Say whether pytest keeps what is printed; not with ``-s``, nor without its plugin that does."""
    return str(config.getoption("capture", "no")) != "no"


def pytest_log_handlers() -> list[logging.Handler]:
    """Return the handlers by which pytest gives log records to the item that is running."""
    return [h for h in logging.getLogger().handlers if type(h).__module__ == "_pytest.logging"]


_LAST_FAILED: Final = "cache/lastfailed"


def remember_failed(config: pytest.Config, node_ids: Iterable[str], *, instead_of: Iterable[str]) -> None:
    """Have ``--lf`` rerun *node_ids* in place of others; for when pytest has written its own list."""
    cache = getattr(config, "cache", None)
    if cache is None:
        return
    failed = dict(cache.get(_LAST_FAILED, {}))
    for node_id in instead_of:
        failed.pop(node_id, None)
    cache.set(_LAST_FAILED, failed | dict.fromkeys(node_ids, True))


def rewrite_failure(report: pytest.TestReport, rewrite: Callable[[str], str]) -> None:
    """Put every text of *report*'s failure through *rewrite*: traceback lines, locals, and the message."""
    failure: Any = report.longrepr
    if isinstance(failure, str):
        report.longrepr = rewrite(failure)
        return
    alone = (getattr(failure, "reprtraceback", None), getattr(failure, "reprcrash", None), None)
    for traceback, crash, _ in getattr(failure, "chain", None) or [alone]:
        for entry in getattr(traceback, "reprentries", ()):
            for part in (entry, getattr(entry, "reprlocals", None)):
                if part is not None:
                    part.lines = [rewrite(line) for line in part.lines]
        if crash is not None:
            crash.message = rewrite(crash.message)
