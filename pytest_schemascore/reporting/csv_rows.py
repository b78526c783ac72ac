"""The leaves of a report as CSV, for spreadsheets and pandas."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from pytest_schemascore.documents.json_types import ABSENT, type_name
from pytest_schemascore.reporting.values import value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.report.report import Report
    from pytest_schemascore.report.results import CaseResult, RunResult, SuiteResult
    from pytest_schemascore.scoring.outcomes import Leaf

Cell: TypeAlias = str | float | None

COLUMNS: Final = (
    "suite",
    "case",
    "run",
    "tags",
    "valid",
    "error",
    "duration",
    "cost",
    "tokens",
    "path",
    "field",
    "outcome",
    "score",
    "expected",
    "expected_type",
    "actual",
    "actual_type",
    "actual_path",
    "rule",
)
_FORMULA: Final = re.compile(r"\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
# The last four are the full-width twins of the first, which some spreadsheets take for them.
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_EXACT: Final = 2**53
"""Up to here a spreadsheet keeps an integer's digits."""
_LONGEST: Final = 32_000
"""Characters of a cell: spreadsheets end at 32,767 and move the rest into the next row."""


def render_csv(report: Report) -> str:
    """Return one row a leaf under `COLUMNS`, with LF line ends; the run's own figures repeat in each row.

    Texts stand as they are and other values as JSON, so the ``_type`` columns tell ``"1"`` from ``1``. A text
    that a spreadsheet would take for a formula gets an apostrophe in front. A run without leaves has one row.
    """
    stream = io.StringIO()
    # Quoting every text keeps a lone CR inside its cell on every Python version.
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(COLUMNS)
    for suite in report.suites.values():
        writer.writerows(_rows(suite))
    return stream.getvalue()


def _rows(suite: SuiteResult) -> Iterator[list[Cell]]:
    for case in suite.cases:
        for number, run in enumerate(case.runs):
            head = _head(suite, case, number, run)
            for leaf in run.leaves:
                yield head + _leaf(leaf)
            if not run.leaves:
                yield head + [""] * (len(COLUMNS) - len(head))


def _head(suite: SuiteResult, case: CaseResult, number: int, run: RunResult) -> list[Cell]:
    error = f"{run.error.kind.value}: {run.error.message}" if run.error else ""
    return [
        safe_cell(suite.key),
        safe_cell(case.id),
        number,
        safe_cell(" ".join(case.tags)),
        "true" if run.valid else "false",
        safe_cell(error),
        run.duration if run.duration is not None else "",
        run.cost if run.cost is not None else "",
        run.tokens if run.tokens is not None else "",
    ]


def _leaf(leaf: Leaf) -> list[Cell]:
    return [
        safe_cell(leaf.path),
        safe_cell(leaf.field),
        leaf.outcome.value,
        "" if leaf.score is None else leaf.score,
        _value(leaf.expected),
        type_name(leaf.expected),
        _value(leaf.actual),
        type_name(leaf.actual),
        safe_cell(leaf.actual_path),
        safe_cell(leaf.rule),
    ]


def _value(value: Json | Absent) -> Cell:
    if value is ABSENT:
        return ""
    if isinstance(value, float) or (type(value) is int and abs(value) <= _EXACT):
        return value
    return safe_cell(value if isinstance(value, str) else value_text(value))


def safe_cell(text: str) -> str:
    """Return *text* so that no spreadsheet runs it or loses its rows over it; numbers stay as they are.

    Control characters but tab and newline, and lone surrogates, become escapes; a text of more than 32,000
    characters is cut and says how long it was.
    """
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}… ({len(text):,} characters)"
    text = _UNSTORABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text
