"""The lines of the field table: accuracy before and after, evidence, counts, rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.status import FAILING, Status
from pytest_schemascore.report.metric_names import EXTRA_SUFFIX, is_field
from pytest_schemascore.report.metrics import field_metrics
from pytest_schemascore.reporting import evidence, numbers
from pytest_schemascore.reporting.html.case_list import FAILING as FAILING_CASES
from pytest_schemascore.reporting.html.case_list import link, link_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_schemascore.gate.diff import Change, SuiteDiff
    from pytest_schemascore.report.metrics import FieldMetrics
    from pytest_schemascore.report.results import SuiteResult

BAR: Final = 100
"""Units a whole accuracy bar is wide."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A status in words; *tone* (bad, good, quiet) only supports them."""

    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One line of the field table; texts are empty where there is nothing to say.

    Attributes:
        accuracy, before: shares in [0, 1]; change: after - before; None where there is no value.
        counts: labelled, correct, wrong, missing, invented, extra, not judged.
        href: the cases that got this field wrong; empty where there are none.
    """

    name: str
    rule: str
    why: str
    accuracy: float | None
    accuracy_text: str
    before: float | None
    before_text: str
    change: float | None
    change_text: str
    interval: str
    p_value: str
    p_sort: float | None
    badges: tuple[Badge, ...]
    counts: tuple[int, ...]
    href: str


def badge(change: Change, noun: str = "") -> Badge:
    """Return the status of *change* as a badge; *noun* says what it is about where that isn't accuracy."""
    tone = "bad" if change.failing else "good" if change.status is Status.IMPROVED else "quiet"
    return Badge(f"{noun} {change.status.value}".strip(), tone)


def field_rows(suite: SuiteResult, diff: SuiteDiff | None) -> list[FieldRow]:
    """Return the line of every field: the measured ones, then those that vanished."""
    changes = {change.metric: change for change in diff.changes} if diff else {}
    measured = field_metrics(suite)
    rows = [_row(suite, name, metrics, changes) for name, metrics in measured.items()]
    vanished = (
        name
        for name, change in changes.items()
        if change.status is Status.VANISHED and is_field(name) and name not in measured
    )
    return [*rows, *(_row(suite, name, None, changes) for name in vanished)]


def _row(
    suite: SuiteResult, name: str, metrics: FieldMetrics | None, changes: Mapping[str, Change]
) -> FieldRow:
    change = changes.get(name)
    accuracy = metrics.accuracy if metrics else None
    counts = metrics.counts if metrics else None
    rule = metrics.rule if metrics else None
    href = ""
    if counts is not None and not counts.is_perfect:
        href = link(suite=link_key(suite.key), state=FAILING_CASES, field=link_key(name))
    p = None if change is None else change.p_value
    return FieldRow(
        name,
        rule.rule if rule else "",
        rule.why if rule else "",
        accuracy,
        numbers.percent(accuracy),
        change.before if change else None,
        numbers.percent(change.before) if change and change.before is not None else "",
        change.change if change else None,
        evidence.difference(change) if change else "",
        interval_text(change),
        "" if p is None else numbers.p_value(p).removeprefix("p = ").removeprefix("p "),
        p,
        tuple(_badges(name, changes)),
        (
            (
                counts.labelled,
                counts.correct,
                counts.wrong,
                counts.missing,
                counts.invented,
                counts.extra,
                counts.not_judged,
            )
            if counts
            else (0,) * 7
        ),
        href,
    )


def _badges(name: str, changes: Mapping[str, Change]) -> Iterator[Badge]:
    if (change := changes.get(name)) and change.status is not Status.UNCHANGED:
        yield badge(change)
    if (extra := changes.get(name + EXTRA_SUFFIX)) and extra.status in FAILING:
        yield badge(extra, "extras")


def interval_text(change: Change | None) -> str:
    """Return the interval of *change* as ``+1.2 to +8.1``, in points; empty where there is none."""
    if change is None or change.interval is None:
        return ""
    low, high = (numbers.points(bound).removesuffix(" pts") for bound in change.interval)
    return f"{low} to {high}"
