"""The leaves of a report as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.report.results import RunResult
from pytest_schemascore.reporting.csv_rows import COLUMNS, render_csv, safe_cell
from pytest_schemascore.scoring.outcomes import Outcome
from tests.sample_report import KEY, case, invoices, leaf, report, suite


def rows_of(text: str) -> list[dict[str, str]]:
    """Read *text* as a spreadsheet would, its newlines kept."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_leaf_is_a_row_under_its_columns() -> None:
    """Twelve leaves of four cases, the run's figures in each row, LF line ends."""
    text = render_csv(report(invoices()))
    assert "\r" not in text
    rows = rows_of(text)
    assert len(rows) == 12
    assert tuple(rows[0]) == COLUMNS
    assert rows[3] == {
        "suite": KEY,
        "case": "birch",
        "run": "0",
        "tags": "",
        "valid": "true",
        "error": "",
        "duration": "0.8",
        "cost": "0.01",
        "tokens": "1100",
        "path": "vendor",
        "field": "vendor",
        "outcome": "wrong",
        "score": "0.5",
        "expected": "Birch",
        "expected_type": "string",
        "actual": "Brich",
        "actual_type": "string",
        "actual_path": "vendor",
        "rule": "exact()",
    }
    assert rows[11]["valid"] == "false"
    assert rows[11]["error"] == "not JSON: the text ends inside an object (line 1 column 17)"
    assert (rows[11]["actual"], rows[11]["actual_type"]) == ("", "absent")


@pytest.mark.parametrize(
    ("value", "cell", "type_"),
    [
        ("=1+1", "'=1+1", "string"),
        ('=HYPERLINK("http://example.org")', '\'=HYPERLINK("http://example.org")', "string"),
        ("+49 30 1234", "'+49 30 1234", "string"),
        ("-a", "'-a", "string"),
        ("@SUM(A1)", "'@SUM(A1)", "string"),
        ("\t=1", "'\t=1", "string"),
        ("\r=1", "'\r=1", "string"),
        ("\n=1", "'\n=1", "string"),
        ("  =1", "'  =1", "string"),
        ("\uff1d1+1", "'\uff1d1+1", "string"),
        ("-5", "-5", "string"),
        ("+1.5e3", "+1.5e3", "string"),
        ("a=b", "a=b", "string"),
        (-5, "-5", "integer"),
        (-0.25, "-0.25", "number"),
        (2**60, "1152921504606846976", "integer"),
        (True, "true", "boolean"),
        (None, "null", "null"),
        ([], "[]", "array"),
        ("1", "1", "string"),
        ('two\r\nlines, "quoted"', 'two\r\nlines, "quoted"', "string"),
        ("\x00\ud800", "\\u0000\\ud800", "string"),
        (ABSENT, "", "absent"),
    ],
)
def test_cells_come_back_as_they_were_and_run_nothing(value: Json | Absent, cell: str, type_: str) -> None:
    """What a spreadsheet would take for a formula gets an apostrophe; numbers and other text stay."""
    text = render_csv(report(suite(case("a", leaf("total", value, "x", 0, Outcome.WRONG)))))
    (row,) = rows_of(text)
    assert (row["expected"], row["expected_type"]) == (cell, type_)
    text.encode()


def test_ids_and_suite_names_run_nothing_either() -> None:
    """Every text of a row goes the same way."""
    row = rows_of(render_csv(report(suite(case("=cmd", leaf("a", 1, 2, 0, rule="@r")), key="+s"))))[0]
    assert (row["suite"], row["case"], row["rule"]) == ("'+s", "'=cmd", "'@r")


def test_long_texts_are_cut_to_what_a_spreadsheet_takes() -> None:
    """A megabyte in one cell would move the rest of it into the next row."""
    assert safe_cell("x" * 1_000_000) == "x" * 32_000 + "… (1,000,000 characters)"


def test_a_run_without_leaves_and_repeats_have_their_rows() -> None:
    """No run is lost, and runs are numbered from 0."""
    empty = replace(case("a"), runs=(RunResult(()), RunResult((leaf("total", 1, 1, 1),))))
    rows = rows_of(render_csv(report(suite(empty))))
    assert [(row["run"], row["path"]) for row in rows] == [("0", ""), ("1", "total")]


def test_integers_beyond_pythons_own_limit_are_written() -> None:
    """Python refuses to print integers of more than 4,300 digits; a report must not."""
    (row,) = rows_of(render_csv(report(suite(case("a", leaf("n", 10**5000, 1, 0))))))
    assert row["expected"] == "1" + "0" * 5000
