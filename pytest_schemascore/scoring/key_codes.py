"""Codes of the values that tell items apart: equal where the rules there hold the values equal (S8)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pytest_schemascore.documents.json_text import canonical
from pytest_schemascore.documents.json_types import Absent, Json, is_empty
from pytest_schemascore.scoring.columns import codes_of
from pytest_schemascore.scoring.comparators.equality import number_off
from pytest_schemascore.scoring.comparators.exact import exact

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pytest_schemascore.scoring.rules import RuleNode


def key_codes(values: Sequence[Json | Absent], labels: int, node: RuleNode) -> list[Hashable]:
    """Return a code of each of *values*, of which the first so many are *labels*; None of an empty one.

    Where a rule can't say what is equal (a similarity, a tolerance that isn't transitive here), `exact`
    decides. Of a list counts what it holds, and the order only where the list's pairing minds it; of an
    object what some label here holds, unless it is empty or ignored.
    """
    codes = _of_leaves(
        [None if isinstance(value, (list, dict, Absent)) or is_empty(value) else value for value in values],
        node,
    )
    for kind, of_kind in ((list, _of_lists), (dict, _of_objects)):
        places = [place for place, value in enumerate(values) if isinstance(value, kind) and value]
        if places:
            found: list[Any] = [values[place] for place in places]
            labelled = sum(place < labels for place in places)
            for place, code in zip(places, of_kind(found, labelled, node), strict=True):
                codes[place] = code
    return codes


def _of_leaves(values: Sequence[Json], node: RuleNode) -> list[Hashable]:
    for comparator in (node.comparator, exact()):
        codes = codes_of(comparator, values)
        if codes is not None:
            numbers = number_off(codes).tolist()
            return [None if code is None else k for k, code in zip(numbers, codes, strict=True)]
    return [None if value is None else canonical(value) for value in values]


def _of_lists(lists: Sequence[list[Json]], labels: int, node: RuleNode) -> list[Hashable]:
    items = [item for each in lists for item in each]
    found = iter(key_codes(items, sum(map(len, lists[:labels])), node.any_item))
    codes = [tuple(next(found) for _ in each) for each in lists]
    if node.pairing.minds_order:
        return [("list", code) for code in codes]
    return [("list", frozenset(Counter(code).items())) for code in codes]


def _of_objects(objects: Sequence[dict[str, Json]], labels: int, node: RuleNode) -> list[Hashable]:
    codes: list[dict[str, Hashable]] = [{} for _ in objects]
    for key in dict.fromkeys(key for label in objects[:labels] for key in label):
        child = node.key(key)
        if child.skipped:
            continue
        parts = key_codes([each.get(key) for each in objects], labels, child)
        for code, part in zip(codes, parts, strict=True):
            if part is not None:
                code[key] = part
    return [("object", frozenset(code.items())) for code in codes]
