"""List pairing against brute force: every pairing there is, tried (S8)."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from pytest_schemascore import by_content, by_key, by_position, exact, ignore, in_order, jaccard, numeric
from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.counting import count_by_field
from pytest_schemascore.scoring.items import ItemsInQuestion
from pytest_schemascore.scoring.matrix import PairScores, shares_agreeing
from pytest_schemascore.scoring.pairing.by_content import assignment, first_choices
from tests.scoring.helpers import counts, outcomes, scored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_schemascore.scoring.pairing.base import Pairing

Pair = tuple[int, int]
Score = "Callable[[Any, Any], float]"


def all_pairings(n: int, m: int) -> Iterator[list[Pair]]:
    """Yield every way to pair as many of n items with m items as there can be pairs."""
    if n <= m:
        for chosen in itertools.permutations(range(m), n):
            yield list(zip(range(n), chosen, strict=True))
    else:
        for chosen in itertools.permutations(range(n), m):
            yield list(zip(chosen, range(m), strict=True))


def best_total(expected: list[Any], actual: list[Any], score: Callable[[Any, Any], float]) -> float:
    """Return the best total over all pairings."""
    return max(
        sum(score(expected[i], actual[j]) for i, j in pairing)
        for pairing in all_pairings(len(expected), len(actual))
    )


def same(label: Any, value: Any) -> float:
    return float(type(label) is type(value) and label == value)


def within_one(label: Any, value: Any) -> float:
    return float(abs(label - value) <= 1)


def token_overlap(label: str, value: str) -> float:
    left, right = set(label.split()), set(value.split())
    return len(left & right) / len(left | right)


def of_fields(**scores: Callable[[Any, Any], float]) -> Callable[[Any, Any], float]:
    """Return the mean over the label's keys, a missing value scoring 0."""

    def score(label: dict[str, Any], value: dict[str, Any]) -> float:
        return sum(scores[k](v, value[k]) if k in value else 0.0 for k, v in label.items()) / len(label)

    return score


RANDOM = random.Random(20261130)


def words() -> str:
    return " ".join(RANDOM.choices("abcd", k=RANDOM.randint(1, 3)))


KINDS: dict[str, tuple[Callable[[], Any], Callable[[Any, Any], float], dict[str, Any]]] = {
    "exact": (lambda: RANDOM.randint(0, 3), same, {"l[*]": exact()}),
    "tolerant": (lambda: RANDOM.randint(0, 5), within_one, {"l[*]": numeric(abs_tol=1)}),
    "graded": (words, token_overlap, {"l[*]": jaccard()}),
    "objects": (
        lambda: {"k": RANDOM.randint(0, 2), "n": RANDOM.randint(0, 4), "t": words()},
        of_fields(k=same, n=within_one, t=token_overlap),
        {"l[*].n": numeric(abs_tol=1), "l[*].t": jaccard()},
    ),
    "equal first": (
        lambda: {"k": RANDOM.randint(0, 1), "v": RANDOM.randint(0, 1)},
        of_fields(k=same, v=same),
        {},
    ),
    "partial labels": (
        lambda: dict(
            RANDOM.sample([("a", RANDOM.randint(0, 1)), ("b", RANDOM.randint(0, 1))], 2)[
                : RANDOM.randint(1, 2)
            ]
        ),
        of_fields(a=same, b=same),
        {},
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_total_is_the_best_over_all_pairings(kind: str) -> None:
    """On thousands of small random lists no pairing has a better total."""
    make, score, rules = KINDS[kind]
    for _ in range(400):
        expected = [make() for _ in range(RANDOM.randint(1, 5))]
        actual = [make() for _ in range(RANDOM.randint(1, 5))]
        (lists,) = scored({"l": expected}, {"l": actual}, rules).lists
        total = sum(score(expected[i], actual[j]) for i, j in lists.pairs)
        assert total == pytest.approx(best_total(expected, actual, score)), (expected, actual)


def nested_score(label: list[list[int]], value: list[list[int]]) -> float:
    """Return the best number of equal numbers over all pairings of the inner lists."""
    return best_total(label, value, overlap) if label and value else 0.0


def overlap(label: list[int], value: list[int]) -> float:
    """Return the share of the label's numbers that the value holds too, as a multiset."""
    common = sum(min(label.count(x), value.count(x)) for x in set(label))
    return common / len(label)


def test_lists_of_lists_are_paired_by_what_the_inner_lists_share() -> None:
    """The score of two inner lists is that of their own best pairing."""
    for _ in range(300):
        expected = [
            [RANDOM.randint(0, 3) for _ in range(RANDOM.randint(1, 3))] for _ in range(RANDOM.randint(1, 4))
        ]
        actual = [
            [RANDOM.randint(0, 3) for _ in range(RANDOM.randint(1, 3))] for _ in range(RANDOM.randint(1, 4))
        ]
        outer = next(lists for lists in scored({"l": expected}, {"l": actual}).lists if lists.path == "l")
        total = sum(overlap(expected[i], actual[j]) for i, j in outer.pairs)
        assert total == pytest.approx(nested_score(expected, actual)), (expected, actual)


def test_equal_items_first_would_lose_under_a_tolerance() -> None:
    """[0, 1] against [1, 2] within 1 is 2 of 2: 0 goes with 1, and 1 with 2."""
    assert counts([0, 1], [1, 2], {"$[*]": numeric(abs_tol=1)}).score == 2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"a": st.integers(0, 2), "b": st.sampled_from(["x", "X", "y"])}), max_size=6
    ),
    st.lists(
        st.fixed_dictionaries({"a": st.integers(0, 2), "b": st.sampled_from(["x", "X", "y"])}), max_size=6
    ),
    st.randoms(),
)
def test_shuffling_either_list_changes_no_count(
    expected: list[dict[str, Any]], actual: list[dict[str, Any]], rng: random.Random
) -> None:
    """Ties go by content, so the order of the items decides nothing."""
    other_expected, other_actual = expected[:], actual[:]
    rng.shuffle(other_expected)
    rng.shuffle(other_actual)
    assert counts({"l": expected}, {"l": actual}) == counts({"l": other_expected}, {"l": other_actual})


