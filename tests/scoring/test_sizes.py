"""Deep and long documents: no recursion limit, and no work that grows where nothing asks for it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_schemascore.documents.json_text import MAX_DEPTH
from pytest_schemascore.errors import CaseError
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.survey import MOST_LISTS
from tests.scoring.helpers import counts, scored


def nested(levels: int, leaf: Any, *, lists: bool) -> Any:
    """Return *leaf* inside so many objects or lists."""
    for _ in range(levels):
        leaf = [leaf] if lists else {"a": leaf}
    return leaf


def test_labels_as_deep_as_documents_may_be_are_scored() -> None:
    """As many levels as can be read, the last forty of them lists."""
    label = nested(MAX_DEPTH - MOST_LISTS, nested(MOST_LISTS, 1, lists=True), lists=False)
    other = nested(MAX_DEPTH - MOST_LISTS, nested(MOST_LISTS, 2, lists=True), lists=False)
    assert counts(label, label).correct == 1
    assert counts(label, other).missing == 1


def test_deeper_lists_are_refused_before_anything_runs() -> None:
    """Pairing nests once a level."""
    with pytest.raises(CaseError, match="too deep to be paired"):
        compile_scorer([nested(MOST_LISTS + 1, 1, lists=True)])


def test_outputs_may_be_deeper_than_any_label() -> None:
    """What lies beyond the labels is walked without calls in calls."""
    deep = nested(MAX_DEPTH - 2, 1, lists=False)
    assert counts({"a": 1}, {"a": 1, "b": deep}, count_extra=True).extra == 1
    assert counts({"l": [{"x": 1}]}, {"l": [{"x": 1}, deep]}).extra == 1


def test_very_long_lists_are_paired_without_a_matrix() -> None:
    """Equal items find each other, and what agrees with nothing asks for no memory (12 GB otherwise)."""
    label = list(range(40_000))
    assert counts({"l": label}, {"l": label[::-1]}).correct == 40_000
    apart = counts({"l": label}, {"l": [-1 - n for n in label]})
    assert (apart.missing, apart.extra) == (40_000, 40_000)


def test_lists_in_lists_are_solved_once() -> None:
    """Thirty lists of one inside each other ask the rule once for the pairing, and once for the leaf."""
    asked = []

    def rule(label: Any, value: Any) -> bool:
        asked.append(label)
        return bool(label == value)

    label = nested(30, 1, lists=True)
    path = "$" + "[*]" * 30
    assert counts(label, label, {path: rule}).correct == 1
    assert len(asked) < 100


def test_extras_come_in_the_order_of_the_output() -> None:
    """Keys and items as they stand there."""
    found = scored({"l": [{"x": 1}]}, {"l": [{"x": 1}, {"x": [1, {"y": 2}], "z": 3}]}, count_extra=True)
    assert [leaf.path for leaf in found.leaves if leaf.score is None] == [
        "l[1].x[0]",
        "l[1].x[1].y",
        "l[1].z",
    ]
