"""What an item tells the process that reports; between processes as one JSON string on a test report (R4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.report.results import CaseResult, SuiteResult

ATTRIBUTE: Final = "schemascore"
"""The attribute of a test report that holds the message, or on its way between processes its text."""


class Message(NamedTuple):
    """What became of one item: measured, skipped, or nothing can be run at all.

    Attributes:
        suite: the suite's key.
        case: what was measured; None where nothing was.
        skipped: id of a case that was not run, and reason: why.
        problem: why nothing can be run; empty where it can.
        described: the suite without its cases, on the first message of a process.
    """

    suite: str = ""
    case: CaseResult | None = None
    skipped: str = ""
    reason: str = ""
    problem: str = ""
    described: SuiteResult | None = None


def to_text(message: Message) -> str:
    """Return *message* as one JSON string."""
    # Here and below, since a run in one process never needs it.
    from pytest_schemascore.documents.json_text import dump_json
    from pytest_schemascore.report.codec import case_to_json
    from pytest_schemascore.report.document import suite_to_json

    data: dict[str, Json] = {"suite": message.suite}
    if message.case is not None:
        data["entries"] = list(case_to_json(message.case))
    if message.skipped:
        data |= {"skipped": message.skipped, "reason": message.reason}
    if message.problem:
        data["problem"] = message.problem
    if message.described is not None:
        data["described"] = suite_to_json(message.described)
    return dump_json(data)


def from_text(text: str) -> Message:
    """Return the message that `to_text` wrote."""
    from pytest_schemascore.report.codec import cases_from_json
    from pytest_schemascore.report.document import suite_from_json

    data: Any = json.loads(text)
    suite = data["suite"]
    (case,) = cases_from_json(data["entries"]) if "entries" in data else (None,)
    described = suite_from_json(suite, data["described"]) if "described" in data else None
    return Message(
        suite,
        case,
        data.get("skipped", ""),
        data.get("reason", ""),
        data.get("problem", ""),
        described,
    )
