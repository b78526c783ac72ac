"""A report in the form that a file's suffix asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.report import Report

SUFFIXES: Final = (".json", ".html", ".md", ".csv")


def render(report: Report, diff: Diff | None, suffix: str) -> str:
    """Return *report* as JSON, HTML, Markdown or CSV text; *diff* adds what changed to the first three.

    Raises:
        UsageError: *suffix* is none of `SUFFIXES`.
    """
    match suffix:
        case ".json":
            from pytest_schemascore.documents.json_text import dump_json
            from pytest_schemascore.report.document import report_to_json

            return dump_json(report_to_json(report)) + "\n"
        case ".html":
            from pytest_schemascore.reporting.html import render_html

            return render_html(report, diff)
        case ".md":
            from pytest_schemascore.reporting.markdown import render_markdown

            return render_markdown(report, diff)
        case ".csv":
            from pytest_schemascore.reporting.csv_rows import render_csv

            return render_csv(report)
        case _:
            raise _unknown("report", suffix)


def check_suffix(name: str, suffix: str) -> None:
    """Check that a report can be written to the file *name*, which ends with *suffix*.

    Raises:
        UsageError: it can't; names the nearest suffix. Better said before anything is called.
    """
    if suffix not in SUFFIXES:
        raise _unknown(name, suffix)


def _unknown(name: str, suffix: str) -> UsageError:
    near, known = did_you_mean(suffix, SUFFIXES), ", ".join(SUFFIXES)
    return UsageError(f"{name}: the form of a report goes by its suffix{near} (known: {known})")
