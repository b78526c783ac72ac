"""The items of two lists as columns: one for each labelled place, with all that both sides hold there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from pytest_schemascore.documents.json_text import canonical
from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.documents.label_directives import IGNORE, directive_of
from pytest_schemascore.scoring.ignoring import holds_nothing

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.rules import RuleNode

Keys: TypeAlias = tuple[str, ...]
T = TypeVar("T")

EMPTY: Final = -1
"""The code of null, absence and emptiness: they all meet an empty label and no other."""

_ONE_TYPE: Final = tuple(frozenset({kind, type(None)}) for kind in (str, int, float, bool))
_SCALARS: Final = frozenset({str, int, float, bool, type(None)})


class Column:
    """One labelled place of the items.

    Attributes:
        node: the rules there.
        keys: the way from the item to the place.
        rows: the expected items that label it.
        plain: whether a comparator judges all its labels; else they are nested lists and directives.
        distinct: the different labels and values, None for every empty one.
        left: for each of `rows`, the index of its label in `distinct`.
        right: for each item of the output, the index of its value in `distinct`.

    All are lists: most are short, and then an array costs more to make than it saves.
    """

    def __init__(
        self,
        node: RuleNode,
        keys: Keys,
        rows: Sequence[int],
        labels: Sequence[Json],
        values: Sequence[Json | Absent],
        *,
        plain: bool,
    ) -> None:
        self.node = node
        self.keys = keys
        self.rows = rows
        self.plain = plain
        wanted = _without_empties(labels, node) if plain else labels
        self.distinct, self.left, self.right = _numbered(wanted, _without_empties(values, node))

    @cached_property
    def codes(self) -> tuple[list[int], list[int]] | None:
        """A code for each of `left` and of `right`, the same just where two of them score 1.

        None where the rule is no equivalence on them.
        """
        codes = codes_of(self.node.comparator, self.distinct) if self.plain else None
        if codes is None:
            return None
        return [codes[k] for k in self.left], [codes[k] for k in self.right]

    def places(self, rows: Sequence[int], length: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return which of *rows* label this place, as indexes into *rows*, and where those stand in `rows`.

        *length* is how many expected items there are.
        """
        if len(self.rows) == length:
            return range(len(rows)), rows
        place_of = {row: k for k, row in enumerate(self.rows)}
        at = [k for k, row in enumerate(rows) if row in place_of]
        return at, [place_of[rows[k]] for k in at]


def codes_of(comparator: Comparator, values: Sequence[Json]) -> list[int] | None:
    """Return codes of *values*, None among them for empty ones, that agree just where a pair scores 1."""
    there = [value for value in values if value is not None]
    found = comparator.codes(there)
    if found is None:
        return None
    codes: list[int] = found.tolist()
    if len(there) == len(values):
        return codes
    rest = iter(codes)
    return [EMPTY if value is None else next(rest) for value in values]


