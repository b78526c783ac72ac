"""What has arrived, in the process that reports: in a run with xdist that is the controller (R4)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_schemascore.report.codec import cases_from_json
from pytest_schemascore.report.document import suite_from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

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


@dataclass(slots=True)
class Inbox:
    """Everything that has arrived, by suite."""

    suites: dict[str, SuiteInbox] = field(default_factory=dict)

    def describe(self, key: str, data: Message) -> None:
        """Take in what a suite is."""
        if key not in self.suites:
            self.suites[key] = SuiteInbox(suite_from_json(key, data))

    def take(self, text: str, node_id: str) -> None:
        """Take in the message of a test report.

        Raises:
            UnusableError: it says that nothing can be run.
        """
        data: Any = json.loads(text)
        if "problem" in data:
            raise UnusableError(data["problem"])
        if "described" in data:
            self.describe(data["suite"], data["described"])
        inbox = self.suites[data["suite"]]
        if "skipped" in data:
            inbox.skipped[data["skipped"]] = data["reason"]
            return
        case = _case_in(data)
        inbox.skipped.pop(case.id, None)
        inbox.cases[case.id] = case
        inbox.node_ids[case.id] = node_id

    def recover(self, data: Mapping[str, Any]) -> None:
        """Take in a case that was finished and never reported, unless its own result arrived."""
        case = _case_in(data)
        self.suites[data["suite"]].cases.setdefault(case.id, case)

    def has(self, suite: str, case_id: str) -> bool:
        """Say whether anything has arrived of a case."""
        inbox = self.suites.get(suite)
        return inbox is not None and (case_id in inbox.cases or case_id in inbox.skipped)

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


def _case_in(data: Mapping[str, Any]) -> CaseResult:
    (case,) = cases_from_json(data["entries"])
    return case
