"""The way from what an extractor gave to what is reported.

The plugin, `evaluate` and the command share this; nothing else reads, validates or scores outputs. Apart from
`Suite`, since it is first needed when an extractor has answered, and loading it takes time.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.documents.label_directives import holds_document
from pytest_schemascore.documents.output import is_output
from pytest_schemascore.documents.reading import NotJson, ReadOutput, read_output, read_part
from pytest_schemascore.documents.shapes import ValidationFailed
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.results import CaseResult, RunError, RunResult, SuiteResult
from pytest_schemascore.running.masking import mask_secrets
from pytest_schemascore.scoring.outcomes import as_missing
from pytest_schemascore.scoring.selection import select
from pytest_schemascore.suite.rule_names import rule_names, unstable_names
from pytest_schemascore.suite.showing import as_json, described, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.running.job import Finished
    from pytest_schemascore.scoring.outcomes import Leaf
    from pytest_schemascore.scoring.scored import Question
    from pytest_schemascore.suite.suite import Suite

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


def answer_of(call: Finished) -> Answer:
    """Return what came of a finished call."""
    limit = call.job.timeout if call.timed_out else None
    return Answer(call.value, call.error, limit, call.duration)


def evaluate(suite: Suite, case_id: str, answer: Answer) -> Evaluated:
    """Read, validate and score what the extractor gave for a case of *suite* (S1, S2, S10).

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
        return _failed(suite, case_id, make, Failure.RAISED, described(answer.error))
    if answer.timeout is not None:
        message = f"no answer within {answer.timeout:g} s"
        return _failed(suite, case_id, make, Failure.TIMED_OUT, message)
    return _read(suite, case_id, value, make)


def missing(suite: Suite, case_id: str) -> tuple[Leaf, ...]:
    """Return every labelled leaf of a case as missing, null labels too (S10)."""
    return tuple(as_missing(suite.scorer.score(suite.labels[case_id], ABSENT).leaves))


def case_result(suite: Suite, case_id: str, runs: Sequence[RunResult]) -> CaseResult:
    """Put the runs of a case together with what is known of it."""
    case = suite.cases[case_id]
    return CaseResult(
        case.id,
        case.label_hash,
        case.input_hash,
        case.tags,
        tuple(runs),
        expected=case.expected,
        document=as_json(case.input, "the input"),
    )


def suite_result(suite: Suite, cases: Sequence[CaseResult], skipped: Mapping[str, str]) -> SuiteResult:
    """Put everything measured together."""
    return SuiteResult(
        key=suite.spec.key,
        test=suite.spec.test,
        line=suite.spec.line,
        of=len(suite.cases),
        rules=rule_names(suite.spec, suite.scorer, suite.field_rules),
        field_rules=suite.field_rules,
        cases=tuple(cases),
        gates=suite.spec.gates,
        weights=suite.spec.weights,
        skipped=skipped,
        notes=unstable_names(suite.spec.comparators),
    )


def _read(suite: Suite, case_id: str, raw: object, make: partial[RunResult]) -> Evaluated:
    label = suite.labels[case_id]
    try:
        read = read_output(raw, lenient=suite.spec.parse == "lenient")
        make = partial(make, notes=read.notes, repaired=read.repaired)
        if suite.selection:
            read = _selected(suite, label, read)
            make = partial(make, notes=read.notes, repaired=read.repaired)
        validated = suite.schema.validate(read.value, plain=read.plain)
    except NotJson as error:
        return _failed(suite, case_id, partial(make, output=shown(raw)), Failure.NOT_JSON, str(error))
    except ValidationFailed as error:
        return _failed(suite, case_id, partial(make, output=shown(raw)), Failure.SCHEMA, str(error))
    scored = suite.scorer.score(label, validated.value)
    result = make(
        scored.leaves,
        output=validated.value,
        defaults=validated.defaults,
        measures=_measures(suite, label, validated.value),
    )
    return Evaluated(result, scored.questions)


def _selected(suite: Suite, label: Json, whole: ReadOutput) -> ReadOutput:
    """Return the part of an output that is compared with *label*."""
    part = select(whole.value, suite.selection)  # type: ignore[arg-type]  # what isn't JSON holds nothing at a path
    if part is ABSENT:
        msg = f"the output has nothing at {suite.spec.select}"
        raise ValidationFailed(msg)
    read = read_part(part, is_document=holds_document(label), lenient=suite.spec.parse == "lenient")
    return read._replace(notes=whole.notes + read.notes, repaired=whole.repaired or read.repaired)


def _failed(suite: Suite, case_id: str, make: partial[RunResult], kind: Failure, message: str) -> Evaluated:
    measures = _measures(suite, suite.labels[case_id], ABSENT)
    error = RunError(kind, shortened(mask_secrets(message), LONGEST_MESSAGE))
    return Evaluated(make(missing(suite, case_id), error=error, measures=measures))


def _measures(suite: Suite, label: Json, value: Json | Absent) -> dict[str, float]:
    if not suite.spec.metrics:
        return {}
    from pytest_schemascore.similarity import measure  # few suites compare whole documents

    return measure(suite.spec.metrics, label, value)
