"""Leaves that wait for a judge: which, and where they stand (S12)."""

from __future__ import annotations

from typing import Any

from pytest_schemascore.running.asking import Answer, requests_for, settle
from pytest_schemascore.running.job import JobKey
from pytest_schemascore.running.judges import judge
from pytest_schemascore.scoring.outcomes import Outcome
from tests.scoring.helpers import scored


def ask(_items: list[Any]) -> list[bool]:
    """Stand in for a model; scoring never calls it."""
    raise AssertionError


JUDGE = judge(ask)


def waiting(label: Any, value: Any, rules: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return path, label and value of each leaf that a question is open on."""
    found = scored(label, value, rules)
    leaves = [found.leaves[question.index] for question in found.questions]
    assert all(leaf.outcome is Outcome.NOT_JUDGED and leaf.score is None for leaf in leaves)
    assert {question.judge for question in found.questions} <= {JUDGE}
    return [(leaf.path, leaf.expected, leaf.actual) for leaf in leaves]


def test_only_two_different_values_need_a_judge() -> None:
    """Equal ones are correct, and nothing there is missing."""
    label = {"a": "x", "b": "x", "c": "x", "d": None, "e": "x"}
    value = {"a": "x", "b": "y", "d": "y", "e": 5}
    assert waiting(label, value, {"*": JUDGE}) == [("b", "x", "y"), ("e", "x", 5)]


def test_questions_stand_at_their_leaves_in_lists() -> None:
    """Items are paired by equality of what is judged, and by the other rules."""
    label = [{"id": 1, "t": "one"}, {"id": 2, "t": "two"}, {"id": 3, "t": "three"}]
    value = [{"id": 3, "t": "3"}, {"id": 9, "t": "two"}, {"id": 1, "t": "1"}]
    assert waiting(label, value, {"$[*].t": JUDGE}) == [("$[0].t", "one", "1"), ("$[2].t", "three", "3")]


def test_questions_stand_at_their_leaves_inside_alternatives() -> None:
    """Leaves before and after don't shift them."""
    label = {"a": "x", "b": {"$any": [{"t": "p", "n": 1}, {"t": "q", "n": 2}]}, "c": "x"}
    value = {"a": "y", "b": {"t": "r", "n": 2}, "c": "y"}
    rules = {"a": JUDGE, "b.t": JUDGE, "c": JUDGE}
    assert waiting(label, value, rules) == [("a", "x", "y"), ("b.t", "q", "r"), ("c", "x", "y")]


def test_a_later_alternative_is_asked_about_where_the_first_one_stands() -> None:
    """The one leaf is counted in the first one's field, whichever is met."""
    found = scored({"x": {"$any": [{"a": 1}, {"c": "word"}]}}, {"x": {"c": "other"}}, {"x.c": JUDGE})
    assert [(leaf.field, leaf.path) for leaf in found.leaves] == [("x.a", "x.a")]
    assert [question.index for question in found.questions] == [0]


def test_an_alternative_that_is_met_needs_no_judge() -> None:
    """Neither the first one's question nor a null that isn't met stands before it."""
    assert waiting({"$any": ["p", "q"]}, "q", {"$": JUDGE}) == []
    assert scored({"$any": ["p", "q"]}, "q", {"$": JUDGE}).leaves[0].outcome is Outcome.CORRECT
    assert waiting({"$any": [None, "q"]}, "r", {"$": JUDGE}) == [("$", "q", "r")]


def verdict(label: Any, value: Any, verdicts: dict[str, float | None]) -> tuple[Any, float | None]:
    """Return the label and the score of the only leaf once its questions are answered by *verdicts*."""
    found = scored({"x": label}, {"x": value}, {"x": JUDGE})
    requests = requests_for(JobKey("suite", "1", 0), found.leaves, found.questions)
    answers = [Answer(r, tuple(verdicts[str(item.expected)] for item in r.items)) for r in requests]
    ((leaf,), _) = settle(found.leaves, answers)
    return leaf.expected, leaf.score


def test_each_alternative_is_judged_and_the_best_verdict_counts() -> None:
    """Whatever their order, nested or escaped; no verdict at all is not judged."""
    orders: list[Any] = [["p", "q"], ["q", "p"], [{"$any": ["p", {"$literal": "q"}]}, "s"]]
    for alternatives in orders:
        assert verdict({"$any": alternatives}, "r", {"p": 0.0, "q": 1.0, "s": 0.5}) == ("q", 1.0)
    assert verdict({"$any": ["p", "q"]}, "r", {"p": 0.0, "q": None}) == ("p", 0.0)
    assert verdict({"$any": ["p", "q"]}, "r", {"p": None, "q": None})[1] is None
    assert verdict("p", "r", {"p": 0.25}) == ("p", 0.25)


def test_an_async_function_is_a_judge_of_single_leaves() -> None:
    """It is asked later, on its own."""

    async def similar(*_: Any) -> float:
        raise AssertionError

    found = scored({"a": "x"}, {"a": "y"}, {"a": similar})
    (question,) = found.questions
    assert (question.index, question.judge.whole) == (0, False)
    assert found.leaves[0].rule.endswith("similar")
