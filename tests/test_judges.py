"""Judges: stand-ins for a model that answer, fail, dawdle and answer nonsense."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from pytest_schemascore.errors import RuleError
from pytest_schemascore.running.asking import Answer, Request, ask, requests_for, settle
from pytest_schemascore.running.engine import Engine
from pytest_schemascore.running.job import JobKey
from pytest_schemascore.running.judges import JudgeItem, judge
from pytest_schemascore.running.portal import Portal
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.outcomes import Leaf, Outcome
from pytest_schemascore.scoring.scored import Question

if TYPE_CHECKING:
    from collections.abc import Iterator

ITEMS = (JudgeItem("a", "cat", "feline"), JudgeItem("b[0]", "dog", "car"), JudgeItem("c", 1, 2))


@pytest.fixture(params=["asyncio", "trio"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Give an engine on each backend."""
    portal = Portal(request.param)
    yield Engine(portal, 3)
    portal.close()


def request_to(function: Any, case: str = "1", items: tuple[JudgeItem, ...] = ITEMS) -> Request:
    """Make a request to a judge made of *function*."""
    return Request(JobKey("suite", case, 0), judge(function), items, tuple(range(len(items))))


def answer_of(engine: Engine, function: Any, *, timeout: float | None = None) -> Answer:
    """Ask one judge about `ITEMS`."""
    answers: list[Answer] = []
    ask(engine, [request_to(function)], answers.append, timeout=timeout)
    (answer,) = answers
    return answer


def test_a_judge_gets_all_items_of_a_case_in_one_call(engine: Engine) -> None:
    """Labels and values arrive as they are; bool, number and None come back as scores."""
    calls: list[list[JudgeItem]] = []

    def in_thread(items: list[JudgeItem]) -> list[Any]:
        calls.append(items)
        return [True, 0.25, None]

    async def in_loop(items: list[JudgeItem]) -> list[Any]:
        return in_thread(items)

    for function in (in_thread, in_loop):
        answer = answer_of(engine, function)
        assert answer.scores == (1.0, 0.25, None)
        assert answer.error == ""
    assert calls == [list(ITEMS)] * 2


def test_a_judge_is_named_after_its_function() -> None:
    """That is what reports and baselines say, and what its answers are recorded under."""

    def plain(items: list[JudgeItem]) -> list[bool]:
        return [True] * len(items)

    made = judge(plain)
    assert isinstance(made, Deferred)
    assert made.name == f"{__name__}:test_a_judge_is_named_after_its_function.<locals>.plain"
    assert made.whole


def test_an_object_with_an_async_call_is_awaited(engine: Engine) -> None:
    """A judge may be an object that holds its client."""

    class Model:
        async def __call__(self, items: list[JudgeItem]) -> list[bool]:
            await anyio.sleep(0)
            return [item.actual == "feline" for item in items]

    assert answer_of(engine, Model()).scores == (1.0, 0.0, 0.0)


def test_a_mapping_from_path_to_verdict_may_be_in_any_order(engine: Engine) -> None:
    """It is the path that says what a verdict is on."""
    answer = answer_of(engine, lambda items: {"c": 0.5, "a": True, "b[0]": None})  # noqa: ARG005 - as fixed

    assert answer.scores == (1.0, None, 0.5)


@pytest.mark.parametrize(
    ("returned", "complaint"),
    [
        ([True], "returned 1 verdicts for 3 items"),
        ([True, True, True, True], "returned 4 verdicts for 3 items"),
        ([True, 1.5, True], r"returned 1.5 at b\[0\]"),
        ([True, float("nan"), True], r"returned nan at b\[0\]"),
        ([True, -0.1, True], r"returned -0.1 at b\[0\]"),
        ([True, 10**400, True], r"returned 1000.* at b\[0\]"),
        (["yes", True, True], "returned 'yes' at a"),
        ("yes", "returned str"),
        (None, "returned NoneType"),
        (0.5, "returned float"),
        ({"a": 1, "b[0]": 1}, "no verdict on 'c'"),
        (
            {"a": 1, "b[0]": 1, "c": 1, "b[1]": 1},
            r"on 'b\[1\]', which it wasn't asked; did you mean 'b\[0\]'",
        ),
    ],
)
def test_a_wrong_answer_leaves_all_items_unjudged(engine: Engine, returned: Any, complaint: str) -> None:
    """Which verdict belongs to which item would be a guess."""
    answer = answer_of(engine, lambda items: returned)  # noqa: ARG005 - as fixed

    assert answer.scores == (None, None, None)
    with pytest.raises(AssertionError, match=complaint):
        raise AssertionError(answer.error)


def test_a_judge_that_raises_says_so_without_secrets(engine: Engine) -> None:
    """The message is for the report, so what the HTTP client told of the key isn't in it."""

    async def broken(items: list[JudgeItem]) -> list[bool]:
        msg = f"401 on {len(items)} items: Authorization: Bearer abcdef0123456789"
        raise OSError(msg)

    answer = answer_of(engine, broken)

    assert answer.scores == (None, None, None)
    assert answer.error.endswith("broken raised OSError: 401 on 3 items: Authorization: Bearer ***")


