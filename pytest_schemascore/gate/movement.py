"""Which cases got worse and better on a metric, by name (G3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.metrics import mean_parts
from pytest_schemascore.report.measured import DIGITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.gate.metrics import Metric
    from pytest_schemascore.report.measured import CaseCounts

_NOTHING: Final = 0.5 * 10**-DIGITS
"""Smaller movements than half a stored digit are floating point's, not the extractor's."""


def differing(
    before: Sequence[CaseCounts], after: Sequence[CaseCounts]
) -> list[tuple[CaseCounts, CaseCounts]]:
    """Return the pairs whose runs differ; only they can have moved any metric."""
    return [pair for pair in zip(before, after, strict=True) if pair[0].runs != pair[1].runs]


def lost_and_gained(
    metric: Metric, pairs: Sequence[tuple[CaseCounts, CaseCounts]], value: float | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the cases of *pairs* that got worse and better on *metric*, largest moves first.

    A case moves by the change of c - value * n, its contribution c over its base n held against *value*, the
    metric's value before, so that giving more or fewer values is no loss by itself.
    """
    rate = value or 0.0
    sign = -1.0 if metric.rises else 1.0
    moved = []
    for before, after in pairs:
        if metric.tag is None or metric.tag in after.tags:
            (c0, n0), (c1, n1) = mean_parts(metric, before), mean_parts(metric, after)
            change = sign * (c1 - c0 - rate * (n1 - n0))
            if abs(change) > _NOTHING:
                moved.append((change, after.id))
    moved.sort()
    lost = tuple(case_id for change, case_id in moved if change < 0)
    gained = tuple(case_id for change, case_id in sorted(moved, key=_best_first) if change > 0)
    return lost, gained


def no_longer_measured(metric: Metric, pairs: Sequence[tuple[CaseCounts, CaseCounts]]) -> tuple[str, ...]:
    """Return the ids of the cases that *metric* had data on and has none on now."""
    return tuple(
        after.id
        for before, after in pairs
        if (metric.tag is None or metric.tag in after.tags)
        and mean_parts(metric, before)[1]
        and not mean_parts(metric, after)[1]
    )


def _best_first(entry: tuple[float, str]) -> tuple[float, str]:
    return -entry[0], entry[1]
