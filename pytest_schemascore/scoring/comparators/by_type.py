"""The comparator that a schema's types call for (S2)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.scoring.comparators.equality import RELATIVE
from pytest_schemascore.scoring.comparators.exact import exact

if TYPE_CHECKING:
    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.comparators.reading import Reading

_READ_NUMBERS: Final = frozenset({Kind.DECIMAL, Kind.DURATION})
_STRICT: Final = frozenset({Kind.CHOICE, Kind.BOOLEAN})


def for_kinds(kinds: frozenset[Kind], default: Comparator) -> Comparator | None:
    """Return the comparator for places that hold any of *kinds*, the members of a union; null is none.

    Decimals by value (their JSON form is text, "10.50"), dates and times by moment, durations by length, URLs
    by where they lead, bools and choices as they are written.
    A value that one member would have dumped as text is compared by value whichever member the label was
    written for, the rest by *default*, the rule of the suite; None where that decides everything.
    """
    if kinds and kinds <= _STRICT:
        return _strict()
    # In the order of Kind, so that a union has one rule however its members are sorted.
    read = {kind: rule for kind in Kind if kind in kinds and (rule := _reading(kind)) is not None}
    if not read:
        return None
    rest = kinds.difference(read)
    if Kind.DECIMAL in read and Kind.NUMBER in rest:
        read[Kind.DECIMAL] = _near_float()
    readings = tuple(dict.fromkeys(read.values()))
    other = exact() if not rest else _strict() if rest <= _STRICT else default
    # What a rule can't read it leaves to exact() anyway; but a float is for the rule of floats alone, which
    # an integer may be that a schema made of it.
    numbers = not rest.isdisjoint({Kind.NUMBER, Kind.INTEGER, Kind.ANY})
    if len(readings) == 1 and other == exact() and not (numbers and not _READ_NUMBERS.isdisjoint(read)):
        return readings[0]
    from pytest_schemascore.scoring.comparators.by_value import ByValue  # few schemas have such unions

    return ByValue(readings, other)


@cache
def _strict() -> Comparator:
    return exact(normalize=False)


@cache
def _near_float() -> Reading[Any]:
    """Return the rule for a decimal that the schema may turn into a float, which rounds it."""
    from pytest_schemascore.scoring.comparators.numeric import numeric

    return numeric(rel_tol=RELATIVE)


@cache
def _reading(kind: Kind) -> Reading[Any] | None:
    # Imported where a schema has such places: numbers and dates load libraries of their own.
    match kind:
        case Kind.DECIMAL:
            from pytest_schemascore.scoring.comparators.numeric import numeric

            return numeric()
        case Kind.DATE | Kind.DATETIME | Kind.TIME:
            from pytest_schemascore.scoring.comparators.date import date

            return date()
        case Kind.URL:
            from pytest_schemascore.scoring.comparators.url import url

            return url()
        case Kind.DURATION:
            from pytest_schemascore.scoring.comparators.duration import duration

            return duration()
        case _:
            return None
