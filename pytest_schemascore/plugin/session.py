"""The state of one pytest session: what its hooks hang on."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.plugin.async_marks import is_marked_asyncio, shield_async_marks
from pytest_schemascore.plugin.batches import Batches
from pytest_schemascore.plugin.collecting import CASE_ITEM, Collector
from pytest_schemascore.plugin.collection_checks import other_items, our_items, problem_in, runs_nothing
from pytest_schemascore.plugin.compat import remember_failed
from pytest_schemascore.plugin.fixtures import fixtures_of_portal
from pytest_schemascore.plugin.items import Items
from pytest_schemascore.plugin.judging import Judged
from pytest_schemascore.plugin.mark import MARK
from pytest_schemascore.plugin.naming import group_name, without_group
from pytest_schemascore.plugin.places import deleted_files, looked_for
from pytest_schemascore.plugin.runs import recording_for
from pytest_schemascore.plugin.workers import place_of
from pytest_schemascore.running.portal import Portal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.plugin.concluding import Conclusion
    from pytest_schemascore.plugin.findings import Findings
    from pytest_schemascore.plugin.inbox import Inbox
    from pytest_schemascore.plugin.judging import BaselineFile
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.plugin.runs import Run
    from pytest_schemascore.plugin.screen import Screen


class Session:
    """Made when the first marked function is collected, or on a controller when the first result arrives.

    Attributes:
        collector: makes suites of marked functions; items: gives each item its turn.
    """

    def __init__(
        self,
        config: pytest.Config,
        options: Options,
        run: Run,
        baseline: BaselineFile,
        findings: Findings,
        screen: Screen | None,
    ) -> None:
        self.collector = Collector()
        self._config = config
        self._options = options
        self._run = run
        self._baseline = baseline
        self._findings = findings
        self._place = place_of(config)
        self._portal = Portal(options.backend)
        self._recording = recording_for(config, options, run, self._place)
        self.batches = Batches(options, self._place, self._portal, self._recording, screen)
        self.items = Items(self._place, self._portal, self.batches, self._is_described)
        self._ours: list[pytest.Function] = []
        self._conclusion: Conclusion | None = None

    @cached_property
    def _inbox(self) -> Inbox:
        """What has arrived; a batch loads it while it waits."""
        from pytest_schemascore.plugin.inbox import Inbox

        return Inbox()

    def _is_described(self, suite: str) -> bool:
        """Say whether a report that says what *suite* is was sent; a worker sees its own too."""
        return suite in self._inbox.suites

    def group(self, items: Sequence[pytest.Item]) -> None:
        """Put each suite's items in one xdist group, so that ``--dist loadgroup`` keeps them together."""
        if not self._place.worker:
            return
        for item in our_items(items):
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(group_name(item.stash[CASE_ITEM].suite.spec.key)))

    def finish_collection(self, items: Sequence[pytest.Item]) -> None:
        """Check what can only be checked with all items at hand, before anything is called.

        Raises:
            pytest.UsageError: the items can't be run as asked. On a worker they fail instead and the
                controller raises it: an error here would take the controller down.
        """
        self._ours = our_items(items)
        if any(map(is_marked_asyncio, self._ours)):
            shield_async_marks(self._config)
        self.items.async_fixtures = fixtures_of_portal(self._ours, other_items(items))
        if not any(item.get_closest_marker(MARK) for item in items) or runs_nothing(self._config):
            return
        given = self._place.given
        judged = Judged.from_json(given["judged"]) if given else self._baseline.judged()
        problem = judged.problem or self._run.problem or self.collector.clash
        problem = problem or problem_in(items, self._options, self._place)
        if problem and not self._place.worker:
            raise pytest.UsageError(problem)
        judged = judged.after_collection(self.collector.suites, self._may_have_moved)
        self.items.judged = Judged(problem=problem) if problem else judged
        if not self._place.worker:
            self.take_over()

    def _may_have_moved(self, test: str) -> bool:
        """Say whether a test that was not collected is not where the baseline has it any more."""
        file = test.partition("::")[0]
        return file in self._findings.files or not (self._config.rootpath / file).exists()

    def take_over(self) -> None:
        """Keep what a resumed run had recorded, before anything is called: this one may be killed too."""
        self._recording.take_over()

    def receive(self, report: pytest.TestReport) -> None:
        """Take in a report that carries a result; a rerun's earlier tries are not the last word.

        Raises:
            pytest.UsageError: a worker found that nothing can be run.
        """
        from pytest_schemascore.plugin.inbox import UnusableError  # a batch loads both while it waits
        from pytest_schemascore.plugin.messages import ATTRIBUTE, from_text

        given = getattr(report, ATTRIBUTE)
        if not self._place.worker:
            delattr(report, ATTRIBUTE)  # pytest keeps reports to the end, and would keep what hangs on them
        message = from_text(given) if isinstance(given, str) else given
        # rerunfailures has an outcome of its own, which pytest's types don't know.
        if str(report.outcome) == "rerun":
            if message.described is not None:  # it comes with a suite's first message only
                self._inbox.describe(message.described)
            return
        try:
            self._inbox.take(message, without_group(report.nodeid))
        except UnusableError as error:
            if not self._place.worker:
                raise pytest.UsageError(str(error)) from None

    def finish(self, session: pytest.Session, *, died: Sequence[str], stopped: bool) -> None:
        """Report, compare, update; on a worker, leave that to the controller.

        Args:
            died: names of the workers that did.
            stopped: whether the run was ended by the user or by `pytest.exit`.
        """
        self._findings.tests |= self.collector.tests
        self._findings.asked += self._recording.asked
        self._findings.taken += self._recording.taken
        self._findings.failed += self._recording.failed
        self._findings.troubles |= {self._recording.trouble} - {""}
        interrupted = stopped or self._is_interrupted(session)
        if died and not self._is_broken(session):
            from pytest_schemascore.plugin.recovering import recover_of_crash  # workers seldom die

            trouble = recover_of_crash(session, self.collector, self._recording, self._inbox)
            self._findings.troubles |= {trouble} - {""}
        reports = not self._place.worker and self._has_results(session)
        if reports and interrupted:
            self._take_unasked()
        done = reports and not interrupted and not died
        if done:
            self._findings.left = self._left_for_later()
        if reports:
            self._report(session, interrupted=interrupted, died=died)
        # Last, so that a run which is killed before its reports are written can be resumed.
        done = done and not self._findings.left
        self._recording.finish(done=done, whole=self._inbox.whole() if done else ())

    def _report(self, session: pytest.Session, *, interrupted: bool, died: Sequence[str]) -> None:
        """Conclude from what has arrived, and tell it everywhere."""
        # The later rooms, which a worker never needs.
        from pytest_schemascore.plugin.concluding import Outcome, conclude
        from pytest_schemascore.plugin.remarks import remarks
        from pytest_schemascore.plugin.writing import annotate, write_reports

        results = self._inbox.results()
        baseline = self._baseline.read()
        files, deleted = self._collected_files({suite.test for suite in results.values()}, baseline)
        outcome = Outcome(files, deleted, interrupted=interrupted, crashed=bool(died))
        conclusion = self._conclusion = conclude(results, self._options, baseline, outcome)
        conclusion.lines += remarks(results.values(), self._findings, self._run, self._place)
        if interrupted:
            from pytest_schemascore.plugin.recovering import said_of_interrupt

            conclusion.lines += said_of_interrupt(self._recording)
        if died:
            from pytest_schemascore.plugin.recovering import said_of_crashes

            conclusion.lines += said_of_crashes(died, self._recording)
        write_reports(conclusion, self._options.reports)
        annotate(conclusion, self._config.rootpath)
        for entry in conclusion.entries:
            from pytest_schemascore.plugin.failed_entry import show_as_failed_test  # most runs have none

            show_as_failed_test(entry, session)

    def _collected_files(
        self, reported: set[str], baseline: Baseline | None
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the files that were collected whole, and those of the baseline that don't exist any more.

        The latter are among the former where the run looked for them and left nothing out that it found.
        """
        files = self._findings.files_whole(reported)
        deleted = deleted_files(baseline, self._config.rootpath)
        if deleted and not self._findings.left_out(reported):
            files = tuple(sorted({*files, *looked_for(deleted, self._config)}))
        return files, deleted

    def _left_for_later(self) -> int:
        """Count the outputs that were taken over from a resumed run and not asked for, as with ``-k``."""
        return sum(self._inbox.left_out(key.suite, key.case) for key in self._recording.taken_over)

    def _has_results(self, session: pytest.Session) -> bool:
        return not self._is_broken(session) and (bool(self._inbox.suites) or bool(self.batches.unasked()))

    @staticmethod
    def _is_broken(session: pytest.Session) -> bool:
        return session.exitstatus in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR)

    def _is_interrupted(self, session: pytest.Session) -> bool:
        """Say whether the run was stopped with some case left out: by an interrupt, ``-x`` or the like."""
        if session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return True
        stopped = bool(session.shouldfail or session.shouldstop)
        return stopped and not all(self._has_arrived(item) for item in self._ours)

    def _has_arrived(self, item: pytest.Function) -> bool:
        entry = item.stash[CASE_ITEM]
        return self._inbox.has(entry.suite.spec.key, entry.case.id)

    def _take_unasked(self) -> None:
        """Keep what was finished and whose item never got its turn."""
        from pytest_schemascore.plugin.recovering import recover  # only after an interrupt

        for key, calls in self.batches.unasked().items():
            recover(self._inbox, self.collector.suites[key], calls, self._recording)

    def remember_lost(self) -> None:
        """Let ``--lf`` rerun the cases that a failed gate lost, in place of the gate's own entries."""
        entries = self._conclusion.entries if self._conclusion else []
        if not entries:
            return
        node_ids = [
            node_id
            for entry in entries
            for suite, case in entry.lost
            if (node_id := self._inbox.suites[suite].node_ids.get(case))
        ]
        remember_failed(self._config, node_ids, instead_of=[entry.node_id for entry in entries])

    def summarize(self, reporter: pytest.TerminalReporter) -> None:
        """Print the summary."""
        if self._conclusion is not None:
            from pytest_schemascore.plugin.summary import print_summary  # as above

            print_summary(reporter, self._config, self._conclusion, self._options)

    def close(self) -> None:
        """End the event loop, and let go of the results.

        Plugins stay alive to the end, and the garbage collections on the way there would walk through all.
        """
        self._portal.close()
        self._conclusion = None
        vars(self).pop("_inbox", None)
