"""One suite, ready to run: its cases, and the way from what an extractor gave to what is reported.

The plugin, `evaluate` and the command share this; nothing else reads, validates or scores outputs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.documents.lenient import require_json_repair
from pytest_schemascore.documents.output import Output, Unreadable
from pytest_schemascore.documents.python_values import NotJsonValueError, dumped
from pytest_schemascore.documents.reading import NotJson, read_output
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shapes import ValidationFailed
from pytest_schemascore.errors import CaseError, PathError, RecordedError
from pytest_schemascore.report.gates import check_gates, metric_names
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.results import CaseResult, FieldRule, RunError, RunResult, SuiteResult
from pytest_schemascore.running.masking import mask_secrets, text_of
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.naming import named
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.score import as_missing
from pytest_schemascore.scoring.selection import parse_selection, select
from pytest_schemascore.similarity import measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_schemascore.cases import Case
    from pytest_schemascore.documents.paths import Step
    from pytest_schemascore.documents.shapes import Schema
    from pytest_schemascore.report.gates import FieldGate
    from pytest_schemascore.scoring.outcomes import Leaf
    from pytest_schemascore.scoring.score import Question, Scorer

MOST_PROBLEMS = 10
"""How many label problems are listed at once."""

LONGEST_MESSAGE = 4_000
"""Characters of a failure's message that a report keeps: some clients put the whole request into it."""


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    """What a user said of a suite; the arguments of `case` and `evaluate` of the same names."""

    key: str
    test: str = ""
    line: int = 0
    schema: object = None
    comparators: Mapping[str, object] = field(default_factory=dict)
    default: object = None
    gates: Mapping[str, FieldGate] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    extra: Literal["ignore", "count"] = "ignore"
    select: str | None = None
    parse: Literal["strict", "lenient"] = "strict"
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one call of the extractor: a value, or an exception, or neither where it timed out."""

    value: object = None
    error: BaseException | None = None
    timeout: float | None = None
    duration: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluated:
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
            require_json_repair()
        schema = adapt_schema(spec.schema)
        by_id = {case.id: case for case in cases}
        selection = parse_selection(spec.select) if spec.select else ()
        labels = _labels(by_id.values(), selection, spec.select)
        _check_labels(by_id, labels, schema)
        compiled = compile_scorer(
            labels.values(),
            comparators=spec.comparators,
            default=spec.default,
            weights=spec.weights,
            shape=schema.shape,
            count_extra=spec.extra == "count",
        )
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
        given = Output.of(answer.value)
        make = partial(
            RunResult,
            duration=answer.duration,
            cost=given.cost,
            tokens=given.tokens,
            metadata=_as_json(given.metadata, "metadata"),
        )
        if answer.error is not None:
            return self._failed(case_id, make, Failure.RAISED, _described(answer.error))
        if answer.timeout is not None:
            message = f"no answer within {answer.timeout:g} s"
            return self._failed(case_id, make, Failure.TIMED_OUT, message)
        return self._read(case_id, given.value, make)

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
            validated = self.schema.validate(read.value)
        except NotJson as error:
            return self._failed(case_id, partial(make, output=_shown(raw)), Failure.NOT_JSON, str(error))
        except ValidationFailed as error:
            return self._failed(case_id, partial(make, output=_shown(raw)), Failure.SCHEMA, str(error))
        label = self.labels[case_id]
        scored = self.scorer.score(label, validated.value)
        result = make(
            tuple(scored.leaves),
            output=validated.value,
            defaults=validated.defaults,
            measures=measure(self.spec.metrics, label, validated.value),
        )
        return Evaluated(result, scored.questions)

    def _failed(self, case_id: str, make: partial[RunResult], kind: Failure, message: str) -> Evaluated:
        measures = measure(self.spec.metrics, self.labels[case_id], ABSENT)
        error = RunError(kind, shortened(mask_secrets(message), LONGEST_MESSAGE))
        return Evaluated(make(self.missing(case_id), error=error, measures=measures))

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
            document=_as_json(case.input, "the input"),
        )

    @property
    def metric_names(self) -> set[str]:
        """The names of all metrics that can have a gate or a floor."""
        tags = {tag for case in self.cases.values() for tag in case.tags}
        return metric_names(
            self.field_rules, tags, self.spec.metrics, weighted=bool(self.spec.weights)
        )

    @property
    def rules(self) -> dict[str, str]:
        """Everything that decides how outputs are scored, by pattern; ``$`` names are settings."""
        spec = self.spec
        settings = {"$default": repr(self.scorer.root.defaults.comparator)}
        lists = repr(self.scorer.root.defaults.pairing)
        settings |= {"$lists": lists} if lists != "by_content()" else {}
        settings |= {"$extra": spec.extra} if spec.extra != "ignore" else {}
        settings |= {"$parse": spec.parse} if spec.parse != "strict" else {}
        settings |= {"$select": spec.select} if spec.select else {}
        in_schema = {
            name: rule.rule
            for name, rule in self.field_rules.items()
            if rule.why in ("Annotated", "x-override-evaluator")
        }
        configured = {text: _rule_name(rule) for text, rule in spec.comparators.items()}
        return settings | in_schema | configured

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the rules."""
        unstable = [
            f"comparators[{text!r}] is {named(rule).name}: a change of it can't be told by its name"
            for text, rule in self.spec.comparators.items()
            if callable(rule) and not named(rule).stable
        ]
        return tuple(unstable)

    def result(self, cases: Sequence[CaseResult], skipped: Mapping[str, str]) -> SuiteResult:
        """Put everything measured together."""
        return SuiteResult(
            key=self.spec.key,
            test=self.spec.test,
            line=self.spec.line,
            of=len(self.cases),
            rules=self.rules,
            field_rules=self.field_rules,
            cases=tuple(cases),
            gates=self.spec.gates,
            weights=self.spec.weights,
            skipped=skipped,
            notes=self.notes,
        )


