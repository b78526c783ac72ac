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


@contextmanager
def coroutine_hidden(item: pytest.Item) -> Iterator[None]:
    """Keep pytest-asyncio from warning of the plain function in which a case's coroutine function hides (R1).

    The mark itself stays, for ``-m``.
    """
    if not item.stash[CASE_ITEM].mark.is_async or item.get_closest_marker("asyncio") is None:
        yield
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _NOT_ASYNC, pytest.PytestWarning)
        yield
