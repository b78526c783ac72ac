"""What becomes of each labelled leaf, and how outcomes are counted (S3, S6, S7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_schemascore import exact, fuzzy, ignore, levenshtein, numeric
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.scoring.outcomes import Counts, Outcome, as_missing
from tests.scoring.helpers import counts, outcomes, scored


@pytest.mark.parametrize(
    ("label", "value", "outcome"),
    [
        ("a", "a", "correct"),
        ("a", "b", "wrong"),
        ("a", "", "wrong"),
        (1, "", "wrong"),
        ("a", None, "missing"),
        ("a", ABSENT, "missing"),
        (0, None, "missing"),
        (False, ABSENT, "missing"),
        ("", "", "correct"),
        ("", None, "missing"),
        (None, None, "correct"),
        (None, ABSENT, "correct"),
        (None, [], "correct"),
        (None, {}, "correct"),
        (None, "", "invented"),
        (None, 0, "invented"),
        (None, False, "invented"),
        (None, [None], "invented"),
        ([], None, "correct"),
        ([], {}, "correct"),
        ([], [], "correct"),
        ([], ABSENT, "correct"),
        ([], "x", "invented"),
        ([], [1], "invented"),
        ({}, [], "correct"),
        ({}, ABSENT, "correct"),
        ({}, {"a": 1}, "invented"),
        ("a", ["a"], "wrong"),
        ("a", {"a": "a"}, "wrong"),
        (1, True, "wrong"),
        (True, 1, "wrong"),
        (1, "1", "wrong"),
        ("1", 1, "wrong"),
        (1, 1.0, "correct"),
        (1.0, 1, "correct"),
        (2**53, 2**53 + 1, "wrong"),
        (12345678901, 12345678902, "wrong"),
        ("Acme  Corp\n", "ACME corp", "correct"),
        ("cafe\u0301", "caf\u00e9", "correct"),
        ("0012", "12", "wrong"),
        ("A+", "A-", "wrong"),
        ("C#", "C++", "wrong"),
        ("M\u00fcller", "M\u00f6ller", "wrong"),
        ("100 USD", "100 EUR", "wrong"),
        ("approved", "not approved", "wrong"),
        (0.031, 0.034, "wrong"),
        (12, 12.9, "wrong"),
        (100, 300, "wrong"),
        (0.1 + 0.2, 0.3, "correct"),
        (10**400, 10**400, "correct"),
        (10**400, 10**400 + 1, "wrong"),
    ],
)
def test_a_labelled_leaf_has_this_outcome(label: Any, value: Any, outcome: str) -> None:
    """Equal is correct, different wrong, nothing there missing, something unasked invented."""
    found = {"x": value} if value is not ABSENT else {}
    assert outcomes({"x": label}, found) == {"x": outcome}


def test_only_labelled_paths_count() -> None:
    """A label that names one key asks for one key."""
    assert counts({"a": 1}, {"a": 1, "b": 2, "c": {"d": 3}}) == Counts(1.0, 1, 1)


def test_inside_a_labelled_list_every_item_counts() -> None:
    """An item the label lacks is an extra for each leaf of a labelled field."""
    found = counts({"l": [{"a": 1, "b": 2}]}, {"l": [{"a": 1, "b": 2}, {"a": 3, "b": 4, "c": 5}]})
    assert (found.correct, found.extra) == (2, 2)


def test_an_extra_item_counts_the_fields_that_any_label_of_the_suite_holds() -> None:
    """Another case's label makes a field a field of the suite."""
    label, value = {"l": [{"a": 1}]}, {"l": [{"a": 1}, {"a": 2, "b": 3}]}
    assert counts(label, value).extra == 1
    assert counts(label, value, labels=[label, {"l": [{"b": 1}]}]).extra == 2


@pytest.mark.parametrize("item", [{}, [], 5, None, {"unlabelled": 1}, {"unlabelled": {"deep": [1, 2]}}])
def test_an_extra_item_counts_one_where_it_has_no_labelled_field(item: Any) -> None:
    """An item never costs nothing; as far as labels can see this one is empty."""
    assert counts({"l": [{"a": 1}]}, {"l": [{"a": 1}, item]}).extra == 1
    assert counts({"l": [{"a": 1}]}, {"l": [{"a": 1}, item]}).is_perfect is False


