"""The leaves of right values, made when asked for, against leaves that are made at once."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore import by_position, exact, levenshtein
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.paths import field_of, parse
from pytest_schemascore.scoring.counting import count_by_field
from pytest_schemascore.scoring.leaves import Leaves, Right
from pytest_schemascore.scoring.outcomes import Counts, Leaf, Outcome
from tests.scoring.helpers import scored

FREE = settings(max_examples=80, deadline=None)
SCALARS = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([1.0, 0.5, "a", "A", " a", "b"])
ROWS = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "any key"]), SCALARS, max_size=3), min_size=1, max_size=6
)
RECORDS = st.fixed_dictionaries(
    {"rows": ROWS}, optional={"total": SCALARS, "deep": st.fixed_dictionaries({"x": SCALARS})}
)


def asked(expected: Any, actual: Any) -> float | None:
    """Say what `exact` says, as a function of the user's, which is always asked."""
    return exact()(expected, actual)


def held(document: Any, path: str) -> Any:
    """Return what *document* holds at *path*."""
    for step in parse(path):
        if isinstance(step, str):
            document = document.get(step, ABSENT) if isinstance(document, dict) else ABSENT
        else:
            assert isinstance(step, int)
            document = document[step] if isinstance(document, list) and step < len(document) else ABSENT
    return document


@FREE
@given(RECORDS, RECORDS)
def test_leaves_are_the_same_whether_the_rule_is_asked_or_not(label: Any, value: Any) -> None:
    """Equal values are settled without their rule; a function that says the same gives the same leaves."""
    fast = scored(label, value, {"$..rows": by_position()}).leaves
    slow = scored(label, value, {"$..rows": by_position()}, default=asked).leaves
    assert [leaf._replace(rule="") for leaf in fast] == [leaf._replace(rule="") for leaf in slow]


@FREE
@given(RECORDS, RECORDS)
def test_a_leaf_says_what_stands_where_it_points(label: Any, value: Any) -> None:
    """Paired by content, items move; every leaf still holds what both documents hold at its paths."""
    leaves = scored(label, value).leaves
    assert len(leaves) == len(list(leaves))
    for leaf in leaves:
        assert leaf.field == field_of(leaf.path)
        if leaf.outcome is not Outcome.EXTRA:
            assert leaf.expected == held(label, leaf.path)
        if leaf.outcome is not Outcome.MISSING:
            assert leaf.actual == held(value, leaf.actual_path)


@FREE
@given(RECORDS, RECORDS)
def test_counts_are_the_same_whether_leaves_are_made_or_not(label: Any, value: Any) -> None:
    """Counting doesn't make the leaves of right values, and comes to the same."""
    leaves = scored(label, value).leaves
    made = list(leaves)
    counts = count_by_field(leaves)
    assert counts == count_by_field(made)
    assert list(counts) == list(dict.fromkeys(leaf.field for leaf in made))
    for name, found in counts.items():
        own = [leaf for leaf in made if leaf.field == name]
        assert found.correct == sum(leaf.outcome is Outcome.CORRECT for leaf in own)
        assert found.labelled == sum(leaf.outcome is not Outcome.EXTRA for leaf in own)


def test_right_values_are_not_made_until_asked_for() -> None:
    """Of a list that is right but for one value, one leaf is made."""
    label = {"rows": [{"a": i, "b": f"text {i}"} for i in range(50)]}
    value = {"rows": [{"a": i, "b": f"text {i}" if i else "other"} for i in reversed(range(50))]}
    leaves = scored(label, value).leaves
    assert [part.path for part in leaves.parts if isinstance(part, Leaf)] == ["rows[0].b"]
    assert sum(len(part.spots) for part in leaves.parts if isinstance(part, Right)) == 99
    assert (
        leaves[3]
        == leaves[2:5][1]
        == Leaf("rows[1].b", "rows[*].b", Outcome.CORRECT, 1.0, "text 1", "text 1", "exact()", "rows[48].b")
    )


