"""The forms in which outputs have values whose labels may be written in several ways (S2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.scoring.comparators.normalizing import normalized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import Shape
    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.comparators.date_reading import Moment


@dataclass(frozen=True, slots=True)
class Forms:
    """How outputs have the values of one type.

    Attributes:
        of: yields the texts that outputs may have for a label, none where it can't be read.
        rules: loads the rules that compare the type by value.
        can_be: whether a label can be of the type at all, whatever a rule reads in it.
        name, example, hint: for messages; the hint for labels that can be read in several ways.
    """

    of: Callable[[Json], Iterator[Json]]
    rules: Callable[[], tuple[type[Comparator], ...]]
    name: str
    example: str = ""
    hint: str = ""
    can_be: Callable[[Json], bool] = lambda _: True


def _moments(label: Json) -> Iterator[Moment]:
    from pytest_schemascore.scoring.comparators.date_reading import read_moment  # loads dateutil

    for day_first in (None, True, False):
        moment = read_moment(normalized(label), day_first=day_first) if isinstance(label, str) else None
        if moment is not None:
            yield moment


def _dates(label: Json) -> Iterator[str]:
    return (moment.clock.date().isoformat() for moment in _moments(label) if not moment.is_time)


def _datetimes(label: Json) -> Iterator[str]:
    return _with_own_form(label, (moment.text for moment in _moments(label) if not moment.is_time))


def _times(label: Json) -> Iterator[str]:
    return _with_own_form(label, (moment.text for moment in _moments(label) if moment.is_time))


def _with_own_form(label: Json, texts: Iterator[str]) -> Iterator[str]:
    """Yield *texts*, and *label* too if it is one: a JSON Schema takes any form of a fraction or zone."""
    for text in texts:
        yield text
        if isinstance(label, str) and _RFC_3339.fullmatch(label):
            yield label


def _decimals(label: Json) -> Iterator[str]:
    number = _number(repr(label) if isinstance(label, float) else str(label))
    if number is not None:
        yield str(number)


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except (InvalidOperation, ValueError):
        return None


def _is_no_number(label: Json) -> bool:
    """Say whether *label* is no number; pydantic reads one as a timestamp, as text too."""
    return _number(str(label)) is None


def _date_rules() -> tuple[type[Comparator], ...]:
    from pytest_schemascore.scoring.comparators.date import date  # loads dateutil

    return (date,)


def _number_rules() -> tuple[type[Comparator], ...]:
    from pytest_schemascore.scoring.comparators.numeric import numeric  # few schemas have decimals

    return (numeric,)


_RFC_3339: Final = re.compile(r"(\d{4}-\d\d-\d\d[Tt ])?\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_DAY_FIRST: Final = ", or give the path the rule date(day_first=True) or date(day_first=False)"

FORMS: Final[Mapping[Kind, Forms]] = {
    Kind.DECIMAL: Forms(_decimals, _number_rules, "decimal number", "10.50"),
    Kind.DATE: Forms(_dates, _date_rules, "date", "2024-12-31", _DAY_FIRST, _is_no_number),
    Kind.DATETIME: Forms(
        _datetimes, _date_rules, "date and time", "2024-12-31T10:30:00", _DAY_FIRST, _is_no_number
    ),
    Kind.TIME: Forms(_times, _date_rules, "time of day", "10:30:00"),
}
"""By the type in the schema."""


def forms_of(shape: Shape) -> Forms | None:
    """Return how outputs have the scalars of *shape*; None where they have labels just as they are."""
    return FORMS.get(shape.kind) if shape.form is None else _rewritten(shape.kind, shape.form)


def _rewritten(kind: Kind, form: Callable[[Json], Json]) -> Forms:
    def of(label: Json) -> Iterator[Json]:
        if (written := form(label)) is not None:
            yield written

    match kind:
        case Kind.URL:
            return Forms(of, _url_rules, "URL", "https://example.com/")
        case Kind.DURATION:
            return Forms(of, _duration_rules, "duration", "PT1H30M")
        case _:
            return Forms(of, tuple, "text")


def _url_rules() -> tuple[type[Comparator], ...]:
    from pytest_schemascore.scoring.comparators.url import url  # few schemas have URLs

    return (url,)


def _duration_rules() -> tuple[type[Comparator], ...]:
    from pytest_schemascore.scoring.comparators.duration import duration  # loads pydantic

    return (duration,)
