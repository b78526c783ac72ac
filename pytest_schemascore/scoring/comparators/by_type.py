"""The comparator that a schema's type calls for (S2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.scoring.comparators.date import date
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.numeric import numeric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.scoring.comparators.base import Comparator

_BY_KIND: Final[Mapping[Kind, Comparator]] = {
    Kind.DECIMAL: numeric(),
    Kind.DATE: date(),
    Kind.DATETIME: date(),
    Kind.TIME: date(),
    Kind.CHOICE: exact(normalize=False),
    Kind.BOOLEAN: exact(normalize=False),
}


def for_kind(kind: Kind) -> Comparator | None:
    """Return the comparator for places of *kind*; None where the default rule of the suite is to decide.

    Decimals by value (their JSON form is text, "10.50"), dates and times by moment, bools and choices as
    they are written.
    """
    return _BY_KIND.get(kind)
