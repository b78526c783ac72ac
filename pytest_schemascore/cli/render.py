"""``pytest-schemascore render``: a saved report in another form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_schemascore.cli.arguments import named
from pytest_schemascore.errors import BaselineError

if TYPE_CHECKING:
    import argparse

    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.report import Report

HELP: Final = "make HTML, Markdown or CSV of a saved report"
EXAMPLE: Final = """\
  pytest-schemascore render report.json --to html --out report.html
  pytest-schemascore render report.json --to md >> $GITHUB_STEP_SUMMARY"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("report", type=named, metavar="REPORT", help="a report that was written as .json")
    parser.add_argument("--to", choices=("html", "md", "csv"), required=True, help="the form to make")
    parser.add_argument(
        "--out", type=named, metavar="FILE", help="write it there instead of to standard output"
    )


def run(options: argparse.Namespace) -> int:
    """Render the report, with the verdict that it holds."""
    from pytest_schemascore._files import write_atomically
    from pytest_schemascore.cli.output import write_document
    from pytest_schemascore.report.report import Report
    from pytest_schemascore.reporting.render import render

    report = Report.load(options.report)
    text = render(report, _verdict(report, options.report), f".{options.to}")
    if options.out is None:
        write_document(text)
    else:
        write_atomically(Path(options.out), text)
    return 0


def _verdict(report: Report, name: str) -> Diff | None:
    from pytest_schemascore.gate.verdict_json import verdict_from_json

    if not isinstance(report.gate, dict):
        return None
    try:
        return verdict_from_json(report.gate)
    except (KeyError, TypeError, ValueError) as error:
        msg = (
            f"{name}: its gate entry can't be read ({type(error).__name__}: {error});"
            " run the gate again with: pytest-schemascore diff"
        )
        raise BaselineError(msg) from error
