"""Asking judges (S12), after scoring and in the same way as extractors are called.

Scoring leaves a `Question` on each leaf of a judge; `requests_for` makes of them what is to be asked, `ask`
asks it, and `settle` puts the verdicts onto the leaves.
"""

from __future__ import annotations

import hashlib
import json
import reprlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, cast

from pytest_schemascore._awaiting import as_async
from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.errors import SchemascoreError
from pytest_schemascore.running.job import Job
from pytest_schemascore.running.judges import JudgeItem
from pytest_schemascore.running.masking import mask_secrets
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.running.engine import Engine
    from pytest_schemascore.running.job import Finished, JobKey
    from pytest_schemascore.scoring.comparators.deferred import Deferred
    from pytest_schemascore.scoring.scored import Question


@dataclass(frozen=True, slots=True)
class Request:
    """What one call of a judge is asked.

    Attributes:
        key: the call whose output is judged.
        indexes: places of the items among the output's leaves; a leaf may be asked about more than once.
    """

    key: JobKey
    judge: Deferred
    items: tuple[JudgeItem, ...]
    indexes: tuple[int, ...]

    @property
    def question_hash(self) -> str:
        """What says whether a recorded answer still answers this: 16 hex digits of SHA-256."""
        try:
            text = json.dumps([self.judge.name, self.items], default=repr, sort_keys=True)
        except (ValueError, RecursionError):
            # Too many digits or too deep to be written down: no recorded answer is ever this one's.
            return secrets.token_hex(8)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge said: a verdict in [0, 1] or None per item, or why there is none at all.

    `recorded` is true where it came from a journal.
    """

    request: Request
    scores: tuple[float | None, ...]
    error: str = ""
    recorded: bool = False


class BadAnswerError(SchemascoreError):
    """A judge returned something that isn't one verdict per item."""


def requests_for(key: JobKey, leaves: Iterable[Leaf], questions: Iterable[Question]) -> list[Request]:
    """Put the questions on the leaves of one output together: by judge, or singly for an async comparator."""
    made = list(leaves)
    # By identity, since a user's function may be an object that can't be hashed.
    groups: dict[tuple[int, int | None], list[Question]] = {}
    for number, question in enumerate(questions):
        single = None if question.judge.whole else number
        groups.setdefault((id(question.judge), single), []).append(question)
    return [
        Request(
            key,
            together[0].judge,
            tuple(_item(made[question.index], question) for question in together),
            tuple(question.index for question in together),
        )
        for together in groups.values()
    ]


def _item(leaf: Leaf, question: Question) -> JudgeItem:
    label = leaf.expected if question.label is ABSENT else question.label
    return JudgeItem(leaf.path, label, leaf.actual)


def ask(
    engine: Engine,
    requests: Iterable[Request],
    on_answer: Callable[[Answer], object],
    *,
    timeout: float | None = None,
    recall: Callable[[Request], tuple[float | None, ...] | None] | None = None,
) -> None:
    """Ask all *requests* under the engine's limit, *timeout* seconds each, and block until they are answered.

    Args:
        on_answer: gets each answer as it arrives, in any order, as in `Engine.run`; a judge that failed or
            was timed out has an `Answer.error`.
        recall: gives the scores that a journal holds for a request; then it isn't asked.

    Raises:
        KeyboardInterrupt, SystemExit: also where a judge raised it.
    """
    by_job: dict[int, Request] = {}
    jobs: list[Job] = []
    for request in requests:
        scores = recall(request) if recall else None
        if scores is not None and len(scores) == len(request.items):
            on_answer(Answer(request, scores, recorded=True))
            continue
        job = _job(request, timeout)
        by_job[id(job)] = request
        jobs.append(job)

    def finished(outcome: Finished) -> None:
        on_answer(_answer(by_job[id(outcome.job)], outcome))

    engine.run(jobs, finished)


