"""How well the items of two lists agree, column by column instead of pair by pair (S8).

The items' labelled places become columns. A column's scores come from one call of its comparator's `matrix`
over the distinct values, or from comparing codes where the comparator is an equivalence on them; only nested
lists and directives are scored pair by pair, each distinct pair once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pytest_schemascore.documents.json_text import canonical
from pytest_schemascore.documents.json_types import ABSENT, Absent, Json, is_empty
from pytest_schemascore.scoring import directives
from pytest_schemascore.scoring.weights import leaf_weight

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.scoring.rules import RuleNode
    from pytest_schemascore.scoring.score import Scorer

Place = tuple[str, ...]

_EMPTY = -1
"""Code of null, absence and emptiness in a column: they all meet an empty label and no other."""


@dataclass(slots=True, eq=False)
class Column:
    """One labelled place of the items: the expected items that label it, and what they say there.

    `plain` columns hold labels that a comparator judges; the others nested lists and directives.
    """

    node: RuleNode
    place: Place
    plain: bool
    rows: list[int] = field(default_factory=list)
    labels: list[Json] = field(default_factory=list)


class ItemsInQuestion:
    """The items of one list on both sides; see `pytest_schemascore.scoring.pairing.base.ItemScores`.

    Args:
        expected, actual: the items.
        node: the rules of the list.
        places: index of each expected item in its list; rules may name an index.
        scorer: scores what columns can't.
    """

    def __init__(
        self,
        expected: Sequence[Json],
        actual: Sequence[Json],
        node: RuleNode,
        places: Sequence[int],
        scorer: Scorer,
    ) -> None:
        self.expected = expected
        self.actual = actual
        self.places = places
        self._node = node
        self._scorer = scorer

    @cached_property
    def columns(self) -> list[Column]:
        """The columns, in order of appearance."""
        found: dict[tuple[int, Place, bool], Column] = {}
        for row, item in enumerate(self.expected):
            pending: list[tuple[Json, RuleNode, Place]] = [(item, self._node.item(self.places[row]), ())]
            while pending:
                label, node, place = pending.pop()
                if node.ignored or directives.is_ignored(label):
                    continue
                if isinstance(label, dict) and label and directives.directive_of(label) is None:
                    pending += [(part, node.key(key), (*place, key)) for key, part in label.items()]
                    continue
                plain = not (isinstance(label, (list, dict)) and label)
                column = found.setdefault((id(node), place, plain), Column(node, place, plain))
                column.rows.append(row)
                column.labels.append(label)
        return list(found.values())

    def matrix(self, rows: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Return the score of expected items *rows* against output items *others*, in [0, 1].

        The score of a pair is the weighted mean over the expected item's labelled leaves; an item without
        any scores 0.
        """
        total = np.zeros((len(rows), len(others)))
        weight = np.zeros(len(rows))
        position = {row: i for i, row in enumerate(rows)}
        for column in self.columns:
            here = [(position[row], k) for k, row in enumerate(column.rows) if row in position]
            if not here:
                continue
            at = np.array([i for i, _ in here])
            labels = [column.labels[k] for _, k in here]
            values = [_value_at(self.actual[j], column.place) for j in others]
            if column.plain:
                self._add_plain(total, at, labels, values, column.node)
                weight[at] += column.node.weight
            else:
                self._add_pairwise(total, at, labels, values, column.node)
                weight[at] += [leaf_weight(label, column.node) for label in labels]
        np.divide(total, weight[:, None], out=total, where=weight[:, None] > 0)
        return total

    def _add_plain(
        self,
        total: NDArray[np.float64],
        at: NDArray[np.intp],
        labels: Sequence[Json],
        values: Sequence[Json | Absent],
        node: RuleNode,
    ) -> None:
        wanted, left = _distinct(labels)
        found, right = _distinct(values)
        codes = _codes(wanted, found, node)
        if codes is None:
            scores = _scores(wanted, found, node) * node.weight
            for start in range(0, len(at), _BLOCK):
                block = slice(start, start + _BLOCK)
                total[at[block]] += scores[left[block]][:, right]
            return
        of_labels, of_values = codes[0][left], codes[1][right]
        for start in range(0, len(at), _BLOCK):
            block = slice(start, start + _BLOCK)
            agree = of_labels[block, None] == of_values[None, :]
            total[at[block]] += agree * node.weight

    def _add_pairwise(
        self,
        total: NDArray[np.float64],
        at: NDArray[np.intp],
        labels: Sequence[Json],
        values: Sequence[Json | Absent],
        node: RuleNode,
    ) -> None:
        wanted, left = _distinct(labels)
        found, right = _distinct(values)
        scores = np.array(
            [[self._scorer.total(label, value, node) for value in found] for label in wanted], np.float64
        ).reshape(len(wanted), len(found))
        total[at] += scores[left][:, right]

    def keys(self, names: Sequence[str]) -> tuple[list[Hashable], list[Hashable]]:
        """Return, for each side, an item's key from its values at *names*; None where one is empty.

        Equal keys mean that the rules of those fields hold the values equal; where a rule can't say so
        (a similarity, a tolerance that isn't transitive here), the values themselves must be equal.
        """
        left: list[list[Hashable]] = []
        right: list[list[Hashable]] = []
        for name in names:
            node = self._node.any_item.key(name)
            labels = [_value_at(item, (name,)) for item in self.expected]
            values = [_value_at(item, (name,)) for item in self.actual]
            wanted, at = _distinct(labels)
            found, there = _distinct(values)
            codes = _codes(wanted, found, node)
            of_labels = codes[0][at].tolist() if codes else [canonical_or_none(v) for v in labels]
            of_values = codes[1][there].tolist() if codes else [canonical_or_none(v) for v in values]
            left.append([None if code == _EMPTY else code for code in of_labels])
            right.append([None if code == _EMPTY else code for code in of_values])
        return _joined(left, len(self.expected)), _joined(right, len(self.actual))

    def identical(self) -> list[tuple[int, int]]:
        """Return pairs of items that agree on everything and may be settled first; often none.

        That keeps the best total only where one minus the score is a metric: every expected item labels the
        same places, all of them plain, and every rule is an equivalence on the values at hand.
        """
        columns = self.columns
        if not columns or any(not c.plain or len(c.rows) < len(self.expected) for c in columns):
            return []
        left = np.empty((len(self.expected), len(columns)), np.intp)
        right = np.empty((len(self.actual), len(columns)), np.intp)
        for k, column in enumerate(columns):
            wanted, at = _distinct(column.labels)
            found, there = _distinct([_value_at(item, column.place) for item in self.actual])
            codes = _codes(wanted, found, column.node)
            if codes is None:
                return []
            left[:, k], right[:, k] = codes[0][at], codes[1][there]
        return _same_rows(left, right, self.order_of_expected, self.order_of_actual)

    @cached_property
    def order_of_expected(self) -> list[int]:
        """The expected items by canonical JSON, then by place."""
        return _by_content(self.expected)

    @cached_property
    def order_of_actual(self) -> list[int]:
        """The output's items by canonical JSON, then by place."""
        return _by_content(self.actual)


