"""The labels of a suite: the part that is compared, and whether any output can meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_text import opened
from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.errors import CaseError, PathError, at_most_ten
from pytest_schemascore.scoring.meeting import Meeting
from pytest_schemascore.scoring.selection import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.cases import Case
    from pytest_schemascore.documents.paths import Step
    from pytest_schemascore.documents.shapes import LabelProblem, Schema
    from pytest_schemascore.scoring.rules import RuleNode


def selected_labels(cases: Iterable[Case], selection: tuple[Step, ...], text: str | None) -> dict[str, Json]:
    """Return each case's label, or the selected part where the labels hold it too, opened if it is JSON text.

    Raises:
        PathError: some labels hold it and some don't; names the first that doesn't.
    """
    labels = {case.id: case.expected for case in cases}
    if not selection:
        return labels
    parts = {name: select(label, selection) for name, label in labels.items()}
    lacking = [name for name, part in parts.items() if part is ABSENT]
    if len(lacking) == len(parts):
        return labels
    if lacking:
        msg = f"select={text!r}: the label of case {lacking[0]!r} has nothing there, while others have"
        raise PathError(msg)
    return {name: opened(part) for name, part in parts.items() if not isinstance(part, Absent)}


def check_labels(cases: Mapping[str, Case], labels: Mapping[str, Json], schema: Schema) -> None:
    """Check *labels*, by case id, against *schema* (S2).

    Raises:
        CaseError: one that no output can meet, with file, line and path.
    """
    found = ((name, problem) for name, label in labels.items() for problem in schema.check_label(label))
    _refuse(found, cases, "that the schema can never produce")


def check_meeting(cases: Mapping[str, Case], labels: Mapping[str, Json], root: RuleNode) -> None:
    """Check *labels*, by case id, against the rules of *root* and the forms of the schema's types (S2).

    Raises:
        CaseError: one that no output can meet, with file, line, path and what to write.
    """
    meeting = Meeting()
    found = ((name, problem) for name, label in labels.items() for problem in meeting.problems(label, root))
    _refuse(found, cases, "that no output can meet")


def _refuse(found: Iterable[tuple[str, LabelProblem]], cases: Mapping[str, Case], why: str) -> None:
    problems = [
        f"{cases[name].source or f'case {name!r}'}: {problem.path}: {problem.message}"
        for name, problem in found
    ]
    if problems:
        count = f"{len(problems)} label{'s' if len(problems) > 1 else ''} {why}:"
        raise CaseError("\n  ".join([count, *at_most_ten(problems)]))
