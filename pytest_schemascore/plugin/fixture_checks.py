"""What an extractor can't use, since one batch serves all its cases; refused at collection (R3)."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from pytest_schemascore.errors import UsageError
from pytest_schemascore.plugin.compat import all_fixtures, fixtures_in_signature
from pytest_schemascore.plugin.mark import ARGUMENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest


def check_fixtures(metafunc: pytest.Metafunc) -> None:
    """Refuse fixtures of function scope in the signature, and set-up methods that run once a test.

    Raises:
        UsageError: names the fixture and the way out.
    """
    for name, definition in fixtures_in_signature(metafunc).items():
        if definition.scope == "function" and name not in (ARGUMENT, "request"):
            msg = (
                f"the fixture {name!r} has function scope, but all cases of a suite run as one batch;"
                f' give it scope="class", "module" or "session"{_instead(name)}'
            )
            raise UsageError(msg)
    cls = metafunc.cls
    holder: Any = cls if cls is not None else metafunc.module
    kind = "method" if cls is not None else "function"
    for name in (f"setup_{kind}", f"teardown_{kind}"):
        if hasattr(holder, name):
            wider = "setup_class" if cls is not None else "setup_module"
            msg = f"{name} would run for the first case only; use {wider} or a fixture of that scope"
            raise UsageError(msg)


def _instead(name: str) -> str:
    hints = {
        "tmp_path": ", or use tmp_path_factory",
        "monkeypatch": ", or use pytest.MonkeyPatch.context() in a fixture of wider scope",
        "capsys": " (each case's output is captured by itself)",
        "caplog": " (each case's log is captured by itself)",
    }
    return hints.get(name, "")


def is_async_fixture(definition: pytest.FixtureDef[Any]) -> bool:
    """Say whether a fixture's function is a coroutine function or an async generator."""
    return inspect.iscoroutinefunction(definition.func) or inspect.isasyncgenfunction(definition.func)


def shared_with_other_async_tests(ours: Iterable[pytest.Function], others: Iterable[pytest.Function]) -> str:
    """Return a message where an async fixture serves cases and other async tests, in two event loops."""
    async_tests = [item for item in others if _is_async(item)]
    if not async_tests:
        return ""
    users = {id(d): item for item in ours for d in all_fixtures(item) if is_async_fixture(d)}
    for other in async_tests:
        for definition in all_fixtures(other):
            user = users.get(id(definition))
            if user is not None and definition.scope != "function":
                return (
                    f"the async fixture {definition.argname!r} is used by {other.nodeid} and by"
                    f" {user.nodeid}, which run in different event loops; give each its own"
                )
    return ""


def _is_async(item: pytest.Function) -> bool:
    return inspect.iscoroutinefunction(inspect.unwrap(item.obj))
