"""What each run adds to each metric's change, and how a margin moves it: the quantities G4 permutes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.gate.run_table import RunTable

TINY = 1e-9
"""Leaves: differences below this are the noise of floating point, not of the extractor."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Runs as linear functions of the margin: ``scores + margin * shifts``.

    A run's contribution is c - R0 * n, where R0 is the metric's value pooled over both sides, and a margin m
    adds m * n to each run from after before R0 is pooled; both are kept relative to the case's last run,
    which the difference of two means does not notice. So a metric with fixed bases keeps whole numbers
    exactly.

    Attributes:
        scores, shifts: of shape (runs, metrics), in leaves.
        margins: of shape (metrics,), the allowed drops.
        table: the runs behind them.
    """

    scores: NDArray[np.float64]
    shifts: NDArray[np.float64]
    margins: NDArray[np.float64]
    table: RunTable

    @property
    def at_margin(self) -> NDArray[np.float64]:
        """Each run at its metric's margin, of shape (runs, metrics)."""
        values = self.scores + self.margins * self.shifts
        return np.where(np.abs(values) < TINY, 0.0, values)

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Which cases have runs that differ in some metric at its margin."""
        return np.logical_or.reduceat(self.at_margin.any(axis=1), self.table.starts)

    @property
    def moves(self) -> NDArray[np.bool_]:
        """Which metrics have runs that differ before any margin is added, of shape (metrics,)."""
        return np.asarray((np.abs(self.scores) >= TINY).any(axis=0))

    def variances(self) -> NDArray[np.float64]:
        """Return the variance of each case's change under permutation, of shape (cases, metrics).

        With N values of which k stand for after, the difference of the two means has variance
        S^2 * N / (k * (N - k)), S^2 the values' variance with N - 1: sampling without replacement. One run
        each makes it the squared change.
        """
        values, table = self.at_margin, self.table
        size = table.sizes[:, None]
        total = np.add.reduceat(values, table.starts, axis=0)
        squares = np.add.reduceat(values * values, table.starts, axis=0) - total * total / size
        return squares / (size - 1) * size / (table.before_runs * table.after_runs)[:, None]

    def only(self, metrics: NDArray[np.bool_] | NDArray[np.int64]) -> Changes:
        """Keep some metrics, by mask or by place."""
        return Changes(self.scores[:, metrics], self.shifts[:, metrics], self.margins[metrics], self.table)


def changes_of(table: RunTable, margins: Sequence[float]) -> Changes:
    """Centre the runs of *table*; *margins* holds each metric's allowed drop as a share."""
    sizes = table.sizes
    last = np.repeat(table.starts + sizes - 1, sizes)
    after = table.is_after[:, None]
    weight = 1.0 / np.repeat(sizes, sizes)[:, None]
    pooled = _ratio(table.contributions * weight, table.bases * weight)
    share_after = _ratio(np.where(after, table.bases, 0.0) * weight, table.bases * weight)
    base = table.bases - table.bases[last]
    return Changes(
        scores=table.contributions - table.contributions[last] - pooled * base,
        shifts=np.where(after, base, -table.bases[last]) - share_after * base,
        margins=np.asarray(margins, dtype=np.float64),
        table=table,
    )


def _ratio(tops: NDArray[np.float64], bottoms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide column sums; exact sums, so that no order of adding shows. Zero where there is no base."""
    sums = [(math.fsum(top), math.fsum(bottom)) for top, bottom in zip(tops.T, bottoms.T, strict=True)]
    return np.array([top / bottom if bottom else 0.0 for top, bottom in sums])
