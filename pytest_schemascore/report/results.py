"""Everything one run measured, documents and all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.report.measured import CaseCounts, Failure, RunCounts, SuiteCounts
from pytest_schemascore.scoring.counting import count_by_field
from pytest_schemascore.scoring.outcomes import Counts, Leaf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_schemascore.report.field_rules import FieldRule
    from pytest_schemascore.report.gates import FieldGate


@dataclass(frozen=True, slots=True)
class RunError:
    """Why there is no valid output, with a message of one line or more for the reader."""

    kind: Failure
    message: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run of one case.

    Attributes:
        leaves: every labelled leaf and every extra one.
        error: None where the output is valid.
        output: the validated output in JSON form; the raw text where it could not be read; `ABSENT` where
            the extractor gave nothing.
        duration: seconds the extractor took; None where unknown.
        cost: in the user's own unit, summed over the run's calls; tokens: a count.
        metadata: whatever the extractor attached, in JSON form.
        notes: defects of the output that don't make it invalid, such as duplicate keys.
        repaired: whether lenient reading was needed (S1).
        defaults: how many leaves of the output come from schema defaults (S2).
        judge_errors: messages of judges that failed; their leaves are not judged (S12).
        measures: see `RunCounts`.
        fields: the counts by field; made once, since every figure asks for them.
    """

    leaves: Sequence[Leaf]
    error: RunError | None = None
    output: Json | Absent = ABSENT
    duration: float | None = None
    cost: float | None = None
    tokens: int | None = None
    metadata: Json = None
    notes: tuple[str, ...] = ()
    repaired: bool = False
    defaults: int = 0
    judge_errors: tuple[str, ...] = ()
    measures: Mapping[str, float] = field(default_factory=dict)
    fields: Mapping[str, Counts] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", count_by_field(self.leaves))

    @property
    def valid(self) -> bool:
        """Whether the output was read and passed the schema."""
        return self.error is None

    @property
    def score(self) -> float | None:
        """Sum of scores over labelled leaves, in [0, 1]; None where nothing was judged."""
        return Counts.total(self.fields.values()).accuracy

    def counts(self) -> RunCounts:
        """Drop the documents, keep the counts."""
        return RunCounts(self.error.kind if self.error else None, self.fields, self.measures)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: its hashes and documents, and its runs (one, or as many as ``repeat`` says).

    `label` and `input` are short hashes; `expected` and `document` are the label and the input themselves.
    """

    id: str
    label: str
    input: str
    tags: tuple[str, ...]
    runs: tuple[RunResult, ...]
    expected: Json = None
    document: Json = None

    def counts(self) -> CaseCounts:
        """Drop the documents, keep the counts."""
        return CaseCounts(
            self.id, self.label, self.input, self.tags, tuple(run.counts() for run in self.runs)
        )


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """All cases of one extractor (one suite per variant where the function is parametrized further).

    Attributes:
        key: ``name=`` of the mark, or the node id without the case.
        test: the node id without the case, ``tests/test_invoices.py::test_invoices``.
        line: line of the test function in its file, counted from 1; 0 where there is none.
        of: how many cases the data set holds (R6); the suite is complete when `cases` has as many.
        rules: pattern -> rule as configured; ``$default`` is the default rule.
        field_rules: field -> the rule it got and why.
        cases: in the order of the data set.
        gates: field, ``<suite metric>`` or ``tag:NAME`` -> what is asked of it.
        weights: pattern -> weight of the field in the ``weighted`` metric; 1 where not named.
        skipped: id -> reason, of cases that were not run.
        notes: what a reader should know of the rules, one sentence each.
    """

    key: str
    test: str
    line: int
    of: int
    rules: Mapping[str, str]
    field_rules: Mapping[str, FieldRule]
    cases: tuple[CaseResult, ...]
    gates: Mapping[str, FieldGate] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every case of the data set was measured."""
        return len(self.cases) == self.of

    def counts(self) -> SuiteCounts:
        """Drop the documents, keep the counts."""
        return SuiteCounts(self.key, self.test, self.rules, {case.id: case.counts() for case in self.cases})
