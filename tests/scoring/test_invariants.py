"""What holds for every label and output (S3, S7, S8), and the fast ways against the plain one."""

from __future__ import annotations

import copy
import json
import random  # noqa: TC003 - hypothesis reads annotations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore import (
    by_content,
    by_key,
    by_position,
    exact,
    ignore,
    in_order,
    jaccard,
    levenshtein,
    numeric,
)
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.counting import count_by_field
from pytest_schemascore.scoring.outcomes import Counts, Outcome
from tests.scoring.helpers import counts, outcomes, scored

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.0, -2.0]),
    st.sampled_from(["", "a", "A", "b c", "c b"]),
)
KEYS = st.sampled_from(["a", "b", "c.d", "$e"])
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
RULES: list[dict[str, Any]] = [
    {},
    {"default": numeric(abs_tol=1)},
    {"default": levenshtein()},
    {"default": {"string": jaccard(), "number": numeric(abs_tol=1)}},
]
FREE = settings(max_examples=60, deadline=None)


def shuffled(value: Any, rng: random.Random) -> Any:
    """Return *value* with the items of every list in another order, keys too."""
    if isinstance(value, list):
        items = [shuffled(item, rng) for item in value]
        rng.shuffle(items)
        return items
    if isinstance(value, dict):
        pairs = [(key, shuffled(part, rng)) for key, part in value.items()]
        rng.shuffle(pairs)
        return dict(pairs)
    return value


def summary(label: Any, value: Any, options: dict[str, Any]) -> list[tuple[str, Counts]]:
    """Return the counts of every field, by name, with the score rounded to what sums of floats can hold."""
    by_field = count_by_field(scored(label, value, **options).leaves)
    return sorted(
        (
            name,
            Counts(
                round(c.score, 9),
                c.labelled,
                c.correct,
                c.missing,
                c.invented,
                c.extra,
                c.not_judged,
                c.empty,
            ),
        )
        for name, c in by_field.items()
    )


@FREE
@given(DOCUMENTS, DOCUMENTS, st.sampled_from(RULES), st.randoms())
def test_shuffling_lists_changes_no_count(
    label: Any, value: Any, rules: dict[str, Any], rng: random.Random
) -> None:
    """Neither in the label nor in the output, at any depth, under equality, tolerance or similarity."""
    before = summary(label, value, rules)
    assert summary(shuffled(label, rng), value, rules) == before
    assert summary(label, shuffled(value, rng), rules) == before


def test_a_tie_is_settled_alike_whatever_the_order_in_the_tied_items_is() -> None:
    """Both items of the label agree with the one there is on a third; one of them holds a shuffled list."""
    nulls: Any = [None, None, None]
    pair: list[Any] = [False, {"a": None, "b": False}]
    found = [summary([nulls, other], [[None]], {}) for other in (pair, pair[::-1])]
    found += [summary([other, nulls], [[None]], {}) for other in (pair, pair[::-1])]
    assert found == found[:1] * 4


@FREE
@given(DOCUMENTS, DOCUMENTS | st.just(ABSENT), st.sampled_from(RULES), st.booleans())
def test_every_labelled_leaf_has_one_outcome(
    label: Any, value: Any, rules: dict[str, Any], extra: bool
) -> None:
    """Correct + wrong + missing + invented = labelled, whatever the output is."""
    found = scored(label, value, count_extra=extra, **rules).leaves
    total = Counts.total(count_by_field(found).values())
    assert total.correct + total.wrong + total.missing + total.invented == total.labelled
    assert total.labelled == sum(leaf.outcome is not Outcome.EXTRA for leaf in found)
    assert total.labelled == counts(label, ABSENT, **rules).labelled
    for leaf in found:
        if leaf.outcome is not Outcome.EXTRA:
            assert (leaf.score == 1) == (leaf.outcome is Outcome.CORRECT)
    if not extra:
        assert total.extra == 0 or any(leaf.path.endswith("]") or "]" in leaf.path for leaf in found)


@FREE
@given(DOCUMENTS, st.sampled_from(RULES), st.booleans())
def test_a_label_against_itself_is_perfect(label: Any, rules: dict[str, Any], extra: bool) -> None:
    """Accuracy, precision and recall are 1 or have nothing to measure."""
    total = counts(label, copy.deepcopy(label), count_extra=extra, **rules)
    assert total.is_perfect
    assert total.accuracy == 1.0
    assert total.precision in (1.0, None)
    assert total.recall in (1.0, None)


