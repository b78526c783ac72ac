"""Marks of async plugins that reach cases too, as a module's ``pytestmark`` does."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

from pytest_schemascore.plugin.collecting import CASE_ITEM

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_ASYNC: Final = r"(?s).*@pytest\.mark\.asyncio.*not an async function"
"""What pytest-asyncio says of a marked test that is a plain function."""


def is_marked_asyncio(item: pytest.Item) -> bool:
    """Say whether *item* is a case whose body is a coroutine function, and has pytest-asyncio's mark."""
    return item.stash[CASE_ITEM].mark.is_async and item.get_closest_marker("asyncio") is not None


@contextmanager
def coroutine_hidden() -> Iterator[None]:
    """Keep pytest-asyncio from warning of the plain function in which a case's coroutine function hides (R1).

    The mark itself stays, for ``-m``.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _NOT_ASYNC, pytest.PytestWarning)
        yield
