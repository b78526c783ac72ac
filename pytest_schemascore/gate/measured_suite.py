"""A suite of the run, as far as the gate needs to know it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.gate.stored import stored_suite
from pytest_schemascore.report.gates import metric_names
from pytest_schemascore.report.weights import field_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.report.gates import FieldGate
    from pytest_schemascore.report.measured import SuiteCounts
    from pytest_schemascore.report.results import SuiteResult


@dataclass(frozen=True, slots=True)
class MeasuredSuite:
    """What a run measured of one suite.

    Attributes:
        counts: in the stored form.
        of: how many cases the data set holds.
        fields: every field, in the order of the report.
        gates: what the suite asks of single metrics.
        weights: field -> weight; empty where the suite sets none.
        skipped: ids of cases that were left out on purpose.
        interrupted: whether the run was stopped before its end.
    """

    counts: SuiteCounts
    of: int
    fields: tuple[str, ...]
    gates: Mapping[str, FieldGate] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    skipped: frozenset[str] = frozenset()
    interrupted: bool = False

    @property
    def complete(self) -> bool:
        """Whether the whole data set was run; a case that is skipped on purpose leaves no hole (R6)."""
        seen = self.skipped | self.counts.cases.keys()
        return not self.interrupted and len(seen) >= self.of

    @property
    def metric_names(self) -> set[str]:
        """The names of all metrics that can have a floor."""
        cases = self.counts.cases.values()
        tags = {tag for case in cases for tag in case.tags}
        measures = {name for case in cases for run in case.runs for name in run.measures}
        return metric_names(self.fields, tags, measures, weighted=bool(self.weights))

    @property
    def key(self) -> str:
        """The suite's key."""
        return self.counts.key


def of_result(suite: SuiteResult, *, interrupted: bool = False) -> MeasuredSuite:
    """Return what the gate needs of *suite*."""
    counts = suite.counts()
    names = (name for case in counts.cases.values() for run in case.runs for name in run.fields)
    fields = tuple(dict.fromkeys((*names, *suite.field_rules)))
    return MeasuredSuite(
        stored_suite(counts),
        suite.of,
        fields,
        suite.gates,
        field_weights(suite.weights, fields),
        frozenset(suite.skipped),
        interrupted,
    )


def of_counts(counts: SuiteCounts) -> MeasuredSuite:
    """Return *counts* as a suite that was run completely and asks nothing of its metrics."""
    names = (name for case in counts.cases.values() for run in case.runs for name in run.fields)
    return MeasuredSuite(stored_suite(counts), len(counts.cases), tuple(dict.fromkeys(names)))
