"""A report in a few lines of text, for a notebook or a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.report.metrics import field_metrics, suite_metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.report.report import Report
    from pytest_schemascore.report.results import SuiteResult


def summary_of(report: Report) -> str:
    """Return each suite with its validity and overall, and below it every field with its accuracy."""
    lines = [line for suite in report.suites.values() for line in _suite_lines(suite)]
    if report.interrupted:
        lines.append("the run was interrupted")
    return "\n".join(lines) if lines else "nothing was measured"


def _suite_lines(suite: SuiteResult) -> Iterator[str]:
    figures = suite_metrics(suite.counts())
    yield (
        f"{suite.key}: {len(suite.cases)} of {suite.of} cases,"
        f" {_percent(figures['validity'])} valid, {_percent(figures['overall'])} overall"
    )
    fields = field_metrics(suite)
    width = max(map(len, fields), default=0)
    for name, metrics in fields.items():
        counts = metrics.counts
        outcomes = ("correct", "wrong", "missing", "invented", "extra", "not_judged")
        told = [f"{n} {outcome.replace('_', ' ')}" for outcome in outcomes if (n := getattr(counts, outcome))]
        yield f"  {name:<{width}}  {_percent(metrics.accuracy):>7}  {', '.join(told)}".rstrip()


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{share * 100:.1f} %"