@dataclass(slots=True)
class Columns:
    """Takes the items apart, all at once.

    Attributes:
        literal: whether the items are inside a ``$literal``, where nothing is a directive.
        found: the columns so far.
    """

    literal: bool = False
    found: list[Column] = field(default_factory=list)

    def collect(
        self,
        node: RuleNode,
        rows: Sequence[int],
        labels: Sequence[Json],
        values: Sequence[Json | Absent],
        keys: Keys = (),
    ) -> None:
        """Add the columns of *labels*, which stand at *keys* of the expected items *rows*.

        *values* are what the output's items, all of them, hold there.
        """
        if node.skipped:
            return
        if _SCALARS.issuperset(map(type, labels)):
            self._add(node, keys, rows, labels, values, plain=True)
            return
        plain: list[int] = []
        apart: list[int] = []
        objects: list[int] = []
        inside: list[dict[str, Json]] = []
        for k, label in enumerate(labels):
            if not (isinstance(label, (dict, list)) and label):
                plain.append(k)
            elif isinstance(label, list):
                apart.append(k)
            elif self.literal or (directive := directive_of(label)) is None:
                objects.append(k)
                inside.append(label)
            elif directive != IGNORE:
                apart.append(k)
        for group, is_plain in ((plain, True), (apart, False)):
            if group:
                at, what = _picked(rows, group), _picked(labels, group)
                self._add(node, keys, at, what, values, plain=is_plain)
        if objects:
            self._below(node, _picked(rows, objects), inside, values, keys)

    def _add(
        self,
        node: RuleNode,
        keys: Keys,
        rows: Sequence[int],
        labels: Sequence[Json],
        values: Sequence[Json | Absent],
        *,
        plain: bool,
    ) -> None:
        if not (plain and node.ignored):
            self.found.append(Column(node, keys, rows, labels, values, plain=plain))

    def _below(
        self,
        node: RuleNode,
        rows: Sequence[int],
        objects: Sequence[dict[str, Json]],
        values: Sequence[Json | Absent],
        keys: Keys,
    ) -> None:
        there = _objects_among(values)
        for key, at, labels in _by_key(rows, objects):
            found = [value.get(key, ABSENT) for value in there]
            self.collect(node.key(key), at, labels, found, (*keys, key))


def _by_key(
    rows: Sequence[int], objects: Sequence[dict[str, Json]]
) -> Iterator[tuple[str, Sequence[int], list[Json]]]:
    """Yield each key of *objects* with the rows of those that have it, and what they have there."""
    first = objects[0].keys()
    if all(label.keys() == first for label in objects):
        for key in first:
            yield key, rows, [label[key] for label in objects]
        return
    parts: dict[str, tuple[list[int], list[Json]]] = {}
    for row, label in zip(rows, objects, strict=True):
        for key, part in label.items():
            at, labels = parts.setdefault(key, ([], []))
            at.append(row)
            labels.append(part)
    for key, (at, labels) in parts.items():
        yield key, at, labels


def values_at(values: Iterable[Json | Absent], keys: Keys) -> list[Json | Absent]:
    """Return what each of *values* holds at *keys*, `ABSENT` where there is nothing."""
    found = list(values)
    for key in keys:
        found = [value.get(key, ABSENT) for value in _objects_among(found)]
    return found


def _objects_among(values: Iterable[Json | Absent]) -> list[dict[str, Json]]:
    """Return *values* with an empty object for each that isn't one: it holds nothing at any key."""
    return [value if isinstance(value, dict) else {} for value in values]


def _picked(items: Sequence[T], places: Sequence[int]) -> Sequence[T]:
    return items if len(places) == len(items) else [items[k] for k in places]


def _without_empties(values: Sequence[Json | Absent], node: RuleNode) -> Sequence[Json]:
    """Return *values* with None for what meets an empty label."""
    if _SCALARS.issuperset(map(type, values)):
        return values  # type: ignore[return-value]  # none of them is ABSENT, as just asked
    return [None if holds_nothing(value, node) else value for value in values]  # type: ignore[misc]  # ABSENT holds nothing


def _numbered(labels: Sequence[Json], values: Sequence[Json]) -> tuple[list[Json], list[int], list[int]]:
    """Return the distinct ones (1, 1.0 and true are distinct), and where labels and values stand in them."""
    everything = [*labels, *values]
    keys: Sequence[Hashable] = everything  # type: ignore[assignment]  # they are, where all are scalars
    kinds = set(map(type, everything))
    if not any(kinds <= kind for kind in _ONE_TYPE):
        keys = [
            (list, canonical(value)) if isinstance(value, (list, dict)) else (type(value), value)
            for value in everything
        ]
    first = dict(zip(reversed(keys), reversed(everything), strict=True))
    number = {key: k for k, key in enumerate(first)}
    places = list(map(number.__getitem__, keys))
    return list(first.values()), places[: len(labels)], places[len(labels) :]