@FREE
@given(DOCUMENTS, DOCUMENTS, st.sampled_from(RULES), st.randoms())
def test_an_unlabelled_key_changes_nothing(
    label: Any, value: Any, rules: dict[str, Any], rng: random.Random
) -> None:
    """A key that no label knows, added to any object that holds something, has no say in anything."""

    def add(part: Any) -> Any:
        if isinstance(part, list):
            return [add(item) for item in part]
        if isinstance(part, dict) and part:
            extended = {key: add(inner) for key, inner in part.items()}
            return extended | {"unlabelled": rng.choice([1, [], {"a": 1}])}
        return part

    plain = [
        (x.path, x.outcome, x.score)
        for x in scored(label, value, **rules).leaves
        if x.outcome is not Outcome.EXTRA
    ]
    more = scored(label, add(value), **rules).leaves
    assert [(x.path, x.outcome, x.score) for x in more if x.outcome is not Outcome.EXTRA] == plain
    assert counts(label, add(value), **rules).extra == counts(label, value, **rules).extra


@FREE
@given(DOCUMENTS, DOCUMENTS)
def test_paths_are_unique_and_lead_to_the_label(label: Any, value: Any) -> None:
    """No two labelled leaves share a path."""
    paths = [leaf.path for leaf in scored(label, value).leaves if leaf.outcome is not Outcome.EXTRA]
    assert len(paths) == len(set(paths))


def plain_score(label: Any, value: Any, same: Any) -> float:
    """Score a flat item the plain way: each labelled key on its own, the mean."""
    parts = []
    for key, part in label.items():
        found = value.get(key) if isinstance(value, dict) else None
        empty = found in (None, [], {}) and not isinstance(found, (bool, int, float, str))
        if part is None:
            parts.append(float(empty))
        else:
            parts.append(0.0 if empty else float(same(part, found)))
    return sum(parts) / len(parts)


def equal(label: Any, value: Any) -> bool:
    """Compare as S6 has it, for the values of this test."""
    if isinstance(label, bool) or isinstance(value, bool):
        return label is value
    if isinstance(label, str) and isinstance(value, str):
        return " ".join(label.casefold().split()) == " ".join(value.casefold().split())
    return (
        type(label) is not str
        and type(value) is not str
        and not isinstance(value, (list, dict))
        and bool(label == value)
    )


def near(label: Any, value: Any) -> bool:
    """Compare numbers within 1, all else by `equal`."""
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (label, value))
    return abs(label - value) <= 1 if numbers else equal(label, value)


ITEMS = st.lists(
    st.dictionaries(st.sampled_from("abc"), SCALARS, min_size=1, max_size=3), min_size=1, max_size=6
)
OTHERS: st.SearchStrategy[list[Any]] = st.lists(
    st.one_of(
        st.dictionaries(st.sampled_from("abc"), SCALARS | st.just([]) | st.just({}), max_size=3), SCALARS
    ),
    max_size=6,
)


@FREE
@given(ITEMS, OTHERS, st.booleans())
def test_scores_of_pairs_are_those_of_their_leaves(
    label: list[Any], value: list[Any], tolerant: bool
) -> None:
    """The matrix that pairs are chosen by holds, cell by cell, what plain scoring of that pair gives."""
    from pytest_schemascore.scoring.items import ItemsInQuestion

    options: dict[str, Any] = {"default": numeric(abs_tol=1)} if tolerant else {}
    # numeric() reads texts as numbers, none of which stands here.
    node = compile_scorer([label], **options).scorer.root
    items = ItemsInQuestion(label, value, node, range(len(label)), lambda *_: (0.0, 0.0))
    matrix = items.matrix(range(len(label)), range(len(value)))
    same = near if tolerant else equal
    for i, item in enumerate(label):
        for j, found in enumerate(value):
            assert abs(matrix[i, j] - plain_score(item, found, same)) < 1e-12


@FREE
@given(ITEMS, OTHERS)
def test_settling_identical_items_first_loses_nothing(label: list[Any], value: list[Any]) -> None:
    """With and without that short cut the best total is the same."""
    from scipy.optimize import linear_sum_assignment

    from pytest_schemascore.scoring.items import ItemsInQuestion

    node = compile_scorer([label]).scorer.root
    items = ItemsInQuestion(label, value, node, range(len(label)), lambda *_: (0.0, 0.0))
    matrix = items.matrix(range(len(label)), range(len(value)))
    best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    pairs = node.pairing.pair(items).pairs
    assert abs(sum(matrix[i, j] for i, j in pairs) - best) < 1e-9


@FREE
@given(
    st.lists(st.fixed_dictionaries({"k": st.integers(0, 4), "v": SCALARS}), max_size=5),
    st.lists(st.fixed_dictionaries({"k": st.integers(0, 4), "v": SCALARS}), max_size=5),
)
def test_pairs_by_key_agree_on_the_key(label: list[Any], value: list[Any]) -> None:
    """As many pairs as the keys allow, never two items with different keys."""
    if not label:
        return
    (lists,) = scored({"l": label}, {"l": value}, {"l": by_key("k")}).lists
    assert all(label[i]["k"] == value[j]["k"] for i, j in lists.pairs)
    keys = [item["k"] for item in label]
    others = [item["k"] for item in value]
    assert len(lists.pairs) == sum(min(keys.count(k), others.count(k)) for k in set(keys))


