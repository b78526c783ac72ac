"""Holding the error of many metrics at once: step-down max-T within a suite, Sidak over suites (G4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StepDown:
    """The free step-down max-T of Westfall and Young (1993), fed with the least bad metrics first.

    Each metric is held against the maximum over itself and all that are less bad. Only that maximum is kept,
    so that many metrics can come in chunks.
    """

    def __init__(self, arrangements: int) -> None:
        self._maxima = np.full(arrangements, -np.inf)

    def hits(self, observed: NDArray[np.float64], arranged: NDArray[np.float64]) -> NDArray[np.int64]:
        """Count the arrangements whose maximum is at least as bad as each next metric, of shape (metrics,).

        Args:
            observed: of shape (metrics,), ascending, also over calls; what counts as equal is already taken
                off.
            arranged: of shape (arrangements, metrics), large is bad.
        """
        counts = np.empty(len(observed), dtype=np.int64)
        for place, bar in enumerate(observed):
            np.maximum(self._maxima, arranged[:, place], out=self._maxima)
            counts[place] = np.count_nonzero(self._maxima >= bar)
        return counts

    def critical_value(self, alpha: float) -> float:
        """Return about the smallest statistic that the maximum over all metrics rejects at *alpha*."""
        return float(np.quantile(self._maxima, 1 - alpha, method="higher"))


def never_below_a_worse_one(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make p-values, those of the least bad metrics first, at least as large as every worse metric's."""
    return np.asarray(np.maximum.accumulate(p_values[::-1])[::-1])


def over_suites(p: float, suites: int) -> float:
    """Return the Sidak-adjusted *p* of one of *suites* suites that are tested in one run."""
    return p if suites == 1 else 1.0 - (1.0 - p) ** suites


def level_of_one(alpha: float, suites: int) -> float:
    """Return the level of one of *suites* suites that together keep *alpha*."""
    return alpha if suites == 1 else 1.0 - (1.0 - alpha) ** (1.0 / suites)
