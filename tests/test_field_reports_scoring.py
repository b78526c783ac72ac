"""Faults that users of such tools have reported, each with the input that showed it and the right result."""

from __future__ import annotations

import random
from decimal import Decimal  # noqa: TC003 - pydantic reads it
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from pytest_schemascore import by_content, by_position, exact, fuzzy, ignore, numeric, relative
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.errors import ComparatorError, PathError
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.outcomes import Outcome
from tests.scoring.helpers import counts, outcomes, scored


def test_a_deleted_item_and_a_changed_one_are_told_apart() -> None:
    """The survivor is paired by what it kept: one item is missing, one value wrong, its key correct."""
    label = [{"key": "c/foo/", "value": ""}, {"key": "c/foo/acct", "value": "v1"}]
    assert outcomes(label, [{"key": "c/foo/acct", "value": "v2"}]) == {
        "$[0].key": "missing",
        "$[0].value": "missing",
        "$[1].key": "correct",
        "$[1].value": "wrong",
    }


def test_how_often_a_value_occurs_counts() -> None:
    """One of two equal items gone is missing, one too many is extra."""
    fewer = counts({"foo": ["b1", "b2", "b1"]}, {"foo": ["b1", "b2"]})
    more = counts({"foo": ["b1", "b2"]}, {"foo": ["b1", "b2", "b1"]})
    assert (fewer.correct, fewer.missing, fewer.extra) == (2, 1, 0)
    assert (more.correct, more.missing, more.extra) == (2, 0, 1)


def test_one_more_missing_key_costs_one_leaf() -> None:
    """However many keys are missing, the results of the other paths stay what they are."""
    label: dict[str, Any] = {"a": {"z": [{"a": ["1"], "b": ["2"]}], "y": ["a"]}, "b": "1", "c": "1", "d": "1"}
    output = {"a": {"z": [{"a": ["3"], "b": ["2"]}], "y": ["b"]}}
    nested = {
        "a.z[0].a[0]": "missing",  # "3" is no version of "1": a pair that agrees on nothing is no pair
        "a.z[0].b[0]": "correct",
        "a.y[0]": "missing",
    }
    for n in range(4):
        keys = list("bcd")[:n]
        part = {"a": label["a"], **dict.fromkeys(keys, "1")}
        assert outcomes(part, output) == nested | dict.fromkeys(keys, "missing")


@pytest.mark.parametrize("pairing", [by_content(), by_position()])
def test_the_verdict_on_a_leaf_does_not_depend_on_the_list_mode(pairing: Any) -> None:
    """1 equals 1.0, in order or not."""
    assert counts([{"a": 1}], [{"a": 1.0}], {"$": pairing}).correct == 1


def test_an_empty_text_is_not_the_labelled_number() -> None:
    """It is wrong, never correct."""
    assert outcomes({"ID": 1, "Name": "M"}, {"ID": "", "Name": "M"}) == {"ID": "wrong", "Name": "correct"}


@pytest.mark.parametrize("rule", [exact(), numeric(), fuzzy(0.8), numeric(abs_tol=1)])
def test_true_and_a_text_can_be_compared_either_way(rule: Any) -> None:
    """Both directions have a verdict, and the same one."""
    one, other = (
        counts({"x": True}, {"x": "true"}, {"x": rule}),
        counts({"x": "true"}, {"x": True}, {"x": rule}),
    )
    assert one.score == other.score == 0


def test_decimals_that_carry_over_are_compared() -> None:
    """Nine nines after the point are within a millionth of more nines."""
    assert counts("999.99999999", "999.9999999999", {"$": numeric(abs_tol=1e-6)}).correct == 1


def test_a_tolerance_is_arithmetic() -> None:
    """Big floats that differ in the second decimal are within one half."""
    assert counts(6714795744484.493, 6714795744484.502, {"$": numeric(abs_tol=0.5)}).correct == 1


def test_numbers_as_texts_are_read_where_the_rule_says_so() -> None:
    """numeric() reads either side; without it a text and a number differ."""
    label, value = {"a": "41", "b": "0.102"}, {"a": 41, "b": "0.101"}
    assert counts(label, value, {"*": numeric(abs_tol=0.01)}).correct == 2
    assert counts(label, value).correct == 0