_BLOCK = 512
"""Rows handled at once, so that what a column needs beside the total stays small."""


def canonical_or_none(value: Json | Absent) -> str | None:
    """Return the canonical text of *value*, or None where it is empty."""
    return None if value is ABSENT or is_empty(value) else canonical(value)


def _by_content(items: Sequence[Json]) -> list[int]:
    texts = [canonical(item) for item in items]
    return sorted(range(len(items)), key=lambda i: (texts[i], i))


def _value_at(item: Json, place: Place) -> Json | Absent:
    value: Json | Absent = item
    for key in place:
        value = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def _distinct(values: Sequence[Json | Absent]) -> tuple[list[Json | Absent], NDArray[np.intp]]:
    """Return the distinct values (1, 1.0 and true are distinct) and, for each value, its index among them."""
    index: dict[Hashable, int] = {}
    distinct: list[Json | Absent] = []
    places = np.empty(len(values), np.intp)
    for k, value in enumerate(values):
        key: Hashable = (list, canonical(value)) if isinstance(value, (list, dict)) else (type(value), value)
        place = index.setdefault(key, len(distinct))
        if place == len(distinct):
            distinct.append(value)
        places[k] = place
    return distinct, places


def _split(values: Sequence[Json | Absent]) -> tuple[list[Json], list[int]]:
    """Return the values that aren't empty, and where they stand."""
    places = [k for k, value in enumerate(values) if not is_empty(value)]
    return [values[k] for k in places], places  # type: ignore[misc]  # ABSENT is empty


def _codes(
    wanted: Sequence[Json | Absent], found: Sequence[Json | Absent], node: RuleNode
) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Return codes of both sides that agree where a pair scores 1 and differ where it scores 0, or None."""
    labels, at = _split(wanted)
    values, there = _split(found)
    codes = node.comparator.codes([*labels, *values])
    if codes is None:
        return None
    left = np.full(len(wanted), _EMPTY, np.intp)
    right = np.full(len(found), _EMPTY, np.intp)
    left[at], right[there] = codes[: len(labels)], codes[len(labels) :]
    return left, right


def _scores(
    wanted: Sequence[Json | Absent], found: Sequence[Json | Absent], node: RuleNode
) -> NDArray[np.float64]:
    """Return the scores of labels against values, empty ones included."""
    scores = np.zeros((len(wanted), len(found)))
    labels, at = _split(wanted)
    values, there = _split(found)
    empty_labels = [k for k, value in enumerate(wanted) if is_empty(value)]
    empty_values = [k for k, value in enumerate(found) if is_empty(value)]
    scores[np.ix_(empty_labels, empty_values)] = 1.0
    scores[np.ix_(at, there)] = node.comparator.matrix(labels, values)
    return scores


def _joined(columns: list[list[Hashable]], length: int) -> list[Hashable]:
    keys: list[Hashable] = []
    for k in range(length):
        parts = tuple(column[k] for column in columns)
        keys.append(None if None in parts else parts)
    return keys


def _same_rows(
    left: NDArray[np.intp], right: NDArray[np.intp], order: Sequence[int], other_order: Sequence[int]
) -> list[tuple[int, int]]:
    """Pair equal rows, each once, in the given orders."""
    waiting: dict[bytes, list[int]] = {}
    for j in reversed(other_order):
        waiting.setdefault(right[j].tobytes(), []).append(j)
    pairs: list[tuple[int, int]] = []
    for i in order:
        same = waiting.get(left[i].tobytes())
        if same:
            pairs.append((i, same.pop()))
    return pairs
