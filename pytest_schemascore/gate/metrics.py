"""The metrics that a gate watches, each as a ratio of two sums over runs (G2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pytest_schemascore.report import metric_names as names
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_schemascore.report.measured import CaseCounts, RunCounts

Parts: TypeAlias = "Callable[[RunCounts], tuple[float, float]]"
"""What gives a run's contribution and base."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One watched figure: sum of contributions over sum of bases.

    Attributes:
        name: see `pytest_schemascore.report.metric_names`.
        parts: a run's contribution and base, ``(score, labelled)`` for an accuracy.
        rises: whether a rise is what counts as getting worse (extras, distance).
        tag: only cases with this tag count; None for all.
    """

    name: str
    parts: Parts
    rises: bool = False
    tag: str | None = None


def suite_metrics() -> tuple[Metric, ...]:
    """Return ``<overall>``, ``<validity>``, ``<precision>`` and ``<judged>``."""
    return (
        Metric(names.OVERALL, _accuracy),
        Metric(names.VALIDITY, lambda run: (float(run.valid), 1.0)),
        Metric(names.PRECISION, _precision),
        Metric(names.JUDGED, _judged),
    )


def field_metrics(name: str) -> tuple[Metric, Metric]:
    """Return a field's accuracy and its extras per labelled leaf."""

    def accuracy(run: RunCounts) -> tuple[float, float]:
        counts = run.fields.get(name, _NOTHING)
        return counts.score, counts.labelled

    def extras(run: RunCounts) -> tuple[float, float]:
        counts = run.fields.get(name, _NOTHING)
        return counts.extra, counts.labelled

    return Metric(name, accuracy), Metric(name + names.EXTRA_SUFFIX, extras, rises=True)


def tag_metric(tag: str) -> Metric:
    """Return the overall accuracy of the cases that carry *tag*."""
    return Metric(names.TAG + tag, _accuracy, tag=tag)


def measure_metric(name: str) -> Metric:
    """Return the mean of a per-document figure, ``distance`` (a rise is worse) or ``similarity``."""
    metric = names.suite_metric(name)
    return Metric(metric, lambda run: _measure(run, name), rises=metric == names.DISTANCE)


def value_of(metric: Metric, cases: Iterable[CaseCounts]) -> float | None:
    """Return the metric's value: each case's runs averaged, then summed; None where the base is zero."""
    parts, tag = metric.parts, metric.tag
    contribution = base = 0.0
    for case in cases:
        if tag is not None and tag not in case.tags:
            continue
        runs = case.runs
        # A case of a large baseline costs one call for each metric, not two.
        c, n = parts(runs[0]) if len(runs) == 1 else mean_parts(metric, case)
        contribution += c
        base += n
    return contribution / base if base else None


def mean_parts(metric: Metric, case: CaseCounts) -> tuple[float, float]:
    """Return a case's contribution and base, averaged over its runs."""
    runs = case.runs
    if len(runs) == 1:
        return metric.parts(runs[0])
    parts = [metric.parts(run) for run in runs]
    return sum(c for c, _ in parts) / len(runs), sum(n for _, n in parts) / len(runs)


def _accuracy(run: RunCounts) -> tuple[float, float]:
    counts = run.counts
    return counts.score, counts.labelled


def _precision(run: RunCounts) -> tuple[float, float]:
    counts = run.counts
    return counts.score - counts.empty, float(counts.given)


def _judged(run: RunCounts) -> tuple[float, float]:
    counts = run.counts
    return float(counts.labelled), float(counts.labelled + counts.not_judged)


def _measure(run: RunCounts, name: str) -> tuple[float, float]:
    value = run.measures.get(name)
    return (0.0, 0.0) if value is None else (value, 1.0)


_NOTHING = Counts()