def test_ignored_keys_are_gone_before_anything_is_judged() -> None:
    """An output that holds ignored keys only is as good as empty."""
    shape = adapt_schema({"type": "object", "properties": {"foo": {}, "bar": {}}}).shape
    rules = {"foo": ignore(), "bar": ignore()}
    found = counts({}, {"foo": "", "bar": ""}, rules, shape=shape)
    assert (found.correct, found.labelled, found.extra) == (1, 1, 0)
    assert counts({}, {"foo": "", "bar": ""}, rules, shape=shape, count_extra=True).extra == 0


def test_no_key_has_a_hidden_meaning() -> None:
    """Keys that begin with underscores are compared as any other."""
    label = {"schema": {"__ref": "#/a"}}
    assert outcomes(label, {"schema": {"__ref": {"type": "object"}}}) == {"schema.__ref": "wrong"}


def test_no_amount_of_work_makes_different_lists_equal() -> None:
    """The one odd item shows, in five items and in five thousand."""
    for length in (5, 5_000):
        label = [1] * length
        found = counts({"v": label}, {"v": [*label[1:], 2]})
        assert (found.correct, found.missing, found.extra) == (length - 1, 1, 1)


def test_a_long_shuffled_list_is_scored_exactly() -> None:
    """2,000 objects of ten fields in another order, a twentieth of the values changed: each change shows."""
    rng = random.Random(3)
    label = [{"id": i} | {f"f{k}": rng.randint(0, 10**6) for k in range(9)} for i in range(2_000)]
    changed = 0
    value = []
    for item in label:
        copy = dict(item)
        for key in list(copy)[1:]:
            if rng.random() < 0.05:
                copy[key] = -1
                changed += 1
        value.append(copy)
    rng.shuffle(value)
    found = counts({"l": label}, {"l": value})
    assert (found.correct, found.wrong, found.missing, found.extra) == (20_000 - changed, changed, 0, 0)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_lists_of_any_length_are_classified_alike(length: int) -> None:
    """Unrelated items are missing and extra, and a threshold holds, for one item as for more."""
    label = [{"sku": f"A{i}", "n": i} for i in range(length)]
    unrelated = counts(label, [{"sku": f"Z{i}", "n": -1 - i} for i in range(length)])
    assert (unrelated.missing, unrelated.extra, unrelated.wrong) == (2 * length, 2 * length, 0)
    half = [{"sku": f"A{i}", "n": -1} for i in range(length)]
    assert counts(label, half, {"$": by_content(threshold=0.5)}).wrong == length
    assert counts(label, half, {"$": by_content(threshold=0.6)}).missing == 2 * length


def test_a_good_parent_hides_no_wrong_leaf() -> None:
    """Two of three items right: the third is there among the failures, under its own path."""
    label = {"earnings": [{"cur": 180.68}, {"cur": 1}, {"cur": 2}]}
    found = outcomes(
        label, {"earnings": [{"cur": 180.0}, {"cur": 1}, {"cur": 2}]}, {"earnings": by_position()}
    )
    assert found == {"earnings[0].cur": "wrong", "earnings[1].cur": "correct", "earnings[2].cur": "correct"}


def test_a_free_form_object_has_a_leaf_for_each_key() -> None:
    """One value off is one leaf wrong; the others keep their own outcome."""
    label = {"meta": {"vendor": "Acme Corporation", "total": 100.0, "id": "INV-1"}}
    assert outcomes(label, {"meta": {"vendor": "Acme Corp", "total": 100.0}}) == {
        "meta.vendor": "wrong",
        "meta.total": "correct",
        "meta.id": "missing",
    }


@pytest.mark.parametrize("normalize", [True, False])
def test_an_item_is_compared_as_a_scalar_is(normalize: bool) -> None:
    """The same comparator gives the same verdict in a list and outside."""
    rule = exact(normalize=normalize)
    found = outcomes(
        {"tags": ["Alpha"], "tag": "Alpha"},
        {"tags": ["alpha"], "tag": "alpha"},
        {"tags[*]": rule, "tag": rule},
    )
    assert (found["tags[0]"] == "correct") is (found["tag"] == "correct") is normalize


