"""An item's turn: its case is run or taken from its suite's batch, judged, and put on the item's reports."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from pytest_schemascore.plugin.collecting import CASE_ITEM
from pytest_schemascore.plugin.compat import expected_failure, rewrite_failure
from pytest_schemascore.plugin.fixture_checks import is_async_fixture
from pytest_schemascore.plugin.fixtures import in_portal
from pytest_schemascore.plugin.judging import Judged
from pytest_schemascore.plugin.messages import ATTRIBUTE, Message, to_text
from pytest_schemascore.plugin.verdicts import raise_verdict, raise_what_ends, replay, results_of
from pytest_schemascore.reporting.junit import properties
from pytest_schemascore.running.masking import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from pytest_schemascore.plugin.batches import Batches
    from pytest_schemascore.plugin.collecting import CaseItem
    from pytest_schemascore.plugin.recording import Recording
    from pytest_schemascore.plugin.workers import Place
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.job import Finished
    from pytest_schemascore.running.portal import Portal
    from pytest_schemascore.suite import Suite

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


class Items:
    """Gives each item its turn.

    Attributes:
        judged: what the gate will notice, or why nothing can be run; known after collection.
        current: the item that is running now.
        async_fixtures: those that run in the cases' event loop whichever item asks for them.
    """

    def __init__(self, place: Place, portal: Portal, batches: Batches, recording: Recording) -> None:
        self.judged = Judged()
        self.current: pytest.Item | None = None
        self.async_fixtures: frozenset[pytest.FixtureDef[Any]] = frozenset()
        self._place = place
        self._portal = portal
        self._batches = batches
        self._recording = recording
        self._described: set[str] = set()
        self._noticed: dict[str, bool] = {}

    @staticmethod
    def owns(item: pytest.Item) -> bool:
        """Say whether *item* is a case."""
        return CASE_ITEM in item.stash

    def runs_in_portal(self, definition: pytest.FixtureDef[Any]) -> bool:
        """Say whether *definition* is an async fixture that runs in the cases' event loop now."""
        if self.current is None and definition not in self.async_fixtures:
            return False
        return is_async_fixture(definition)

    def in_portal(self, definition: pytest.FixtureDef[Any], request: Any) -> AbstractContextManager[None]:
        """Return a context in which an async fixture of a case runs in the cases' event loop."""
        return in_portal(definition, self._portal, request)

    def call(self, item: pytest.Function) -> None:
        """Run *item*'s body, or take what its suite's batch made of it, and give the item its verdict."""
        entry = item.stash[CASE_ITEM]
        turn = item.stash[TURN] = Turn()
        if self.judged.problem:
            turn.message = Message(problem=self.judged.problem)
            pytest.fail(self.judged.problem, pytrace=False)
        began = time.time()
        noticed = self._notices(entry.suite)
        runs = self._batches.runs_of(item, noticed=noticed)
        if not runs:
            pytest.skip("the run was stopped before this case")
        calls = [run.call for run in runs]
        turn.times = _times(calls, began)
        replay(calls, streams=item.config.getoption("capture") != "no")
        raise_what_ends(calls)
        results = results_of(runs)
        case = entry.suite.case_result(entry.case.id, results)
        turn.message = Message(entry.suite.spec.key, case)
        others = [(name, text) for name, text in item.user_properties if not name.startswith(PROPERTIES)]
        item.user_properties[:] = [*others, *properties(case)]
        if noticed and not all(result.valid for result in results):
            # What is expected to fail is to fail, whoever else notices.
            noticed = expected_failure(item) is None
        raise_verdict(runs, results, noticed=noticed, min_score=entry.mark.min_score)

    def _notices(self, suite: Suite) -> bool:
        key = suite.spec.key
        if key not in self._noticed:
            self._noticed[key] = self.judged.notices(suite)
        return self._noticed[key]

    def attach(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Put what came of *item* on its report, with the body's own time."""
        if report.when != "call" and report.passed:
            return
        entry = item.stash[CASE_ITEM]
        turn = item.stash.get(TURN, Turn()) if report.when == "call" else Turn()
        message = turn.message
        if message is None and report.skipped and not hasattr(report, "wasxfail"):
            message = Message(entry.suite.spec.key, skipped=entry.case.id, reason=_reason(report))
        if message is not None:
            message = self._described_once(entry, message)
            setattr(report, ATTRIBUTE, to_text(message) if self._place.worker else message)
        if turn.times is not None:
            report.duration, report.start, report.stop = turn.times
        if report.failed:
            if message is not None and message.case is not None and (table := _table(message.case.runs)):
                report.sections.append(("schemascore", table))
            # The logs of a build are read by more people than a report.
            rewrite_failure(report, mask_secrets)

    def _described_once(self, entry: CaseItem, message: Message) -> Message:
        """Put in front of a suite's first message what the suite is."""
        key = entry.suite.spec.key
        if key in self._described or message.problem:
            return message
        self._described.add(key)
        return replace(message, described=entry.suite.result([], {}))


def _times(calls: list[Finished], began: float) -> tuple[float, float, float]:
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
