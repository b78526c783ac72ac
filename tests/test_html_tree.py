"""The tree of a case: paired items on one line, extras in their list, reasons of what isn't right."""

from __future__ import annotations

import pytest

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.reporting.html.reasons import reason_of
from pytest_schemascore.reporting.html.tree import Row, rows_of
from pytest_schemascore.reporting.html.values import document_text
from pytest_schemascore.scoring.outcomes import Leaf, Outcome
from tests.html_samples import leaf, orders, right, wrong


def _outline(rows: list[Row]) -> list[tuple[int, str | int, str]]:
    return [(row.depth, row.step, row.side) for row in rows]


def _rows_of_paired() -> list[Row]:
    found = next(case for case in orders().cases if case.id == "paired")
    run = found.runs[0]
    return list(rows_of(run.leaves, found.expected, run.output))


def test_paired_items_stand_on_one_line_whatever_their_index() -> None:
    """Item 0 of the label is found at 2, item 1 at 0, and the extra item keeps its place in the output."""
    assert _outline(_rows_of_paired()) == [
        (0, "items", "both"),
        (1, 0, "both"),
        (2, "sku", "both"),
        (2, "price", "both"),
        (1, 1, "both"),
        (2, "sku", "both"),
        (2, "price", "both"),
        (1, 1, "output"),
        (2, "sku", "output"),
        (2, "price", "output"),
        (0, "remark", "both"),
    ]
    assert [row.moved_to for row in _rows_of_paired() if isinstance(row.step, int)] == [2, 0, None]


def test_a_container_says_how_much_below_it_is_not_right() -> None:
    """One wrong price and two extra leaves of six."""
    items, first, *_ = _rows_of_paired()
    assert (items.bad, items.leaves) == (3, 6)
    assert (first.bad, first.leaves) == (0, 2)


def test_values_that_are_not_scored_are_shown_as_such() -> None:
    """A key that no leaf covers is there with the output's value."""
    last = _rows_of_paired()[-1]
    assert (last.leaf, last.expected, last.actual) == (None, ABSENT, "unlabelled")


def test_an_item_without_partner_stands_on_the_label_side() -> None:
    """Missing leaves name no place in the output."""
    rows = list(rows_of([leaf("a[0].b", Outcome.MISSING, 1, ABSENT)], {"a": [{"b": 1}]}, {"a": []}))
    assert _outline(rows) == [(0, "a", "label"), (1, 0, "label"), (2, "b", "label")]


def test_an_extra_in_a_nested_list_hangs_below_its_paired_parent() -> None:
    """The output's second item is the label's first, and so is what its inner list has too many."""
    leaves = [
        right("a[0].b[0]", 1, found_at="a[1].b[0]"),
        leaf("a[1].b[1]", Outcome.EXTRA, ABSENT, 2, rule=""),
    ]
    rows = list(rows_of(leaves, ABSENT, ABSENT))
    assert _outline(rows)[2:] == [(2, "b", "both"), (3, 0, "both"), (3, 1, "output")]


def test_a_scalar_at_the_root_is_one_line() -> None:
    """The root's own leaf is called ``$``."""
    assert _outline(list(rows_of([wrong("$", 1, 2)], 1, 2))) == [(0, "$", "both")]


def test_thousand_levels_are_walked_without_recursion() -> None:
    """Depth costs nothing but lines."""
    path = ".".join(["a"] * 1_500)
    assert sum(1 for _ in rows_of([right(path, 1)], ABSENT, ABSENT)) == 1_500


def test_keys_of_directives_are_no_data() -> None:
    """``$any`` is not shown as a key of the document, the value below ``$literal`` is."""
    leaves = [right("a", 1)]
    assert _outline(list(rows_of(leaves, {"$any": [{"a": 1}, {"a": 2}]}, {"a": 1}))) == [(0, "a", "both")]
    literal: Json = {"$literal": {"a": 1, "z": 2}}
    assert [row.step for row in rows_of(leaves, literal, {"a": 1})] == ["a", "z"]


@pytest.mark.parametrize(
    ("expected", "actual", "reason"),
    [
        (20, 21, "too high by 1 (5 %)"),
        (100.0, 99.5, "too low by 0.5 (0.5 %)"),
        (0, 3, "too high by 3"),
        (1, "1", "text where a number is expected"),
        ("1", True, "a boolean where text is expected"),
        ("a", [], "a list where text is expected"),
        ("caf\u00e9", "cafe\u0301", "differs only in Unicode form (NFC, NFD)"),
        ("a b", "ab ", "differs only in spaces"),
        ("ACME", "Acme", "differs only in case"),
        ("1", "\uff11", "differs only in the form of characters"),
        ("abc", "abd", "differs from character 3 on"),
        ({"$any": [1, 2]}, 3, "none of the accepted values"),
        ({"$regex": "a+"}, "b", "does not match the pattern"),
    ],
)
def test_a_wrong_leaf_has_a_reason(expected: Json, actual: Json, reason: str) -> None:
    """The reason says how the two values differ."""
    assert reason_of(wrong("x", expected, actual)) == reason


@pytest.mark.parametrize(
    ("outcome", "actual", "reason"),
    [
        (Outcome.CORRECT, 1, ""),
        (Outcome.MISSING, ABSENT, "not in the output"),
        (Outcome.MISSING, None, "null in the output"),
        (Outcome.INVENTED, 1, "the label says there is nothing here"),
        (Outcome.EXTRA, 1, "not in the label"),
        (Outcome.NOT_JUDGED, 1, "the comparator gave no verdict"),
    ],
)
def test_every_other_outcome_has_a_reason(outcome: Outcome, actual: Json | Absent, reason: str) -> None:
    """The reason says what became of the leaf."""
    assert reason_of(Leaf("x", "x", outcome, None, 1, actual, "", "x")) == reason


def test_integers_beyond_any_float_have_no_reason() -> None:
    """Their difference is not worked out, and nothing fails."""
    assert reason_of(wrong("x", 10**6000, 10**6000 + 1)) == ""


def test_a_missing_leaf_of_an_invalid_output_says_so() -> None:
    """Nothing is known of what an unreadable output holds."""
    assert reason_of(leaf("x", Outcome.MISSING, 1, ABSENT), valid=False) == "no valid output"


def test_documents_are_written_as_json() -> None:
    """Numbers stay exact and texts quoted."""
    document: Json = {"a": [1.0, 2**70, None], "b": {"c": "ü\n"}, "d": []}
    assert document_text(document, 1_000, indented=False) == (
        '{"a": [1.0, 1180591620717411303424, null], "b": {"c": "ü\\n"}, "d": []}',
        False,
    )
    assert document_text({"a": [1]}, 1_000)[0] == '{\n  "a": [\n    1\n  ]\n}'


def test_a_document_is_cut_at_its_limit_without_being_written_whole() -> None:
    """Neither length, depth nor the digits of an integer matter."""
    deep: Json = 1
    for _ in range(5_000):
        deep = [deep]
    documents: list[Json] = [deep, ["x" * 1_000_000], [0] * 1_000_000, {"n": 10**100_000}]
    for document in documents:
        text, cut = document_text(document, 300)
        assert len(text) <= 1_000
        assert cut or "bits" in text