def test_a_misspelt_path_is_an_error_that_names_the_nearest() -> None:
    """Nothing falls back to a default without a word."""
    with pytest.raises(PathError, match="did you mean 'total'"):
        compile_scorer([{"total": 1}], comparators={"totl": numeric(abs_tol=0.01)})


@pytest.mark.parametrize(
    ("label", "value", "score"), [(5, -5, 0.0), (0, 0, 1.0), (0, 1e-9, 0.0), (-1, 1, 0.0), (100, 110, 0.9)]
)
def test_relative_scores_stay_in_range(label: float, value: float, score: float) -> None:
    """Opposite signs are 0, zero equals zero, and nothing else is near zero."""
    assert counts(label, value, {"$": relative()}).score == pytest.approx(score)


def test_abstaining_is_the_same_in_lists_and_objects() -> None:
    """Not judged leaves both numerator and denominator; nothing judged is no score."""

    def rule(label: Any, value: Any) -> bool | None:
        return None if label == "skip" else bool(label == value)

    in_list = counts(["skip", "same"], ["skip", "same"], {"$[*]": rule})
    in_object = counts({"a": "skip", "b": "same"}, {"a": "skip", "b": "same"}, {"*": rule})
    assert in_list == in_object
    assert (in_list.accuracy, in_list.labelled, in_list.not_judged) == (1.0, 1, 1)
    assert counts({"a": "skip"}, {"a": "skip"}, {"a": rule}).accuracy is None


def test_an_empty_item_is_an_item() -> None:
    """[] against [{}] differs, either way round."""
    assert counts([], [{}]).extra == 1
    assert counts([{"total": 6}], [{"total": 6}, {}]).extra == 1
    assert counts([{}], []).missing == 1


@pytest.mark.parametrize("value", [[], None, {}])
def test_an_empty_output_lacks_every_item(value: Any) -> None:
    """Recall is 0 and nothing raises."""
    found = counts([{"a": 1}], value)
    assert (found.missing, found.recall, found.precision) == (1, 0.0, None)


def test_a_similarity_at_the_threshold_passes_everywhere() -> None:
    """bca and bc are exactly 0.8 alike: in scoring, and in pairing."""
    rule = fuzzy(0.8)
    assert counts("bca", "bc", {"$": rule}).correct == 1
    assert counts(["bca", "zzz"], ["zzz", "bc"], {"$[*]": rule}).correct == 2


def test_two_empty_lists_are_equal() -> None:
    """There is a score, and it is 1."""
    found = counts({"a": []}, {"a": []})
    assert (found.accuracy, found.correct) == (1.0, 1)


def test_composed_and_decomposed_text_are_equal_by_default() -> None:
    """The strict rule tells them apart, and neither value is rewritten."""
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    (leaf,) = scored(composed, decomposed).leaves
    assert (leaf.outcome, leaf.expected, leaf.actual) == (Outcome.CORRECT, composed, decomposed)
    assert counts(composed, decomposed, {"$": exact(normalize=False)}).wrong == 1
    assert counts("a\u00a0b", "a b").correct == 1
    assert counts("\uff11", "1").wrong == 1


@pytest.mark.parametrize("order", [["good", "bad"], ["bad", "good"]])
def test_a_raising_comparator_shows_in_any_order(order: list[str]) -> None:
    """It is an error of the evaluation, wherever its path stands among the others."""

    def bad(*_: Any) -> bool:
        raise ValueError("no")

    rules = {"good": exact(), "bad": bad}
    with pytest.raises(ComparatorError, match=r"bad: comparator .*bad raised ValueError: no"):
        scored(dict.fromkeys(order, 1), {"good": 1, "bad": 1}, {key: rules[key] for key in order})


def test_each_failing_leaf_says_what_was_expected_found_and_why() -> None:
    """Path, label, value and rule stand on the leaf."""
    leaf = scored({"a": 1, "b": 2}, {"a": 1, "b": 3}).leaves[1]
    assert (leaf.path, leaf.expected, leaf.actual, leaf.rule, leaf.outcome) == (
        "b",
        2,
        3,
        "exact()",
        Outcome.WRONG,
    )


class Priced(BaseModel):
    """A model whose JSON form hides a type, and whose keys have another name."""

    amount: Decimal
    vendor: Annotated[str, fuzzy(0.9)]


