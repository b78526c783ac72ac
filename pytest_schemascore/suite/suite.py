"""One suite, ready to run: its cases, and the way from what an extractor gave to what is reported.

The plugin, `evaluate` and the command share this; nothing else reads, validates or scores outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.documents.output import is_output
from pytest_schemascore.documents.reading import NotJson, read_output
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shapes import ValidationFailed
from pytest_schemascore.report.gates import check_gates, metric_names
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.results import CaseResult, FieldRule, RunError, RunResult, SuiteResult
from pytest_schemascore.running.masking import mask_secrets
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.outcomes import as_missing
from pytest_schemascore.scoring.selection import parse_selection, select
from pytest_schemascore.suite.labels import check_labels, check_meeting, selected_labels
from pytest_schemascore.suite.rule_names import rule_names, unstable_names
from pytest_schemascore.suite.showing import as_json, described, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_schemascore.cases import Case
    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.documents.paths import Step
    from pytest_schemascore.documents.shapes import Schema
    from pytest_schemascore.scoring.outcomes import Leaf
    from pytest_schemascore.scoring.score import Question, Scorer
    from pytest_schemascore.spec import SuiteSpec

LONGEST_MESSAGE = 4_000
"""Characters of a failure's message that a report keeps: some clients put the whole request into it."""


class Answer(NamedTuple):
    """What came of one call of the extractor: a value, or an exception, or neither where it timed out."""

    value: object = None
    error: BaseException | None = None
    timeout: float | None = None
    duration: float | None = None


class Evaluated(NamedTuple):
    """The result of one answer, and the questions to judges that are still open on its leaves."""

    result: RunResult
    questions: Sequence[Question] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite with its rules resolved; make one with `Suite.build`."""

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
        check_gates(spec.gates, suite.metric_names)
        return suite

    def evaluate(self, case_id: str, answer: Answer) -> Evaluated:
        """Read, validate and score what the extractor gave for a case (S1, S2, S10).

        Raises:
            ComparatorError: a comparator failed, which is no fault of the output.
            UsageError: an optional library is missing.
        """
        value = answer.value
        make = partial(RunResult, duration=answer.duration)
        if is_output(value):
            beside = as_json(value.metadata, "metadata")
            make = partial(make, cost=value.cost, tokens=value.tokens, metadata=beside)
            value = value.value
        if answer.error is not None:
            return self._failed(case_id, make, Failure.RAISED, described(answer.error))
        if answer.timeout is not None:
            message = f"no answer within {answer.timeout:g} s"
            return self._failed(case_id, make, Failure.TIMED_OUT, message)
        return self._read(case_id, value, make)

    def _read(self, case_id: str, raw: object, make: partial[RunResult]) -> Evaluated:
        lenient = self.spec.parse == "lenient"
        try:
            read = read_output(raw, lenient=lenient)
            make = partial(make, notes=read.notes, repaired=read.repaired)
            if self.selection:
                part = select(read.value, self.selection)  # type: ignore[arg-type]  # what isn't JSON holds nothing at a path
                if part is ABSENT:
                    msg = f"the output has nothing at {self.spec.select}"
                    raise ValidationFailed(msg)
                read = read_output(part, lenient=lenient)
            validated = self.schema.validate(read.value, plain=read.plain)
        except NotJson as error:
            return self._failed(case_id, partial(make, output=shown(raw)), Failure.NOT_JSON, str(error))
        except ValidationFailed as error:
            return self._failed(case_id, partial(make, output=shown(raw)), Failure.SCHEMA, str(error))
        label = self.labels[case_id]
        scored = self.scorer.score(label, validated.value)
        result = make(
            scored.leaves,
            output=validated.value,
            defaults=validated.defaults,
            measures=self._measures(label, validated.value),
        )
        return Evaluated(result, scored.questions)

    def _failed(self, case_id: str, make: partial[RunResult], kind: Failure, message: str) -> Evaluated:
        measures = self._measures(self.labels[case_id], ABSENT)
        error = RunError(kind, shortened(mask_secrets(message), LONGEST_MESSAGE))
        return Evaluated(make(self.missing(case_id), error=error, measures=measures))

    def _measures(self, label: Json, value: Json | Absent) -> dict[str, float]:
        if not self.spec.metrics:
            return {}
        from pytest_schemascore.similarity import measure  # few suites compare whole documents

        return measure(self.spec.metrics, label, value)

    def missing(self, case_id: str) -> tuple[Leaf, ...]:
        """Return every labelled leaf of a case as missing, null labels too (S10)."""
        return tuple(as_missing(self.scorer.score(self.labels[case_id], ABSENT).leaves))

    def case_result(self, case_id: str, runs: Sequence[RunResult]) -> CaseResult:
        """Put the runs of a case together with what is known of it."""
        case = self.cases[case_id]
        return CaseResult(
            case.id,
            case.label_hash,
            case.input_hash,
            case.tags,
            tuple(runs),
            expected=case.expected,
            document=as_json(case.input, "the input"),
        )

    @property
    def metric_names(self) -> set[str]:
        """The names of all metrics that can have a gate or a floor."""
        tags = {tag for case in self.cases.values() for tag in case.tags}
        return metric_names(self.field_rules, tags, self.spec.metrics, weighted=bool(self.spec.weights))

    def result(self, cases: Sequence[CaseResult], skipped: Mapping[str, str]) -> SuiteResult:
        """Put everything measured together."""
        return SuiteResult(
            key=self.spec.key,
            test=self.spec.test,
            line=self.spec.line,
            of=len(self.cases),
            rules=rule_names(self.spec, self.scorer, self.field_rules),
            field_rules=self.field_rules,
            cases=tuple(cases),
            gates=self.spec.gates,
            weights=self.spec.weights,
            skipped=skipped,
            notes=unstable_names(self.spec.comparators),
        )
