"""Reading a saved report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_schemascore._garbage import collector_held
from pytest_schemascore.errors import BaselineError
from pytest_schemascore.report.document import FORMAT, suite_from_json
from pytest_schemascore.report.reading import check_format, read_text, strict_decoder, unreadable
from pytest_schemascore.report.report import Report

if TYPE_CHECKING:
    from pathlib import Path


def load_report(path: Path) -> Report:
    """Read the report at *path*.

    Raises:
        BaselineError: there is no such file, or it is not a report of this format.
    """
    return parse_report(read_text(path, "report", "write one with --schemascore-report PATH.json"), str(path))


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
        BaselineError: something in it is missing or of another type; the message names the suite.
    """
    place = "the report"
    try:
        suites = {}
        for key, suite in data["suites"].items():
            place = f"suite {key!r}"
            suites[key] = suite_from_json(key, suite)
        place = "the report"
        return Report(
            suites,
            files=tuple(data["files"]),
            deleted=tuple(data.get("deleted", ())),
            interrupted=data["interrupted"],
            settings=data["settings"],
            gate=data["gate"],
        )
    except KeyError as error:
        msg = f"{name}: {place} lacks {error} or holds an unknown one"
        raise BaselineError(msg) from None
    except (TypeError, ValueError, AttributeError) as error:
        msg = f"{name}: {place} can't be read: {error}"
        raise BaselineError(msg) from None