def test_a_pair_that_agrees_on_nothing_is_no_pair() -> None:
    """Unrelated items are missing and extra, one item or many (h3-20)."""
    one = counts([{"sku": "A"}], [{"sku": "Z9"}])
    two = counts([{"sku": "A"}, {"sku": "B"}], [{"sku": "Z9"}, {"sku": "Y8"}])
    assert (one.missing, one.extra, one.wrong) == (1, 1, 0)
    assert (two.missing, two.extra, two.wrong) == (2, 2, 0)


def test_the_threshold_holds_for_one_item_too_and_at_its_own_value() -> None:
    """A pair at the threshold holds, one below doesn't, whatever the length of the list."""
    label, value = [{"a": 1, "b": 2}], [{"a": 1, "b": 3}]
    assert counts(label, value, {"$": by_content(threshold=0.5)}).wrong == 1
    assert counts(label, value, {"$": by_content(threshold=0.51)}).missing == 2


def test_duplicates_are_a_multiset() -> None:
    """A repeated value that is missing once is missing; one too many is extra (h3-02)."""
    assert counts(["b1", "b2", "b1"], ["b1", "b2"]).missing == 1
    assert counts(["b1", "b2"], ["b1", "b2", "b1"]).extra == 1


def test_a_survivor_is_not_paired_with_a_deleted_item() -> None:
    """The item that shares the identifying value is the partner (h3-01)."""
    label = [{"key": "c/foo/", "value": ""}, {"key": "c/foo/acct", "value": "v1"}]
    result = outcomes(label, [{"key": "c/foo/acct", "value": "v2"}])
    assert result == {
        "$[0].key": "missing",
        "$[0].value": "missing",
        "$[1].key": "correct",
        "$[1].value": "wrong",
    }


def test_ignored_paths_have_no_weight_in_pairing() -> None:
    """Items pair by what counts, not by what is ignored."""
    from pytest_schemascore import ignore

    label = [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]
    value = [{"id": 2, "name": "x"}, {"id": 1, "name": "y"}]
    assert counts(label, value, {"$[*].id": ignore()}).score == 2


def test_weights_decide_which_field_the_pairing_trusts() -> None:
    """A heavier field wins the partner."""
    label = [{"id": 1, "name": "x"}]
    value = [{"id": 1, "name": "y"}, {"id": 2, "name": "x"}]
    assert outcomes(label, value, weights={"$[*].id": 5})["$[0].id"] == "correct"
    assert outcomes(label, value, weights={"$[*].name": 5})["$[0].name"] == "correct"


