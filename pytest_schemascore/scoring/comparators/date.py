"""`date`: dates and times by the moment they name."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.arguments import check_flag, check_not_negative
from pytest_schemascore.scoring.comparators.date_reading import Moment, read_moment
from pytest_schemascore.scoring.comparators.normalizing import normalized
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class date(Reading[Moment]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where two texts name the same moment within a tolerance, else 0.

    ISO 8601 and whatever dateutil reads, never guessing: an incomplete date ("March 2024") is none, and
    without *day_first* neither is an ambiguous one ("01/02/2024"). A year of two digits is the one within 50
    years of now. A date counts as its midnight. Two times with a zone (an offset, Z, UTC or GMT) are compared
    as instants; where one has none, as the clocks show. A time of day, "10:30", is compared with times of day
    only. What is no date equals only what is none either, by `exact`. Symmetric.

    Args:
        tolerance: in days, or a `datetime.timedelta`; at least 0.
        day_first: how ambiguous texts are to be read, True for ``day/month/year``.

    Raises:
        RuleError: an argument is of the wrong type or negative.
    """

    tolerance: float | dt.timedelta = 0
    day_first: bool | None = None
    _limit: dt.timedelta = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.day_first is not None:
            check_flag("date()", "day_first", self.day_first)
        object.__setattr__(self, "_limit", _limit(self.tolerance))

    def read(self, value: Json) -> Moment | None:
        return read_moment(normalized(value), day_first=self.day_first) if isinstance(value, str) else None

    def score(self, expected: Moment, actual: Moment) -> float:
        if expected.is_time is not actual.is_time:
            return 0.0
        if expected.offset is None or actual.offset is None:
            gap = expected.clock - actual.clock
        else:
            gap = expected.since_2000 - actual.since_2000
        return 1.0 if abs(gap) <= self._limit else 0.0

    def reading_codes(self, readings: list[Moment]) -> Sequence[Hashable] | None:
        zoned = {reading.offset is not None for reading in readings}
        if self._limit or len(zoned) > 1:  # one without a zone ties two instants that differ
            return None
        return [(reading.is_time, reading.since_2000) for reading in readings]


def _limit(tolerance: float | dt.timedelta) -> dt.timedelta:
    if isinstance(tolerance, dt.timedelta):
        if tolerance < dt.timedelta(0):
            msg = f"date(): tolerance is at least 0, not {tolerance!r}"
            raise RuleError(msg)
        return tolerance
    check_not_negative("date()", "tolerance", tolerance)
    try:
        return dt.timedelta(days=float(tolerance))
    except OverflowError as error:
        msg = f"date(): tolerance is in days; {tolerance!r} are too many"
        raise RuleError(msg) from error
