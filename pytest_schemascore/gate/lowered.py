"""Which metrics of a suite an update lowers, so that nobody records a loss without being told (G7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.gate.metrics import value_of
from pytest_schemascore.gate.status import Status
from pytest_schemascore.gate.tallied import tallied
from pytest_schemascore.gate.verdict import status_of
from pytest_schemascore.gate.watched import watched_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.report.measured import CaseCounts


@dataclass(frozen=True, slots=True)
class Lowered:
    """A metric that gets worse, over all cases of a suite on either side; `after` is None if it vanished."""

    metric: str
    before: float
    after: float | None


def lowered_metrics(
    before: Iterable[CaseCounts],
    after: Iterable[CaseCounts],
    fields: Iterable[str],
    weights: Mapping[str, float],
) -> tuple[Lowered, ...]:
    """Return what gets worse from *before* to *after*, in the order in which metrics are shown."""
    old, new = tuple(map(tallied, before)), tuple(map(tallied, after))
    found = []
    for metric in watched_metrics((*old, *new), fields, weights=weights):
        was, now = value_of(metric, old), value_of(metric, new)
        worse = status_of(metric, was, now, 0.0) in {Status.REGRESSED, Status.VANISHED}
        if worse and was is not None:
            found.append(Lowered(metric.name, was, now))
    return tuple(found)
