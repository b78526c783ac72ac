"""What travels on a test report: one JSON string, so that xdist carries results as they are (R4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.report.codec import case_to_json
from pytest_schemascore.report.document import suite_to_json

if TYPE_CHECKING:
    from pytest_schemascore.report.results import CaseResult
    from pytest_schemascore.suite import Suite

ATTRIBUTE: Final = "schemascore"
"""The attribute of a test report that holds the string."""

Message = dict[str, Any]


def case_message(suite: str, case: CaseResult) -> Message:
    """Return the message that a case was measured."""
    return {"suite": suite, "entries": case_to_json(case)}


def skip_message(suite: str, case_id: str, reason: str) -> Message:
    """Return the message that a case was not run."""
    return {"suite": suite, "skipped": case_id, "reason": reason}


def problem_message(problem: str) -> Message:
    """Return the message that nothing can be run, and why."""
    return {"problem": problem}


def suite_message(suite: Suite) -> Message:
    """Return what a controller needs to know of a suite beside its cases."""
    return suite_to_json(suite.result([], {}))
