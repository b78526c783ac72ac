"""Labels that say more than a value (S11)."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_schemascore import by_key, by_position, ignore, in_order, levenshtein
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.label_directives import directive_of, malformed
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.scoring.outcomes import Outcome
from tests.scoring.helpers import counts, outcomes, scored

IGNORED: dict[str, Any] = {"$ignore": True}


@pytest.mark.parametrize(
    ("value", "outcome"), [("a", "correct"), ("B", "correct"), ("c", "wrong"), (None, "missing")]
)
def test_any_of_several_values_is_right(value: Any, outcome: str) -> None:
    """The alternatives are compared by the rule of the place."""
    assert outcomes({"x": {"$any": ["a", "b"]}}, {"x": value}) == {"x": outcome}


def test_null_may_be_among_the_alternatives() -> None:
    """Then both nothing and the value are right."""
    label = {"x": {"$any": ["a", None]}}
    assert [outcomes(label, value)["x"] for value in ({}, {"x": "a"}, {"x": "b"})] == [
        "correct",
        "correct",
        "wrong",
    ]


def test_the_best_alternative_counts_under_a_graded_rule() -> None:
    """Of two near misses the nearer one is the score."""
    assert counts({"$any": ["abcd", "abxx"]}, "abce", {"$": levenshtein()}).score == 0.75


def test_alternatives_may_be_objects_and_lists() -> None:
    """The best one as a whole is taken, never a mixture."""
    label = {"$any": [{"a": 1, "b": 1}, {"a": 2, "b": 2}]}
    assert counts(label, {"a": 2, "b": 2}).correct == 2
    assert counts(label, {"a": 1, "b": 2}).correct == 1
    assert counts({"l": {"$any": [[1, 2], [3, 4]]}}, {"l": [4, 3]}).correct == 2


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ({"l": {"$any": [["a"], ["a", "b"]]}}, {"l": ["a", "b"]}),
        ({"o": {"$any": [{"a": 1}, {"a": 1, "b": 2}]}}, {"o": {"a": 1, "b": 2}}),
        ([{"$any": [{"a": 1}, {"a": 1, "b": 2}]}], [{"a": 1, "b": 2}]),
    ],
)
def test_an_output_that_is_one_of_the_alternatives_has_nothing_extra(label: Any, value: Any) -> None:
    """Even where a shorter alternative is met too, and stands first."""
    found = counts(label, value, count_extra=True)
    assert (found.correct, found.labelled, found.extra) == (1, 1, 0)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("keys", "item", "correct"),
    [
        (("k",), {"k": {"$any": [2, 3]}, "v": 5}, 4),
        (("k",), {"k": {"$regex": "3"}, "v": 5}, 2),  # 3 is no text
        (("k",), {"k": {"$literal": 3}, "v": 5}, 4),
        (("k",), {"k": {"$ignore": True}, "v": 5}, 3),
        (("k",), {"$any": [{"k": 9, "v": 9}, {"k": 3, "v": 5}]}, 4),
        (("k",), {"k": {"$any": [8, 9]}, "v": 5}, 2),
        (("k", "v"), {"k": {"$any": [2, 3]}, "v": 5}, 4),
        (("k", "v"), {"k": {"$any": [2, 3]}, "v": 6}, 2),
    ],
)
def test_a_key_may_be_a_directive(keys: tuple[str, ...], item: Any, correct: int, turned: bool) -> None:
    """By key, such an item is paired with one that meets it and that no other label names."""
    label, value = [{"k": 1, "v": 5}, item], [{"k": 3, "v": 5}, {"k": 1, "v": 5}]
    assert counts(label, value[::-1] if turned else value, {"$": by_key(*keys)}).correct == correct


def test_the_first_alternative_says_how_many_leaves_there_are() -> None:
    """Denominators don't depend on the output: one alternative of two leaves beside one of a single leaf."""
    label = {"$any": [{"a": 1, "b": 2}, "none"]}
    for value in ({"a": 1, "b": 2}, {"a": 1}, "none", "other", None):
        assert counts(label, value).labelled == 2
    assert counts(label, "none").correct == 2
    assert counts(label, {"a": 1}).score == 1
    assert counts({"$any": ["none", {"a": 1, "b": 2}]}, {"a": 1, "b": 3}).score == 0.5