def test_items_that_only_normalize_alike_keep_what_each_side_holds() -> None:
    """The pairing settles them as right; their leaves still show both spellings."""
    label = {"rows": [{"a": "One  line", "b": 1}, {"a": "Two", "b": 2}]}
    value = {"rows": [{"a": "two", "b": 2.0}, {"b": 1, "a": "one line"}]}
    assert [(leaf.expected, leaf.actual, leaf.outcome) for leaf in scored(label, value).leaves] == [
        ("One  line", "one line", Outcome.CORRECT),
        (1, 1, Outcome.CORRECT),
        ("Two", "two", Outcome.CORRECT),
        (2, 2.0, Outcome.CORRECT),
    ]


def test_leaves_put_together_keep_their_order() -> None:
    """Extending by leaves that aren't made leaves them so."""
    first = scored({"a": 1, "b": 2}, {"a": 1, "b": 3}).leaves
    both = Leaves()
    both.extend(first)
    both.extend(list(first))
    assert [leaf.path for leaf in both] == ["a", "b", "a", "b"]
    assert sum(isinstance(part, Right) for part in both.parts) == 1
    assert both == [*first, *first]


def test_documents_that_change_after_they_were_scored_change_no_leaf() -> None:
    """An extractor may return one and the same object for every case, and change it in between."""
    label: Any = {"a": 1, "rows": [{"b": "X", "c": 2}, {"b": "y", "c": 3}], "d": "z"}
    value: Any = {"a": 1, "rows": [{"b": "y", "c": 3}, {"b": "x", "c": 2}], "d": "other"}
    leaves = scored(label, value).leaves
    for document in (label, value):
        document["a"] = 5
        document["rows"][0].clear()
        document["rows"][1]["b"] = "changed"
    assert [(leaf.path, leaf.expected, leaf.actual) for leaf in leaves] == [
        ("a", 1, 1),
        ("rows[0].b", "X", "x"),
        ("rows[0].c", 2, 2),
        ("rows[1].b", "y", "y"),
        ("rows[1].c", 3, 3),
        ("d", "z", "other"),
    ]


def test_items_that_the_pairing_settles_keep_their_extras() -> None:
    """Where unlabelled keys count, those of an item that is right otherwise do too."""
    leaves = scored({"r": [{"a": 1}, {"a": 2}]}, {"r": [{"a": 2}, {"a": 1, "z": 9}]}, count_extra=True).leaves
    assert [leaf.path for leaf in leaves if leaf.outcome is Outcome.EXTRA] == ["r[1].z"]


ALIKE = st.lists(st.fixed_dictionaries({"a": st.sampled_from("xXyz"), "b": st.integers(0, 2)}), max_size=6)
LONGER = st.lists(
    st.fixed_dictionaries({"a": st.sampled_from("xXyz"), "b": st.integers(0, 2)}, optional={"z": st.just(1)}),
    max_size=6,
)


@FREE
@given(ALIKE, LONGER, st.booleans())
def test_items_that_are_settled_come_to_what_visiting_them_would(label: Any, value: Any, count: bool) -> None:
    """A function has no codes, so nothing is settled before it is visited; of ties either may be chosen."""
    fast = count_by_field(scored({"r": label}, {"r": value}, count_extra=count).leaves)
    slow = count_by_field(scored({"r": label}, {"r": value}, default=asked, count_extra=count).leaves)
    assert Counts.total(fast.values()).score == Counts.total(slow.values()).score
    assert fast.get("r[*].z") == slow.get("r[*].z")


def test_a_score_is_the_same_whichever_right_values_are_made() -> None:
    """As after a worker's report was read, where all leaves are."""
    label = {"rows": [{"a": "x" * n, "b": "kitten"} for n in range(12)]}
    value = {"rows": [{"a": "x" * n, "b": "sitting" if n % 3 else "kitten"} for n in range(12)]}
    leaves = scored(label, value, {"$..b": levenshtein(), "rows": by_position()}).leaves
    assert count_by_field(leaves)["rows[*].b"].score == count_by_field(list(leaves))["rows[*].b"].score


def test_leaves_can_be_pickled_whatever_the_rules_are() -> None:
    """They hold names of rules and no rules, which may be functions that can't be."""
    leaves = scored({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"b": lambda e, a: float(e == a)}).leaves
    assert pickle.loads(pickle.dumps(leaves)) == leaves  # noqa: S301 - it is our own
