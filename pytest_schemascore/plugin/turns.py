"""What came of an item's turn: its verdict, and what its reports carry.

Loaded while the first batch waits for its extractors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

from pytest_schemascore.plugin.collecting import CASE_ITEM
from pytest_schemascore.plugin.compat import expected_failure, is_captured, rewrite_failure
from pytest_schemascore.plugin.messages import ATTRIBUTE, Message, to_text
from pytest_schemascore.plugin.verdicts import raise_verdict, raise_what_ends, replay, results_of
from pytest_schemascore.reporting.junit import properties
from pytest_schemascore.running.masking import mask_secrets
from pytest_schemascore.suite.evaluating import case_result, suite_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pytest_schemascore.plugin.batches import Run
    from pytest_schemascore.plugin.collecting import CaseItem
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.job import Finished

PROPERTIES: Final = "schemascore."
"""How the names of our JUnit properties begin."""


@dataclass(slots=True)
class Turn:
    """What one call of an item's body came to.

    Attributes:
        message: for the process that reports.
        times: duration, start and stop of the body itself.
    """

    message: Message | None = None
    times: tuple[float, float, float] | None = None


TURN = pytest.StashKey[Turn]()


class Turns:
    """Gives items their verdicts, and puts on their reports what came of them.

    Args:
        as_text: whether the reports go to another process.
        is_described: says of a suite's key whether a report that says what the suite is was sent.
    """

    def __init__(self, *, as_text: bool, is_described: Callable[[str], bool]) -> None:
        self._as_text = as_text
        self._is_described = is_described

    def refuse(self, item: pytest.Item, problem: str) -> NoReturn:
        """Fail *item*, since nothing can be run."""
        item.stash[TURN] = Turn(Message(problem=problem))
        pytest.fail(problem, pytrace=False)

    def conclude(self, item: pytest.Item, runs: Sequence[Run], *, began: float, noticed: bool) -> None:
        """Give *item* the verdict that the *runs* of its case come to.

        Args:
            began: when the item did, in seconds since the epoch.
            noticed: whether the gate would notice failed calls.
        """
        if not runs:
            pytest.skip("the run was stopped before this case")
        entry = item.stash[CASE_ITEM]
        calls = [run.call for run in runs]
        turn = item.stash[TURN] = Turn(times=_times(calls, began))
        unshown = replay(calls, streams=is_captured(item.config))
        raise_what_ends(calls)
        results = results_of(runs)
        case = case_result(entry.suite, entry.case.id, results)
        turn.message = Message(entry.suite.spec.key, case)
        others = [(name, text) for name, text in item.user_properties if not name.startswith(PROPERTIES)]
        item.user_properties[:] = [*others, *properties(case)]
        if noticed and not all(result.valid for result in results):
            # What is expected to fail is to fail, whoever else notices.
            noticed = expected_failure(item) is None
        raise_verdict(runs, results, noticed=noticed, min_score=entry.mark.min_score)
        if unshown is not None:
            raise unshown  # as it does in any test; what the call came to travels all the same

    def attach(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Put what came of *item* on its report, with the body's own time."""
        entry = item.stash[CASE_ITEM]
        turn = _taken(item) if report.when == "call" else Turn()
        message = turn.message
        if message is None and report.skipped and not hasattr(report, "wasxfail"):
            message = Message(entry.suite.spec.key, skipped=entry.case.id, reason=_reason(report))
        if message is not None:
            message = self._described(entry, message)
            setattr(report, ATTRIBUTE, to_text(message) if self._as_text else message)
        if turn.times is not None:
            report.duration, report.start, report.stop = turn.times
        if report.failed:
            if message is not None and message.case is not None and (table := _table(message.case.runs)):
                report.sections.append(("schemascore", table))
            # The logs of a build are read by more people than a report.
            rewrite_failure(report, mask_secrets)

    def _described(self, entry: CaseItem, message: Message) -> Message:
        """Put in front of a suite's first message what the suite is.

        The first that is sent: what runs tests again may make reports and send none but the last.
        """
        if message.problem or self._is_described(entry.suite.spec.key):
            return message
        return message._replace(described=suite_result(entry.suite, [], {}))


def _taken(item: pytest.Item) -> Turn:
    """Return what *item*'s call came to, once: pytest keeps items to the end, and would keep it too."""
    turn = item.stash.get(TURN, None)
    if turn is None:
        return Turn()
    del item.stash[TURN]
    return turn


def _times(calls: Sequence[Finished], began: float) -> tuple[float, float, float]:
    return (
        sum(call.duration for call in calls),
        min(began, *(call.started for call in calls)),
        max(call.stopped for call in calls),
    )


def _table(results: Iterable[RunResult]) -> str:
    """Return what went wrong in the first run in which something did."""
    for result in results:
        if result.error is not None or result.score != 1:
            from pytest_schemascore.reporting.case_table import case_table  # only where something went wrong

            return "\n".join(case_table(result))
    return ""


def _reason(report: pytest.TestReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