def test_a_judge_that_takes_too_long_is_given_up(engine: Engine) -> None:
    """The time limit is the run's."""

    async def slow(items: list[JudgeItem]) -> list[bool]:
        await anyio.sleep(30)
        return [True] * len(items)

    answer = answer_of(engine, slow, timeout=0.05)

    assert answer.scores == (None, None, None)
    assert answer.error.endswith("slow gave no answer within 0.05 s")


def test_an_interrupt_in_a_judge_ends_the_run(engine: Engine) -> None:
    """Ctrl-C isn't a verdict."""

    def interrupted(items: list[JudgeItem]) -> list[bool]:
        raise KeyboardInterrupt(items)

    with pytest.raises(KeyboardInterrupt):
        answer_of(engine, interrupted)


def test_answers_that_come_out_of_order_belong_to_their_cases(engine: Engine) -> None:
    """Twelve cases whose judge answers the later the earlier it was asked; three at once, never more."""
    inside = peak = 0

    async def reversed_order(items: list[JudgeItem]) -> list[float]:
        nonlocal inside, peak
        inside += 1
        peak = max(peak, inside)
        number = items[0].expected
        assert isinstance(number, int)
        await anyio.sleep(0.002 * (12 - number))
        inside -= 1
        return [number / 12]

    requests = [request_to(reversed_order, str(n), (JudgeItem("a", n, None),)) for n in range(12)]
    answers: list[Answer] = []
    ask(engine, requests, answers.append)

    assert {a.request.key.case: a.scores for a in answers} == {str(n): (n / 12,) for n in range(12)}
    assert peak == 3


def test_a_recorded_answer_is_not_asked_for_again(engine: Engine) -> None:
    """Only requests that the journal doesn't hold cost a call."""
    asked: list[str] = []

    def counting(case: str, items: list[JudgeItem]) -> list[bool]:
        asked.append(case)
        return [True] * len(items)

    requests = [request_to(partial(counting, case), case) for case in ("old", "new", "odd")]
    recorded = {"old": (0.5, None, 1.0), "odd": (1.0,)}
    answers: list[Answer] = []
    ask(engine, requests, answers.append, recall=lambda request: recorded.get(request.key.case))

    by_case = {answer.request.key.case: answer for answer in answers}
    assert sorted(asked) == ["new", "odd"]
    assert by_case["old"].scores == (0.5, None, 1.0)
    assert [by_case[case].recorded for case in ("old", "new", "odd")] == [True, False, False]


def test_the_question_hash_tells_changed_questions() -> None:
    """Another label, value or path is another question; the same one again is not."""
    one = request_to(len).question_hash

    assert request_to(len).question_hash == one
    assert request_to(len, items=ITEMS[:2]).question_hash != one
    assert request_to(len, items=(*ITEMS[:2], JudgeItem("c", 1, 2.5))).question_hash != one
    assert request_to(sum).question_hash != one
    assert len(one) == 16
    # A number that Python won't write out is the same as nothing recorded.
    huge = request_to(len, items=(JudgeItem("a", 10**5000, 1),))
    assert huge.question_hash != huge.question_hash


def test_questions_are_grouped_by_judge_and_settled_onto_their_leaves(engine: Engine) -> None:
    """A judge has one request a case, a plain async comparator one a leaf; the other leaves stay."""

    def half(items: list[JudgeItem]) -> list[float | None]:
        return [0.5, 1.0, None][: len(items)]

    async def comparator(expected: object, actual: object) -> bool:
        return (expected, actual) == ("e4", "a4")

    async def failing(expected: object, actual: object) -> bool:
        raise ValueError(expected, actual)

    whole, single, bad = judge(half), Deferred(comparator, "m:c", False), Deferred(failing, "m:f", False)
    leaves = [Leaf(f"p{n}", f"p{n}", Outcome.WRONG, 0.0, f"e{n}", f"a{n}", "rule", f"p{n}") for n in range(7)]
    questions = [
        Question(0, whole),
        Question(2, whole),
        Question(3, whole),
        Question(4, single),
        Question(5, single),
        Question(6, bad),
    ]
    requests = requests_for(JobKey("s", "1", 0), leaves, questions)
    answers: list[Answer] = []
    ask(engine, requests, answers.append)
    settled, errors = settle(leaves, answers)

    assert [request.indexes for request in requests] == [(0, 2, 3), (4,), (5,), (6,)]
    assert [(leaf.outcome, leaf.score) for leaf in settled] == [
        (Outcome.WRONG, 0.5),
        (Outcome.WRONG, 0.0),
        (Outcome.CORRECT, 1.0),
        (Outcome.NOT_JUDGED, None),
        (Outcome.CORRECT, 1.0),
        (Outcome.WRONG, 0.0),
        (Outcome.NOT_JUDGED, None),
    ]
    assert errors == ("m:f raised ValueError: ('e6', 'a6')",)


def test_a_judge_is_a_function() -> None:
    """Said where it is made, before an extractor is paid."""
    with pytest.raises(RuleError, match=r"judge\(\): function is a function, not 'abc'"):
        judge("abc")  # type: ignore[arg-type]  # wrong on purpose