def test_by_key_pairs_by_the_key_whatever_the_rest() -> None:
    """Everything but the key may differ."""
    label = [{"sku": "A", "n": 1, "t": "q"}, {"sku": "B", "n": 2, "t": "r"}]
    value = [{"sku": "B", "n": 1, "t": "q"}, {"sku": "A", "n": 2, "t": "r"}]
    assert counts(label, value, {"$": by_key("sku")}).correct == 2
    assert counts(label, value, {"$": by_content()}).correct == 4


def test_by_key_takes_several_keys() -> None:
    """Only all of them together tell items apart."""
    label = [{"a": 1, "b": 1, "v": "x"}, {"a": 1, "b": 2, "v": "y"}]
    value = [{"a": 1, "b": 2, "v": "y"}, {"a": 1, "b": 1, "v": "x"}]
    assert counts(label, value, {"$": by_key("a", "b")}).correct == 6


def test_by_key_pairs_duplicates_by_content() -> None:
    """Several items with one key are paired among themselves as well as can be."""
    label = [{"k": "A", "v": 1}, {"k": "A", "v": 2}]
    value = [{"k": "A", "v": 2}, {"k": "A", "v": 1}, {"k": "A", "v": 3}]
    found = counts(label, value, {"$": by_key("k")})
    assert (found.correct, found.extra) == (4, 2)


def test_by_key_pairs_items_without_the_key_among_themselves() -> None:
    """A key that is null or absent on both sides is no bar."""
    label = [{"k": None, "v": 1}, {"k": "A", "v": 2}]
    value = [{"k": "A", "v": 2}, {"v": 1}]
    assert counts(label, value, {"$": by_key("k")}).correct == 4


def test_by_key_goes_by_the_rule_of_the_key() -> None:
    """Keys that the field's own rule holds equal are equal."""
    assert counts([{"k": "ABC", "v": 1}], [{"k": "abc", "v": 1}], {"$": by_key("k")}).correct == 2


KEYS = [["a", "b"], [["a"], ["b", "c"]], {"x": ["a", "b"], "y": 1}, [{"x": 1}, {"x": 2}]]


@pytest.mark.parametrize("key", KEYS)
def test_by_key_finds_lists_in_another_order(key: Any) -> None:
    """A key that is a list, or holds one, is the same in any order, as its own score says."""
    label = [{"k": key, "v": 1}, {"k": ["z"], "v": 2}]
    value = [{"k": ["z"], "v": 2}, {"k": turned(key), "v": 1}]
    assert counts(label, value, {"$": by_key("k")}).is_perfect


def turned(value: Any) -> Any:
    """Turn all lists in *value* round, and write its texts in capitals, which `exact` takes for the same."""
    if isinstance(value, list):
        return [turned(item) for item in reversed(value)]
    if isinstance(value, dict):
        return {key: turned(item) for key, item in reversed(value.items())}
    return value.upper() if isinstance(value, str) else value


@pytest.mark.parametrize("pairing", [by_position(), in_order()])
def test_by_key_minds_the_order_that_a_rule_minds(pairing: Any) -> None:
    """Where the key's own list is paired by place, another order is another key."""
    rules = {"$": by_key("k"), "$[*].k": pairing}
    assert outcomes([{"k": ["a", "b"], "v": 1}], [{"k": ["b", "a"], "v": 1}], rules)["$[0].v"] == "missing"
    assert outcomes([{"k": ["a", "b"], "v": 1}], [{"k": ["A", "B"], "v": 1}], rules)["$[0].v"] == "correct"


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ({"id": 1, "seen": "today"}, {"id": 1, "seen": "yesterday"}),
        ({"id": 1, "note": None}, {"id": 1}),
        ({"id": 1, "note": {"text": None, "seen": 1}}, {"id": 1}),
        ({"id": 1, "note": {"$ignore": True}}, {"id": 1, "note": "any"}),
        ({"id": {"$any": [1, 2]}}, {"id": 2}),
        ({"id": {"$literal": {"$any": [1]}}}, {"id": {"$any": [1]}}),
        (["a", {"$regex": "b+"}], ["bb", "a"]),
        ({"id": None}, None),
    ],
)
def test_by_key_asks_of_a_key_what_its_label_asks(label: Any, value: Any) -> None:
    """Nothing of what is ignored or empty, and what a directive in it says."""
    rules = {"$": by_key("k"), "$[*].k.seen": ignore(), "$[*].k.note.seen": ignore()}
    others = [{"k": {"id": 7}, "v": 7}, {"k": ["z"], "v": 8}]
    labels = [[{"k": label, "v": 1}, *others], [{"k": {"seen": 1, "note": {"seen": 1}}}]]
    found = outcomes(labels[0], [*others, {"k": value, "v": 1}], rules, labels=labels)
    assert found["$[0].v"] == "correct"


