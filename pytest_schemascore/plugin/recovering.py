"""Calls that were over and whose items never told: after an interrupt, or the death of a worker (R4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.plugin.collecting import CASE_ITEM
from pytest_schemascore.reporting.numbers import counted
from pytest_schemascore.running.asking import Answer, requests_for, settle
from pytest_schemascore.suite.evaluating import answer_of, case_result, evaluate, suite_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.plugin.collecting import Collector
    from pytest_schemascore.plugin.inbox import Inbox
    from pytest_schemascore.plugin.recording import Recording
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.job import Finished
    from pytest_schemascore.suite import Suite


def recover(inbox: Inbox, suite: Suite, calls: Iterable[Finished], recording: Recording) -> None:
    """Put what *calls* of *suite* came to into *inbox*, but for cases of which more has arrived already.

    What a judge still has to be asked about is left out: it would cost.
    """
    runs: dict[str, list[RunResult]] = {}
    for call in calls:
        result = _result(suite, call, recording)
        if result is not None:
            runs.setdefault(call.key.case, []).append(result)
    inbox.describe(suite_result(suite, [], {}))
    for case, results in runs.items():
        inbox.recover(suite.spec.key, case_result(suite, case, results))


def recover_of_crash(
    session: pytest.Session, collector: Collector, recording: Recording, inbox: Inbox
) -> str:
    """Take from this run's journal what a worker that died had finished; return what to say where that fails.

    The controller doesn't collect, so it has no suites to score with; only here it does so after all.
    """
    lost = [key for key in recording.recorded() if not inbox.has(key.suite, key.case)]
    if not lost:
        return ""
    try:
        items = session.perform_collect()
    except pytest.UsageError as error:
        return (
            f"what a worker that died had finished is not in the report, as its tests can't be read: {error}"
        )
    suites = {item.stash[CASE_ITEM].suite.spec.key for item in items if CASE_ITEM in item.stash}
    for key in sorted({key.suite for key in lost} & suites):
        suite = collector.suites[key]
        recover(inbox, suite, recording.left_behind(suite), recording)
    return ""


def said_of_crashes(workers: Iterable[str], recording: Recording) -> Iterator[str]:
    """Yield, a line each, what became of the calls of *workers* that died."""
    for worker in workers:
        if recording.has_journal_of(worker):
            yield f"worker {worker} died; what it had finished was taken from its journal"
        else:
            yield f"worker {worker} died and left no journal here; what its running batch had is lost"


def said_of_interrupt(recording: Recording) -> Iterator[str]:
    """Yield how to go on with a run that was stopped, where it has recorded anything."""
    outputs = len(recording.recorded())
    if outputs:
        are = "is" if outputs == 1 else "are"
        yield (
            f"{counted(outputs, 'output')} {are} recorded;"
            " --schemascore-resume takes what is recorded and calls the rest"
        )


def _result(suite: Suite, call: Finished, recording: Recording) -> RunResult | None:
    try:
        evaluated = evaluate(suite, call.key.case, answer_of(call))
    except ComparatorError:
        return None
    answers: list[Answer] = []
    for request in requests_for(call.key, evaluated.result.leaves, evaluated.questions):
        scores = recording.recall_answer(request)
        if scores is None:
            return None
        answers.append(Answer(request, scores, recorded=True))
    leaves, _ = settle(evaluated.result.leaves, answers)
    return replace(evaluated.result, leaves=leaves)
