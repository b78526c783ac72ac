"""The baseline file: its exact shape, what it keeps, and what is said of one that can't be used."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.errors import BaselineError
from pytest_schemascore.gate.baseline import dump_baseline, parse_baseline, read_baseline
from pytest_schemascore.gate.case_lines import number_text
from pytest_schemascore.gate.stored import stored_suite
from pytest_schemascore.report.measured import CaseCounts, Failure, RunCounts, SuiteCounts
from pytest_schemascore.scoring.outcomes import Counts
from tests.measured import any_suites, counted

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = """\
{
"format": "schemascore-baseline/1",
"suites": {
"tests/test_invoices.py::test_invoices": {
"rules": {"$default": "exact()", "total": "numeric(abs_tol=0.01)"},
"metrics": {"overall": 0.5, "validity": 0.5, "precision": 0.6, "f1": 0.545455, "exact_match": 0, \
"fields": {"items[*].price": 0.666667, "total": 0.333333}},
"cases": {
"acme-1": {"label": "5f1c", "input": "9a20", "tags": ["scanned"], "runs": [{"valid": true, \
"fields": {"items[*].price": [2, 3, 2, 0, 0, 1], "total": [1, 1]}}]},
"birch": {"label": "77aa", "input": "01bc", "runs": [{"valid": false, "error": "timed out", \
"fields": {"total": [0, 1, 0, 1]}}, {"valid": false, "error": "not JSON", \
"fields": {"total": [0, 1, 0, 1]}}]},
"cedar": {"label": "77ab", "input": "01bd", "runs": [{"valid": true, "distance": 3, \
"fields": {"total": [0, 1]}}]},
"dune": {"label": "77ac", "input": "01be", "runs": [{"valid": false, "error": "schema", "fields": {}}]}
}
}
}
}
"""


def example() -> dict[str, SuiteCounts]:
    """Return what `EXAMPLE` says."""
    missing = {"total": Counts(labelled=1, missing=1)}
    prices = Counts(2, 3, correct=2, extra=1)
    acme = RunCounts(None, {"total": Counts(1, 1, 1), "items[*].price": prices})
    suite = counted(
        CaseCounts("dune", "77ac", "01be", (), (RunCounts(Failure.SCHEMA, {}),)),
        CaseCounts("cedar", "77ab", "01bd", (), (RunCounts(None, {"total": Counts(0, 1)}, {"distance": 3}),)),
        CaseCounts(
            "birch",
            "77aa",
            "01bc",
            (),
            (RunCounts(Failure.TIMED_OUT, missing), RunCounts(Failure.NOT_JSON, missing)),
        ),
        CaseCounts("acme-1", "5f1c", "9a20", ("scanned",), (acme,)),
        rules={"total": "numeric(abs_tol=0.01)", "$default": "exact()"},
    )
    return {suite.key: suite}


def test_a_baseline_has_one_line_a_case_and_everything_sorted() -> None:
    """Format and figures are worked out by hand.

    Scores: 3 of 4 in acme-1, 0 of 1 in birch and in cedar, so 3 of 6. Values given: 5 in acme-1 with the
    extra one, none in birch, 1 in cedar, so precision is 3 of 6; wanted are 6, so F1 is 2 * 3 / (6 + 6).
    """
    text = dump_baseline(example())
    shown = json.loads(text)["suites"]["tests/test_invoices.py::test_invoices"]["metrics"]
    assert shown["overall"] == 0.5
    assert shown["validity"] == 0.5
    assert shown["precision"] == 0.5
    assert shown["f1"] == 0.5
    assert shown["exact_match"] == 0
    assert shown["fields"] == {"items[*].price": 0.666667, "total": 0.333333}
    without = [line for line in text.splitlines() if not line.startswith('"metrics"')]
    assert without == [line for line in EXAMPLE.splitlines() if not line.startswith('"metrics"')]
    assert text.endswith("}\n")


def test_a_baseline_is_read_from_its_cases_and_never_from_its_metrics() -> None:
    """Figures that are wrong by hand change nothing."""
    assert parse_baseline(EXAMPLE, "b").suites == {k: stored_suite(s) for k, s in example().items()}


@settings(deadline=None, max_examples=40)
@given(any_suites())
def test_what_is_written_is_read_back_and_written_the_same(suites: dict[str, SuiteCounts]) -> None:
    """Counts, hashes, tags, rules and ids survive, whatever characters are in them."""
    text = dump_baseline(suites)
    baseline = parse_baseline(text, "b")
    assert baseline.suites == {key: stored_suite(suite) for key, suite in suites.items()}
    assert dump_baseline(baseline.suites) == text
    assert baseline.members.to_text() + "\n" == text
    text.encode("utf-8")


def test_a_hand_edited_layout_and_crlf_are_read() -> None:
    """Indentation, other key order, an unknown entry and CRLF make no difference."""
    data = json.loads(EXAMPLE)
    suite = data["suites"]["tests/test_invoices.py::test_invoices"]
    suite["comment"] = {"by": "hand"}
    suite["cases"] = dict(reversed(suite["cases"].items()))
    edited = json.dumps(data, indent=4).replace("\n", "\r\n")
    assert parse_baseline(edited.replace("\r\n", "\n"), "b").suites == parse_baseline(EXAMPLE, "b").suites


def test_a_file_with_crlf_and_byte_order_mark_gives_the_same_suites(tmp_path: Path) -> None:
    """Line ends that a checkout changed make no difference."""
    path = tmp_path / "baseline.json"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode())
    assert read_baseline(path).suites == parse_baseline(EXAMPLE, "b").suites


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (0.5, "0.5"),
        (2 / 3, "0.666667"),
        (1e-6, "0.000001"),
        (-1e-9, "0"),
        (12.0, "12"),
        (100, "100"),
    ],
)
def test_numbers_have_at_most_six_digits_and_no_exponent(value: float, text: str) -> None:
    """Trailing zeros go, whole numbers look whole."""
    assert number_text(value) == text


def damaged(old: str, new: str) -> str:
    """Return the example with one piece replaced."""
    assert old in EXAMPLE
    return EXAMPLE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (damaged("baseline/1", "baseline/2"), "newer release.*pip install --upgrade"),
        (damaged("schemascore-baseline/1", "schemascore-report/1"), "is a report, not a baseline"),
        (damaged("schemascore-baseline/1", "other"), "is not a baseline"),
        ("[]", "is not a baseline"),
        ("", "is empty"),
        (EXAMPLE[:500], "cut off"),
        (EXAMPLE + "{}", r"^b:\d+:1: is not JSON: Extra data"),
        (damaged("[1, 1]", "[1, NaN]"), r"^b:8:154: NaN is not JSON$"),
        (
            damaged("[1, 1]", "[1, " + "9" * 5000 + "]"),
            r"^b:8:154: an integer has more digits than Python reads",
        ),
        (
            damaged('"total": [1, 1]', '"total": [1, 1], "total": [0, 1]'),
            r"^b:8:158: .*key 'total' stands there a",
        ),
        (
            damaged('"total": [1, 1]', r'"total": [1, 1], "tot\u0061l" :[0, 1]'),
            r"^b:8:158: .*key 'total' stands",
        ),
        (
            damaged('"runs": [{"v', '"runs": [], "runs": [{"v'),
            r"^b:8:\d+: .*key 'runs' stands there a second time",
        ),
        (
            damaged('"label": "77aa"', '"label": "x",\n"label": "77aa"'),
            r"^b:10:1: .*key 'label' stands there a",
        ),
        (
            damaged('"valid": true', '"valid": false, "valid": true'),
            "^b:8:.* key 'valid' stands there a second",
        ),
        (damaged('"valid": true', '"x": 1, "x": 1, "valid": true'), "^b:8:.* key 'x' stands there a second"),
        (
            damaged('"total": "n', '"total": "exact()", "total": "n'),
            r"^b:5:.* key 'total' stands there a second",
        ),
        (damaged('"birch"', '"acme-1"'), r"^b:9:1: is not JSON: the key 'acme-1' stands there a second time"),
        (damaged('"birch"', '<<<<<<< HEAD\n"birch"'), "^b:9: holds the conflict markers"),
        (damaged('"timed out"', '"timed oot"'), "^b:9: case 'birch' can't be read.*did you mean 'timed out'"),
        (damaged('"label": "77aa", ', ""), "^b:9: case 'birch' lacks 'label'"),
        (damaged("[1, 1]", "[2, 1]"), "score above its labels"),
        (damaged("[1, 1]", '[1, "1"]'), "is not a list of 2 to 8 numbers"),
        (damaged("[1, 1]", "[1, 1, 1, 1]"), "more outcomes than labels"),
        (damaged("[1, 1]", f"[{10**400}, {10**400}]"), f"^b:8: case 'acme-1' .*field 'total'.*0 to {2**53}$"),
        (damaged("[1, 1]", f"[{2**70}, {2**70}]"), f"^b:8: case 'acme-1' .*field 'total'.*0 to {2**53}$"),
        (damaged("[1, 1]", "[1, 1e999]"), "^b:8: case 'acme-1' .*field 'total'.*no whole number"),
        (damaged("[1, 1]", "[1e999, 1]"), "^b:8: case 'acme-1' .*field 'total'.*above its labels"),
        (damaged("[1, 1]", "1"), "^b:8: case 'acme-1' .*field 'total': 1 is not a list"),
        (
            damaged("[1, 1]", "[[1], [1]]"),
            "^b:8: case 'acme-1' .*field 'total'.*is not a list of 2 to 8 numbers",
        ),
        (damaged("[1, 1]", '{"0": 1}'), "^b:8: case 'acme-1' .*field 'total'.*is not a list"),
        (
            damaged('"distance": 3', '"distance": 1e999'),
            "^b:10: case 'cedar' .*'distance' is Infinity, not a",
        ),
        (damaged('"distance": 3', f'"distance": {10**400}'), "^b:10: case 'cedar' .*'distance' is 10*"),
        (
            damaged('"distance": 3', '"distance": -1'),
            "^b:10: case 'cedar' .*'distance' is -1, not a number from 0",
        ),
        (
            damaged('"fields": {}', '"fields": [1]'),
            r"^b:11: case 'dune' .*\"fields\" is \[1\], not an object",
        ),
        (damaged('"fields": {}', '"fields": []'), "^b:11: case 'dune' .*not an object"),
        (damaged('"tags": ["scanned"]', '"tags": "scanned"'), '"tags" is "scanned", not a list'),
        (damaged('"runs": [', '"runs": [1, '), "^b:8: case 'acme-1' .*a run is 1, not an object"),
        (damaged('"birch": {', '"a": [], "birch": {'), r"^b:9: case 'a' .*it is \[\], not an object"),
        (damaged('"rules"', '"rulez"'), 'lacks "rules" or "cases"'),
        (damaged('"suites"', '"suitez"'), 'has no "suites"'),
    ],
)
def test_a_damaged_baseline_is_an_error_that_says_where_and_what(text: str, message: str) -> None:
    """The message names the file, the line where there is one, and the way out."""
    with pytest.raises(BaselineError, match=message):
        parse_baseline(text, "b")


NAMES = st.text(alphabet='a"\\:{}[] é', max_size=4)


@given(
    st.dictionaries(NAMES, st.just([1, 1]), min_size=1, max_size=3), st.lists(NAMES, max_size=2), st.data()
)
def test_a_key_that_stands_twice_is_found_whatever_is_in_names_and_tags(
    fields: dict[str, list[int]], tags: list[str], data: st.DataObject
) -> None:
    """Without it the same line is read; the column is that of the second one."""
    again = data.draw(st.sampled_from(sorted(fields)))
    good = json.dumps({"label": "", "input": "", "tags": tags, "runs": [{"valid": True, "fields": fields}]})
    text = '{"format": "schemascore-baseline/1", "suites": {"s": {"rules": {}, "cases": {"c":\n%s}}}}'
    assert parse_baseline(text % good, "b").suites["s"].cases["c"].runs[0].fields.keys() == fields.keys()
    end = good.rindex("}}]}")
    bad = f"{good[:end]}, {json.dumps(again)}: [0, 1]{good[end:]}"
    with pytest.raises(BaselineError) as error:
        parse_baseline(text % bad, "b")
    assert (
        str(error.value)
        == f"b:2:{end + 3}: is not JSON: the key {again!r} stands there a second time; keep one"
    )


def test_a_missing_baseline_is_an_error_that_says_how_to_record_one(tmp_path: Path) -> None:
    """The command can be copied."""
    path = tmp_path / "baseline.json"
    with pytest.raises(BaselineError, match=r"no such baseline.*--schemascore-update"):
        read_baseline(path)
    with pytest.raises(BaselineError) as error:
        read_baseline(path, "my evals/baseline.json")
    assert str(error.value) == (
        "my evals/baseline.json: there is no such baseline file; record one with:"
        " pytest --schemascore-baseline 'my evals/baseline.json' --schemascore-update"
    )


@pytest.mark.parametrize("content", [None, b"", b"{", b"\xff", b"[]", b"{}"])
def test_every_message_names_the_file_as_the_user_wrote_it(tmp_path: Path, content: bytes | None) -> None:
    """Not by the path that it was made into."""
    path = tmp_path / "baseline.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BaselineError) as error:
        read_baseline(path, "typed.json")
    assert str(error.value).startswith("typed.json:")
    assert str(tmp_path) not in str(error.value)


def test_a_folder_and_bytes_that_are_not_text_are_errors(tmp_path: Path) -> None:
    """Neither ends in a traceback."""
    with pytest.raises(BaselineError, match="is a folder"):
        read_baseline(tmp_path)
    path = tmp_path / "baseline.json"
    path.write_bytes(b'{\n"\xff')
    with pytest.raises(BaselineError, match=r"baseline\.json:2: the text is not UTF-8"):
        read_baseline(path)
