"""Annotations for GitHub."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.gate.diff import Diff, SuiteDiff
from pytest_schemascore.gate.status import Status
from pytest_schemascore.reporting.github import command, error_commands
from tests.sample_report import KEY, change, invoices, regressed, report


def test_each_regressed_metric_is_one_error_at_its_test_function() -> None:
    """File, line, title and message; what is within noise is no error."""
    assert error_commands(regressed(), report(invoices())) == [
        (
            "::error file=tests/test_invoices.py,line=7,title=schemascore%3A items[*].price regressed::"
            "items[*].price  93.1 → 88.4  −4.7 pts  (20 lost, 1 gained, p = 0.03)%0A"
            "fell by 4.7 points, max-drop is 0%0Alost: "
            "case-1, case-2, case-3, case-4, case-5, case-6, case-7, case-8, case-9, case-10 and 10 more"
        ),
        (
            "::error file=tests/test_invoices.py,line=7,title=schemascore%3A total vanished::"
            "total  75.0 → none%0Ait is no longer scored"
        ),
    ]


def test_problems_of_a_suite_and_of_the_run_are_errors_too() -> None:
    """A gate that fails for want of pairs has no metric to point at."""
    found = Diff((SuiteDiff(KEY, (), 1, 9, problems=("too little pairs",)),), problems=("nothing pairs",))
    assert error_commands(found, report(invoices())) == [
        "::error title=schemascore::nothing pairs",
        "::error file=tests/test_invoices.py,line=7,title=schemascore::too little pairs",
    ]


def test_at_most_ten_are_written_and_the_last_says_how_many_there_are() -> None:
    """GitHub drops what is beyond ten without a word."""
    changes = tuple(change(f"f{n}", 0.9, 0.5, Status.REGRESSED) for n in range(25))
    lines = error_commands(Diff((SuiteDiff(KEY, changes, 4, 4),)), report(invoices()))
    assert len(lines) == 10
    assert lines[-1] == "::error title=schemascore::and 16 more regressions, see the job's log"


def test_paths_are_relative_to_the_workspace() -> None:
    """A root folder below the workspace stands in front; a suite without a line has none."""
    measured = report(replace(invoices(), line=0))
    (first, _) = error_commands(regressed(), measured, root="services/invoices/")
    assert first.startswith("::error file=services/invoices/tests/test_invoices.py,title=")
    (first, _) = error_commands(regressed(), measured, root=".")
    assert first.startswith("::error file=tests/test_invoices.py,title=")


def test_hostile_text_ends_no_command_and_begins_none() -> None:
    """Newlines, percent signs, colons and commas are escaped where they mean something."""
    assert command("a,b:c.py", 3, "t::x,y\n", "50%\r\n::error::x") == (
        "::error file=a%2Cb%3Ac.py,line=3,title=t%3A%3Ax%2Cy%0A::50%25%0D%0A::error::x"
    )


@settings(deadline=None)
@given(st.text(), st.text(min_size=1), st.text(max_size=500))
def test_what_a_runner_reads_is_what_was_meant(file: str, title: str, message: str) -> None:
    """Reading a command as the runner does gives file, title and message back."""
    line = command(file, 0, title, message)
    assert "\n" not in line
    assert "\r" not in line
    head, _, data = line.removeprefix("::error ").partition("::")
    properties = dict(part.split("=", 1) for part in head.split(","))
    assert _read(data) == message
    assert {name: _read(value) for name, value in properties.items()} == (
        {"file": file, "title": title} if file else {"title": title}
    )


def _read(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text
