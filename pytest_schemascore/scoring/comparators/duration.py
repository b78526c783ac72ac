"""`duration`: spans of time by their length."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pydantic_core import SchemaValidator, ValidationError, core_schema

from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class duration(Reading[dt.timedelta]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where two values are spans of time of the same length, else 0.

    They are read as pydantic reads them: ISO 8601 ("PT1H"), "01:00:00", "1 day, 01:00:00", or a number of
    seconds, to the microsecond. What is none of these equals only what is none either, by `exact`. Symmetric.
    """

    def read(self, value: Json) -> dt.timedelta | None:
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            return None
        try:
            span: dt.timedelta = _validator().validate_python(value)
        except (ValidationError, OverflowError):
            return None
        return span

    def score(self, expected: dt.timedelta, actual: dt.timedelta) -> float:
        return 1.0 if expected == actual else 0.0

    def reading_codes(self, readings: list[dt.timedelta]) -> Sequence[Hashable] | None:
        return readings


@cache
def _validator() -> SchemaValidator:
    return SchemaValidator(core_schema.timedelta_schema())
