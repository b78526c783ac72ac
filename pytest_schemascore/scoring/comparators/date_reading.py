"""Reading texts as dates and times, without guessing."""

from __future__ import annotations

import datetime as dt
from itertools import product
from typing import Final, NamedTuple

from dateutil import parser

_START: Final = dt.datetime(2000, 1, 1)  # noqa: DTZ001 - zones stand in texts
# dateutil takes what a text leaves out from a default; a text that says the same under both is complete.
_DEFAULTS: Final = (_START, dt.datetime(2004, 2, 2))  # noqa: DTZ001 - zones stand in texts
_JUNK: Final = (ValueError, OverflowError, ArithmeticError, LookupError, TypeError, AttributeError)
_LONGEST: Final = 100


class Moment(NamedTuple):
    """A date (its midnight), date and time, or time of day (on 1 January 2000), as it is written.

    Attributes:
        clock: what calendar and clock show there.
        offset: how far they are ahead of UTC; None where the text names no zone.
        is_time: whether only a time of day was given.
    """

    clock: dt.datetime
    offset: dt.timedelta | None
    is_time: bool = False

    @property
    def since_2000(self) -> dt.timedelta:
        """The time from the start of 2000, in UTC where the zone is known; no date is too early or late."""
        return self.clock - _START - (self.offset or dt.timedelta(0))

    @property
    def text(self) -> str:
        """The moment as RFC 3339 writes it, UTC as Z."""
        clock = (self.clock.time() if self.is_time else self.clock).isoformat()
        if not self.offset:
            return clock if self.offset is None else f"{clock}Z"
        zone = dt.timezone(self.offset)
        return f"{clock}{dt.time(tzinfo=zone).isoformat().removeprefix('00:00:00')}"


def read_moment(text: str, *, day_first: bool | None) -> Moment | None:
    """Return the moment that *text* names; None where it names none.

    ISO 8601 first, then whatever dateutil reads. A text that leaves out day, month or year is no date, and
    where *day_first* is None neither is one whose day, month and year can't be told apart, ``01/02/2024``.
    The text's case doesn't matter.
    """
    plain = text.strip().upper()
    if len(plain) > _LONGEST or not any(character.isdigit() for character in plain):
        return None
    return _iso(plain) or _free(plain, (True, False) if day_first is None else (day_first,))


def _iso(text: str) -> Moment | None:
    try:
        return _moment(dt.datetime.fromisoformat(text))
    except ValueError:
        pass
    if ":" not in text:  # "2024" is no time
        return None
    try:
        time = dt.time.fromisoformat(text)
    except ValueError:
        return None
    clock = dt.datetime.combine(_START, time.replace(tzinfo=None))
    return Moment(clock, time.utcoffset(), is_time=True)


def _free(text: str, day_first: tuple[bool, ...]) -> Moment | None:
    year_first = (True, False) if len(day_first) > 1 else (False,)
    readings: set[Moment] = set()
    for default, day, year in product(_DEFAULTS, day_first, year_first):
        try:
            parsed = parser.parse(text, default=default, dayfirst=day, yearfirst=year, tzinfos=_zone)
            readings.add(_moment(parsed))
        except _JUNK:
            return None
    return readings.pop() if len(readings) == 1 else None


def _moment(parsed: dt.datetime) -> Moment:
    return Moment(parsed.replace(tzinfo=None), parsed.utcoffset())


def _zone(name: str | None, offset: int | None) -> dt.tzinfo | None:
    """Return the zone of a text: an offset or UTC by name, never the machine's.

    Raises:
        ValueError: the zone has another name, which may mean several.
    """
    if offset is not None:
        return dt.timezone(dt.timedelta(seconds=offset))
    if name is None:
        return None
    if name in {"UTC", "GMT", "Z"}:
        return dt.UTC
    msg = f"zone {name} is unknown"
    raise ValueError(msg)