@pytest.mark.parametrize(
    ("label", "paths"),
    [
        ({"x": {"$any": [{"a": 1}, {"c": 3}]}}, {"x.a"}),
        ({"x": {"$any": [{"a": 1}, {"c": 3, "d": 4}]}}, {"x.a"}),
        ({"x": {"$any": [{"a": 1, "b": 2}, {"a": 1, "c": 3}]}}, {"x.a", "x.b"}),
        ({"x": {"$any": [["p"], ["q", "r"]]}}, {"x[0]"}),
        ({"x": {"$any": [{"n": "p"}, "p"]}}, {"x.n"}),
        ({"x": {"$any": ["p", {"n": "p"}]}}, {"x"}),
    ],
)
def test_the_first_alternative_says_where_leaves_stand(label: Any, paths: set[str]) -> None:
    """A gate would otherwise miss the field of the one in runs that meet the other."""
    for alternative in label["x"]["$any"]:
        assert outcomes(label, {"x": alternative}).keys() == paths
        assert counts(label, {"x": alternative}).accuracy == 1
    assert outcomes(label, {}).keys() == paths


def test_an_alternative_of_another_size_shows_what_was_met() -> None:
    """The one leaf holds the alternative that was chosen and the value as a whole."""
    (leaf,) = scored({"x": {"$any": [None, {"a": 1, "b": 2}]}}, {"x": {"a": 1, "b": 2}}).leaves
    assert (leaf.path, leaf.outcome, leaf.expected) == ("x", Outcome.CORRECT, {"a": 1, "b": 2})
    assert counts({"x": {"$any": [None, {"a": 1, "b": 2}]}}, {"x": {"a": 1, "b": 2}}).precision == 1.0


def test_extras_are_those_beside_the_chosen_alternative() -> None:
    """What the best alternative lacks is extra, whatever the first one lacks."""
    found = counts({"l": {"$any": [[1, 2], [1, 3, 4]]}}, {"l": [1, 3, 4, 9]})
    assert (found.labelled, found.correct, found.extra) == (2, 2, 1)


def test_alternatives_may_be_nested_and_hold_directives() -> None:
    """A pattern, an ignored key and further alternatives stand inside."""
    label = {"$any": [{"a": {"$regex": "[0-9]+"}, "b": IGNORED}, {"a": {"$any": ["x", "y"]}, "b": 1}]}
    assert counts(label, {"a": "77", "b": 5}).correct == 1
    assert counts(label, {"a": "y", "b": 1}).accuracy == 1.0


@pytest.mark.parametrize("value", [1, None, ABSENT, [], {"a": 1}])
def test_an_ignored_label_accepts_anything(value: Any) -> None:
    """Nothing is counted, neither for nor against."""
    found = {"a": 1} if value is ABSENT else {"a": 1, "x": value}
    assert outcomes({"a": 1, "x": IGNORED}, found) == {"a": "correct"}
    assert counts({"a": 1, "x": IGNORED}, found, count_extra=True).extra == 0


def test_an_ignored_item_absorbs_one_item() -> None:
    """One more item than that is an extra, one fewer is no loss."""
    label = [1, IGNORED]
    assert [(c.correct, c.missing, c.extra) for c in (counts(label, [1]), counts(label, [9, 1]))] == [
        (1, 0, 0)
    ] * 2
    assert counts(label, [7, 8, 1]).extra == 1
    assert counts([IGNORED, IGNORED], [7, 8, 9]).extra == 1


def test_which_item_is_absorbed_does_not_depend_on_order() -> None:
    """Two surplus items with different numbers of leaves: shuffling them changes no count."""
    label = [{"a": 1, "b": 1}, IGNORED]
    value = [{"a": 1, "b": 1}, {"a": 2}, {"a": 3, "b": 3}]
    assert counts(label, value) == counts(label, value[::-1])


def test_by_position_an_ignored_item_absorbs_what_stands_there() -> None:
    """The others keep their places, and what lies beyond is extra."""
    label = [1, IGNORED, 3]
    found = scored(label, [1, 9, 3, 5], {"$": by_position()})
    assert [(leaf.path, leaf.outcome.value) for leaf in found.leaves] == [
        ("$[0]", "correct"),
        ("$[2]", "correct"),
        ("$[3]", "extra"),
    ]
    assert counts(label, [1, 3], {"$": by_position()}).missing == 1


def test_in_order_an_ignored_item_absorbs_between_its_neighbours() -> None:
    """An item that stands elsewhere is not absorbed."""
    label = [1, IGNORED, 3]
    assert counts(label, [1, 9, 3], {"$": in_order()}).extra == 0
    assert counts(label, [1, 8, 9, 3], {"$": in_order()}).extra == 1
    assert counts(label, [9, 1, 3], {"$": in_order()}).extra == 1
    assert counts([IGNORED, IGNORED, 3], [7, 8, 9, 3], {"$": in_order()}).extra == 1


