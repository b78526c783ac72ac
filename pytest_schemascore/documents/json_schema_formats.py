"""The formats of JSON Schema that are checked: those that choose a rule (date, date-time, time; RFC 3339)."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Final

from jsonschema import FormatChecker

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(r"\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def _is_date(value: object) -> bool:
    return not isinstance(value, str) or bool(_DATE.fullmatch(value) and date.fromisoformat(value))


def _is_time(value: object) -> bool:
    # time.fromisoformat of midnight was falsy once, hence the comparison.
    return not isinstance(value, str) or (
        _TIME.fullmatch(value) is not None and time.fromisoformat(value.upper()) is not None
    )


def _is_datetime(value: object) -> bool:
    if not isinstance(value, str):
        return True
    day, clock = value[:10], value[11:]
    return (
        value[10:11] in ("T", "t", " ")
        and _DATE.fullmatch(day) is not None
        and _TIME.fullmatch(clock) is not None
        and datetime.fromisoformat(f"{day}T{clock.upper()}") is not None
    )


def _checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    checker.checks("date", raises=ValueError)(_is_date)
    checker.checks("time", raises=ValueError)(_is_time)
    checker.checks("date-time", raises=ValueError)(_is_datetime)
    return checker


FORMATS: Final = _checker()