def _labels(cases: Iterable[Case], selection: tuple[Step, ...], text: str | None) -> dict[str, Json]:
    """Return each case's label, or the selected part where the labels hold it too."""
    labels = {case.id: case.expected for case in cases}
    if not selection:
        return labels
    parts = {name: select(label, selection) for name, label in labels.items()}
    lacking = [name for name, part in parts.items() if part is ABSENT]
    if len(lacking) == len(parts):
        return labels
    if lacking:
        msg = f"select={text!r}: the label of case {lacking[0]!r} has nothing there, while others have"
        raise PathError(msg)
    return {name: part for name, part in parts.items() if not isinstance(part, Absent)}


def _check_labels(cases: Mapping[str, Case], labels: Mapping[str, Json], schema: Schema) -> None:
    problems = [
        f"{cases[name].source or f'case {name!r}'}: {problem.path}: {problem.message}"
        for name, label in labels.items()
        for problem in schema.check_label(label)
    ]
    if problems:
        more = [f"and {len(problems) - MOST_PROBLEMS} more"] if len(problems) > MOST_PROBLEMS else []
        count = f"{len(problems)} label{'s' if len(problems) > 1 else ''} that the schema can never produce:"
        raise CaseError("\n  ".join([count, *problems[:MOST_PROBLEMS], *more]))


def _rule_name(rule: object) -> str:
    return named(rule).name if callable(rule) and not isinstance(rule, Comparator) else repr(rule)


def _described(error: BaseException) -> str:
    if isinstance(error, RecordedError):
        return str(error)
    text = text_of(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _as_json(value: object, name: str) -> Json:
    """Return *value*, called *name*, as far as JSON can hold it."""
    try:
        found: Json = dumped(value)
    except NotJsonValueError as error:
        return f"({error.about(name)})"
    except Exception as error:  # noqa: BLE001 - a value of a class of the user's may raise anything
        return f"({name} raised {type(error).__name__})"
    return found


def _shown(raw: object) -> Json | Absent:
    """Return what can be shown of an output that could not be used."""
    if type(raw) is bytes:
        return raw.decode("utf-8", "replace")
    if raw is None or type(raw) is Unreadable:
        return ABSENT
    try:
        shown: Json = dumped(raw)
    except Exception:  # noqa: BLE001 - a value of a class of the user's may raise anything
        return ABSENT
    return shown