FULL = st.recursive(
    st.sampled_from(["a", "A", "b", 1, 2]),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.sampled_from(["x", "y"]), inner, min_size=1)
    ),
    max_leaves=6,
)


def items_of(key: Any, other: Any) -> tuple[Any, Any]:
    """Return two lists of one item that have nothing but these keys, and one value, in common."""
    return {"l": [{"k": key, "v": 1}]}, {"l": [{"k": other, "v": 1}]}


def pairs_by(key: Any, other: Any, rules: dict[str, Any] | None = None) -> bool:
    """Say whether such items are paired by their key."""
    found = outcomes(*items_of(key, other), {"l": by_key("k"), **(rules or {})})
    return found["l[0].v"] == "correct"


def with_more(value: Any) -> Any:
    """Add a key that no label holds to every object."""
    if isinstance(value, dict):
        return {**{key: with_more(part) for key, part in value.items()}, "unlabelled": [1]}
    return [with_more(item) for item in value] if isinstance(value, list) else value


@settings(FREE, max_examples=100)
@given(FULL, FULL)
def test_keys_that_are_equal_have_a_perfect_score_of_their_own(label: Any, value: Any) -> None:
    """Whatever a key is: a text, a list, an object or all of these."""
    assert counts({"k": label}, {"k": value}).is_perfect or not pairs_by(label, value)


NUMBERS = st.lists(st.sampled_from([1.0, 1.05, 2.0]), min_size=1, max_size=3)


@pytest.mark.parametrize("pairing", [by_content(), by_position(), in_order()])
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"l[*].k[*]": numeric(abs_tol=0.1)},
        {"l[*].k[0]": numeric(abs_tol=0.1)},
        {"l[*].k[*]": numeric(abs_tol=0.1), "l[*].k[0]": exact()},
        {"l[*].k[*]": ignore(), "l[*].k[0]": exact()},
        {"l[*].k[0]": ignore()},
        {"l[*].k[0]": ignore(), "l[*].k[*]": numeric(abs_tol=0.1)},
    ],
)
@settings(FREE, max_examples=20)
@given(NUMBERS, NUMBERS)
def test_keys_are_equal_by_the_rules_of_their_items(
    pairing: Any, rules: dict[str, Any], label: Any, value: Any
) -> None:
    """Lists of numbers, some with a rule of their own: themselves always, others where all are met."""
    rules = {"l[*].k": pairing, **rules}
    if pairs_by(label, value, rules):
        assert counts(*items_of(label, value), {"l": by_position(), **rules}).is_perfect
    assert pairs_by(label, list(label), rules)


@FREE
@given(FULL, st.randoms(use_true_random=False))
def test_no_order_tells_keys_apart_nor_what_is_not_labelled(label: Any, rng: random.Random) -> None:
    """Neither that of lists nor that of keys."""
    assert pairs_by(label, shuffled(label, rng))
    assert pairs_by(label, with_more(shuffled(label, rng)))


@FREE
@given(DOCUMENTS, DOCUMENTS)
def test_no_order_or_position_beats_content(label: Any, value: Any) -> None:
    """Of flat lists, by_content finds at least the score that any other pairing finds."""
    if not isinstance(label, list) or not label or any(isinstance(item, (list, dict)) for item in label):
        return
    best = counts(label, value).score
    for pairing in (by_position(), in_order()):
        assert counts(label, value, {"$": pairing}).score <= best


@FREE
@given(DOCUMENTS, DOCUMENTS)
def test_documents_are_not_changed(label: Any, value: Any) -> None:
    """Scoring only looks."""
    before = json.dumps([label, value])
    outcomes(label, value)
    assert json.dumps([label, value]) == before


def _chosen(label: Any, rng: random.Random) -> Any:
    """Return an output that meets one alternative of each ``$any``."""
    if isinstance(label, dict):
        if label.keys() == {"$any"}:
            return _chosen(rng.choice(label["$any"]), rng)
        return {key: _chosen(part, rng) for key, part in label.items()}
    return [_chosen(part, rng) for part in label] if isinstance(label, list) else label


WITH_CHOICES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(KEYS, inner, max_size=3),
        st.lists(inner, min_size=1, max_size=3).map(lambda each: {"$any": each}),
    ),
    max_leaves=10,
)


@FREE
@given(label=WITH_CHOICES, other=DOCUMENTS, rng=st.randoms(use_true_random=False))
def test_what_is_counted_does_not_depend_on_the_output(label: Any, other: Any, rng: random.Random) -> None:
    """Whichever alternative is met, the labelled leaves are in the same fields."""
    met = count_by_field(scored(label, _chosen(label, rng)).leaves)
    for value in (other, ABSENT, None):
        found = count_by_field(scored(label, value).leaves)
        assert {k: c.labelled for k, c in found.items() if c.labelled} == {
            k: c.labelled for k, c in met.items() if c.labelled
        }
    assert all(c.correct == c.labelled for c in met.values())