INDEXED: list[tuple[Any, Any, dict[str, Any], str]] = [
    ([1.0], [1.05], {"k": by_position(), "k[*]": numeric(abs_tol=0.1), "k[0]": exact()}, "missing"),
    ([1.0], [1.05], {"k": by_position(), "k[0]": numeric(abs_tol=0.1)}, "correct"),
    ([1.0, 2.0], [1.0, 2.05], {"k": by_position(), "k[0]": exact(), "k[*]": numeric(abs_tol=0.1)}, "correct"),
    ([{"a": 1}], [{"a": 2}], {"k": by_position(), "k[*]": ignore(), "k[0].a": exact()}, "missing"),
    (["x", "y"], ["z", "y"], {"k": by_position(), "k[0]": ignore()}, "correct"),
    ([1.0, 2.0], [1.05, 2.0], {"k[*]": numeric(abs_tol=0.1), "k[0]": exact()}, "missing"),
    ([1.0, 2.0], [1.0, 2.0], {"k[*]": numeric(abs_tol=0.1), "k[0]": exact()}, "correct"),
]


@pytest.mark.parametrize(("label", "value", "inside", "outcome"), INDEXED)
def test_by_key_goes_by_the_rules_of_single_items(
    label: Any, value: Any, inside: dict[str, Any], outcome: str
) -> None:
    """An item of a key's list may have a rule of its own; without a fixed partner only the same is equal."""
    rules = {"$": by_key("k")} | {f"$[*].{path}": rule for path, rule in inside.items()}
    assert outcomes([{"k": label, "v": 1}], [{"k": value, "v": 1}], rules)["$[0].v"] == outcome


def test_by_position_pairs_where_items_stand() -> None:
    """A shifted list is wrong throughout; what lies beyond is missing or extra."""
    found = counts([1, 2, 3], [2, 3], {"$": by_position()})
    assert (found.wrong, found.missing) == (2, 1)
    assert counts([1], [1, 2], {"$": by_position()}).extra == 1


def longest_common(expected: list[int], actual: list[int]) -> int:
    """Return the length of the longest common subsequence, by trying all subsequences."""
    for size in range(min(len(expected), len(actual)), 0, -1):
        ours = set(itertools.combinations(expected, size))
        if ours & set(itertools.combinations(actual, size)):
            return size
    return 0


def test_in_order_is_the_best_alignment_that_keeps_order() -> None:
    """Under equality that is the longest common subsequence."""
    for _ in range(200):
        expected = [RANDOM.randint(0, 3) for _ in range(RANDOM.randint(1, 6))]
        actual = [RANDOM.randint(0, 3) for _ in range(RANDOM.randint(1, 6))]
        found = scored(expected, actual, {"$": in_order()})
        assert sum(leaf.score or 0 for leaf in found.leaves) == longest_common(expected, actual)
        (lists,) = found.lists
        assert list(lists.pairs) == sorted(lists.pairs)
        assert [j for _, j in lists.pairs] == sorted(j for _, j in lists.pairs)


def test_nested_lists_are_paired_inside_their_items() -> None:
    """Items are found by their inner lists, and those are paired in turn."""
    label = {"orders": [{"lines": [{"s": "a"}, {"s": "b"}]}, {"lines": [{"s": "c"}]}]}
    value = {"orders": [{"lines": [{"s": "c"}]}, {"lines": [{"s": "b"}, {"s": "a"}]}]}
    assert counts(label, value).correct == 3


@pytest.mark.parametrize("value", [[], None, {}, "text", 5])
def test_no_list_to_pair_with_means_everything_is_missing(value: Any) -> None:
    """An output that holds no list there lacks every item (h3-32)."""
    assert outcomes({"l": [{"a": 1}]}, {"l": value}) == {"l[0].a": "missing"}
    assert outcomes({"l": [{"a": 1}]}, {}) == {"l[0].a": "missing"}


def test_a_long_list_needs_no_call_for_every_pair() -> None:
    """Two shuffled lists of 400 items under a counting rule ask it for distinct values only."""
    asked: list[tuple[Any, Any]] = []

    def rule(label: Any, value: Any) -> bool:
        asked.append((label, value))
        return bool(label == value)

    items = [{"kind": f"k{i % 10}", "n": i} for i in range(400)]
    other = items[::-1]
    assert counts({"l": items}, {"l": other}, {"l[*].kind": rule}).correct == 800
    # 10 x 10 distinct kinds for the matrix, and one call for each paired leaf.
    assert len(asked) == 100 + 400


