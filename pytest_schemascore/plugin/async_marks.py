"""Marks of async plugins that reach cases too, as a module's ``pytestmark`` does."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

from pytest_schemascore.plugin.collecting import CASE_ITEM

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_NOT_ASYNC: Final = r"(?s).*@pytest\.mark\.asyncio.*not an async function"
"""What pytest-asyncio says of a marked test that is a plain function."""


class AsyncMarkHooks:
    """Lets no async plugin take a case for a mistake; registered where cases have such marks."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Run around all others, since registered last."""
        if not is_marked_asyncio(pyfuncitem):
            return (yield)
        with coroutine_hidden():
            return (yield)


def is_marked_asyncio(item: pytest.Item) -> bool:
    """Say whether *item* is a case whose body is a coroutine function, and has pytest-asyncio's mark."""
    entry = item.stash.get(CASE_ITEM, None)
    return entry is not None and entry.mark.is_async and item.get_closest_marker("asyncio") is not None


def shield_async_marks(config: pytest.Config) -> None:
    """Register `AsyncMarkHooks`, once."""
    name = "schemascore-async-marks"
    if not config.pluginmanager.has_plugin(name):
        config.pluginmanager.register(AsyncMarkHooks(), name)


@contextmanager
def coroutine_hidden() -> Iterator[None]:
    """Keep pytest-asyncio from warning of the plain function in which a case's coroutine function hides (R1).

    The mark itself stays, for ``-m``.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _NOT_ASYNC, pytest.PytestWarning)
        yield