def test_items_invented_in_an_empty_list_are_extras_too() -> None:
    """The empty list isn't met, and each item is one more value that nobody asked for."""
    found = counts({"l": []}, {"l": [1, 2, 3]}, labels=[{"l": []}, {"l": [9]}])
    assert (found.invented, found.extra, found.accuracy, found.precision) == (1, 3, 0.0, 0.0)


def test_unlabelled_keys_count_where_asked() -> None:
    """With extra="count" each unlabelled leaf of a labelled object is an extra, also inside paired items."""
    label = {"a": 1, "o": {"b": 2}, "l": [{"c": 3}]}
    value = {"a": 1, "z": {"y": [1, 2]}, "o": {"b": 2, "x": 9}, "l": [{"c": 3, "w": 4}]}
    assert counts(label, value).extra == 0
    leaves = scored(label, value, count_extra=True).leaves
    extras = [leaf.path for leaf in leaves if leaf.outcome is Outcome.EXTRA]
    assert sorted(extras) == ["l[0].w", "o.x", "z.y[0]", "z.y[1]"]


@pytest.mark.parametrize("empty", [None, [], {}])
def test_empty_unlabelled_keys_are_no_values(empty: Any) -> None:
    """An output can't avoid the nulls and empty lists that its schema fills in, in list items either."""
    assert counts({"a": 1}, {"a": 1, "b": empty}, count_extra=True).is_perfect
    assert counts({"l": [{"a": 1}]}, {"l": [{"a": 1, "b": empty}]}, count_extra=True).is_perfect
    assert counts({"a": 1}, {"a": 1, "b": {"c": empty}}, count_extra=True).is_perfect
    assert counts({"a": 1}, {"a": 1, "b": {"c": empty, "d": 2}}, count_extra=True).extra == 1
    assert counts({"a": 1}, {"a": 1, "b": empty}, labels=[{"a": 1}, {"b": 2}], count_extra=True).is_perfect
    # An item too many is one whatever it holds, and its labelled fields count as they are (S7).
    assert counts({"l": [{"a": 1}]}, {"l": [{"a": 1}, {"a": empty, "b": empty}]}, count_extra=True).extra == 1
    assert counts({"l": [{"a": 1}]}, {"l": [{"a": 1}, {"b": empty}]}, count_extra=True).extra == 1


def test_an_object_where_none_is_found_has_all_its_leaves_missing() -> None:
    """A list, a text or null in the place of an object holds none of its keys."""
    for value in ([{"a": 1}], "a", 5, None, ABSENT):
        assert outcomes({"a": 1, "b": {"c": 2}}, value) == {"a": "missing", "b.c": "missing"}


def test_keys_that_look_like_paths_are_keys() -> None:
    """A dotted key and a nested one, a bracketed key, the empty key and "$" are different places."""
    label = {"a.b": 1, "a": {"b": 2}, "a[0]": 3, "": 4, "$": 5, "__ref": 6}
    assert set(outcomes(label, label).values()) == {"correct"}
    assert len(outcomes(label, label)) == 6
    assert set(outcomes(label, dict.fromkeys(label, 9) | {"a": {"b": 9}}).values()) == {"wrong"}


def test_graded_scores_are_partial() -> None:
    """kitten against sitting is 3 edits in 7 characters: 4/7, and wrong."""
    (leaf,) = scored("kitten", "sitting", {"$": levenshtein()}).leaves
    assert leaf.score == pytest.approx(4 / 7)
    assert leaf.outcome is Outcome.WRONG


def test_a_leaf_says_what_stands_where() -> None:
    """Label path, field, values, rule, and where in the output the value was found."""
    label = {"l": [{"a": "x"}, {"a": "y"}]}
    leaves = scored(label, {"l": [{"a": "y"}, {"a": "x"}]}, {"l[*].a": fuzzy(0.9)}).leaves
    assert [(leaf.path, leaf.actual_path, leaf.field, leaf.rule) for leaf in leaves] == [
        ("l[0].a", "l[1].a", "l[*].a", "fuzzy(threshold=0.9)"),
        ("l[1].a", "l[0].a", "l[*].a", "fuzzy(threshold=0.9)"),
    ]


