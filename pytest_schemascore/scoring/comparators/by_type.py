"""The comparator that a schema's type calls for (S2)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.scoring.comparators.exact import exact

if TYPE_CHECKING:
    from pytest_schemascore.scoring.comparators.base import Comparator


@cache
def for_kind(kind: Kind) -> Comparator | None:
    """Return the comparator for places of *kind*; None where the default rule of the suite is to decide.

    Decimals by value (their JSON form is text, "10.50"), dates and times by moment, bools and choices as
    they are written.
    """
    # Imported where a schema has such places: numbers and dates load libraries of their own.
    match kind:
        case Kind.DECIMAL:
            from pytest_schemascore.scoring.comparators.numeric import numeric

            return numeric()
        case Kind.DATE | Kind.DATETIME | Kind.TIME:
            from pytest_schemascore.scoring.comparators.date import date

            return date()
        case Kind.CHOICE | Kind.BOOLEAN:
            return exact(normalize=False)
        case _:
            return None