def test_thresholds_and_keys_are_checked_when_written() -> None:
    """A pairing that can't work is refused where it stands."""
    wrong: Any
    for wrong in (1.5, -0.1, "0.3", True, None, float("nan")):
        with pytest.raises(RuleError, match=rf"threshold is a number from 0 to 1, not {wrong!r}"):
            by_content(threshold=wrong)
    with pytest.raises(RuleError, match="by_key"):
        by_key()
    assert repr(by_content()) == "by_content()"
    assert repr(by_content(threshold=0.3)) == "by_content(threshold=0.3)"
    assert repr(by_key("a", "b")) == "by_key('a', 'b')"
    assert np.isfinite(by_content().threshold)


def test_a_threshold_may_be_a_decimal() -> None:
    """As that of other rules may; two of three alike are enough for 0.6."""
    share: Any = Decimal("0.6")
    expected, actual = [{"a": 1, "b": 2, "c": 3}], [{"a": 1, "b": 2, "c": 4}]
    assert counts(expected, actual, {"$": by_content(share)}).correct == 2
    assert counts(expected, actual, {"$": by_content(share + share / 2)}).correct == 0


def test_an_item_without_partner_is_missing_as_a_whole() -> None:
    """What is labelled empty in it is not met by its absence, and an empty item is a leaf (h3-31)."""
    assert outcomes([{"a": 1, "b": None, "c": []}], []) == {
        "$[0].a": "missing",
        "$[0].b": "missing",
        "$[0].c": "missing",
    }
    assert outcomes([{}], []) == {"$[0]": "missing"}
    assert counts([], [{}]).extra == 1
    assert counts([{"total": 6}], [{"total": 6}, {}]).extra == 1


SCORES = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=width, max_size=width),
        min_size=1,
        max_size=6,
    )
)


@given(SCORES)
@settings(deadline=None)
def test_the_assignment_has_the_best_total(scores: list[list[float]]) -> None:
    """Whether or not the rows' best scores stand in different columns: the total is scipy's."""
    matrix = np.array(scores)
    best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    rows, columns = assignment(matrix)
    assert len(set(rows)) == len(rows)
    assert len(set(columns)) == len(columns)
    assert matrix[rows, columns].sum() == best


@given(SCORES, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_first_choices_that_differ_are_the_assignment_of_sorted_items(
    scores: list[list[float]], rng: random.Random
) -> None:
    """Whatever the order of the rows; of equally good columns the first in their own order is taken."""
    matrix = np.array(scores)
    row_order = rng.sample(range(len(scores)), len(scores))
    column_order = rng.sample(range(len(scores[0])), len(scores[0]))
    found = first_choices(matrix, lambda columns: sorted(columns, key=column_order.index))
    if found is None:
        best = [np.flatnonzero(row == row.max()).tolist() for row in matrix if row.max() > 0]
        wanted = [min(columns, key=column_order.index) for columns in best]
        assert len(set(wanted)) < len(wanted) or sum(map(len, best)) > 4 * len(scores)
        return
    rows, columns = assignment(matrix[row_order][:, column_order])
    pairs = {(row_order[i], column_order[j]) for i, j in zip(rows, columns, strict=True)}
    assert pairs == set(zip(*found, strict=True))


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.tuples(
            *[st.lists(st.tuples(*[st.sampled_from(["a", "A", "b", 1, 1.0, None])] * width), min_size=1)] * 2
        )
    )
)
@settings(deadline=None, max_examples=60)
def test_comparing_all_columns_at_once_gives_what_adding_them_up_does(
    items: tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]],
) -> None:
    """To the last bit, where every rule is an equivalence and every weight 1."""
    sides: list[Any] = [[{str(k): part for k, part in enumerate(item)} for item in side] for side in items]
    label, value = sides
    node = compile_scorer([label]).scorer.root
    question = ItemsInQuestion(label, value, node, range(len(label)), lambda *_: (0.0, 0.0))
    rows, others = range(0, len(label), 2), range(len(value) - 1, -1, -1)

    added = PairScores(rows, others, len(label))
    for column in question.columns:
        added.add(column, lambda *_: (0.0, 0.0))
    codes = [column.codes for column in question.columns if column.codes is not None]

    assert len(codes) == len(question.columns)
    assert shares_agreeing(codes, rows, others).tolist() == added.mean().tolist()


