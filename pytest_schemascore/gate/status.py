"""What can become of a metric (G1 to G3)."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Status(Enum):
    """What became of one metric."""

    REGRESSED = "regressed"
    WITHIN_NOISE = "within noise"
    TOLERATED = "within max-drop"
    UNCHANGED = "unchanged"
    IMPROVED = "improved"
    VANISHED = "vanished"  # fails like a regression
    NEW = "new"
    BELOW_FLOOR = "below floor"  # fails


LEVEL: Final = 0.05
"""The level of evidence that nobody asked for, and of the gate where the baseline itself varies."""

FAILING = frozenset({Status.REGRESSED, Status.VANISHED, Status.BELOW_FLOOR})
