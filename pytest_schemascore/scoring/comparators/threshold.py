"""`threshold`: the distance of two numbers, measured by a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from pytest_schemascore.scoring.comparators.arguments import check_not_negative
from pytest_schemascore.scoring.comparators.distance import BELOW_ONE, Distance, rounding_context
from pytest_schemascore.scoring.comparators.number_reading import floats
from pytest_schemascore.scoring.comparators.reading import settled

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, repr=False)
class threshold(Distance):  # noqa: N801 - reads as a function where users call it
    """Score two JSON numbers by their distance d: 0 where d > t, else 1 - (d / t)^(1 / p); others by `exact`.

    With p = 0 all within *t* score 1. structeval's formula for numbers. Symmetric.

    Args:
        t: the distance from which on numbers score 0 (beyond which, with p = 0), in the unit of the values.
        p: at least 0; the larger, the more a small distance costs.

    Raises:
        RuleError: an argument is negative or not finite.
    """

    t: float = 0.001
    p: float = 0.1

    def __post_init__(self) -> None:
        check_not_negative("threshold()", "t", self.t)
        check_not_negative("threshold()", "p", self.p)
        Distance.__post_init__(self)

    def score(self, expected: Decimal, actual: Decimal) -> float:
        gap = self.gap(expected, actual)
        limit = Decimal(str(self.t))
        if gap > limit:
            return 0.0
        if not gap or not self.p:
            return 1.0
        share = float(rounding_context().divide(gap, limit))
        return min(1.0 - math.pow(share, 1.0 / self.p), BELOW_ONE)

    def scores(self, expected: list[Decimal], actual: list[Decimal]) -> NDArray[np.float64]:
        left, right = floats(expected)[:, None], floats(actual)[None, :]
        with np.errstate(all="ignore"):
            scale = np.maximum(abs(left), abs(right))
            beyond = abs(left - right) - 1e-14 * (scale + self.t) > self.t
        return settled(self, np.zeros(beyond.shape), ~beyond, expected, actual)