def test_a_comparator_without_a_verdict_leaves_every_denominator() -> None:
    """None is "not judged", in lists as in objects; nothing judged is no score."""

    def skips(label: Any, value: Any) -> bool | None:
        return None if label == "skip" else bool(label == value)

    in_list = counts(["skip", "same"], ["skip", "same"], {"$[*]": skips})
    in_object = counts({"a": "skip", "b": "same"}, {"a": "skip", "b": "same"}, {"*": skips})
    assert in_list == in_object == Counts(1.0, 1, 1, not_judged=1)
    alone = counts(["skip"], ["other"], {"$[*]": skips})
    assert (alone.labelled, alone.not_judged, alone.accuracy, alone.precision) == (0, 1, None, None)


def test_an_unjudged_leaf_has_no_say_in_pairing() -> None:
    """The rest of the item decides; a pair of which nothing is judged holds at any threshold."""
    from pytest_schemascore import by_content

    def silent(*_: Any) -> None:
        return None

    label, value = [{"n": 1, "t": "a"}, {"n": 2, "t": "b"}], [{"n": 2, "t": "a"}, {"n": 1, "t": "b"}]
    assert outcomes(label, value, {"$[*].t": silent})["$[0].n"] == "correct"
    found = counts(["a"], ["b"], {"$": by_content(threshold=0.9), "$[*]": silent})
    assert (found.not_judged, found.missing, found.extra) == (1, 0, 0)


@pytest.mark.parametrize("score", [1.5, -0.1, float("nan"), "yes", [1], object()])
@pytest.mark.parametrize("label", [{"x": 1}, {"x": [1, 3]}])
def test_a_comparator_that_returns_no_score_is_a_fault_of_the_evaluation(score: Any, label: Any) -> None:
    """The error names path and comparator, wherever it was asked."""

    def broken(*_: Any) -> Any:
        return score

    path = "x" if label == {"x": 1} else "x[*]"
    with pytest.raises(ComparatorError, match=r"x.*broken"):
        scored(label, {"x": 2} if path == "x" else {"x": [2, 4]}, {path: broken})


@pytest.mark.parametrize("label", [{"x": 1}, {"x": [1, 3]}, {"x": [1]}])
def test_a_comparator_that_raises_is_a_fault_of_the_evaluation(label: Any) -> None:
    """The error names path, comparator and what was raised, also where it was asked for pairing."""

    def broken(*_: Any) -> Any:
        raise KeyError("boom")

    path = "x" if label == {"x": 1} else "x[*]"
    value = {"x": 2} if path == "x" else {"x": [2, 4]}
    with pytest.raises(ComparatorError, match=r"x.*broken.* raised KeyError: 'boom'"):
        scored(label, value, {path: broken})


def test_numpy_scores_are_scores() -> None:
    """Numbers and bools of numpy are what user functions often return."""
    np = pytest.importorskip("numpy")
    assert counts(1, 2, {"$": lambda *_: np.float32(0.5)}).score == 0.5
    assert counts(1, 2, {"$": lambda *_: np.bool_(True)}).correct == 1


def test_nothing_at_all_is_missing_even_what_is_labelled_empty() -> None:
    """An output that could not be read meets no label (S10)."""
    label = {"a": 1, "b": None, "c": [], "d": [{"e": 1}, {"e": 2}], "f": {"$absent": True}}
    leaves = as_missing(scored(label).leaves)
    assert {leaf.path: leaf.outcome for leaf in leaves} == dict.fromkeys(
        ["a", "b", "c", "d[0].e", "d[1].e", "f"], Outcome.MISSING
    )


def test_what_is_ignored_is_in_no_count() -> None:
    """Ignored keys are taken away before anything is compared, emptiness included."""
    rules = {"foo": ignore(), "bar": ignore(), "l[*].id": ignore()}
    labels = [{"foo": 1, "bar": 2, "l": [{"id": 1, "a": 1}]}]
    assert counts({}, {"foo": "", "bar": ""}, rules, labels=labels) == Counts(1.0, 1, 1, empty=1)
    assert counts({}, {"foo": "", "baz": ""}, rules, labels=labels).invented == 1
    assert counts({"l": []}, {"l": []}, rules, labels=labels).correct == 1
    assert counts(labels[0], {"foo": 9, "l": [{"id": 9, "a": 1}]}, rules) == Counts(1.0, 1, 1)


