"""The saved report: what it says, that nothing is lost in it, and the figures that are computed from it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.documents.json_types import ABSENT, Json
from pytest_schemascore.errors import BaselineError, UsageError
from pytest_schemascore.evaluation import evaluate
from pytest_schemascore.report.document import report_to_json
from pytest_schemascore.report.field_rules import FieldRule
from pytest_schemascore.report.gates import FieldGate
from pytest_schemascore.report.loading import parse_report
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.metrics import field_metrics, floor, latency, suite_metrics
from pytest_schemascore.report.report import Report
from pytest_schemascore.report.results import CaseResult, RunError, RunResult, SuiteResult
from pytest_schemascore.scoring.outcomes import Counts, Leaf, Outcome
from tests.measured import any_text, broken, case, report, right, run, suite, wrong

if TYPE_CHECKING:
    from pathlib import Path

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(any_text(), inner, max_size=2),
    max_leaves=4,
)
SHARES = st.floats(0, 1)
LEAVES = st.builds(
    Leaf,
    any_text(),
    any_text(),
    st.sampled_from(Outcome),
    st.none() | SHARES,
    st.just(ABSENT) | JSON_VALUES,
    st.just(ABSENT) | JSON_VALUES,
    any_text(),
    any_text(),
)
RUNS = st.builds(
    RunResult,
    leaves=st.lists(LEAVES, max_size=2).map(tuple),
    error=st.none() | st.builds(RunError, st.sampled_from(Failure), any_text()),
    output=st.just(ABSENT) | JSON_VALUES,
    duration=st.none() | SHARES,
    cost=st.none() | SHARES,
    tokens=st.none() | st.integers(0, 99),
    metadata=JSON_VALUES,
    notes=st.lists(any_text(), max_size=1).map(tuple),
    repaired=st.booleans(),
    defaults=st.integers(0, 3),
    judge_errors=st.lists(any_text(), max_size=1).map(tuple),
    measures=st.dictionaries(st.sampled_from(["distance", "similarity"]), SHARES),
)
CASES = st.builds(
    CaseResult,
    id=any_text(),
    label=any_text(),
    input=any_text(),
    tags=st.lists(any_text(), max_size=2).map(tuple),
    runs=st.lists(RUNS, min_size=1, max_size=3).map(tuple),
    expected=JSON_VALUES,
    document=JSON_VALUES,
)
SUITES = st.builds(
    SuiteResult,
    key=any_text(),
    test=any_text(),
    line=st.integers(0, 9),
    of=st.integers(0, 9),
    rules=st.dictionaries(any_text(), any_text(), max_size=1),
    field_rules=st.dictionaries(any_text(), st.builds(FieldRule, any_text(), any_text()), max_size=1),
    cases=st.lists(CASES, max_size=2, unique_by=lambda one: one.id).map(tuple),
    gates=st.dictionaries(
        any_text(), st.builds(FieldGate, st.none() | SHARES, st.none() | SHARES), max_size=1
    ),
    skipped=st.dictionaries(any_text(), any_text(), max_size=1),
    notes=st.lists(any_text(), max_size=1).map(tuple),
)


@settings(deadline=None, max_examples=30)
@given(st.lists(SUITES, max_size=2, unique_by=lambda one: one.key), st.booleans())
def test_a_report_survives_saving_and_loading(
    tmp_path_factory: pytest.TempPathFactory, suites: list[SuiteResult], interrupted: bool
) -> None:
    """Absent and null, huge integers, lone surrogates, several runs: all is as it was."""
    path = tmp_path_factory.mktemp("reports") / "report.json"
    saved = Report(
        {one.key: one for one in suites},
        files=("tests/test_a.py",),
        deleted=("tests/test_b.py",),
        interrupted=interrupted,
        settings={"max_drop": 0.02},
        gate={"passed": True},
    )
    saved.save(path)
    assert Report.load(path) == saved
    json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)


def leaf(field: str, outcome: Outcome, score: float | None, expected: Json = "x") -> Leaf:
    """Return a leaf of which only the outcome matters."""
    return Leaf(field, field, outcome, score, expected, "y", "exact()", field)


def four_cases() -> SuiteResult:
    """Return one case right, one half right with an extra, one with null labels, one not JSON."""
    half = RunResult(
        (
            leaf("vendor", Outcome.WRONG, 0.5),
            leaf("total", Outcome.CORRECT, 1.0),
            Leaf("lines[1]", "lines[*]", Outcome.EXTRA, None, ABSENT, "z", "", "lines[1]"),
        ),
        duration=2.0,
        cost=0.5,
        tokens=10,
    )
    nulls = RunResult(
        (leaf("vendor", Outcome.INVENTED, 0.0, None), leaf("total", Outcome.CORRECT, 1.0, None))
    )
    cases = (
        case("a", replace(run(vendor=1, total=1), duration=1.0), tags=("clean",)),
        case("b", half, tags=("scanned",)),
        case("c", nulls, tags=("scanned",)),
        case("d", run(failure=Failure.NOT_JSON, vendor=0, total=0)),
    )
    return replace(
        suite(*cases, gates={"total": FieldGate(min=0.9)}),
        field_rules={"total": FieldRule("numeric()", "comparators['total']")},
        weights={"total": 3.0},
    )


def test_the_figures_of_a_suite_are_those_worked_out_by_hand() -> None:
    """Scores 2 + 1.5 + 1 + 0 of 8 labels.

    Values given: 2, 2 and an extra, 1 invented, 0, that is 6, worth 3.5 without the null met; wanted: 2 + 2 +
    0 + 2 = 6. Weighted: total 3 of 4 thrice, vendor 1.5 of 4 once.
    """
    figures = suite_metrics(four_cases().counts(), {"total": 3.0, "vendor": 1.0})
    assert figures == {
        "overall": pytest.approx(4.5 / 8),
        "validity": 0.75,
        "precision": pytest.approx(3.5 / 6),
        "recall": pytest.approx(3.5 / 6),
        "f1": pytest.approx(3.5 / 6),
        "exact_match": 0.25,
        "weighted": pytest.approx((3 * 3 + 1.5) / (3 * 4 + 4)),
    }


def test_the_floor_is_what_an_extractor_that_returns_nothing_would_get() -> None:
    """Two of eight labels are null."""
    assert floor(four_cases()) == 0.25
    assert floor(suite()) is None


@pytest.mark.parametrize(
    "label",
    [
        {"a": 1, "b": None},
        {"o": {"a": 1, "b": None}, "l": [], "d": {"$absent": True}},
        {"items": [{"a": None, "b": 1}, {"a": None}], "x": None},
        {"items": [None, "x"]},
        [],
    ],
)
def test_the_floor_is_what_an_empty_document_is_scored_with(label: Json) -> None:
    """Also inside list items, which are missing as a whole, whatever was right in the run that is asked."""
    cases = [{"id": "a", "input": "", "expected": label}]
    full, empty = (evaluate(None, cases, lambda _, value=value: value) for value in (label, {}))  # type: ignore[misc]  # bound here
    (measured,) = full.suites.values()
    assert floor(measured) == empty.overall


def test_every_case_weighs_the_same_however_many_runs_it_has() -> None:
    """One case right in 1 of 4 runs and one right in its only run are five eighths."""
    flaky = case("a", run(total=1), run(total=0), run(total=0), run(total=0))
    both = suite(flaky, right("b"))
    assert suite_metrics(both.counts())["overall"] == 0.625
    assert suite_metrics(both.counts())["exact_match"] == 0.625
    fields = field_metrics(both)
    assert fields["total"].accuracy == 0.625
    assert (fields["total"].counts.labelled, fields["total"].counts.correct) == (5, 2)


def test_without_any_output_there_is_no_precision() -> None:
    """It is null, not zero."""
    figures = suite_metrics(suite(broken("a")).counts())
    assert (figures["overall"], figures["precision"], figures["validity"]) == (0.0, None, 0.0)
    assert suite_metrics(suite().counts())["overall"] is None


def test_each_field_of_the_json_has_its_three_worst_examples() -> None:
    """One a case, the lowest score first, with path and both values; none where all is right."""
    scores = {"a": 0.5, "b": 1.0, "c": 0.0, "d": 0.25, "e": 0.75}
    cases = (
        case(name, RunResult((leaf("vendor", Outcome.CORRECT if score == 1 else Outcome.WRONG, score),)))
        for name, score in scores.items()
    )
    extra = Leaf("lines[1]", "lines[*]", Outcome.EXTRA, None, ABSENT, "z", "", "lines[1]")
    data: Any = report_to_json(report(suite(*cases, case("f", RunResult((extra,))), right("g"))))
    (found,) = data["suites"].values()
    worst = found["fields"]["vendor"]["examples"]
    assert [(example["case"], example["score"]) for example in worst] == [("c", 0.0), ("d", 0.25), ("a", 0.5)]
    assert worst[0].keys() == {"case", "path", "outcome", "score", "expected", "actual"}
    assert found["fields"]["lines[*]"]["examples"] == [
        {"case": "f", "path": "lines[1]", "outcome": "extra", "score": None, "actual": "z"}
    ]
    assert found["fields"]["total"]["examples"] == []


def test_the_json_has_its_names() -> None:
    """What others read by name stands there under that name."""
    data: Any = report_to_json(report(four_cases()))
    assert data["format"] == "schemascore-report/1"
    found = data["suites"]["tests/test_invoices.py::test_invoices"]
    assert found["of"] == 4
    assert found["rules"] == {"$default": "exact()"}
    assert found["metrics"]["floor"] == 0.25
    assert found["metrics"]["weighted"] == pytest.approx(10.5 / 16)
    assert found["tags"]["scanned"]["overall"] == pytest.approx(2.5 / 4)
    assert found["invalid"] == {"not JSON": 1}
    assert found["latency"] == {"p50": 1.5, "p95": pytest.approx(1.95)}
    assert len(found["fields"]["total"].pop("examples")) == 1
    assert found["fields"]["total"] == {
        "accuracy": 0.75,
        "precision": 1.0,
        "f1": pytest.approx(2 * 2 / (2 + 3)),
        "labelled": 4,
        "correct": 3,
        "wrong": 0,
        "missing": 1,
        "invented": 0,
        "extra": 0,
        "not_judged": 0,
        "rule": "numeric()",
        "why": "comparators['total']",
    }
    last = found["cases"][3]
    assert (last["id"], last["label"], last["input"], last["tags"]) == ("d", "l", "i", [])
    assert (last["valid"], last["score"]) == (False, 0.0)
    assert last["error"] == {"kind": "not JSON", "message": "it broke"}
    assert last["leaves"][0] == {
        "path": "vendor",
        "field": "vendor",
        "outcome": "missing",
        "score": 0.0,
        "expected": "x",
        "rule": "exact()",
    }


def test_a_case_of_several_runs_has_an_entry_for_each() -> None:
    """Label and input stand in the first one only."""
    data: Any = report_to_json(report(suite(replace(case("a", run(total=1), run(total=0)), document="text"))))
    entries = next(iter(data["suites"].values()))["cases"]
    assert [(entry["id"], entry["run"], entry["score"]) for entry in entries] == [
        ("a", 0, 1.0),
        ("a", 1, 0.0),
    ]
    assert ["document" in entry for entry in entries] == [True, False]


def test_a_report_sums_up_all_its_suites() -> None:
    """Field names carry the suite's key where there are several; cost, tokens and latency are added up."""
    both = report(four_cases(), suite(right("a"), wrong("b"), key="t.py::t"))
    assert both.overall == pytest.approx(5.5 / 10)
    assert both.validity == pytest.approx(5 / 6)
    assert both.fields["t.py::t::total"].accuracy == 0.5
    assert report(four_cases()).fields["vendor"].counts == Counts(1.5, 4, correct=1, missing=1, invented=1)
    assert (both.cost(), both.tokens(), both.latency(0.5)) == (0.5, 10, 1.5)
    assert report().cost() is None
    assert report().latency() is None


