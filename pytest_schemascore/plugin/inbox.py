"""What has arrived, in the process that reports: in a run with xdist that is the controller (R4)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_schemascore.plugin.messages import Message
    from pytest_schemascore.report.results import CaseResult, SuiteResult


class UnusableError(Exception):
    """A worker found that nothing can be run; the text says why."""


@dataclass(slots=True)
class SuiteInbox:
    """What has arrived of one suite; the last word on a case counts, so that a rerun replaces its failure."""

    described: SuiteResult
    cases: dict[str, CaseResult] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    node_ids: dict[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether something has arrived of every case of the data set (R6)."""
        return len(self.cases.keys() | self.skipped.keys()) >= self.described.of


@dataclass(slots=True)
class Inbox:
    """Everything that has arrived, by suite."""

    suites: dict[str, SuiteInbox] = field(default_factory=dict)

    def describe(self, suite: SuiteResult) -> None:
        """Take in what a suite is, beside its cases."""
        self.suites.setdefault(suite.key, SuiteInbox(suite))

    def take(self, message: Message, node_id: str) -> None:
        """Take in what an item told.

        Raises:
            UnusableError: it says that nothing can be run.
        """
        if message.problem:
            raise UnusableError(message.problem)
        if message.described is not None:
            self.describe(message.described)
        inbox = self.suites[message.suite]
        if message.case is None:
            inbox.skipped[message.skipped] = message.reason
            return
        case = message.case
        inbox.skipped.pop(case.id, None)
        inbox.cases[case.id] = case
        inbox.node_ids[case.id] = node_id

    def recover(self, suite: str, case: CaseResult) -> None:
        """Take in a case that was finished and never reported, unless its own result arrived."""
        self.suites[suite].cases.setdefault(case.id, case)

    def has(self, suite: str, case_id: str) -> bool:
        """Say whether anything has arrived of a case."""
        inbox = self.suites.get(suite)
        return inbox is not None and (case_id in inbox.cases or case_id in inbox.skipped)

    def left_out(self, suite: str, case_id: str) -> bool:
        """Say whether this run did not ask for a case that may still exist: its suite did not run whole."""
        inbox = self.suites.get(suite)
        return not (inbox is not None and inbox.is_whole) and not self.has(suite, case_id)

    def whole(self) -> list[str]:
        """Return the keys of the suites of which every case has arrived."""
        return [key for key, inbox in self.suites.items() if inbox.is_whole]

    def results(self) -> dict[str, SuiteResult]:
        """Return the suites as far as they were measured; suites and cases sorted, so that runs compare."""
        return {
            key: replace(
                inbox.described,
                cases=tuple(inbox.cases[name] for name in sorted(inbox.cases)),
                skipped=dict(sorted(inbox.skipped.items())),
            )
            for key, inbox in sorted(self.suites.items())
        }
