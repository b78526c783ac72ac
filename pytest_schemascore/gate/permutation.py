"""The paired permutation test of "the drop is at most the margin" (G4), for all metrics of a suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_schemascore.gate.arrangements import Arrangements, arrangements_of
from pytest_schemascore.gate.step_down import step_down

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
            after
        carries a shift of at least 0 and every run from before one of at most 0. So there is one such margin,
        minus infinity for the observed arrangement itself, and p grows with the margin.
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

    def adjusted_p_values(self) -> NDArray[np.float64]:
        """Return the step-down max-T p-values, of shape (metrics,)."""
        return step_down(self.observed_statistics, self.statistics, self.arrangements.share)

    def critical_value(self, alpha: float) -> float:
        """Return the smallest T that max-T rejects at *alpha*, about."""
        return float(np.quantile(self.statistics.max(axis=1), 1 - alpha, method="higher"))


def permute(changes: Changes) -> Permuted:
    """Run the arrangements over *changes*, whose metrics all have runs that differ."""
    metrics = len(changes.margins)
    arrangements = arrangements_of(changes.table, changes.differs)
    observed, arranged = arrangements.sums(np.hstack([changes.scores, changes.shifts]))
    return Permuted(
        observed_changes=observed[:metrics],
        observed_shifts=observed[metrics:],
        changes=arranged[:, :metrics],
        shifts=arranged[:, metrics:],
        deviations=np.sqrt(changes.variances().sum(axis=0)),
        margins=changes.margins,
        arrangements=arrangements,
    )
