"""`json_distance` and `json_similarity`: one number for two whole documents."""

from __future__ import annotations

import copy
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_schemascore.documents.json_types import ABSENT, Json
from pytest_schemascore.errors import UsageError
from pytest_schemascore.similarity import json_distance, json_similarity, measure

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def deep(levels: int, value: Any) -> Any:
    """Nest *value* in so many lists."""
    for _ in range(levels):
        value = [value]
    return value


def test_distance_counts_each_value_that_differs() -> None:
    """Three wrong values in a subtree cost three."""
    result = json_distance({"b": {"x": 1, "y": 2, "z": 3}}, {"b": {"x": 4, "y": 5, "z": 6}})
    assert (result.score, result.passed, result.label) == (3.0, False, "fail")
    assert result.explanation == "3 values differ: b.x, b.y, b.z"


def test_a_missing_or_surplus_subtree_costs_one() -> None:
    """However much it holds."""
    label = {"a": 1, "b": {"x": 1, "y": 2}}
    assert json_distance(label, {"a": 1}).score == 1
    assert json_distance({"a": 1}, label).score == 1


def test_distance_compares_lists_by_position() -> None:
    """Dropping the first of five moves the others: four differ and one is missing."""
    assert json_distance([1, 2, 3, 4, 5], [2, 3, 4, 5]).score == 5


@pytest.mark.parametrize(
    ("expected", "actual", "distance"),
    [
        (1, 1.0, 0),
        (1, True, 1),
        (0, False, 1),
        ("1", 1, 1),
        (None, {}, 1),
        ([], {}, 1),
        (10**30, 10**30 + 1, 1),
    ],
)
def test_distance_knows_equal_values(expected: object, actual: object, distance: int) -> None:
    """Numbers by value and exactly, booleans apart from numbers, containers by their kind."""
    assert json_distance(expected, actual, parse_strings=False).score == distance


def test_text_is_parsed_unless_told_otherwise() -> None:
    """JSON text stands for what it holds."""
    assert json_distance('{"a": 1}', {"a": 1}).score == 0
    assert json_distance('{"a": 1}', {"a": 1}, parse_strings=False).score == 1
    assert json_distance("hello", "hello", parse_strings=False).score == 0


@pytest.mark.parametrize("text", ["{'a': 1}", "NaN", "", "hello"])
def test_what_cannot_be_parsed_has_no_distance(text: str) -> None:
    """And the explanation says which side it was."""
    result = json_distance({"a": 1}, text)
    assert (result.score, result.passed, result.label) == (None, False, "unreadable")
    assert result.explanation.startswith("actual is not JSON: ")


def test_nan_among_python_values_has_no_distance() -> None:
    """NaN is no JSON wherever it comes from."""
    result = json_distance({"a": float("nan")}, {"a": 1})
    assert result.score is None
    assert result.explanation == "expected is not JSON: a is nan, which is not JSON"


def test_models_are_compared_by_what_they_hold() -> None:
    """On either side."""

    class Point(BaseModel):
        x: int
        y: int

    assert json_distance(Point(x=1, y=2), {"x": 1, "y": 3}).score == 1
    assert json_similarity({"x": 1, "y": 2}, Point(x=1, y=2)).score == 1


def test_similarity_averages_over_the_union_of_keys() -> None:
    """Three of four keys agree; the fourth is surplus."""
    label = {"invoice_no": "A1", "total": 1849.5, "currency": "EUR"}
    assert json_similarity(label, {**label, "due": "2026-01-01"}).score == 0.75


def test_similarity_of_numbers_is_relative_to_the_label() -> None:
    """110 for 100 is off by a tenth, and passes just so."""
    result = json_similarity(100, 110)
    assert result.score == pytest.approx(0.9)
    assert result.passed
    assert json_similarity(0, 0).score == 1
    assert json_similarity(0, 0.001).score == 0
    assert json_similarity(1, 5).score == 0


def test_similarity_of_texts_is_one_minus_edits_over_length() -> None:
    """Kitten to sitting takes three edits of seven characters."""
    result = json_similarity({"a": "kitten"}, {"a": "sitting"})
    assert result.score == pytest.approx(1 - 3 / 7)


def test_similarity_nests_its_means() -> None:
    """One of two inner values is wrong: (1/2 + 1) / 2. Over leaves alike it is 2 of 3."""
    label, output = {"a": {"x": 1, "y": 2}, "b": 3}, {"a": {"x": 1, "y": 0}, "b": 3}
    assert json_similarity(label, output).score == pytest.approx(0.75)
    assert json_similarity(label, output, mean="leaves").score == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ([], [], 1),
        ({}, {}, 1),
        ([], {}, 0),
        ({}, {"a": 1}, 0),
        ([], [1], 0),
        (True, 1, 0),
        (None, None, 1),
        (None, 0, 0),
    ],
)
def test_similarity_of_empty_and_unlike_values(expected: object, actual: object, score: float) -> None:
    """Two empty containers of one kind are alike; different types are not."""
    assert json_similarity(expected, actual).score == score


