"""Holding the cyclic collector: it is as it was afterwards, and does not walk what was made."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from pytest_schemascore._garbage import collector_held

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    gc.collect()
    yield
    gc.unfreeze()
    gc.enable()


def is_old(value: object) -> bool:
    """Say whether *value* is where the collector seldom looks."""
    return any(other is value for other in gc.get_objects(generation=2))


def test_much_is_old_at_once() -> None:
    """The collector is off, then on again, and what was made meanwhile is no more among the young."""
    with collector_held():
        assert not gc.isenabled()
        made: list[list[object]] = [[] for _ in range(60_000)]
        assert not is_old(made)
    assert gc.isenabled()
    assert is_old(made)
    assert is_old(made[0])
    assert gc.get_freeze_count() == 0


def test_little_is_left_to_the_collector() -> None:
    """Taken for old by every small call, garbage in circles would never be found."""
    with collector_held():
        made: list[list[object]] = [[]]
    assert not is_old(made)


def test_an_error_turns_it_on_again() -> None:
    """However the block ends."""
    with pytest.raises(KeyError), collector_held():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    """Blocks within blocks, and programs that do without the collector."""
    with collector_held():
        with collector_held():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    with collector_held():
        pass
    assert not gc.isenabled()


def test_what_others_have_frozen_stays_frozen() -> None:
    """A server that froze its objects before it forks keeps them so."""
    gc.freeze()
    frozen = gc.get_freeze_count()
    assert frozen
    with collector_held():
        made: list[list[object]] = [[] for _ in range(60_000)]
    assert gc.isenabled()
    assert not is_old(made)
    assert gc.get_freeze_count() == frozen
