"""`evaluate`: cases to a report without pytest."""

from __future__ import annotations

import asyncio
import functools
import threading
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel, create_model

from pytest_schemascore import case, judge, similarity, spec
from pytest_schemascore.documents.output import Output
from pytest_schemascore.errors import CaseError, ComparatorError, PathError, RuleError, UsageError
from pytest_schemascore.evaluation import evaluate
from pytest_schemascore.report.gates import FieldGate
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.report import Report
from pytest_schemascore.scoring.comparators.numeric import numeric

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_schemascore.cases import Case
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.report.results import RunResult

CASES: list[dict[str, Any]] = [
    {"id": f"c{n}", "input": n, "expected": {"n": n, "name": f"case {n}"}} for n in range(4)
]


class Record(BaseModel):
    """What the extractors below return."""

    n: int
    name: str


def extract(number: int) -> dict[str, object]:
    """Be wrong on the last case's number."""
    return {"n": number if number < 3 else 0, "name": f"CASE {number}"}


async def extract_later(number: int) -> dict[str, object]:
    """Do the same, asynchronously."""
    await asyncio.sleep(0)
    return extract(number)


async def extract_case(case: Case) -> dict[str, object]:
    """Take the whole case."""
    return extract(case.input)


class Extractor:
    """An object that is called."""

    async def __call__(self, number: int) -> dict[str, object]:
        return extract(number)


@pytest.mark.parametrize(
    "target",
    [
        extract,
        extract_later,
        extract_case,
        Extractor(),
        functools.partial(extract_later),
        lambda n: extract(n),
    ],
    ids=["sync", "async", "case", "object", "partial", "lambda"],
)
def test_any_callable_is_a_target(target: Any) -> None:
    """Seven of eight labelled leaves are right, whatever is called."""
    report = evaluate(Record, CASES, target)
    assert report.overall == pytest.approx(7 / 8)
    assert report.validity == 1.0
    assert report.fields["n"].accuracy == pytest.approx(3 / 4)


def test_it_works_while_an_event_loop_is_running() -> None:
    """As in a notebook."""

    async def notebook() -> Report:
        return evaluate(Record, CASES, extract_later)

    assert asyncio.run(notebook()).overall == pytest.approx(7 / 8)


def test_a_report_is_compared_with_another() -> None:
    """A field that fell is a regression with its case named."""
    before = evaluate(Record, CASES, lambda n: {"n": n, "name": f"case {n}"}, name="records")
    diff = evaluate(Record, CASES, extract, name="records").compare(before)
    assert not diff.ok
    assert diff.deltas["n"] == pytest.approx(-0.25)
    assert diff.deltas["<overall>"] == pytest.approx(-0.125)
    assert next(change for change in diff.changes if change.metric == "n").lost == ("c3",)


def test_a_report_is_saved_and_loaded(tmp_path: Path) -> None:
    """With the same figures."""
    report = evaluate(Record, CASES, extract, metrics=("distance", "similarity"), repeat=2)
    report.save(tmp_path / "report.json")
    loaded = Report.load(tmp_path / "report.json")
    assert loaded.overall == report.overall
    assert [len(case.runs) for suite in loaded.suites.values() for case in suite.cases] == [2, 2, 2, 2]


def test_options_are_those_of_the_mark() -> None:
    """Rules, selection, weights and gates reach the scoring."""
    report = evaluate(
        None,
        [{"id": "a", "input": 0, "expected": {"n": 1.0}}],
        lambda _: {"calls": [{"arguments": '{"n": 1.4, "x": 2}'}]},
        {"n": numeric(abs_tol=0.5)},
        select="calls[0].arguments",
        extra="count",
        gates={"n": {"min": 0.9}},
    )
    counts = report.fields["n"].counts
    assert (counts.correct, counts.labelled) == (1, 1)
    assert report.fields["x"].counts.extra == 1
    assert report.compare(report).ok


