"""Annotations that GitHub shows beside the code: one error a regressed metric, at its test function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.reporting.evidence import arrow, difference, grounds, names, worst_first
from pytest_schemascore.reporting.widths import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.gate.diff import Change, Diff
    from pytest_schemascore.report.report import Report

_NAMES = 10
_MOST = 10
"""GitHub shows ten errors a step and drops the others."""
_LONGEST = 2_000


def error_commands(diff: Diff, report: Report, *, root: str = "") -> list[str]:
    """Return workflow commands, as many as GitHub shows.

    Where there are more, the last says how many. *root* is the path from the workspace to pytest's root
    folder, which test ids are relative to.
    """
    found = list(_annotations(diff, report, root))
    if len(found) > _MOST:
        rest = len(found) - _MOST + 1
        found[_MOST - 1 :] = [
            command("", 0, "schemascore", f"and {rest} more regressions, see the job's log")
        ]
    return found


def _annotations(diff: Diff, report: Report, root: str) -> Iterator[str]:
    for problem in diff.problems:
        yield command("", 0, "schemascore", printable(problem))
    for suite in diff.suites:
        result = report.suites.get(suite.key)
        file = _file(result.test, root) if result else ""
        line = result.line if result else 0
        for problem in suite.problems:
            yield command(file, line, "schemascore", printable(problem))
        for change in worst_first([change for change in suite.changes if change.failing]):
            title = f"schemascore: {printable(change.metric)} {change.status.value}"
            yield command(file, line, title, _message(change))


def _file(test: str, root: str) -> str:
    path = test.partition("::")[0]
    return f"{root.rstrip('/')}/{path}" if root.strip("./") else path


def _message(change: Change) -> str:
    evidence = grounds(change)
    pieces = (printable(change.metric), arrow(change), difference(change), evidence and f"({evidence})")
    lines = ["  ".join(filter(None, pieces))]
    if change.reason:
        lines.append(printable(change.reason))
    if change.lost:
        lines.append(f"lost: {names([printable(id_) for id_ in change.lost], _NAMES)}")
    return "\n".join(lines)


def command(file: str, line: int, title: str, message: str) -> str:
    """Return one ``::error`` command; *file* and *line* are left out where empty and 0."""
    properties = {"file": file, "line": str(line) if line and file else "", "title": title}
    text = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::error {text}::{_data(message[:_LONGEST])}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
