"""The interval of a change, by inverting the test that gives its p-value (G3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_schemascore.gate.permutation import Permuted


def drop_intervals(permuted: Permuted, alpha: float) -> NDArray[np.float64]:
    """Return the smallest and largest drop that the data agree with, of shape (metrics, 2), as shares.

    Each end inverts one one-sided test at *alpha*, so the two together hold the drop with 1 - 2 * alpha (90 %
    at 0.05). The lower end is where the verdict's own test changes its mind: with the same arrangements, p at
    a margin is at most *alpha* exactly where the margin lies below it. No margin needs to be searched, as
    each arrangement has one margin at which it passes the observed one: the ends are order statistics of
    these.

    An end is infinite where no margin, however far, would be rejected.
    """
    allowed = permuted.arrangements.most_hits(alpha)
    count = permuted.arrangements.count
    if not 0 <= allowed < count:
        return np.tile([-np.inf, np.inf], (len(permuted.margins), 1))
    low = np.partition(permuted.critical_margins(), allowed, axis=0)[allowed]
    place = count - 1 - allowed
    high = np.partition(permuted.upper_critical_margins(), place, axis=0)[place]
    return np.stack([low, high], axis=1)