def test_ignoring_a_container_ignores_all_below_but_what_a_closer_rule_names() -> None:
    """A rule for a key inside lifts the ignore() around it, and only there."""
    label = {"meta": {"id": 1, "at": 2}, "x": 3}
    assert counts(label, {}, {"meta": ignore()}).missing == 1
    assert outcomes(label, {"meta": {"id": 1}}, {"meta": ignore(), "meta.id": exact()}) == {
        "meta.id": "correct",
        "x": "missing",
    }
    assert set(outcomes(label, {}, {"meta": ignore(), "..id": exact()})) == {"x"}


def test_everything_can_be_ignored_but_what_is_named() -> None:
    """default=ignore() scores the configured paths alone."""
    label = {"a": 1, "o": {"b": 2, "c": 3}, "l": [{"d": 4, "e": 5}]}
    rules = {"o.b": exact(), "l[*].d": numeric()}
    assert set(outcomes(label, label, rules, default=ignore())) == {"o.b", "l[0].d"}


COUNTS = st.builds(
    lambda correct, partial, missing, invented, extra, unjudged, empty: Counts(
        score=correct + empty + sum(partial),
        labelled=correct + empty + len(partial) + missing + invented,
        correct=correct + empty,
        missing=missing,
        invented=invented,
        extra=extra,
        not_judged=unjudged,
        empty=empty,
    ),
    st.integers(0, 5),
    st.lists(st.sampled_from([0.0, 0.25, 0.5]), max_size=4),
    *[st.integers(0, 3)] * 5,
)


@given(st.lists(COUNTS, max_size=4))
def test_counts_add_up(parts: list[Counts]) -> None:
    """Adding is per number, in any order, and every labelled leaf has one outcome."""
    total = Counts.total(parts)
    assert total == Counts.total(reversed(parts))
    assert total.labelled == sum(part.labelled for part in parts)
    assert total.correct + total.wrong + total.missing + total.invented == total.labelled
    assert total.wrong == sum(part.wrong for part in parts)
    for metric in (total.accuracy, total.precision, total.recall, total.f1):
        assert metric is None or 0 <= metric <= 1


def test_metrics_by_hand() -> None:
    """Two right, one half right, one missing, one invented, one null met, two extras."""
    found = Counts(score=3.5, labelled=6, correct=3, missing=1, invented=1, extra=2, empty=1)
    assert found.wrong == 1
    assert found.accuracy == pytest.approx(3.5 / 6)
    assert found.given == 6  # 2 right + 1 half + 1 invented + 2 extras
    assert found.wanted == 4  # 2 right + 1 half + 1 missing
    assert found.precision == pytest.approx(2.5 / 6)
    assert found.recall == pytest.approx(2.5 / 4)
    assert found.f1 == pytest.approx(2 * 2.5 / (6 + 4))
    assert found.f_score(2) == pytest.approx(5 * 2.5 / (4 * 4 + 6))
    assert not found.is_perfect


def test_precision_says_how_far_given_values_can_be_trusted() -> None:
    """Missing values don't lower it, wrong and invented ones do, null on both sides is no value."""
    assert counts({"a": 1, "b": 2}, {"a": 1}).precision == 1.0
    assert counts({"a": 1, "b": 2}, {"a": 1, "b": 3}).precision == 0.5
    assert counts({"a": 1, "b": None}, {"a": 1, "b": 3}).precision == 0.5
    assert counts({"a": 1, "b": None}, {"a": 1}).precision == 1.0
    assert counts({"a": 1}, {}).precision is None
    assert counts({"a": None}, {}).precision is None


def test_an_empty_output_has_no_recall_and_no_precision() -> None:
    """Three labelled keys against {} are three misses."""
    found = counts({"a": 1, "b": 2, "c": 3}, {})
    assert (found.accuracy, found.recall, found.precision, found.f1) == (0.0, 0.0, None, 0.0)