@pytest.mark.parametrize(
    ("label", "part", "schema", "score"),
    [
        ("Acme", "Acme", str, 1.0),
        ("2024", "2024", str, 1.0),
        ("42", "42", None, 1.0),
        (42, "42", None, 0.0),
        (None, None, None, 1.0),
        (None, "word", None, 0.0),
        ({"$any": [None, "word"]}, "word", None, 1.0),
        ({"$regex": "[0-9]+"}, "2024", None, 1.0),
        ({"n": 1}, '{"n": 1}', dict[str, int], 1.0),
        ({"$any": [{"n": 2}, {"n": 1}]}, '{"n": 1}', None, 1.0),
        ({"$ignore": True}, '{"n": 1}', dict[str, int], None),
        ([1, 2], "[2, 1]", None, 1.0),
        ('{"n": 1}', {"n": 1}, None, 1.0),
        ('{"n": 1}', '{ "n": 1 }', None, 1.0),
    ],
)
def test_a_selected_part_is_what_it_is(label: Any, part: Any, schema: Any, score: float | None) -> None:
    """A text and null too; JSON text of an object or list is opened on both sides, as `compare` does."""
    for expected in ({"call": {"part": label}}, label):
        case = {"id": "a", "input": 0, "expected": expected}
        report = evaluate(schema, [case], lambda _: {"call": {"part": part}}, select="call.part")
        assert (report.validity, report.overall) == (1.0, score)
        if isinstance(label, str) and label.startswith("{"):
            break  # a label that is the part itself is taken as it stands


@pytest.mark.parametrize(("path", "field"), [("l[0].p", "l[*].p"), ("m.*[12]['a b']", "m.*[*]['a b']")])
def test_a_weight_is_of_a_field(path: str, field: str) -> None:
    """What is measured is counted by field, so that a weight of one item would be lost."""
    case = {"id": "a", "input": 0, "expected": {"l": [{"p": 1}], "m": {"k": [{"a b": 1}] * 13}}}
    with pytest.raises(RuleError) as raised:
        evaluate(None, [case], lambda _: {}, weights={path: 2.0})
    assert path in str(raised.value)
    assert field in str(raised.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"comparators": ["x"]}, "comparators=['x']: give a mapping path -> value"),
        ({"gates": ["x"]}, "gates=['x']: give a mapping"),
        ({"weights": 3}, "weights=3: give a mapping"),
        ({"select": 3}, "select=3: give a path as text"),
        ({"timeout": "3"}, "timeout='3': give seconds, more than 0"),
        ({"timeout": True}, "timeout=True: give seconds"),
        ({"metrics": "distance"}, "metrics='distance': give a list of names"),
        ({"metrics": ["distanc"]}, "did you mean 'distance'?"),
        ({"metrics": 3}, "metrics=3: give a list of names"),
        ({"extra": "counts"}, "did you mean 'count'?"),
        ({"parse": None}, "parse=None is unknown"),
        ({"repeat": 0}, "repeat=0: give a whole number from 1 to 10,000"),
        ({"repeat": 10**20}, "give a whole number from 1 to 10,000"),
        ({"concurrency": 1.5}, "concurrency=1.5: give a whole number from 1 to 10,000"),
        ({"gates": {"n": {"max_drop": 2}}}, "gates['n']['max_drop'] is 2; give a number of 0 to 1"),
        ({"gates": {"n": FieldGate(min=95)}}, "gates['n']['min'] is 95; give a number of 0 to 1"),
        ({"gates": {"<overall>": {"min": 95}}}, "gates['<overall>']['min'] is 95; give a number of 0 to 1"),
        ({"gates": {"n": {"min": float("nan")}}}, "give a number of 0 to 1"),
        ({"gates": {"<distance>": {"min": 1}}}, "gates['<distance>']: a rise is what is worse there"),
        ({"gates": {"n <extra>": {"min": 0.5}}}, "gates['n <extra>']: a rise is what is worse there"),
    ],
)
def test_arguments_that_cannot_be_are_refused_alike(wrong: dict[str, Any], said: str) -> None:
    """By `evaluate` and by the mark, before anything is called; each says what to give."""
    with pytest.raises(UsageError) as by_evaluate:
        evaluate(None, CASES, extract, **wrong)
    with pytest.raises(UsageError) as by_mark:
        case(CASES, **wrong)
    assert str(by_evaluate.value) == str(by_mark.value)
    assert said in str(by_mark.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"max_drop": 2}, "max_drop=2: give a share from 0 to 1 (0.02 is two points)"),
        ({"min_overall": 95}, "min_overall=95: give a share"),
        ({"min_validity": "1"}, "min_validity='1': give a share"),
        ({"floors": {"n": 95}}, "floors['n']=95: give a share"),
        ({"alpha": 5}, "alpha=5: give a level between 0 and 1, such as 0.05"),
        ({"alpha": 0}, "alpha=0: give a level"),
        ({"alpha": "0.05"}, "alpha='0.05': give a level"),
    ],
)
def test_what_is_asked_of_a_comparison_are_shares(wrong: dict[str, Any], said: str) -> None:
    """Points or percent would switch the gate off, or never be met."""
    report = evaluate(Record, CASES, extract)
    with pytest.raises(UsageError) as raised:
        report.compare(report, **wrong)
    assert said in str(raised.value)


