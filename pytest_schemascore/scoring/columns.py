"""The items of two lists as columns: one for each labelled place, with all that both sides hold there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

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

_OBJECT: Final = {dict}
_NULL: Final = frozenset({type(None)})
_SCALARS: Final = frozenset({str, int, float, bool, type(None)})


class Distinct(NamedTuple):
    """The different labels and values of a column.

    Attributes:
        all: each once, None for the empty ones.
        left: for each label its index in `all`; right: for each value.
    """

    all: list[Json]
    left: list[int]
    right: list[int]


class Column:
    """One labelled place of the items.

    Attributes:
        node: the rules there.
        keys: the way from the item to the place.
        rows: the expected items that label it.
        plain: whether a comparator judges all its labels; else they are nested lists and directives.
        labels: of each of `rows`, None for an empty one that is plain.
        values: of each item of the output, None for an absent one and, where plain, for an empty one.
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
        self.labels = labels
        # What is no scalar asks itself what is empty: to ``$absent`` an empty list is not.
        self.values = _without_empties(values, node) if plain else _without_absent(values)

    @cached_property
    def codes(self) -> tuple[Sequence[Hashable], Sequence[Hashable]] | None:
        """A code for each of `labels` and of `values`, equal just where two of them score 1.

        None where the rule is no equivalence on them.
        """
        codes = codes_of(self.node.comparator, [*self.labels, *self.values]) if self.plain else None
        return None if codes is None else (codes[: len(self.labels)], codes[len(self.labels) :])

    @cached_property
    def distinct(self) -> Distinct:
        """What a comparator is asked about, each label and each value once."""
        return _numbered(self.labels, self.values)

    def places(self, rows: Sequence[int], length: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return which of *rows* label this place, as indexes into *rows*, and their indexes in `labels`.

        *length* is how many expected items there are.
        """
        if len(self.rows) == length:
            return range(len(rows)), rows
        place_of = {row: k for k, row in enumerate(self.rows)}
        at = [k for k, row in enumerate(rows) if row in place_of]
        return at, [place_of[rows[k]] for k in at]


def codes_of(comparator: Comparator, values: Sequence[Json]) -> Sequence[Hashable] | None:
    """Return codes of *values* that are equal just where a pair scores 1; of empty ones, None, it is None."""
    there = [value for value in values if value is not None]
    found = comparator.codes(there)
    if found is None:
        return None
    if len(there) == len(values):
        return found
    rest = iter(found)
    return [None if value is None else next(rest) for value in values]


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
            elif self.literal or len(label) > 1 or (directive := directive_of(label)) is None:
                objects.append(k)
                inside.append(label)
            elif directive != IGNORE:
                apart.append(k)
        if plain:
            scalars = _without_empties(_picked(labels, plain), node)
            self._add(node, keys, _picked(rows, plain), scalars, values, plain=True)
        if apart:
            self._add(node, keys, _picked(rows, apart), _picked(labels, apart), values, plain=False)
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
        for key, at, labels in parts_by_key(rows, objects):
            self.collect(node.key(key), at, labels, held_at(key, there), (*keys, key))


def parts_by_key(
    rows: Sequence[int], objects: Sequence[dict[str, Json]]
) -> Iterator[tuple[str, Sequence[int], list[Json]]]:
    """Yield each key of *objects* with the rows of those that have it, and what they have there."""
    if len(set(map(tuple, objects))) == 1:
        for key in objects[0]:
            yield key, rows, list(map(itemgetter(key), objects))
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
        found = held_at(key, _objects_among(found))
    return found


def held_at(key: str, objects: Sequence[dict[str, Json]]) -> list[Json | Absent]:
    """Return what each of *objects* holds at *key*, `ABSENT` where there is nothing."""
    try:
        return list(map(itemgetter(key), objects))
    except KeyError:
        return [value.get(key, ABSENT) for value in objects]


def _objects_among(values: Sequence[Json | Absent]) -> Sequence[dict[str, Json]]:
    """Return *values* with an empty object for each that isn't one: it holds nothing at any key."""
    if set(map(type, values)) == _OBJECT:
        return values  # type: ignore[return-value]  # objects all, as just asked
    return [value if isinstance(value, dict) else {} for value in values]


def _picked(items: Sequence[T], places: Sequence[int]) -> Sequence[T]:
    return items if len(places) == len(items) else [items[k] for k in places]


def _without_empties(values: Sequence[Json | Absent], node: RuleNode) -> Sequence[Json]:
    """Return *values* with None for what meets an empty label."""
    if _SCALARS.issuperset(map(type, values)):
        return values  # type: ignore[return-value]  # none of them is ABSENT, as just asked
    return [None if holds_nothing(value, node) else value for value in values]  # type: ignore[misc]  # ABSENT holds nothing


def _without_absent(values: Sequence[Json | Absent]) -> Sequence[Json]:
    return [None if value is ABSENT else value for value in values]


def _numbered(labels: Sequence[Json], values: Sequence[Json]) -> Distinct:
    """Return the distinct ones (1, 1.0 and true are distinct), and where labels and values stand in them."""
    everything = [*labels, *values]
    keys: Sequence[Hashable] = everything  # type: ignore[assignment]  # they are, where all are scalars
    kinds = set(map(type, everything)) - _NULL
    if len(kinds) > 1 or not kinds <= _SCALARS:
        keys = [
            (list, canonical(value)) if isinstance(value, (list, dict)) else (type(value), value)
            for value in everything
        ]
    first = dict(zip(reversed(keys), reversed(everything), strict=True))
    number = {key: k for k, key in enumerate(first)}
    places = [number[key] for key in keys]
    return Distinct(list(first.values()), places[: len(labels)], places[len(labels) :])