def settle(leaves: Iterable[Leaf], answers: Iterable[Answer]) -> tuple[tuple[Leaf, ...], tuple[str, ...]]:
    """Put the verdicts of *answers* onto the *leaves* of one output; also return why judges failed."""
    settled = list(leaves)
    errors: list[str] = []
    asked: set[int] = set()
    for answer in answers:
        if answer.error:
            errors.append(answer.error)
        request = answer.request
        for index, item, score in zip(request.indexes, request.items, answer.scores, strict=True):
            # A leaf is asked about once for each alternative of a $any; the best verdict counts.
            if index not in asked or _is_better(score, settled[index].score):
                outcome = _outcome(score)
                settled[index] = settled[index]._replace(score=score, outcome=outcome, expected=item.expected)
            asked.add(index)
    return tuple(settled), tuple(errors)


def _is_better(score: float | None, other: float | None) -> bool:
    return score is not None and (other is None or score > other)


def _outcome(score: float | None) -> Outcome:
    if score is None:
        return Outcome.NOT_JUDGED
    return Outcome.CORRECT if score == 1 else Outcome.WRONG


def _job(request: Request, timeout: float | None) -> Job:
    awaited = as_async(request.judge.function)
    function = awaited or request.judge.function
    if request.judge.whole:
        call: Callable[[], object] = partial(function, list(request.items))
    else:
        call = partial(function, request.items[0].expected, request.items[0].actual)
    return Job(request.key, call, awaited is not None, timeout)


def _answer(request: Request, outcome: Finished) -> Answer:
    """Read what a judge returned.

    Raises:
        KeyboardInterrupt, SystemExit: the judge raised it.
    """
    name = request.judge.name
    if isinstance(outcome.error, (KeyboardInterrupt, SystemExit)):
        raise outcome.error
    if outcome.timed_out:
        return _failed(request, f"{name} gave no answer within {outcome.job.timeout:g} s")
    if outcome.error is not None:
        return _failed(request, f"{name} raised {type(outcome.error).__name__}: {outcome.error}")
    try:
        return Answer(request, _scores(request, outcome.value))
    except BadAnswerError as error:
        return _failed(request, f"{name} {error}")


def _failed(request: Request, message: str) -> Answer:
    return Answer(request, (None,) * len(request.items), mask_secrets(message))


def _scores(request: Request, value: object) -> tuple[float | None, ...]:
    if not request.judge.whole:
        return (_score(request.items[0], value),)
    if isinstance(value, Mapping):
        value = _in_order(request, value)
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes)):
        msg = f"returned {type(value).__name__}; it must return a list with one verdict per item"
        raise BadAnswerError(msg)
    verdicts = list(value)
    if len(verdicts) != len(request.items):
        msg = f"returned {len(verdicts)} verdicts for {len(request.items)} items"
        raise BadAnswerError(msg)
    return tuple(_score(item, verdict) for item, verdict in zip(request.items, verdicts, strict=True))


def _in_order(request: Request, verdicts: Mapping[object, object]) -> list[object]:
    asked = [item.path for item in request.items]
    for path in verdicts:
        if path not in asked:
            msg = f"returned a verdict on {path!r}, which it wasn't asked{did_you_mean(str(path), asked)}"
            raise BadAnswerError(msg)
    missing = [path for path in asked if path not in verdicts]
    if missing:
        msg = f"returned no verdict on {missing[0]!r}; None says that there is none"
        raise BadAnswerError(msg)
    return [verdicts[path] for path in asked]


def _score(item: JudgeItem, verdict: object) -> float | None:
    if verdict is None:
        return None
    # A comparison with NaN is false, so NaN is refused too.
    if isinstance(verdict, Real) and 0 <= cast("float", verdict) <= 1:
        return float(verdict)
    msg = f"returned {reprlib.repr(verdict)} at {item.path}; a verdict is a bool, a number in [0, 1] or None"
    raise BadAnswerError(msg)