def test_a_gate_of_what_has_no_upper_end_may_exceed_one() -> None:
    """A distance counts places, and there may be several extras for each label."""
    gates = {"<distance>": {"max_drop": 3}, "n <extra>": {"max_drop": 1.5}}
    assert evaluate(None, CASES, extract, metrics=["distance"], gates=gates).overall is not None


def test_the_mark_and_the_measures_know_the_same_metrics() -> None:
    """Each in its room, since neither may import the other."""
    assert spec.METRICS == similarity.METRICS


def test_a_selected_text_that_should_hold_a_document_says_why_it_does_not() -> None:
    """With the fault, as for an output; repairs and notes count wherever they were needed."""
    case = {"id": "a", "input": 0, "expected": {"n": 1}}
    (run,) = _runs(evaluate(None, [case], lambda _: {"p": "{broken"}, select="p"))
    assert run.error is not None
    assert run.error.kind is Failure.NOT_JSON
    (run,) = _runs(evaluate(None, [case], lambda _: {"p": "{'n': 1}"}, select="p", parse="lenient"))
    assert (run.score, run.repaired) == (1.0, True)
    (run,) = _runs(evaluate(None, [case], lambda _: '{"p": 0, "p": {"n": 1}}', select="p"))
    assert (run.score, run.notes) == (1.0, ("duplicate key p; the last one counts",))


def _runs(report: Report) -> tuple[RunResult, ...]:
    ((case,),) = [suite.cases for suite in report.suites.values()]
    return case.runs


def handed_on(function: Any) -> Any:
    """Wrap a coroutine function, handing its coroutine on."""

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


def run_itself(function: Any) -> Any:
    """Wrap a coroutine function and run it."""

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return asyncio.run(function(*args))

    return wrapper


class Called:
    """An object that is called asynchronously."""

    def __init__(self, function: Any) -> None:
        self.function = function

    async def __call__(self, *args: Any) -> Any:
        """Await the function."""
        return await self.function(*args)


@pytest.mark.parametrize(
    "wrap", [lambda function: function, handed_on, run_itself, Called, functools.partial]
)
def test_whatever_wraps_a_coroutine_function_is_awaited(wrap: Any) -> None:
    """Of extractors, judges and comparators alike."""

    async def answer(number: int) -> Any:
        await asyncio.sleep(0)
        return {"n": number, "name": "other"}

    async def like(expected: str, actual: str) -> float:
        await asyncio.sleep(0)
        return 0.25 if (expected, actual) == ("case 1", "other") else 0.0

    async def verdicts(items: list[Any]) -> list[float]:
        await asyncio.sleep(0)
        return [0.75 for _ in items]

    case = {"id": "a", "input": 1, "expected": {"n": 1, "name": "case 1"}}
    for rule, score in ((None, 0.5), (wrap(like), 0.625), (judge(wrap(verdicts)), 0.875)):
        report = evaluate(None, [case], wrap(answer), {} if rule is None else {"name": rule})
        assert (report.validity, report.overall) == (1.0, score)


def test_an_interrupt_in_a_target_ends_the_run_at_once() -> None:
    """The calls after it would be paid for and lost."""
    called: list[int] = []

    def interrupted(number: int) -> object:
        called.append(number)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(
            None, [{"id": str(n), "input": n, "expected": 1} for n in range(50)], interrupted, concurrency=1
        )
    assert called == [0]


def test_what_a_target_raises_fails_its_case_only() -> None:
    """A missing answer, a late one and an exception are told apart."""
    stop = threading.Event()

    def unreliable(number: int) -> object:
        if number == 1:
            raise ValueError("no credit left")
        if number == 2:
            stop.wait(5)
        return Output(extract(number) if number != 3 else "{broken", cost=0.5)

    try:
        report = evaluate(Record, CASES, unreliable, timeout=0.2)
    finally:
        stop.set()
    (suite,) = report.suites.values()
    kinds = {case.id: case.runs[0].error and case.runs[0].error.kind for case in suite.cases}
    assert kinds == {"c0": None, "c1": Failure.RAISED, "c2": Failure.TIMED_OUT, "c3": Failure.NOT_JSON}
    assert report.validity == 0.25
    assert report.cost() == 1.0


