"""From finished calls to results: read, validate, score, and ask judges; what plugin and library share."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_schemascore.errors import ComparatorError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.asking import Answer, Request
    from pytest_schemascore.running.engine import Engine
    from pytest_schemascore.running.job import Finished, JobKey
    from pytest_schemascore.suite import Suite

    Recall = Callable[[Request], tuple[float | None, ...] | None]


A_TICK: Final = 0.05
"""Seconds of scoring between two looks at calls that still run."""


class Evaluations:
    """What comes of the calls of *suite*: each is scored once it is over, while others may still run."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._results: dict[JobKey, RunResult | ComparatorError] = {}
        self._requests: list[Request] = []

    def take(self, calls: Iterable[Finished], *, seconds: float = math.inf) -> None:
        """Score those of *calls* that are not scored yet, and begin with none after so many *seconds*.

        An error of a comparator, which is a bug, stands for the result (S7).
        """
        # Here, since it is first needed when something is over, and loading it takes time.
        from pytest_schemascore.suite.evaluating import answer_of, evaluate

        end = time.monotonic() + seconds
        for call in calls:
            if call.key in self._results:
                continue
            if time.monotonic() > end:
                return
            try:
                evaluated = evaluate(self._suite, call.key.case, answer_of(call))
            except ComparatorError as error:
                self._results[call.key] = error
                continue
            self._results[call.key] = evaluated.result
            if evaluated.questions:
                from pytest_schemascore.running.asking import requests_for  # most suites have no judge

                self._requests += requests_for(call.key, evaluated.result.leaves, evaluated.questions)

    def settle(
        self,
        engine: Engine,
        *,
        judge_timeout: float | None = None,
        on_answer: Callable[[Answer], object] | None = None,
        recall: Recall | None = None,
    ) -> dict[JobKey, RunResult | ComparatorError]:
        """Ask the judges, and return what came of each call.

        Args:
            engine: runs the judges, under its own limit.
            judge_timeout: seconds that one call of a judge may take.
            on_answer: gets each answer of a judge as it arrives, for a journal.
            recall: gives the scores that a journal holds for a request.
        """
        if self._requests:
            _judge(self._results, self._requests, engine, judge_timeout, on_answer, recall)
        return self._results


def _judge(
    results: dict[JobKey, RunResult | ComparatorError],
    requests: list[Request],
    engine: Engine,
    timeout: float | None,
    on_answer: Callable[[Answer], object] | None,
    recall: Recall | None,
) -> None:
    from pytest_schemascore.running.asking import ask, settle  # as above

    answers: dict[JobKey, list[Answer]] = {}

    def keep(answer: Answer) -> None:
        answers.setdefault(answer.request.key, []).append(answer)
        if on_answer is not None and not answer.recorded:
            on_answer(answer)

    ask(engine, requests, keep, timeout=timeout, recall=recall)
    for key, given in answers.items():
        result = results[key]
        if not isinstance(result, ComparatorError):
            leaves, errors = settle(result.leaves, given)
            results[key] = replace(result, leaves=leaves, judge_errors=errors)
