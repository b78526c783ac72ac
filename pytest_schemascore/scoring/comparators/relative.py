"""`relative`: the distance of two numbers, measured by the label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.distance import BELOW_ONE, Distance, rounding_context
from pytest_schemascore.scoring.comparators.number_reading import floats
from pytest_schemascore.scoring.comparators.reading import settled

if TYPE_CHECKING:
    from decimal import Decimal

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, repr=False)
class relative(Distance):  # noqa: N801 - reads as a function where users call it
    """Score two JSON numbers max(0, 1 - |e - a| / |e|); other values by `exact`.

    A label of 0 scores 1 with 0 and 0 with anything else. Different numbers never score 1, however near
    (floats that differ by rounding only are not different). Not symmetric: the label is the measure.
    """

    def score(self, expected: Decimal, actual: Decimal) -> float:
        gap = self.gap(expected, actual)
        if not gap:
            return 1.0
        if not expected:
            return 0.0
        e, a = float(expected), float(actual)
        if math.isfinite(e) and math.isfinite(a) and e:
            share = abs(e - a) / abs(e)
        else:
            share = float(rounding_context().divide(gap, expected.copy_abs()))
        return min(max(0.0, 1.0 - share), BELOW_ONE)

    def scores(self, expected: list[Decimal], actual: list[Decimal]) -> NDArray[np.float64]:
        import numpy as np  # only pairing lists works on arrays (R7)

        left, right = floats(expected)[:, None], floats(actual)[None, :]
        with np.errstate(all="ignore"):
            gap = abs(left - right)
            scores = np.minimum(np.maximum(0.0, 1.0 - gap / abs(left)), BELOW_ONE)
            clear = (gap > 1e-12 * np.maximum(abs(left), abs(right))) & np.isfinite(left) & np.isfinite(right)
            doubtful = ~clear | (left == 0)
        return settled(self, scores, doubtful, expected, actual)
