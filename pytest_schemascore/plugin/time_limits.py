"""pytest-timeout's limit: of fixtures as ever, of bodies one of each case and not of the batch."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = pytest.StashKey[Any]()
"""What pytest-timeout set an item's timer with, where it covers the item's fixtures."""


def keeps_timer(item: pytest.Item, settings: Any) -> bool:
    """Say whether pytest-timeout is to set *item*'s timer: not where it would cover only the body."""
    if settings.func_only:
        return False
    item.stash[SETTINGS] = settings
    return True


@contextmanager
def timer_off(item: pytest.Item) -> Iterator[None]:
    """Do without *item*'s timer, which then begins anew for what tears its fixtures down."""
    settings = item.stash.get(SETTINGS, None)
    if settings is None:
        yield
        return
    item.ihook.pytest_timeout_cancel_timer(item=item)
    try:
        yield
    finally:
        item.ihook.pytest_timeout_set_timer(item=item, settings=settings)
