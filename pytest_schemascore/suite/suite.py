"""One suite, ready to run: its cases, and the rules by which outputs are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.report.field_rules import FieldRule
from pytest_schemascore.report.gates import check_gates, metric_names
from pytest_schemascore.report.weights import check_weights
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.selection import parse_selection
from pytest_schemascore.suite.labels import check_labels, check_meeting, selected_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.cases import Case
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.paths import Step
    from pytest_schemascore.documents.shapes import Schema
    from pytest_schemascore.scoring.score import Scorer
    from pytest_schemascore.spec import SuiteSpec


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite with its rules resolved; make one with `Suite.build`, score with `evaluating`."""

    spec: SuiteSpec
    cases: Mapping[str, Case]
    labels: Mapping[str, Json]
    schema: Schema
    scorer: Scorer
    field_rules: Mapping[str, FieldRule]
    selection: tuple[Step, ...]

    @classmethod
    def build(cls, spec: SuiteSpec, cases: Iterable[Case]) -> Suite:
        """Resolve rules, and check them and the labels, before anything is called.

        Raises:
            CaseError: a label that no output can meet, with file, line and path.
            SchemaError, PathError, RuleError, UsageError: what else can't work.
        """
        if spec.parse == "lenient":
            from pytest_schemascore.documents.lenient import require_json_repair  # few suites ask for it

            require_json_repair()
        schema = adapt_schema(spec.schema)
        by_id = {case.id: case for case in cases}
        selection = parse_selection(spec.select) if spec.select else ()
        labels = selected_labels(by_id.values(), selection, spec.select)
        check_labels(by_id, labels, schema)
        compiled = compile_scorer(
            labels.values(),
            comparators=spec.comparators,
            default=spec.default,
            weights=spec.weights,
            shape=schema.shape,
            count_extra=spec.extra == "count",
        )
        check_meeting(by_id, labels, compiled.scorer.root)
        rules = {name: FieldRule(rule, why) for name, (rule, why) in compiled.fields.items()}
        suite = cls(spec, by_id, labels, schema, compiled.scorer, rules, selection)
        check_weights(spec.weights)
        check_gates(spec.gates, suite.metric_names)
        return suite

    @property
    def metric_names(self) -> set[str]:
        """The names of all metrics that can have a gate or a floor."""
        tags = {tag for case in self.cases.values() for tag in case.tags}
        return metric_names(self.field_rules, tags, self.spec.metrics, weighted=bool(self.spec.weights))
