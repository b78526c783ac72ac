"""How well the items of two lists agree, column by column instead of pair by pair (S8).

A column's scores come from comparing codes where its rule is an equivalence on the values at hand, else from
one call of its comparator's `matrix`; only nested lists and directives are scored pair by pair, each distinct
pair once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_text import all_canonical, canonical
from pytest_schemascore.documents.json_types import CONTAINERS, SCALARS, Absent, Json
from pytest_schemascore.documents.label_directives import ANY, directive_of, holds_directive
from pytest_schemascore.scoring.columns import Column, Columns, Keys, values_at
from pytest_schemascore.scoring.key_codes import key_codes
from pytest_schemascore.scoring.matrix import Codes, PairScores, shares_agreeing
from pytest_schemascore.scoring.pairing.base import places_of
from pytest_schemascore.scoring.rules import RuleNode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Agreement: TypeAlias = Callable[[Json, "Json | Absent", RuleNode], tuple[float, float]]
"""Scores one label against one value, with the rules there: the weighted scores summed, and the weights."""


class ItemsInQuestion:
    """The items of one list on both sides; see `pytest_schemascore.scoring.pairing.base.ItemScores`.

    Args:
        label, actual: the lists.
        node: the rules of the lists.
        places: index in *label* of each item that counts; the others only absorb an item.
        agreement: scores what columns can't.
        literal: whether nothing in *label* is a directive.
    """

    def __init__(
        self,
        label: Sequence[Json],
        actual: Sequence[Json],
        node: RuleNode,
        places: Sequence[int],
        agreement: Agreement,
        *,
        literal: bool = False,
    ) -> None:
        self.expected = [label[i] for i in places]
        self.actual = actual
        self.places = places
        counted = set(places)
        self.spare = [i for i in range(len(label)) if i not in counted]
        self._node = node
        self._agreement = agreement
        self._literal = literal

    @cached_property
    def columns(self) -> list[Column]:
        """The columns, in an order that shuffling doesn't change: sums of floats depend on it."""
        columns = Columns(self._literal)
        for node, rows in self._rows_by_node():
            columns.collect(node, rows, [self.expected[row] for row in rows], self.actual)
        return sorted(columns.found, key=lambda column: (column.keys, column.plain))

    def _rows_by_node(self) -> Iterable[tuple[RuleNode, Sequence[int]]]:
        if not self._node.has_index_rules:
            return [(self._node.any_item, range(len(self.expected)))]
        groups: dict[int, tuple[RuleNode, list[int]]] = {}
        for row, place in enumerate(self.places):
            node = self._node.item(place)
            groups.setdefault(id(node), (node, []))[1].append(row)
        return groups.values()

    def matrix(self, rows: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Return the score of expected items *rows* against output items *others*, in [0, 1]."""
        codes = self._codes_of_all
        few = codes and len(rows) * len(others) * len(codes) < _FEW
        if codes and few and all(column.node.weight == 1 for column in self.columns):
            return shares_agreeing(codes, rows, others)
        scores = PairScores(rows, others, len(self.expected))
        for column in self.columns:
            scores.add(column, self._agreement)
        return scores.mean()

    def keys(self, names: Sequence[str]) -> tuple[list[Hashable], list[Hashable]]:
        """Return, for each side, an item's key from its values at *names*; None where all are empty.

        Equal keys mean that the rules of those fields hold the values equal. Where a rule can't say so (a
        similarity, a tolerance that isn't transitive here), `exact` decides. A directive's key equals none.
        """
        parts = [self._key(name) for name in names]
        keys: list[Hashable] = [key if set(key) != {None} else None for key in zip(*parts, strict=True)]
        for row in self.open_keys(names):
            keys[row] = (ANY, row)
        return keys[: len(self.expected)], keys[len(self.expected) :]

    def open_keys(self, names: Sequence[str]) -> list[int]:
        """Return the expected items that are a directive, or have one as or in a key."""
        if self._literal:
            return []
        keys = zip(*(values_at(self.expected, _steps(name)) for name in names), strict=True)
        return [
            row
            for row, (item, key) in enumerate(zip(self.expected, keys, strict=True))
            if directive_of(item) or any(map(holds_directive, key))
        ]

    def meets_key(self, row: int, other: int, names: Sequence[str]) -> bool:
        """Say whether an output item holds at *names* what an expected item asks for there."""
        if directive_of(self.expected[row]):
            return True  # the item as a whole says what it takes
        for name in names:
            keys = _steps(name)
            wanted, given = values_at([self.expected[row], self.actual[other]], keys)
            if not isinstance(wanted, Absent):
                score, weight = self._agreement(wanted, given, self._key_node(keys))
                if score < weight:
                    return False
        return True

    def _key_node(self, keys: Keys) -> RuleNode:
        node = self._node.any_item
        for key in keys:
            node = node.key(key)
        return node

    def _key(self, name: str) -> list[Hashable]:
        names = _steps(name)
        values = values_at([*self.expected, *self.actual], names)
        return key_codes(values, len(self.expected), self._key_node(names))

    @cached_property
    def _codes_of_all(self) -> list[Codes] | None:
        """The codes of every column; None where one has none, or not every expected item labels it."""
        found: list[Codes] = []
        for column in self.columns:
            if len(column.rows) < len(self.expected) or column.codes is None:
                return None
            found.append(column.codes)
        return found

    def identical(self) -> list[tuple[int, int]]:
        """Return pairs of items that agree on everything and may be settled first; often none.

        That keeps the best total only where one minus the score is a metric: every expected item labels the
        same places, all of them plain, and every rule is an equivalence on the values at hand.
        """
        codes = self._codes_of_all
        if not codes:
            return []
        left, right = zip(*codes, strict=True)
        expected, actual = list(zip(*left, strict=True)), list(zip(*right, strict=True))
        place_of = dict(zip(actual, range(len(actual)), strict=True))
        if len(place_of) == len(actual) and len(set(expected)) == len(expected):  # as mostly
            return [(i, place_of[key]) for i, key in enumerate(expected) if key in place_of]
        waiting = places_of(actual)
        pairs: list[tuple[int, int]] = []
        for key, rows in places_of(expected).items():
            others = waiting.get(key, ())
            if others:
                pairs += zip(self.sorted_expected(rows), self.sorted_actual(others), strict=False)
        return pairs

    def all_scalars(self) -> bool:
        """Say whether all expected items are objects of the same keys, with scalars there, none ignored.

        A rule that chooses another for each leaf is asked there, to name the one it chose.
        """
        columns, length = self.columns, len(self.expected)
        return all(
            len(column.keys) == 1
            and column.node.trusts
            and len(column.rows) == length
            and SCALARS.issuperset(map(type, column.labels))
            for column in columns
        ) and all(len(item) == len(columns) for item in self.expected if isinstance(item, dict))

    def promising(self, rows: Sequence[int], others: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """Return those of both that agree on something with one of the other side, as far as codes tell."""
        if len(rows) * len(others) < _WORTH_A_LOOK:
            return rows, others
        lone_rows, lone_others = set(rows), set(others)
        for column in self.columns:
            if column.codes is None:
                return rows, others
            of_labels, of_values = column.codes
            at, places = column.places(rows, len(self.expected))
            common = {of_labels[k] for k in places} & {of_values[j] for j in others}
            lone_rows -= {rows[i] for i, k in zip(at, places, strict=True) if of_labels[k] in common}
            lone_others -= {j for j in others if of_values[j] in common}
        return [i for i in rows if i not in lone_rows], [j for j in others if j not in lone_others]

    def sorted_expected(self, rows: Iterable[int]) -> list[int]:
        """Sort expected items by canonical JSON, whatever the order of unordered lists, then by place."""
        return _by_content(self.expected, list(rows), self._node.any_item)

    def sorted_actual(self, others: Iterable[int]) -> list[int]:
        """Sort output items likewise."""
        return _by_content(self.actual, list(others), self._node.any_item)


_FEW: Final = 1_000_000
"""Up to how many values in a matrix, over all its columns, one call may compare them at once."""

_WORTH_A_LOOK: Final = 40_000
"""From how many pairs on it pays to look for items that agree with none."""


def _steps(name: str) -> Keys:
    return tuple(step for step in paths.parse(name) if isinstance(step, str))


def _by_content(items: Sequence[Json], places: list[int], node: RuleNode) -> list[int]:
    if len(places) < 2:
        return places
    found = [items[place] for place in places]
    flat = [item for item in found if isinstance(item, dict) and _is_flat(item)]
    if len(flat) == len(found):  # as mostly
        texts = all_canonical(flat)
    else:
        texts = [canonical(_unordered(item, node)) for item in found]
    return [place for _, place in sorted(zip(texts, places, strict=True))]


def _is_flat(item: dict[str, Json]) -> bool:
    return CONTAINERS.isdisjoint(map(type, item.values()))


def _unordered(value: Json, node: RuleNode) -> Json:
    """Return *value* with the items of its lists sorted: no order that shuffling changes may settle a tie.

    Where the order counts by the rules at *node*, it stays.
    """
    if isinstance(value, dict):
        if _is_flat(value):
            return value
        return {key: _unordered(part, node.key(key)) for key, part in value.items()}
    if isinstance(value, list):
        items = [_unordered(item, node.any_item) for item in value]
        return items if node.pairing.minds_order else sorted(items, key=canonical)
    return value
