"""Reports and cases made by hand in one line each, for the tests of report, baseline and gate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.report.measured import CaseCounts, Failure, RunCounts, SuiteCounts
from pytest_schemascore.report.report import Report
from pytest_schemascore.report.results import CaseResult, RunError, RunResult, SuiteResult
from pytest_schemascore.scoring.outcomes import Counts, Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.report.gates import FieldGate

KEY = "tests/test_invoices.py::test_invoices"
RULES = {"$default": "exact()"}


def run(*, failure: Failure | None = None, **fields: float | None) -> RunResult:
    """Return a run with one leaf a field: its score, or None for one that is not judged."""
    leaves = tuple(_leaf(name, score, failure) for name, score in fields.items())
    return RunResult(leaves, RunError(failure, "it broke") if failure else None)


def _leaf(name: str, score: float | None, failure: Failure | None) -> Leaf:
    if failure:
        return Leaf(name, name, Outcome.MISSING, 0.0, "x", ABSENT, "exact()", name)
    outcome = Outcome.NOT_JUDGED if score is None else Outcome.CORRECT if score == 1 else Outcome.WRONG
    return Leaf(name, name, outcome, score, "x", "x" if score == 1 else "y", "exact()", name)


def case(case_id: str, *runs: RunResult, label: str = "l", tags: tuple[str, ...] = ()) -> CaseResult:
    """Return a case with these runs."""
    return CaseResult(case_id, label, "i", tags, runs)


def right(case_id: str, label: str = "l") -> CaseResult:
    """Return a case whose only field, total, is right."""
    return case(case_id, run(total=1), label=label)


def wrong(case_id: str, label: str = "l") -> CaseResult:
    """Return a case whose only field, total, is wrong."""
    return case(case_id, run(total=0), label=label)


def broken(case_id: str, failure: Failure = Failure.RAISED) -> CaseResult:
    """Return a case without a valid output."""
    return case(case_id, run(failure=failure, total=0))


def suite(
    *cases: CaseResult,
    key: str = KEY,
    test: str | None = None,
    of: int | None = None,
    rules: Mapping[str, str] | None = None,
    gates: Mapping[str, FieldGate] | None = None,
    skipped: Mapping[str, str] | None = None,
) -> SuiteResult:
    """Return a suite of *cases*, complete unless *of* says otherwise."""
    size = len(cases) + len(skipped or {}) if of is None else of
    return SuiteResult(
        key, test or key, 1, size, rules or RULES, {}, cases, gates=gates or {}, skipped=skipped or {}
    )


def report(*suites: SuiteResult, files: tuple[str, ...] = (), interrupted: bool = False) -> Report:
    """Return a report of *suites*."""
    return Report({one.key: one for one in suites}, files=files, interrupted=interrupted)


def counted(*cases: CaseCounts, key: str = KEY, rules: Mapping[str, str] | None = None) -> SuiteCounts:
    """Return the counts of a suite."""
    return SuiteCounts(key, key, rules or RULES, {one.id: one for one in cases})


def any_text() -> st.SearchStrategy[str]:
    """Return texts of every kind, lone surrogates too."""
    return st.text(st.characters(codec=None, exclude_categories=()), max_size=8).filter(_survives_json)


def _survives_json(text: str) -> bool:
    """Two surrogates that make up one character are that character once they went through JSON."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") == text


@st.composite
def any_counts(draw: st.DrawFn) -> Counts:
    """Return consistent counts with a score of up to six digits."""
    correct, wrong, missing, invented = (draw(st.integers(0, 4)) for _ in range(4))
    empty = draw(st.integers(0, correct))
    partial = draw(st.integers(0, 999_999)) / 1_000_000 if wrong else 0.0
    return Counts(
        score=round(correct + partial, 6),
        labelled=correct + wrong + missing + invented,
        correct=correct,
        missing=missing,
        invented=invented,
        extra=draw(st.integers(0, 3)),
        not_judged=draw(st.integers(0, 3)),
        empty=empty,
    )


@st.composite
def any_case(draw: st.DrawFn, names: st.SearchStrategy[str] | None = None) -> CaseCounts:
    """Return a case with one to three runs, some of them invalid."""
    names = names or any_text()
    runs = st.builds(
        RunCounts,
        st.sampled_from([None, *Failure]),
        st.dictionaries(names, any_counts(), max_size=3),
        st.one_of(st.just({}), st.just({"distance": 3.0}), st.just({"distance": 0.5, "similarity": 0.25})),
    )
    text = any_text()
    tags = st.lists(text, max_size=2).map(tuple)
    return draw(
        st.builds(CaseCounts, text, text, text, tags, st.lists(runs, min_size=1, max_size=3).map(tuple))
    )


@st.composite
def any_suites(draw: st.DrawFn) -> dict[str, SuiteCounts]:
    """Return up to three suites by key."""
    suites = {}
    for key in draw(st.lists(any_text(), max_size=3, unique=True)):
        cases = draw(st.lists(any_case(), max_size=4, unique_by=lambda one: one.id))
        rules = draw(st.dictionaries(any_text(), any_text(), max_size=2))
        test = draw(st.one_of(st.just(key), any_text()))
        suites[key] = replace(counted(*cases, key=key, rules=rules), test=test)
    return suites
