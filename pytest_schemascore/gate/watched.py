"""Which metrics of a suite are watched, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.gate.metrics import (
    Metric,
    field_metrics,
    measure_metric,
    suite_metrics,
    tag_metric,
)
from pytest_schemascore.report import metric_names as names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_schemascore.report.measured import CaseCounts, RunCounts


def watched_metrics(
    cases: Sequence[CaseCounts],
    fields: Iterable[str],
    *,
    named: Iterable[str] = (),
    weights: Mapping[str, float] | None = None,
) -> list[Metric]:
    """Return the metrics on which any of *cases*, those of both sides, has data, and those that are *named*.

    Suite metrics first, then *fields* in their order and any others, then tags. Figures that say nothing are
    left out: a share judged where everything was, extras where there are none.
    """
    seen = _Seen(cases)
    wanted = set(named)
    metrics = [
        metric
        for metric in suite_metrics()
        if metric.name != names.JUDGED or seen.unjudged or metric.name in wanted
    ]
    if weights:
        metrics.append(weighted_metric(weights))
    metrics += [measure_metric(name) for name in sorted(seen.measures)]
    for name in dict.fromkeys((*fields, *sorted(seen.fields))):
        accuracy, extras = field_metrics(name)
        if name in seen.fields or name in wanted:
            metrics.append(accuracy)
        if name in seen.extras or extras.name in wanted:
            metrics.append(extras)
    metrics += [tag_metric(tag) for tag in sorted(seen.tags)]
    known = {metric.name for metric in metrics}
    return metrics + [metric_named(name) for name in sorted(wanted - known)]


def metric_named(name: str) -> Metric:
    """Return the metric of that name, whether or not anything has data on it."""
    by_name = {metric.name: metric for metric in suite_metrics()}
    if name in by_name:
        return by_name[name]
    if names.is_of_suite(name):
        return measure_metric(name[1:-1])
    if not names.is_of_field(name):
        return tag_metric(name.removeprefix(names.TAG))
    return field_metrics(name.removesuffix(names.EXTRA_SUFFIX))[names.is_extra(name)]


def weighted_metric(weights: Mapping[str, float]) -> Metric:
    """Return the overall in which each field has its weight, 1 where *weights* doesn't name it."""

    def parts(run: RunCounts) -> tuple[float, float]:
        weighted = [(weights.get(name, 1.0), counts) for name, counts in run.fields.items()]
        return sum(w * c.score for w, c in weighted), sum(w * c.labelled for w, c in weighted)

    return Metric(names.WEIGHTED, parts)


class _Seen:
    """What some case has data on."""

    def __init__(self, cases: Iterable[CaseCounts]) -> None:
        self.fields: set[str] = set()
        self.extras: set[str] = set()
        self.measures: set[str] = set()
        self.tags: set[str] = set()
        self.unjudged = False
        for case in cases:
            self.tags.update(case.tags)
            for run in case.runs:
                self._look_at(run)

    def _look_at(self, run: RunCounts) -> None:
        self.measures.update(run.measures)
        for name, counts in run.fields.items():
            if counts.labelled:
                self.fields.add(name)
            if counts.extra:
                self.extras.add(name)
            if counts.not_judged:
                self.unjudged = True
