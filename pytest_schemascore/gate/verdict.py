"""What became of one metric, and why it fails (G2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.diff import Change
from pytest_schemascore.gate.status import FAILING, Status
from pytest_schemascore.report import metric_names as names
from pytest_schemascore.report.measured import DIGITS

if TYPE_CHECKING:
    from pytest_schemascore.gate.evidence import MetricEvidence
    from pytest_schemascore.gate.metrics import Metric
    from pytest_schemascore.gate.terms import Terms

_MAY_BE_UNDEFINED: Final = frozenset({names.PRECISION, names.JUDGED})
"""Without any value given there is no precision; that as such is no loss, overall tells."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One metric of one suite, read off before and after.

    Attributes:
        before, after: over the cases both sides hold.
        whole: over all cases of a complete suite now, for floors; None where there is no value.
        complete: whether floors apply.
    """

    before: float | None
    after: float | None
    whole: float | None
    complete: bool


def judge(
    suite: str, metric: Metric, reading: Reading, terms: Terms, evidence: MetricEvidence | None
) -> Change:
    """Return the change of *metric* with its verdict.

    With *evidence* a drop counts only where that rejects it (G4); without, any drop beyond the terms does.
    """
    status = status_of(metric, reading.before, reading.after, terms.max_drop)
    if status is Status.REGRESSED and evidence is not None and not evidence.rejected and not terms.strict:
        status = Status.WITHIN_NOISE
    reasons = [_why(metric, reading, terms, status)] if status in FAILING else []
    if terms.floor is not None and reading.complete and _is_below(reading.whole, terms.floor):
        reasons.append(_below(metric, reading.whole, terms.floor))
        status = status if status in FAILING else Status.BELOW_FLOOR
    return Change(
        suite=suite,
        metric=metric.name,
        before=reading.before,
        after=reading.after,
        status=status,
        max_drop=terms.max_drop,
        floor=terms.floor,
        reason="; ".join(reasons),
    )


def status_of(metric: Metric, before: float | None, after: float | None, max_drop: float) -> Status:
    """Hold two values against each other, both rounded to the stored digits; equal to *max_drop* is fine."""
    if before is None:
        return Status.UNCHANGED if after is None else Status.NEW
    if after is None:
        undefined = metric.name in _MAY_BE_UNDEFINED or names.is_extra(metric.name)
        return Status.UNCHANGED if undefined else Status.VANISHED
    worse = worsening(metric, before, after)
    if worse > round(max_drop, DIGITS):
        return Status.REGRESSED
    if worse > 0:
        return Status.TOLERATED
    return Status.IMPROVED if worse < 0 else Status.UNCHANGED


def worsening(metric: Metric, before: float, after: float) -> float:
    """Return by how much *metric* got worse, rounded to the stored digits; negative where it got better."""
    change = round(round(after, DIGITS) - round(before, DIGITS), DIGITS)
    return change if metric.rises else -change


def _is_below(value: float | None, floor: float) -> bool:
    return value is None or round(value, DIGITS) < round(floor, DIGITS)


def _why(metric: Metric, reading: Reading, terms: Terms, status: Status) -> str:
    if status is Status.VANISHED or reading.before is None or reading.after is None:
        return "it is in the baseline and nothing is measured on it now; is it ignored, or never judged?"
    moved = "rose" if metric.rises else "fell"
    by = _amount(metric, worsening(metric, reading.before, reading.after))
    return f"it {moved} by {by}; allowed: {_amount(metric, terms.max_drop)}"


def _below(metric: Metric, value: float | None, floor: float) -> str:
    if value is None:
        return f"it has no value to hold against its floor of {_level(metric, floor)}"
    return f"it is {_level(metric, value)}, below its floor of {_level(metric, floor)}"


def _amount(metric: Metric, value: float) -> str:
    return f"{value:.4g}" if names.is_count(metric.name) else f"{value * 100:.4g} points"


def _level(metric: Metric, value: float) -> str:
    return f"{value:.4g}" if names.is_count(metric.name) else f"{value * 100:.4g} %"
