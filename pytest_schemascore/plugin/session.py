"""The state of one pytest session, and what each hook does with it."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.pipeline import answer_of
from pytest_schemascore.plugin.batches import Batches
from pytest_schemascore.plugin.collecting import CASE_ITEM, Collector
from pytest_schemascore.plugin.finishing import annotate, conclude, show_as_failed_test, write_reports
from pytest_schemascore.plugin.fixture_checks import shared_with_other_async_tests
from pytest_schemascore.plugin.fixtures import in_portal
from pytest_schemascore.plugin.judging import BaselineFile, Judged
from pytest_schemascore.plugin.recording import recording_of
from pytest_schemascore.plugin.summary import print_summary
from pytest_schemascore.plugin.transport import (
    ATTRIBUTE,
    Inbox,
    case_message,
    problem_message,
    skip_message,
    suite_message,
)
from pytest_schemascore.plugin.verdicts import raise_verdict, raise_what_ends, replay, results_of
from pytest_schemascore.plugin.workers import place_of
from pytest_schemascore.reporting.case_table import case_table
from pytest_schemascore.reporting.junit import properties
from pytest_schemascore.running.portal import Portal
from pytest_schemascore.running.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import TextIO

    from pytest_schemascore.plugin.collecting import CaseItem
    from pytest_schemascore.plugin.finishing import Conclusion
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.report.results import CaseResult, RunResult


@dataclass(slots=True)
class ItemResult:
    """What one call of an item's body came to: the message for the controller, and the body's own times."""

    message: str = ""
    times: tuple[float, float, float] | None = None


RESULT = pytest.StashKey[ItemResult]()


class Session:
    """Made when the first marked function is collected, or when a worker's first result arrives.

    Attributes:
        collector: suites and items; inbox: results; place: this process among the workers.
        judged: what the gate will notice.
        screen: the terminal, as it was before pytest began to capture; None where there is none.
        current: the item that is running now.
    """

    def __init__(self, config: pytest.Config, options: Options, screen: TextIO | None) -> None:
        self.config = config
        self.options = options
        self.screen = screen
        self.place = place_of(config)
        self.collector = Collector()
        self.inbox = Inbox()
        self.baseline = BaselineFile(options)
        self.judged = Judged()
        self.current: pytest.Item | None = None
        self.portal = Portal(options.backend)
        self.recording, self._source_problem = recording_of(config, options, self.place)
        self.batches = Batches(options, self.place, self.portal, self.recording, self._progress)
        self.conclusion: Conclusion | None = None
        self._described: set[str] = set()
        self._problem = ""

    # Collection

    def group(self, items: Sequence[pytest.Item]) -> None:
        """Put each suite's items in one xdist group, so that ``--dist loadgroup`` keeps them together."""
        if not self.place.worker:
            return
        for item in items:
            entry = item.stash.get(CASE_ITEM, None)
            if entry is not None and item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(entry.suite.spec.key))

    def finish_collection(self, items: Sequence[pytest.Item]) -> None:
        """Check what can only be checked with all items at hand, before anything is called.

        Raises:
            pytest.UsageError: the baseline can't be used, or an async fixture serves other tests too. On a
                worker the items fail instead: an error there would take the controller down.
        """
        ours = [item for item in items if isinstance(item, pytest.Function) and CASE_ITEM in item.stash]
        if not ours:
            return
        if self.place.worker:
            self.judged = Judged.from_json(self.place.given["judged"])
        elif not self.config.getoption("collectonly"):
            self.judged = self.baseline.judged()
        others = [i for i in items if isinstance(i, pytest.Function) and CASE_ITEM not in i.stash]
        problem = self.judged.problem or self._source_problem or shared_with_other_async_tests(ours, others)
        if problem and not self.place.worker:
            raise pytest.UsageError(problem)
        if problem:
            self.judged = Judged(problem=problem)

    def _progress(self, name: str) -> Progress:
        stream = self.screen or sys.stderr
        return Progress(name, stream, is_terminal=self.screen is not None)

    # Running

    def call(self, item: pytest.Function) -> None:
        """Run *item*'s body, or take what its suite's batch made of it, and give the item its verdict."""
        entry = item.stash[CASE_ITEM]
        if self.judged.problem:
            item.stash[RESULT].message = problem_message(self.judged.problem)
            pytest.fail(self.judged.problem, pytrace=False)
        if self.place.dist == "each":
            pytest.fail("--dist each would run every case on every worker; use loadfile", pytrace=False)
        began = time.time()
        runs = self.batches.runs_of(item)
        if not runs:
            pytest.skip("the run was stopped before this case")
        calls = [run.call for run in runs]
        item.stash[RESULT].times = (
            sum(call.duration for call in calls),
            min(began, *(call.started for call in calls)),
            max(call.stopped for call in calls),
        )
        replay(calls)
        raise_what_ends(calls)
        results = results_of(runs)
        case = entry.suite.case_result(entry.case.id, results)
        item.stash[RESULT].message = case_message(entry.suite.spec.key, case)
        item.user_properties += properties(case)
        _show(item, results)
        noticed = self.judged.notices(entry.suite)
        raise_verdict(runs, results, noticed=noticed, min_score=entry.mark.min_score)

    @contextmanager
    def running(self, item: pytest.Item) -> Iterator[None]:
        """Remember that *item* runs now."""
        self.current = item
        item.stash[RESULT] = ItemResult()
        try:
            yield
        finally:
            self.current = None

    def limit(self, item: pytest.Item, seconds: float | None) -> None:
        """Note the limit that pytest-timeout would have set."""
        if seconds:
            self.batches.limit(item, seconds)

    def fixture_setup(self, definition: pytest.FixtureDef[Any], request: Any) -> AbstractContextManager[None]:
        """Return a context in which an async fixture of a case runs in the cases' event loop."""
        if self.current is None:
            return nullcontext()
        return in_portal(definition, self.portal, request)

    # Results

    def attach(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Put what came of *item* on its report, with the body's own time."""
        entry = item.stash.get(CASE_ITEM, None)
        if entry is None:
            return
        key = entry.suite.spec.key
        result = item.stash[RESULT] if report.when == "call" else ItemResult()
        message = result.message
        if not message and report.skipped and not hasattr(report, "wasxfail"):
            message = skip_message(key, entry.case.id, _reason(report))
        if message:
            setattr(report, ATTRIBUTE, self._described_once(key, entry, message))
        if result.times is not None:
            report.duration, report.start, report.stop = result.times

    def _described_once(self, key: str, entry: CaseItem, message: str) -> str:
        if key in self._described:
            return message
        self._described.add(key)
        described = json.dumps(suite_message(entry.suite))
        recovered = [case_message(key, case) for case in self._left_behind(entry) if case.id != entry.case.id]
        return f'{{"described": {described}, "recovered": {json.dumps(recovered)}, {message[1:]}'

    def _left_behind(self, entry: CaseItem) -> list[CaseResult]:
        """Return the cases that a worker which crashed had finished, and that pytest blamed for the crash."""
        if not self.place.restarted:
            return []
        runs: dict[str, list[RunResult]] = {}
        for call in self.recording.left_behind(entry.suite):
            try:
                runs.setdefault(call.key.case, []).append(
                    entry.suite.evaluate(call.key.case, answer_of(call)).result
                )
            except ComparatorError:
                continue
        return [entry.suite.case_result(case, results) for case, results in runs.items()]

    def receive(self, report: pytest.TestReport) -> None:
        """Take in a report that may carry a result; a rerun's earlier tries are not the last word."""
        message = getattr(report, ATTRIBUTE, None)
        # rerunfailures has an outcome of its own, which pytest's types don't know.
        if isinstance(message, str) and str(report.outcome) != "rerun":
            self.inbox.take(message, report.nodeid)
            self._problem = self._problem or self.inbox.problem

    # The end

    def finish(self, session: pytest.Session, files: tuple[str, ...]) -> None:
        """Report, compare, update; on a worker, tell the controller what only a worker knows."""
        self.portal.close()
        if self.place.worker:
            self.recording.finish(done=False)
            return
        status = session.exitstatus
        if self._problem and status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
            return
        if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR) or not self.inbox.suites:
            return
        interrupted = status == pytest.ExitCode.INTERRUPTED
        self.recording.finish(done=not interrupted)
        if interrupted:
            self._take_unasked()
        self.conclusion = conclude(
            self.inbox.results(),
            self.options,
            self.baseline.read(),
            files=files,
            interrupted=interrupted,
        )
        write_reports(self.conclusion, self.options)
        annotate(self.conclusion, self.config.rootpath)
        for entry in self.conclusion.entries:
            show_as_failed_test(entry, session)
        if self.conclusion.errors and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _take_unasked(self) -> None:
        """Keep what was finished and whose item never got its turn."""
        for key, call in self.batches.finished.items():
            suite = self.collector.suites[key.suite]
            self.inbox.describe(key.suite, suite_message(suite))
            if key.run == 0:
                try:
                    result = suite.evaluate(key.case, answer_of(call)).result
                except ComparatorError:
                    continue
                self.inbox.take(case_message(key.suite, suite.case_result(key.case, [result])), "")

    def remember_lost(self, session: pytest.Session) -> None:
        """Let ``--lf`` rerun the cases that a failed gate lost, in place of the gate's own entries."""
        if self.conclusion is None or not self.conclusion.entries or session.config.cache is None:
            return
        failed = dict(session.config.cache.get("cache/lastfailed", {}))
        for entry in self.conclusion.entries:
            failed.pop(entry.node_id, None)
            for suite, case in entry.lost:
                node_id = self.inbox.suites[suite].node_ids.get(case)
                if node_id:
                    failed[node_id] = True
        session.config.cache.set("cache/lastfailed", failed)

    def summarize(self, reporter: pytest.TerminalReporter) -> None:
        """Print the summary."""
        if self.conclusion is not None:
            print_summary(reporter, self.conclusion, self.options)

    def close(self) -> None:
        """End the event loop."""
        self.portal.close()


def _show(item: pytest.Item, results: Sequence[RunResult]) -> None:
    """Add a table of what went wrong, for whoever looks at a failing item."""
    wrong = [result for result in results if result.error is not None or result.score != 1]
    for result in wrong[:1]:
        item.add_report_section("call", "schemascore", "\n".join(case_table(result)))


def _reason(report: pytest.TestReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
