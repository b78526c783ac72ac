"""A report as flat rows, one a leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.report.report import Report


def rows_of(report: Report) -> list[dict[str, Json]]:
    """Return suite, case, run, tags, path, field, outcome, score, expected, actual and rule of every leaf.

    A value that is absent is None, as null is; the outcome tells them apart where it matters.
    """
    return [
        {
            "suite": key,
            "case": case.id,
            "run": number,
            "tags": list(case.tags),
            "path": leaf.path,
            "field": leaf.field,
            "outcome": leaf.outcome.value,
            "score": leaf.score,
            "expected": _or_none(leaf.expected),
            "actual": _or_none(leaf.actual),
            "rule": leaf.rule,
        }
        for key, suite in report.suites.items()
        for case in suite.cases
        for number, run in enumerate(case.runs)
        for leaf in run.leaves
    ]


def _or_none(value: Json | Absent) -> Json:
    return None if value is ABSENT else value