def test_skipped_cases_are_not_run() -> None:
    """And the suite is not complete without them."""
    cases = [*CASES[:2], {**CASES[2], "skip": "later"}]
    (suite,) = evaluate(Record, cases, extract).suites.values()
    assert [case.id for case in suite.cases] == ["c0", "c1"]
    assert suite.skipped == {"c2": "later"}
    assert not suite.complete


def test_concurrency_is_a_limit() -> None:
    """Never more than so many calls at once, and as many where there is work."""
    gate = threading.Barrier(3, timeout=10)
    lock = threading.Lock()
    running: list[int] = []
    peak: list[int] = []

    def counted(number: int) -> dict[str, object]:
        with lock:
            running.append(number)
            peak.append(len(running))
        gate.wait()
        with lock:
            running.remove(number)
        return extract(number)

    cases = [{"id": str(n), "input": n, "expected": {"n": n}} for n in range(9)]
    evaluate(Record, cases, counted, concurrency=3)
    assert max(peak) == 3


def test_what_is_there_is_scored_while_other_calls_run() -> None:
    """A call that waits for another one's output to be scored gets what it waits for."""
    scored = threading.Event()

    def compared(expected: Json, actual: Json) -> bool:
        scored.set()
        return expected == actual

    def target(number: int) -> dict[str, int]:
        assert number == 0 or scored.wait(10)
        return {"n": number}

    cases = [{"id": str(n), "input": n, "expected": {"n": n}} for n in range(2)]
    assert evaluate(dict[str, int], cases, target, {"n": compared}).overall == 1


def test_an_async_rule_judges() -> None:
    """Judges are asked once the answers are there."""

    async def judge(expected: Json, actual: Json) -> float:
        return 0.5 if expected != actual else 0.75

    report = evaluate(Record, CASES[:2], extract, {"name": judge})
    assert report.fields["name"].accuracy == pytest.approx(0.5)


def test_a_broken_comparator_is_an_error() -> None:
    """It is a bug in the evaluation, not a miss."""

    def broken(expected: Json, actual: Json) -> float:
        return 7.0 if expected != actual else 8.0

    with pytest.raises(ComparatorError, match=r"name: comparator .*broken returned 7\.0"):
        evaluate(Record, CASES, extract, {"name": broken})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"target": 5}, UsageError, "can't be called"),
        ({"extra": "cuont"}, UsageError, "did you mean 'count'"),
        ({"parse": "lennient"}, UsageError, "did you mean 'lenient'"),
        ({"metrics": ("distanse",)}, UsageError, "did you mean 'distance'"),
        ({"concurrency": 0}, UsageError, "whole number from 1 to 10,000"),
        ({"repeat": True}, UsageError, "whole number from 1 to 10,000"),
        ({"timeout": 0}, UsageError, "more than 0"),
        ({"comparators": {"nmae": numeric()}}, PathError, "did you mean 'name'"),
        ({"cases": [{"id": "a", "input": 1, "expected": {"n": "one"}}]}, CaseError, "n"),
    ],
)
def test_mistakes_are_found_before_anything_is_called(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    """And the message says what to type."""
    calls: list[int] = []

    def target(number: int) -> dict[str, object]:
        calls.append(number)
        return extract(number)

    given: dict[str, Any] = {"schema": Record, "cases": CASES, "target": target, **arguments}
    with pytest.raises(error) as raised:
        evaluate(**given)
    assert message in str(raised.value)
    assert calls == []


def test_a_keyboard_interrupt_of_the_target_ends_the_run() -> None:
    """It is not taken for a failed case."""

    def interrupted(number: int) -> object:
        raise KeyboardInterrupt(number)

    with pytest.raises(KeyboardInterrupt):
        evaluate(Record, CASES, interrupted)


def test_a_changed_schema_type_shows_as_a_changed_rule() -> None:
    """A date that becomes a text is compared in another way, and the comparison says so."""
    cases: list[dict[str, Any]] = [{"id": "a", "input": 1, "expected": {"day": "2026-01-05"}}]
    before = evaluate(create_model("Before", day=(date, ...)), cases, lambda _: {"day": "2026-01-05"})
    after = evaluate(create_model("After", day=(str, ...)), cases, lambda _: {"day": "2026-01-05"})
    (suite,) = after.compare(before).suites
    assert suite.changed_rules == {"day": ("date()", "")}
