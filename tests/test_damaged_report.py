"""A report that was damaged by hand or by accident: refused with the place, or as good as any."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.cli import main
from pytest_schemascore.errors import BaselineError, PathError
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.settings import settings_to_json
from pytest_schemascore.gate.verdict_json import verdict_from_json, verdict_to_json
from pytest_schemascore.report.document import report_to_json
from pytest_schemascore.report.field_rules import FieldRule
from pytest_schemascore.report.gates import FieldGate
from pytest_schemascore.report.loading import parse_report
from pytest_schemascore.reporting.render import SUFFIXES, render
from tests.measured import KEY, broken, report, right, suite, wrong

if TYPE_CHECKING:
    from pathlib import Path

GONE = object()
OTHERS: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**70, 10**400, 1.5, -0.5, 1e308, float("inf"), "", "x", "\ud800"),
    *([], {}, [1], [[]], {"a": 1}, [None], "<overall>"),
]


def whole() -> Any:
    """Return the JSON of a report that has everything, its verdict too."""
    old = report(suite(*map(right, "abc")))
    cases = suite(right("a"), wrong("b"), broken("c"), gates={"total": FieldGate(min=0.5)})
    rules = {"total": FieldRule("exact()", "default")}
    new = report(replace(cases, field_rules=rules, skipped={"d": "later"}, notes=("told",)))
    diff = compare(new, old)
    new = replace(new, settings=settings_to_json(diff.settings), gate=verdict_to_json(diff))
    return json.loads(json.dumps(report_to_json(new)))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside *value*."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [place for key, item in inner for place in places(item, (*path, key))]
    return [path, *found] if path else found


WHOLE = whole()


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(places(WHOLE)), st.sampled_from(OTHERS) | st.just(GONE))
def test_a_damaged_report_is_refused_or_works_in_every_form(place: tuple[Any, ...], other: Any) -> None:
    """Whatever stands in whichever place, or is gone from there."""
    data = copy.deepcopy(WHOLE)
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    if other is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = other
    text = json.dumps(data).replace("Infinity", "1e999")
    try:
        loaded = parse_report(text, "r.json")
    except BaselineError as error:
        assert str(error).startswith("r.json: ")  # noqa: PT017  # either is right
        return
    diffs = [None, compare(loaded, loaded)]
    if isinstance(loaded.gate, dict):
        with suppress(ValueError):  # which the command `render` turns into a message
            diffs.append(verdict_from_json(loaded.gate))
    for diff in diffs:
        for suffix in SUFFIXES:
            with suppress(PathError):  # a name that is no path; the commands end with 2 for it
                assert render(loaded, diff, suffix)


@pytest.mark.parametrize(
    ("place", "other", "message"),
    [
        ("duration", "x", 'duration is "x", not a number from 0 to 2^53'),
        ("id", 3, "id is 3, not a text"),
        ("tags", "ab", 'tags is "ab", not a list'),
        ("cost", [], r"cost is [], not a number up to 2^53"),
        ("leaves", [{"path": "a"}], "leaves[0] lacks 'field'"),
        ("error", {"kind": "x", "message": ""}, 'error.kind is "x", not one of'),
    ],
)
@pytest.mark.parametrize("command", ["render", "diff"])
def test_the_commands_name_file_and_place_and_end_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, place: str, other: Any, message: str
) -> None:
    """One means that the gate failed."""
    data = copy.deepcopy(WHOLE)
    data["suites"][KEY]["cases"][1][place] = other
    path = tmp_path / "r.json"
    path.write_text(json.dumps(data))
    given = ["render", str(path), "--to", "md"] if command == "render" else ["diff", str(path), str(path)]
    assert main(given) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert f"suites['{KEY}'].cases[1].{message}" in told


def test_an_infinite_end_of_an_interval_is_infinite_again() -> None:
    """It is saved as null, since JSON has no other."""
    data = copy.deepcopy(WHOLE["gate"])
    data["suites"][KEY]["changes"][0]["interval"] = [None, 0.5]
    assert verdict_from_json(data).changes[0].interval == (float("-inf"), 0.5)
