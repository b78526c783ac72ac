"""Checks of what users pass to comparators, so that a mistake shows before anything is run."""

from __future__ import annotations

import math
from decimal import Decimal

from pytest_schemascore.errors import RuleError


def check_share(call: str, name: str, value: float) -> None:
    """Raise `RuleError` unless argument *name* of *call* is a number in [0, 1]."""
    if not _is_number(value) or not 0 <= value <= 1:
        msg = f"{call}: {name} is a number from 0 to 1, not {value!r}"
        raise RuleError(msg)


def check_not_negative(call: str, name: str, value: float | Decimal) -> None:
    """Raise `RuleError` unless argument *name* of *call* is a finite number of at least 0."""
    if not _is_number(value) or not math.isfinite(value) or value < 0:
        msg = f"{call}: {name} is a finite number of at least 0, not {value!r}"
        raise RuleError(msg)


def check_flag(call: str, name: str, value: object) -> None:
    """Raise `RuleError` unless argument *name* of *call* is True or False."""
    if not isinstance(value, bool):
        msg = f"{call}: {name} is True or False, not {value!r}"
        raise RuleError(msg)


def check_text(call: str, name: str, value: object) -> None:
    """Raise `RuleError` unless argument *name* of *call* is a text."""
    if not isinstance(value, str):
        msg = f"{call}: {name} is a text, not {value!r}"
        raise RuleError(msg)


def check_function(call: str, name: str, value: object) -> None:
    """Raise `RuleError` unless argument *name* of *call* can be called."""
    if not callable(value):
        msg = f"{call}: {name} is a function, not {value!r}"
        raise RuleError(msg)


def _is_number(value: object) -> bool:
    if isinstance(value, Decimal):
        return not value.is_nan()
    return isinstance(value, (int, float)) and not isinstance(value, bool)
