"""The smallest drop a suite could see, and how many more cases five points would need (G6)."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special  # loads in a third of the time of scipy.stats

from pytest_schemascore.gate.changes import TINY, Changes, changes_of
from pytest_schemascore.gate.diff import Power
from pytest_schemascore.gate.run_table import tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.gate.metrics import Metric
    from pytest_schemascore.report.measured import CaseCounts

POWER = 0.8
TARGET_DROP = 0.05
STEPS = 100_000
"""How many drops are told apart between none and all: to a thousandth of a point."""
FEW = 10
"""Below so many differing cases the normal approximation is not to be trusted."""
MANY = 1_000_000
"""From so many units on, what is counted out takes more time and memory than it is worth."""
_FAR = 12
"""Standard deviations of a binomial, and tries on top where it is skewed, beyond which nothing is counted."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How a metric varies without any drop, in units that flip as a whole.

    A case with one leaf is one unit. A case of ten leaves of which one flips at a time is ten, as its flips
    move the metric by a tenth each; the size of a flip is measured as the mean square over the mean size of
    the differences between runs.

    Attributes:
        cases: how many cases have the metric.
        units: of the suite, at least 1.
        flip_rate: share of the units that differ between before and after, in [0, 1].
        differing: how many cases differ.
    """

    cases: int
    units: float
    flip_rate: float
    differing: int

    def with_cases(self, cases: int) -> Noise:
        """Return the noise of a suite of the same kind with so many cases."""
        return Noise(cases, self.units * cases / self.cases, self.flip_rate, self.differing)


def power_of(
    before: Sequence[CaseCounts],
    after: Sequence[CaseCounts],
    metric: Metric,
    alpha: float,
    critical: float | None,
    margin: float = 0.0,
) -> Power:
    """Return what a gate at *alpha* could see of a drop in *metric* with these cases and runs.

    Args:
        before, after: paired cases.
        metric: usually ``<overall>``.
        alpha: the level.
        critical: `SuiteEvidence.critical`; None for that of a metric tested alone, the least it can be.
        margin: the allowed drop, which a drop has to exceed.
    """
    noise = noise_of(before, after, metric)
    if noise is None:
        return Power(None, len(before), None)
    c = max(-float(special.ndtri(alpha)), critical or 0.0)
    return Power(smallest_drop(noise, c, margin), len(before), _more_cases(noise, c, margin))


def noise_of(before: Sequence[CaseCounts], after: Sequence[CaseCounts], metric: Metric) -> Noise | None:
    """Measure the noise of paired cases; None where no case has the metric."""
    if not before:
        return None
    table = tabulate(before, after, [metric])
    changes = changes_of(table, [0.0])
    bases = np.add.reduceat(table.bases[:, 0], table.starts) / table.sizes
    cases = int((bases > 0).sum())
    if not cases:
        return None
    mean_base = float(bases.sum()) / cases
    size = min(1.0, _flip_size(changes) / mean_base)
    units = cases / size
    variance = float(changes.variances().sum()) / (cases * mean_base) ** 2
    drop = abs(_mean_change(changes)) / (cases * mean_base)
    flip_rate = min(1.0, max(0.0, variance * units - drop))
    return Noise(cases, units, flip_rate, int(changes.differs.sum()))


def smallest_drop(noise: Noise, critical: float, margin: float = 0.0) -> float | None:
    """Return the smallest drop seen with 80 % power, None where not even the loss of everything is."""

    def is_seen(step: int) -> bool:
        return power_at(step / STEPS, noise, critical, margin) >= POWER

    if margin >= 1 or not is_seen(STEPS):
        return None
    return bisect_left(range(STEPS), True, lo=math.ceil(margin * STEPS), key=is_seen) / STEPS


def power_at(drop: float, noise: Noise, critical: float, margin: float = 0.0) -> float:
    """Return the chance that *drop* is seen.

    For many differing cases it is the normal approximation of McNemar's test by Connor (1987), where before a
    drop d a share f of the units differs and f + d after: (c * sqrt(f + d) + z * sqrt(f + d - d^2)) / sqrt(n)
    = d. For few, it is counted out: the sign test on k of n units that differ, over all k and all numbers
    lost of k, which is what a simulation would estimate; not where the units are `MANY`.
    """
    if noise.differing < FEW and noise.units < MANY and not margin:
        return _counted_power(drop, noise, float(special.ndtr(-critical)))
    discordant = min(1.0, noise.flip_rate + drop)
    spread = math.sqrt(max(discordant - drop * drop, TINY))
    z = ((drop - margin) * math.sqrt(noise.units) - critical * math.sqrt(discordant)) / spread
    return float(special.ndtr(z))


def _counted_power(drop: float, noise: Noise, alpha: float) -> float:
    units = max(1, round(noise.units))
    discordant = min(1.0, noise.flip_rate + drop)
    if not discordant:
        return 0.0
    differ = _likely(units, discordant)
    chances = -np.diff(_more_than(differ, units, discordant), prepend=1.0)
    lost = min(1.0, (noise.flip_rate / 2 + drop) / discordant)
    return float(chances @ _more_than(_most_accepted(differ, alpha), differ, lost))


def _likely(tries: int, p: float) -> NDArray[np.int_]:
    """Return the numbers of successes in *tries*, one after the other, without tails below 1e-16."""
    middle, reach = tries * p, _FAR * (math.sqrt(tries * p * (1 - p)) + 1)
    return np.arange(max(0, math.floor(middle - reach)), min(tries, math.ceil(middle + reach)) + 1)


def _most_accepted(differ: NDArray[np.int_], alpha: float) -> NDArray[np.int_]:
    """Return the most losses among *differ* cases that the sign test at *alpha* does not reject."""
    near = np.ceil(special.bdtrik(1 - alpha, np.maximum(differ, 1), 0.5)).astype(int)
    # The inverse is rounded, to either side of what the test itself says.
    near += _more_than(near, differ, 0.5) > alpha
    near -= (near > 0) & (_more_than(np.maximum(near - 1, 0), differ, 0.5) <= alpha)
    return near


def _more_than(k: NDArray[np.int_], n: NDArray[np.int_] | int, p: float) -> NDArray[np.float64]:
    """Return the chance of more than *k* successes in *n* tries, k >= 0: I_p(k + 1, n - k) (DLMF 8.17.5)."""
    return np.where(k < n, special.betainc(k + 1, np.maximum(n - k, 1), p), 0.0)


def _more_cases(noise: Noise, critical: float, margin: float) -> int | None:
    """Return how many more cases a drop of five points needs; None where no number would do."""
    if margin >= TARGET_DROP:
        return None

    def enough(cases: int) -> bool:
        return power_at(TARGET_DROP, noise.with_cases(cases), critical, margin) >= POWER

    low, high = 0, noise.cases
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return max(0, high - noise.cases)


def _flip_size(changes: Changes) -> float:
    """Return the mean square over the mean size of the differences between a case's runs, in leaves."""
    squares = sizes = 0.0
    values, table, differs = changes.at_margin[:, 0], changes.table, changes.differs
    for start, size in zip(table.starts[differs], table.sizes[differs], strict=True):
        runs = values[start : start + size]
        differences = np.abs(runs[:, None] - runs[None])
        squares += float((differences**2).sum())
        sizes += float(differences.sum())
    return squares / sizes if sizes else 1.0


def _mean_change(changes: Changes) -> float:
    """Return the summed change of the case means, in leaves."""
    values, table = changes.at_margin[:, 0], changes.table
    weights = np.where(
        table.is_after,
        1.0 / np.repeat(table.after_runs, table.sizes),
        -1.0 / np.repeat(table.before_runs, table.sizes),
    )
    return float(values @ weights)
