"""How sure one can be that a suite's metrics fell by more than allowed (G3, G4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_schemascore.gate.arrangements import arrangements_of
from pytest_schemascore.gate.changes import changes_of
from pytest_schemascore.gate.interval import drop_intervals
from pytest_schemascore.gate.permutation import observed_statistics, permute
from pytest_schemascore.gate.run_table import tabulate
from pytest_schemascore.gate.step_down import StepDown, level_of_one, never_below_a_worse_one, over_suites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.gate.changes import Changes
    from pytest_schemascore.gate.metrics import Metric
    from pytest_schemascore.report.measured import CaseCounts

_CELLS = 2**22  # arrangements times metrics held at once: some 200 MB at the most


@dataclass(frozen=True, slots=True)
class MetricEvidence:
    """What the permutation test says of one metric.

    Attributes:
        p_value: one-sided, of "the drop is at most the margin"; 1 where no run differs; None where
            untestable.
        p_adjusted: the same by step-down max-T within the suite and Sidak over suites.
        interval: of the change after - before in shares; each end inverts a one-sided test at alpha, so that
            p_value is at most alpha exactly where minus the margin (the margin, for a metric that rises) lies
            outside on the side of getting worse. None where untestable or where no run differs.
        testable: False where no outcome could have been significant, as too few cases have the metric; it
            then takes no part in the others' adjustment either.
        rejected: whether the drop is significant, p_adjusted at most alpha.
    """

    p_value: float | None
    p_adjusted: float | None
    interval: tuple[float, float] | None
    testable: bool
    rejected: bool


@dataclass(frozen=True, slots=True)
class SuiteEvidence:
    """What the permutation test says of a suite.

    Attributes:
        metrics: in the order asked for.
        testable: False where the smallest p that any outcome could reach exceeds alpha: then G2 has to
            decide.
        smallest_p: that p, Sidak included: what the metric that most cases have would get if all got worse.
        critical: the smallest T that max-T rejects, in standard deviations; None where nothing was tested.
    """

    metrics: tuple[MetricEvidence, ...]
    testable: bool
    smallest_p: float
    critical: float | None


def judge_suite(
    before: Sequence[CaseCounts],
    after: Sequence[CaseCounts],
    metrics: Sequence[Metric],
    margins: Sequence[float],
    *,
    suites: int,
    alpha: float,
) -> SuiteEvidence:
    """Test each metric's drop (rise, where that is what is bad) against its margin.

    Whether a metric can be tested depends on how many cases have it, not on how many happen to differ: three
    lost of a hundred are within noise, three lost of three cannot be told. The same data give the same answer
    whatever the order of the cases and on any machine.

    Args:
        before, after: paired cases, ``before[i]`` and ``after[i]`` the same one; one run or more on each
            side.
        metrics: the suite's gated metrics.
        margins: the allowed drop of each, as a share.
        suites: how many suites the run tests.
        alpha: the level.
    """
    if not before:
        return SuiteEvidence((_UNTESTABLE,) * len(metrics), testable=False, smallest_p=1.0, critical=None)
    table = tabulate(before, after, metrics)
    changes = changes_of(table, margins)
    reachable = [over_suites(float(p), suites) for p in table.smallest_p()]
    found = [_UNCHANGED if p <= alpha else _UNTESTABLE for p in reachable]
    tested = np.any(changes.at_margin, axis=0) & np.array([evidence.testable for evidence in found])
    critical = None
    if tested.any():
        rises = [metric.rises for metric, chosen in zip(metrics, tested, strict=True) if chosen]
        results, critical = _judge_tested(changes.only(tested), rises, suites, alpha)
        for place, result in zip(np.flatnonzero(tested), results, strict=True):
            found[place] = result
    smallest = min(reachable, default=1.0)
    return SuiteEvidence(tuple(found), testable=smallest <= alpha, smallest_p=smallest, critical=critical)


def _judge_tested(
    changes: Changes, rises: Sequence[bool], suites: int, alpha: float
) -> tuple[list[MetricEvidence], float]:
    """Judge metrics whose runs differ, and return max-T's critical value; *rises*: a rise is what is bad."""
    arrangements = arrangements_of(changes)
    least_bad_first = np.argsort(observed_statistics(changes, arrangements), kind="stable")
    raw, joint, drops = np.empty(len(rises)), np.empty(len(rises)), np.empty((len(rises), 2))
    hits = np.empty(len(rises), dtype=np.int64)
    maxima = StepDown(arrangements.count)
    width = max(1, _CELLS // arrangements.count)
    for start in range(0, len(rises), width):
        chosen = least_bad_first[start : start + width]
        permuted = permute(changes.only(chosen), arrangements)
        raw[chosen] = permuted.p_values()
        drops[chosen] = drop_intervals(permuted, alpha)
        hits[start : start + width] = maxima.hits(permuted.observed_statistics, permuted.statistics)
    joint[least_bad_first] = never_below_a_worse_one(arrangements.share(hits))
    adjusted = [over_suites(float(p), suites) for p in np.maximum(raw, joint)]
    intervals = [
        _of_change(float(low), float(high), rise) if moves else None
        for (low, high), rise, moves in zip(drops, rises, changes.moves, strict=True)
    ]
    found = [
        MetricEvidence(float(p), joint_p, interval, testable=True, rejected=joint_p <= alpha)
        for p, joint_p, interval in zip(raw, adjusted, intervals, strict=True)
    ]
    return found, maxima.critical_value(level_of_one(alpha, suites))


def _of_change(low: float, high: float, rises: bool) -> tuple[float, float] | None:
    """Turn the interval of a drop into one of the change; None where an end is not known."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    return (low, high) if rises else (-high, -low)


_UNCHANGED = MetricEvidence(1.0, 1.0, None, testable=True, rejected=False)
_UNTESTABLE = MetricEvidence(None, None, None, testable=False, rejected=False)
