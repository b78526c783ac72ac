"""Reading a saved report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_schemascore._garbage import collector_held
from pytest_schemascore.errors import BaselineError
from pytest_schemascore.report.checking import MisfitError
from pytest_schemascore.report.document import FORMAT, suite_from_json
from pytest_schemascore.report.document_checks import DOCUMENT
from pytest_schemascore.report.reading import check_format, read_text, strict_decoder, unreadable
from pytest_schemascore.report.report import Report

if TYPE_CHECKING:
    from pathlib import Path


def load_report(path: Path) -> Report:
    """Read the report at *path*.

    Raises:
        BaselineError: there is no such file, or it is not a report of this format.
    """
    return parse_report(
        read_text(path, "report", "write one with: pytest --schemascore-report PATH.json"), str(path)
    )


def parse_report(text: str, name: str) -> Report:
    """Read the report that *text* holds; *name* stands in messages.

    Raises:
        BaselineError: it is not a report of this format.
    """
    text = text.removeprefix("\ufeff")
    with collector_held():
        try:
            data = strict_decoder().decode(text)
        except (ValueError, RecursionError) as error:
            raise unreadable(name, text, error) from None
        check_format(name, data.get("format") if isinstance(data, dict) else None, FORMAT)
        return report_from_json(data, name)


def report_from_json(data: dict[str, Any], name: str) -> Report:
    """Return the report that `pytest_schemascore.report.document.report_to_json` wrote.

    Raises:
        BaselineError: something in it is missing or of another type; the message names its JSON path.
    """
    try:
        DOCUMENT.look(data)
    except MisfitError as error:
        msg = f"{name}: {error.path or 'the report'} {error.said}; restore it, or make the report again"
        raise BaselineError(msg) from None
    return Report(
        {key: suite_from_json(key, suite) for key, suite in data["suites"].items()},
        files=tuple(data["files"]),
        deleted=tuple(data.get("deleted", ())),
        interrupted=data["interrupted"],
        settings=data["settings"],
        gate=data["gate"],
    )
