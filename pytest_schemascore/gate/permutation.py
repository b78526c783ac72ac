"""The paired permutation test of "the drop is at most the margin" (G4), for all metrics of a suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_schemascore.gate.arrangements import Arrangements
    from pytest_schemascore.gate.changes import Changes

SLACK = 1e-7
"""Standard deviations: arrangements closer than this are equal but for rounding (of thirds, say)."""


@dataclass(frozen=True, slots=True)
class Permuted:
    """What the suite's metrics are under every arrangement: ``changes + margin * shifts``, small is bad.

    Attributes:
        observed_changes, observed_shifts: of shape (metrics,), in leaves.
        changes, shifts: of shape (arrangements, metrics).
        deviations: of shape (metrics,), sqrt of the summed variance under permutation, at the margin;
            positive.
        margins: of shape (metrics,).
        arrangements: where they come from.
    """

    observed_changes: NDArray[np.float64]
    observed_shifts: NDArray[np.float64]
    changes: NDArray[np.float64]
    shifts: NDArray[np.float64]
    deviations: NDArray[np.float64]
    margins: NDArray[np.float64]
    arrangements: Arrangements

    @property
    def statistics(self) -> NDArray[np.float64]:
        """T by arrangement and metric, large is bad."""
        return -(self.changes + self.margins * self.shifts) / self.deviations

    @property
    def observed_statistics(self) -> NDArray[np.float64]:
        """The observed T less what counts as equal, of shape (metrics,)."""
        return -(self.observed_changes + self.margins * self.observed_shifts) / self.deviations - SLACK

    def critical_margins(self) -> NDArray[np.float64]:
        """Return the margin from which on each arrangement is at least as bad as the observed one.

        Both are linear in the margin, and the observed arrangement has the steepest slope: every run from
        after carries a shift of at least 0 and every run from before one of at most 0. So there is one such
        margin, minus infinity for the observed arrangement itself, and p grows with the margin.
        """
        return self._crossings(SLACK)

    def upper_critical_margins(self) -> NDArray[np.float64]:
        """Return the margin up to which each arrangement is at most as bad as the observed one."""
        return self._crossings(-SLACK)

    def _crossings(self, slack: float) -> NDArray[np.float64]:
        ahead = self.observed_changes - self.changes + slack * self.deviations
        slope = self.observed_shifts - self.shifts
        never = np.where(ahead >= 0, -np.inf, np.inf)
        return np.divide(-ahead, slope, out=never, where=slope > 0)

    def p_values(self) -> NDArray[np.float64]:
        """Return the one-sided p of "the drop is at most the margin", of shape (metrics,)."""
        return self.arrangements.share((self.critical_margins() <= self.margins).sum(axis=0))


def observed_statistics(changes: Changes, arrangements: Arrangements) -> NDArray[np.float64]:
    """Return the observed T of metrics that all have runs that differ, of shape (metrics,), large is bad."""
    totals = arrangements.observed(changes.scores) + changes.margins * arrangements.observed(changes.shifts)
    return np.asarray(-totals / np.sqrt(changes.variances().sum(axis=0)))


def permute(changes: Changes, arrangements: Arrangements) -> Permuted:
    """Run *arrangements* over metrics that all have runs that differ."""
    metrics = len(changes.margins)
    columns = np.hstack([changes.scores, changes.shifts])
    observed, arranged = arrangements.observed(columns), arrangements.sums(columns)
    return Permuted(
        observed_changes=observed[:metrics],
        observed_shifts=observed[metrics:],
        changes=arranged[:, :metrics],
        shifts=arranged[:, metrics:],
        deviations=np.sqrt(changes.variances().sum(axis=0)),
        margins=changes.margins,
        arrangements=arrangements,
    )
