"""What a change and its evidence read like (G3), the same words in every report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.gate.status import LEVEL, Status
from pytest_schemascore.report.metric_names import is_count, is_of_field
from pytest_schemascore.reporting.numbers import p_value, percent, percent_pair, plain, points, sign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.gate.diff import Change


def before_after(change: Change) -> tuple[str, str]:
    """Return the two values in percent, ``("93.1", "88.4")``; ``none`` where there is no value."""
    if is_count(change.metric):
        return plain(change.before), plain(change.after)
    return percent_pair(change.before, change.after)


def arrow(change: Change) -> str:
    """Return ``93.1 → 88.4``."""
    return " → ".join(before_after(change))


def difference(change: Change) -> str:
    """Return ``+4.7 pts``; nothing where either side has no value."""
    delta = change.change
    if delta is None or not is_count(change.metric):
        return points(delta)
    return sign(delta) + plain(abs(delta))


def grounds(change: Change) -> str:
    """Return ``6 lost, 1 gained, p = 0.03``: the evidence in brackets behind a change; may be empty.

    The p-value is the one that decides: the adjusted one where there is one.
    """
    parts = []
    if change.lost or change.gained:
        parts += [f"{len(change.lost)} lost", f"{len(change.gained)} gained"]
    p = change.p_value if change.p_adjusted is None else change.p_adjusted
    if p is not None:
        parts.append(p_value(p))
    if change.status is Status.BELOW_FLOOR:
        parts.append(f"floor {percent(change.floor)}")
    return ", ".join(parts)


def fine_print(change: Change, alpha: float | None) -> str:
    """Return ``90 % interval +0.9 to +4.1 pts, unadjusted p = 0.03``; may be empty."""
    parts = []
    if change.interval is not None:
        low, high = (_bare(bound, change) for bound in change.interval)
        unit = "" if is_count(change.metric) else " pts"
        parts.append(f"{interval_level(alpha)} interval {low} to {high}{unit}")
    if change.p_value is not None and change.p_adjusted not in (None, change.p_value):
        parts.append(f"unadjusted {p_value(change.p_value)}")
    return ", ".join(parts)


def interval_level(alpha: float | None) -> str:
    """Return what the intervals hold, ``90 %``: each end inverts a one-sided test at *alpha*."""
    return f"{(1 - 2 * (LEVEL if alpha is None else alpha)) * 100:g} %"


def _bare(bound: float, change: Change) -> str:
    if is_count(change.metric):
        return sign(bound) + plain(abs(bound))
    return points(bound).removesuffix(" pts")


def names(ids: Sequence[str], limit: int | None) -> str:
    """Return ``a, b and 12 more``, with *limit* names at most; all of them where that is None."""
    if limit is None or len(ids) <= limit:
        return ", ".join(ids)
    return f"{', '.join(ids[:limit])} and {len(ids) - limit:,} more"


def worst_first(changes: Sequence[Change]) -> list[Change]:
    """Return *changes* with fields before suite metrics and tags, the surest and then the largest first."""
    return sorted(changes, key=_badness)


def _badness(change: Change) -> tuple[bool, float, float]:
    certainty = 1.0 if change.p_adjusted is None else change.p_adjusted
    return not is_of_field(change.metric), certainty, -abs(change.change or 0.0)