def best_in_order(label: list[int | None], actual: list[int]) -> tuple[int, int]:
    """Return how many items of *label* are met in order, and how many more its Nones can absorb then.

    By trying everything: each item of the output is paired, absorbed or left, in order.
    """

    @cache
    def best(i: int, j: int) -> tuple[int, int]:
        if i == len(label) or j == len(actual):
            return 0, 0
        met, absorbed = best(i + 1, j + 1)
        here = (met, absorbed + 1) if label[i] is None else (met + (label[i] == actual[j]), absorbed)
        return max(here, best(i + 1, j), best(i, j + 1))

    return best(0, 0)


def test_in_order_lets_what_is_ignored_absorb_as_many_as_can_be() -> None:
    """By directive or by rule; of alignments that are as good, the one with the fewest extras."""
    for _ in range(200):
        places = [RANDOM.choice([None, 0, 1, 2]) for _ in range(RANDOM.randint(1, 6))]
        actual = [RANDOM.randint(0, 2) for _ in range(RANDOM.randint(1, 7))]
        label = [{"$ignore": True} if item is None else item for item in places]
        met, absorbed = best_in_order(places, actual)
        found = counts(label, actual, {"$": in_order()})
        assert (found.correct, found.extra) == (met, len(actual) - met - absorbed)
        if places.count(None) == len(places):
            continue  # a rule that fits no labelled leaf is refused
        numbers = [7 if item is None else item for item in places]
        ignored = {f"$[{i}]": ignore() for i, item in enumerate(places) if item is None}
        assert counts(numbers, actual, {"$": in_order(), **ignored}) == found


def test_in_order_sees_ties_of_sums_that_are_no_whole_numbers() -> None:
    """Thirds, added up in another order, are another float and the same score."""
    item = {"a": 1, "b": 2, "c": 3}
    near = [{**item, "a": 0}, {**item, "b": 0, "c": 0}, item]
    for order in itertools.permutations(near):
        label = [{"$ignore": True}, *order, {"$ignore": True}]
        assert counts(label, [item, *order, item], {"$": in_order()}).extra == 0


@pytest.mark.parametrize(
    ("label", "value", "rules"),
    [
        ([{"k": {"$absent": True}}], [{"k": []}, {}], {}),
        ([{"k": {"$absent": True}}], [{"k": {}}, {"k": None}], {}),
        ([[[], ["a"]]], [[["b"]]], {"[*][*][*]": ignore()}),
        ([{"l": [{}, {"a": 1}]}], [{"l": [{"a": 2}]}], {"[*].l[*].a": ignore()}),
    ],
)
def test_a_pairing_asks_what_the_walk_would_count(label: Any, value: Any, rules: dict[str, Any]) -> None:
    """To a directive an empty list is something, and what is ignored in nested lists is like nothing."""
    assert counts(label, value, rules).missing == counts(label, value, rules).invented == 0
    assert counts(label, value, rules).accuracy == 1


def test_a_part_of_a_key_may_be_empty() -> None:
    """It is a part like any other: equal to an empty one alone. Only a key of nothing else is lacking."""
    label = [{"a": 1, "b": None, "v": 5, "w": 7}, {"a": 2, "b": None, "v": 6, "w": 8}]
    value = [{"a": 2, "b": None, "v": 5, "w": 7}, {"a": 1, "v": 6, "w": 8}]
    rules = {"$": by_key("a", "b")}
    assert counts(label, value, rules).score == 4
    assert counts(label[:1], [{"a": 1, "b": 3, "v": 5, "w": 7}], rules).missing == 4
    assert counts([{"a": None, "b": None, "v": 5}], [{"v": 5}], rules).accuracy == 1


@pytest.mark.parametrize("pairing", [by_position(), in_order()])
def test_shuffling_settles_no_tie_where_lists_inside_keep_their_order(pairing: Pairing) -> None:
    """Two items that hold the same things in another order are told apart before places are asked."""
    label = [{"l": [{"a": 1, "b": 2}]}]
    one, other = {"l": [{"a": 1, "b": 0}, {"a": 0, "b": 2}]}, {"l": [{"a": 0, "b": 2}, {"a": 1, "b": 0}]}
    rules = {"[*].l": pairing}
    first, second = (
        count_by_field(scored(label, items, rules).leaves) for items in ([one, other], [other, one])
    )
    assert first == second