def test_latency_interpolates_between_neighbours() -> None:
    """As numpy's default percentile does."""
    assert latency([4.0, None, 1.0, 2.0, 3.0], 0.95) == pytest.approx(3.85)
    assert latency([7.0], 0.95) == 7.0
    assert [latency([1.0, 2.0, 4.0], share) for share in (0.0, 0.25, 0.5, 0.999, 1.0)] == pytest.approx(
        [1.0, 1.5, 2.0, 3.996, 4.0]
    )
    with pytest.raises(UsageError, match="share=95: give a share from 0 to 1"):
        latency([], 95)


def test_rows_hold_one_leaf_each() -> None:
    """An absent value is None."""
    rows = report(four_cases()).to_rows()
    assert len(rows) == 9
    assert rows[4] == {
        "suite": "tests/test_invoices.py::test_invoices",
        "case": "b",
        "run": 0,
        "tags": ["scanned"],
        "path": "lines[1]",
        "field": "lines[*]",
        "outcome": "extra",
        "score": None,
        "expected": None,
        "actual": "z",
        "rule": "",
    }


def test_the_summary_names_suites_fields_and_outcomes() -> None:
    """A reader sees how many cases, how valid and how good."""
    text = replace(report(four_cases()), interrupted=True).summary()
    assert text.splitlines() == [
        "tests/test_invoices.py::test_invoices: 4 of 4 cases, 75.0 % valid, 56.2 % overall",
        "  vendor     37.5 %  1 correct, 1 wrong, 1 missing, 1 invented",
        "  total      75.0 %  3 correct, 1 missing",
        "  lines[*]     none  1 extra",
        "the run was interrupted",
    ]
    assert report().summary() == "nothing was measured"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": "schemascore-report/9"}', "newer release"),
        (
            '{"format": "schemascore-baseline/1"}',
            "is a baseline, not a report, which pytest --schemascore-report PATH.json writes",
        ),
        ('{"format": "schemascore-report/1"}', "the report lacks 'suites'"),
        ('{"format": "schemascore-report/1", "suites": {"a": {}}}', r"^r: suites\['a'\] lacks 'test'"),
        ('{"format": "schemascore-report/1", "suites": []}', r"^r: suites is \[\], not an object"),
        ('{"format": ', "r:1:12: ends too early"),
        ("[" * 100_000, "nested too deeply"),
        ("<html>", "r:1:1: is not JSON"),
    ],
)
def test_a_file_that_is_no_report_is_an_error_that_says_why(text: str, message: str) -> None:
    """The message names the file and what it is instead."""
    with pytest.raises(BaselineError, match=message):
        parse_report(text, "r")


def test_a_missing_report_is_an_error_that_says_how_to_write_one(tmp_path: Path) -> None:
    """The option can be copied."""
    with pytest.raises(
        BaselineError, match="no such report file; write one with: pytest --schemascore-report"
    ):
        Report.load(tmp_path / "report.json")


def test_a_failed_save_leaves_the_old_report_intact(tmp_path: Path) -> None:
    """What can't be written as UTF-8 JSON or to a folder raises and changes nothing."""
    path = tmp_path / "report.json"
    report(suite(right("a"))).save(path)
    before = path.read_bytes()
    with pytest.raises(OSError, match="report"):
        report().save(path / "inside")
    assert path.read_bytes() == before