@pytest.mark.parametrize("number", [2**53, 10**400])
def test_integers_one_apart_are_never_equal(number: int) -> None:
    """However large they are, and in every formula."""
    formulas: tuple[Literal["relative", "symmetric"], ...] = ("relative", "symmetric")
    for numbers in formulas:
        result = json_similarity(number, number + 1, numbers=numbers)
        assert result.score is not None
        assert result.score < 1


def test_unreadable_text_scores_zero() -> None:
    """With the reason in words."""
    result = json_similarity("not json", {"a": 1})
    assert (result.score, result.passed, result.label) == (0.0, False, "unreadable")


def test_an_invented_item_is_not_free_under_expected_keys() -> None:
    """A label of [] asks for emptiness; a surplus key or item beside labelled ones is free."""
    assert json_similarity({"l": []}, {"l": [1]}, keys="expected", mean="leaves").score == 0
    assert json_similarity({"l": [1]}, {"l": [1, 2], "x": 1}, keys="expected").score == 1


def test_an_unknown_choice_names_the_nearest_one() -> None:
    """A misspelt argument is an error that helps."""
    with pytest.raises(UsageError, match="did you mean 'symmetric'"):
        json_similarity(1, 1, numbers="symetric")  # type: ignore[arg-type]  # that is the point


def test_depth_is_no_limit() -> None:
    """Ten thousand levels are compared without recursion."""
    assert json_distance(deep(10_000, 1), deep(10_000, 2), parse_strings=False).score == 1
    assert json_similarity(deep(10_000, 1), deep(10_000, 1)).score == 1


def test_a_value_that_holds_itself_is_unreadable() -> None:
    """Instead of running forever."""
    loop: list[Any] = []
    loop.append(loop)
    assert json_distance(loop, [], parse_strings=False).score is None


@given(JSON)
@settings(max_examples=60, deadline=None)
def test_a_document_is_like_itself(document: Any) -> None:
    """Distance 0 and similarity 1, in every formula."""
    twin = copy.deepcopy(document)
    assert json_distance(document, twin, parse_strings=False).score == 0
    for options in ({}, {"numbers": "symmetric"}, {"keys": "expected", "mean": "leaves"}):
        assert json_similarity(document, twin, parse_strings=False, **options).score == 1  # type: ignore[arg-type]  # options by name


@given(JSON, JSON)
@settings(max_examples=100, deadline=None)
def test_distance_is_symmetric_and_similarity_a_share(left: Any, right: Any) -> None:
    """Sides can be swapped in distance; similarity is in [0, 1] and 1 only for distance 0."""
    distance = json_distance(left, right, parse_strings=False).score
    assert distance == json_distance(right, left, parse_strings=False).score
    similarity = json_similarity(left, right, parse_strings=False).score
    assert similarity is not None
    assert 0 <= similarity <= 1
    assert (similarity == 1) == (distance == 0)


def test_measure_gives_the_asked_metrics() -> None:
    """By name, and nothing where nothing is asked."""
    assert measure((), 1, 1) == {}
    assert measure(("distance", "similarity"), {"a": 1, "b": 2}, {"a": 1}) == {
        "distance": 1.0,
        "similarity": 0.5,
    }


def test_measure_takes_no_output_as_null() -> None:
    """Nothing is as far from the label as null is."""
    assert measure(("distance", "similarity"), {"a": 1}, ABSENT) == {"distance": 1.0, "similarity": 0.0}


def test_measure_lets_directives_accept_what_they_accept() -> None:
    """Alternatives, patterns, ignored and absent values cost nothing where they are met."""
    label: Json = {
        "a": {"$any": ["x", "y"]},
        "b": {"$regex": "[0-9]+"},
        "c": {"$ignore": True},
        "d": {"$absent": True},
    }
    assert measure(("distance",), label, {"a": "y", "b": "12", "c": [1, 2]})["distance"] == 0
    assert measure(("distance",), label, {"a": "z", "b": "1x", "c": 1, "d": 5})["distance"] == 3


def test_measure_refuses_an_unknown_name() -> None:
    """With the nearest known one."""
    with pytest.raises(UsageError, match="did you mean 'distance'"):
        measure(("distnace",), 1, 1)
