"""Codes of the values that tell items apart: equal where the rules there hold the values equal (S8)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Any

from pytest_schemascore.documents.json_text import canonical
from pytest_schemascore.documents.json_types import Absent, Json, is_empty
from pytest_schemascore.scoring.columns import codes_of, parts_by_key
from pytest_schemascore.scoring.comparators.equality import number_off
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.pairing.by_position import by_position

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pytest_schemascore.scoring.rules import RuleNode


def key_codes(values: Sequence[Json | Absent], labels: int, node: RuleNode) -> list[Hashable]:
    """Return a code of each of *values*, of which the first so many are *labels*; None of an empty one.

    Where a rule can't say what is equal (a similarity, a tolerance that isn't transitive here), `exact`
    decides, and on a key that is ignored, which may still tell items apart. Of a list counts what it holds,
    and the order only where the list's pairing minds it; of an object what some label here holds. What is
    ignored in them is like what is empty, and an object of nothing else is empty.
    """
    if node.skipped:
        return _of_leaves(
            [None if isinstance(value, Absent) or is_empty(value) else value for value in values], node
        )
    return _codes(values, labels, node)


def _codes(values: Sequence[Json | Absent], labels: int, node: RuleNode) -> list[Hashable]:
    if node.skipped:
        return [None] * len(values)
    codes = _of_leaves(
        [None if isinstance(value, (list, dict, Absent)) or is_empty(value) else value for value in values],
        node,
    )
    for kind, of_kind in ((list, _of_lists), (dict, _of_objects)):
        places = [place for place, value in enumerate(values) if isinstance(value, kind) and value]
        if places:
            found: list[Any] = [values[place] for place in places]
            parts = of_kind(found, bisect_left(places, labels), node)
            # Numbers in place of what holds codes in turn, however deep.
            for place, part, number in zip(places, parts, number_off(parts).tolist(), strict=True):
                codes[place] = (kind, number) if part else None
    return codes


def _of_leaves(values: Sequence[Json], node: RuleNode) -> list[Hashable]:
    for comparator in (node.comparator, exact()):
        codes = codes_of(comparator, values)
        if codes is not None:
            numbers = number_off(codes).tolist()
            return [None if code is None else k for k, code in zip(numbers, codes, strict=True)]
    return [None if value is None else canonical(value) for value in values]


def _of_lists(lists: Sequence[list[Json]], labels: int, node: RuleNode) -> list[Hashable]:
    if node.has_index_rules:
        return _of_tuples(lists, labels, node)
    items = [item for each in lists for item in each]
    found = iter(_codes(items, sum(map(len, lists[:labels])), node.any_item))
    codes = [tuple(next(found) for _ in each) for each in lists]
    return list(codes) if node.pairing.minds_order else [frozenset(Counter(code).items()) for code in codes]


def _of_tuples(lists: Sequence[list[Json]], labels: int, node: RuleNode) -> list[Hashable]:
    """Return codes of lists some of whose items have rules of their own."""
    if not isinstance(node.pairing, by_position):
        # Which rule an item meets depends on its partner; the same text meets any.
        return [canonical(each) for each in lists]
    codes: list[list[Hashable]] = [[] for _ in lists]
    for index in range(max(map(len, lists))):
        places = [place for place, each in enumerate(lists) if len(each) > index]
        items = [lists[place][index] for place in places]
        parts = _codes(items, bisect_left(places, labels), node.item(index))
        for place, part in zip(places, parts, strict=True):
            codes[place].append(part)
    return list(map(tuple, codes))


def _of_objects(objects: Sequence[dict[str, Json]], labels: int, node: RuleNode) -> list[Hashable]:
    labelled = {key for label in objects[:labels] for key in label}
    codes: list[dict[str, Hashable]] = [{} for _ in objects]
    for key, places, values in parts_by_key(range(len(objects)), objects):
        if key not in labelled:
            continue
        parts = _codes(values, bisect_left(places, labels), node.key(key))
        for place, part in zip(places, parts, strict=True):
            if part is not None:
                codes[place][key] = part
    return [frozenset(code.items()) for code in codes]
