"""What a user writes for the floor of a field: ``FIELD=F``."""

from __future__ import annotations

import math

from pytest_schemascore.errors import UsageError


def read_floor(text: str) -> tuple[str, float]:
    """Return the field and its floor, a share; split at the last ``=``, since a key may have one.

    Raises:
        UsageError: it isn't that; says what to give.
    """
    name, _, number = text.rpartition("=")
    try:
        floor = float(number)
    except ValueError:
        floor = math.nan
    if not name.strip() or not 0 <= floor <= 1:
        msg = "give FIELD=F, such as total=0.95; F is a share from 0 to 1"
        raise UsageError(msg)
    return name.strip(), floor
