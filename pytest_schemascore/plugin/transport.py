"""How results travel: one JSON string on each test report, so that xdist carries them as they are (R4)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_schemascore.documents.json_text import dump_json
from pytest_schemascore.report.codec import case_to_json, cases_from_json
from pytest_schemascore.report.document import suite_from_json, suite_to_json

if TYPE_CHECKING:
    from pytest_schemascore.report.results import CaseResult, SuiteResult
    from pytest_schemascore.suite import Suite

ATTRIBUTE = "schemascore"
"""The attribute of a test report that holds the string."""


def case_message(suite: str, case: CaseResult) -> str:
    """Return the message that a case was measured."""
    return dump_json({"suite": suite, "entries": case_to_json(case)})


def skip_message(suite: str, case_id: str, reason: str) -> str:
    """Return the message that a case was not run."""
    return dump_json({"suite": suite, "skipped": case_id, "reason": reason})


def problem_message(problem: str) -> str:
    """Return the message that nothing can be run, and why."""
    return dump_json({"problem": problem})


def suite_message(suite: Suite) -> dict[str, Any]:
    """Return what the controller needs to know of a suite beside its cases."""
    return suite_to_json(suite.result([], {}))


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
    problem: str = ""

    def describe(self, key: str, data: dict[str, Any]) -> None:
        """Take in what a suite is."""
        if key not in self.suites:
            self.suites[key] = SuiteInbox(suite_from_json(key, data))

    def take(self, message: str, node_id: str) -> None:
        """Take in one message of a test report."""
        data: Any = json.loads(message)
        if "described" in data:
            self.describe(data["suite"], data["described"])
        if "problem" in data:
            self.problem = data["problem"]
            return
        inbox = self.suites[data["suite"]]
        if "skipped" in data:
            inbox.skipped[data["skipped"]] = data["reason"]
            return
        for recovered in data.get("recovered", ()):
            self._recover(recovered)
        (case,) = cases_from_json(data["entries"])
        inbox.skipped.pop(case.id, None)
        inbox.cases[case.id] = case
        inbox.node_ids[case.id] = node_id

    def _recover(self, message: str) -> None:
        """Take in a case that a crashed worker had finished, unless its own result arrived."""
        data: Any = json.loads(message)
        (case,) = cases_from_json(data["entries"])
        self.suites[data["suite"]].cases.setdefault(case.id, case)

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