def test_items_that_are_ignored_throughout_absorb_too() -> None:
    """An item all of whose keys are ignored counts nowhere."""
    label = [{"id": 1}, {"id": 2, "a": 1}]
    found = counts(label, [{"a": 1, "id": 7}, {"a": 5}], {"$[*].id": ignore()})
    assert (found.labelled, found.correct, found.extra) == (1, 1, 0)
    assert (
        counts([IGNORED, {"k": "A", "v": 1}], [{"k": "Z"}, {"k": "A", "v": 1}], {"$": by_key("k")}).extra == 0
    )


@pytest.mark.parametrize(
    ("value", "outcome"),
    [({}, "correct"), ({"x": None}, "correct"), ({"x": ""}, "invented"), ({"x": []}, "invented")],
)
def test_what_must_not_be_there(value: Any, outcome: str) -> None:
    """Null counts as absent, since a schema may serialise every key; anything else is invented."""
    assert outcomes({"x": {"$absent": True}}, value) == {"x": outcome}


def test_an_absent_value_is_no_value_given() -> None:
    """As with a null label, precision leaves it out where it is met."""
    assert counts({"a": 1, "x": {"$absent": True}}, {"a": 1}).precision == 1.0
    assert counts({"x": {"$absent": True}}, {}).precision is None


@pytest.mark.parametrize(
    ("value", "outcome"),
    [("INV-7", "correct"), ("INV-7b", "wrong"), ("an INV-7", "wrong"), (7, "wrong"), (None, "missing")],
)
def test_a_pattern_matches_the_whole_text(value: Any, outcome: str) -> None:
    """No part of a text is enough, and only texts match."""
    assert outcomes({"x": {"$regex": r"INV-\d+"}}, {"x": value}) == {"x": outcome}


def test_a_literal_is_data_through_and_through() -> None:
    """Nothing below ``$literal`` is a directive."""
    assert outcomes({"$literal": {"$ignore": True}}, {"$ignore": True}) == {"['$ignore']": "correct"}
    label = {"x": {"$literal": {"$any": [1, 2]}}}
    assert counts(label, {"x": {"$any": [1, 2]}}).correct == 2
    assert counts(label, {"x": 1}).missing == 2
    deep = {"x": {"$literal": {"a": [{"$ignore": True}], "b": {"$absent": True}}}}
    assert counts(deep, {"x": {"a": [{"$ignore": True}], "b": {"$absent": True}}}).correct == 2
    assert counts(deep, {"x": {"a": [], "b": {}}}).missing == 2


def test_literals_are_paired_in_lists() -> None:
    """An escaped item is compared as what it is, and an escaped list by its items."""
    label = [{"$literal": {"$ignore": True}}, 5]
    assert counts(label, [5, {"$ignore": True}]).correct == 2
    assert counts({"l": {"$literal": [{"$ignore": True}, 1]}}, {"l": [1, {"$ignore": False}]}).correct == 1


def test_other_keys_that_begin_with_a_dollar_are_data() -> None:
    """``$ref`` has no hidden meaning, and neither has a directive beside other keys."""
    assert outcomes({"$ref": "#/a"}, {"$ref": "#/b"}) == {"['$ref']": "wrong"}
    assert directive_of({"$any": [1], "b": 2}) is None


@pytest.mark.parametrize(
    "label",
    [
        {"$any": []},
        {"$any": 1},
        {"$ignore": False},
        {"$absent": 1},
        {"$regex": 5},
        {"$regex": "("},
        {"$any": [1], "b": 2},
    ],
)
def test_a_malformed_directive_is_a_problem_of_the_label(label: dict[str, Any]) -> None:
    """It is reported when labels are checked, with or without schema, so scoring never meets one."""
    (name, *_) = label
    assert malformed(name, label)
    assert adapt_schema(None).check_label({"x": [label]})
    assert not adapt_schema(None).check_label({"x": {"$literal": label}})


def test_directives_count_in_pairing() -> None:
    """Items are found by patterns and alternatives too."""
    label = [{"id": {"$regex": "A.*"}, "n": {"$any": [1, 2]}}, {"id": {"$regex": "B.*"}, "n": 3}]
    assert counts(label, [{"id": "B7", "n": 3}, {"id": "A1", "n": 2}]).correct == 4
    label_with_ignored = [{"id": 1, "x": IGNORED}, {"id": 2, "x": 5}]
    assert counts(label_with_ignored, [{"id": 2, "x": 5}, {"id": 1, "x": 5}]).correct == 3
