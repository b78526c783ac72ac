"""Checks of arguments that users write in Python, so that a mistake shows before anything is called.

Each names the argument and what to give instead, in a `UsageError`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, TypeGuard

MOST: Final = 10_000
"""The most runs of a case, and calls at once: far more would fill the memory with calls to make."""

COUNTED: Final = f"a whole number from 1 to {MOST:,}"
"""What messages say of such a number."""


def is_number(value: object) -> TypeGuard[int | float]:
    """Say whether *value* is an int or a float; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_choice(name: str, value: object, known: Sequence[str]) -> None:
    """Refuse what is none of *known*, with the nearest of them."""
    __tracebackhide__ = True
    if value not in known:
        near = did_you_mean(str(value), known)
        msg = f"{name}={value!r} is unknown{near} (known: {', '.join(map(repr, known))})"
        raise UsageError(msg)


def check_mapping(name: str, value: object) -> None:
    """Refuse what is no mapping."""
    __tracebackhide__ = True
    if not isinstance(value, Mapping):
        msg = f"{name}={value!r}: give a mapping path -> value"
        raise UsageError(msg)


def check_callable(name: str, value: object, wanted: str) -> None:
    """Refuse what can't be called."""
    __tracebackhide__ = True
    if not callable(value):
        msg = f"{name}={value!r} can't be called; give {wanted}"
        raise UsageError(msg)


def check_count(name: str, value: object) -> None:
    """Refuse what is no whole number from 1 to `MOST`."""
    __tracebackhide__ = True
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
        msg = f"{name}={value!r}: give {COUNTED}"
        raise UsageError(msg)


def check_seconds(name: str, value: object) -> None:
    """Refuse what is no finite number above 0."""
    __tracebackhide__ = True
    if not is_number(value) or not 0 < value < math.inf:
        msg = f"{name}={value!r}: give seconds, more than 0"
        raise UsageError(msg)


def check_share(name: str, value: object, wanted: str = "a share from 0 to 1") -> None:
    """Refuse what is no number in [0, 1]."""
    __tracebackhide__ = True
    if not is_number(value) or not 0 <= value <= 1:
        msg = f"{name}={value!r}: give {wanted}"
        raise UsageError(msg)