def test_a_decimal_is_compared_by_value() -> None:
    """The schema dumps it as text, the label holds a number."""
    shape = adapt_schema(Priced).shape
    assert counts({"amount": 10.5}, {"amount": "10.50", "vendor": "x"}, shape=shape).correct == 1


def test_one_character_in_a_long_text_is_one_character() -> None:
    """No heuristic for long texts takes a hand: 299 of 300 characters agree."""
    rng = random.Random(5)
    for _ in range(60):
        text = "".join(rng.choices("abcdefghij ", k=300))
        k = rng.randrange(300)
        other = text[:k] + "Z" + text[k + 1 :]
        assert counts(text, other, {"$": fuzzy(0.95)}).correct == 1


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("INV-10025", "INV-10026"),
        ("N/A", "unknown"),
        ("Q3 2024", "32024"),
        ("1/2", "12"),
        ("Delta Co", "Delta Inc"),
        ("12345678901234567890", "12345678901234567891"),
        ("1_0", "10"),
        ("Room 2 to 4", "24"),
        ("yes", "no"),
        (0.05, 0.06),
        (12, 12.9),
        ([1, 2], [8, 9]),
        ([[1]], [[2]]),
        ({"o": {}}, {"o": {"x": 1}}),
    ],
)
@pytest.mark.parametrize("default", [exact(), numeric()])
def test_different_values_are_different(label: Any, value: Any, default: Any) -> None:
    """Nothing is taken for near enough that no rule says is."""
    assert counts({"x": label}, {"x": value}, default=default).score == 0


def test_the_order_of_keys_is_nothing() -> None:
    """Objects are compared by key, in lists too."""
    assert counts([{"a": 1, "b": 2}], [{"b": 2, "a": 1}]).correct == 2


def test_one_of_ten_items_is_a_tenth() -> None:
    """Items that the output lacks stay in the denominator."""
    assert counts(list(range(10)), [3]).accuracy == pytest.approx(0.1)


def test_missing_wrong_and_invented_lines_are_counted_in_leaves() -> None:
    """Three lines of two fields: half of one wrong, one lost, one invented."""
    label = [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3, "b": 3}]
    wrong = counts(label, [{"a": 1, "b": 1}, {"a": 2, "b": 9}, {"a": 3, "b": 3}])
    lost = counts(label, label[:2])
    invented = counts(label, [*label, {"a": 7, "b": 7}])
    assert (wrong.correct, wrong.wrong) == (5, 1)
    assert (lost.correct, lost.missing) == (4, 2)
    assert (invented.correct, invented.extra) == (6, 2)
    assert invented.precision == pytest.approx(6 / 8)


def test_a_wrong_value_lowers_recall() -> None:
    """One right of three is a third, not all."""
    assert counts({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 9, "c": 9}).recall == pytest.approx(1 / 3)


def test_an_extra_key_lowers_precision_alone() -> None:
    """Recall is about what was asked for."""
    found = counts({"a": 1}, {"a": 1, "b": 2}, count_extra=True)
    assert (found.recall, found.precision) == (1.0, 0.5)


def test_list_scores_do_not_depend_on_the_order_of_the_label() -> None:
    """Greedy choices would: two partners compete for one item."""
    label = [{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 2}]
    value = [{"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 9, "c": 9}]
    assert counts(label, value).score == counts(label[::-1], value).score == 4


def test_null_on_both_sides_is_right_under_every_rule() -> None:
    """No comparator is asked about nothing."""
    for rule in (exact(), numeric(), fuzzy(), relative()):
        assert counts({"x": None}, {"x": None}, {"x": rule}).correct == 1
        assert counts({"x": None}, {"x": "None"}, {"x": rule}).invented == 1


def test_rules_of_one_suite_do_not_stay_for_the_next() -> None:
    """Two scorers share nothing."""
    first = compile_scorer([{"a": "x"}], comparators={"a": fuzzy(0.1)}).scorer
    second = compile_scorer([{"a": "x"}]).scorer
    assert [leaf.rule for leaf in first.score({"a": "x"}, {"a": "x"}).leaves] == ["fuzzy(threshold=0.1)"]
    assert [leaf.rule for leaf in second.score({"a": "x"}, {"a": "x"}).leaves] == ["exact()"]
