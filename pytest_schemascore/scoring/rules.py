"""Which rule a place is scored with (S5), resolved once a suite and not once a leaf.

A `RuleNode` stands for a place in documents. It knows the rule there and makes the nodes below it on first
use, so a walk over a thousand documents looks each rule up once.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.choosing import Choosing
from pytest_schemascore.scoring.comparators.ignore import ignore
from pytest_schemascore.scoring.leaves import Spot
from pytest_schemascore.scoring.pairing.base import Pairing
from pytest_schemascore.scoring.patterns import advance, next_segments
from pytest_schemascore.scoring.schema_rules import comparator_in_schema
from pytest_schemascore.scoring.shape_steps import are_tuples, flatten, items_of, keys_of, scalar_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_schemascore.documents.shapes import Kind, Shape
    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.patterns import Pattern, Rank, State

_DEFAULT: Rank = (0,)
_SCHEMA: Rank = (1,)
_CONFIGURED = 2


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a place gets that nothing was said of.

    `by_kinds` gives the rule of schema types whose JSON form hides them (dates, decimals, choices), from the
    types a place can have and `comparator`.
    """

    comparator: Comparator
    pairing: Pairing
    by_kinds: Callable[[frozenset[Kind], Comparator], Comparator | None]


@dataclass(slots=True, eq=False)
class RuleNode:
    """The rule of one place, and the way to the places below it.

    Attributes:
        field: the folded path of the place.
        suffix: what this place adds to the path of its parent.
        comparator, pairing: how a leaf and a list here are scored.
        why: where the comparator comes from; pairing_why: where the pairing comes from.
        ignored_by: the rank of the ``ignore()`` that holds here, its own or one further up; or None.
        ignored: whether a leaf here counts nowhere; `skipped` says that nothing below does either.
        weight: of each leaf here, in pairing and in the ``weighted`` metric.
        spot: what leaves here are made with.
        trusts: whether equal values of one type score 1 under `rule_name` without asking the comparator.
    """

    field: str
    suffix: str
    defaults: Defaults
    states: tuple[State, ...]
    shapes: tuple[Shape, ...]
    ignored_by: Rank | None = None
    weight: float = 1.0
    comparator: Comparator = dataclasses.field(init=False)
    pairing: Pairing = dataclasses.field(init=False)
    rule_name: str = dataclasses.field(init=False)
    why: str = dataclasses.field(init=False)
    pairing_why: str = dataclasses.field(init=False)
    trusts: bool = dataclasses.field(init=False)
    spot: Spot = dataclasses.field(init=False)
    ignored: bool = dataclasses.field(init=False)
    skipped: bool = dataclasses.field(init=False)
    children: dict[str, RuleNode] = dataclasses.field(default_factory=dict)
    items: dict[int, RuleNode] = dataclasses.field(default_factory=dict)
    spots: dict[tuple[str, ...], tuple[Spot, ...]] = dataclasses.field(default_factory=dict)
    has_index_rules: bool = dataclasses.field(init=False)
    _any_item: RuleNode | None = None

    def __post_init__(self) -> None:
        matched = sorted(self.matching(), key=lambda pattern: pattern.rank, reverse=True)
        self._resolve_leaf(matched)
        self.pairing, self.pairing_why = self._resolve_list(matched)
        self.weight = next((p.weight for p in matched if p.weight is not None), self.weight)
        self.rule_name = repr(self.comparator)
        self.spot = Spot(self.field, self.suffix, self.rule_name)
        chooses = isinstance(self.comparator, Choosing)
        self.trusts = self.comparator.reflexive and not self.ignored and not chooses
        self.skipped = self.ignored and not self._has_exceptions()
        indexed = any(isinstance(segment, int) for segment in next_segments(self.states))
        self.has_index_rules = indexed or any(shape.prefix for shape in self.shapes)

    def _resolve_leaf(self, matched: Iterable[Pattern]) -> None:
        rank, comparator, why = self._nearest_comparator(matched)
        if self.ignored_by is not None and rank <= self.ignored_by:
            comparator, why = ignore(), "an ignore() further up"
        else:
            self.ignored_by = rank if isinstance(comparator, ignore) else None
        self.ignored = self.ignored_by is not None
        self.comparator, self.why = comparator, why

    def _nearest_comparator(self, matched: Iterable[Pattern]) -> tuple[Rank, Comparator, str]:
        for pattern in matched:
            if (rule := pattern.comparator) is not None:
                return (_CONFIGURED, *pattern.rank), rule, f"comparators[{pattern.text!r}]"
        default = self.defaults.comparator
        if (in_schema := self._in_schema(default)) is not None:
            return _SCHEMA, *in_schema
        kinds = scalar_kinds(self.shapes)
        by_kinds = self.defaults.by_kinds(frozenset(kinds), default)
        if by_kinds is None or isinstance(default, ignore):
            return _DEFAULT, default, "default"
        return _DEFAULT, by_kinds, f"schema type {' or '.join(kind.value for kind in kinds)}"

    def _in_schema(self, default: Comparator) -> tuple[Comparator, str] | None:
        try:
            return comparator_in_schema(self.shapes, default)
        except RuleError as error:
            msg = f"{self.field}: {error}"
            raise RuleError(msg) from None

    def _resolve_list(self, matched: Iterable[Pattern]) -> tuple[Pairing, str]:
        for pattern in matched:
            if isinstance(pattern.rule, Pairing):
                return pattern.rule, f"comparators[{pattern.text!r}]"
        for shape in self.shapes:
            if isinstance(shape.rule, Pairing):
                return shape.rule, shape.named
        if are_tuples(self.shapes):
            from pytest_schemascore.scoring.pairing.by_position import by_position  # few schemas have them

            return by_position(), "schema type tuple"
        return self.defaults.pairing, "default"

    def _has_exceptions(self) -> bool:
        """Say whether some rule may lift the ``ignore()`` that holds here for a place below."""
        if self.ignored_by == _DEFAULT:
            return True
        rules = (
            (pattern.rank, pattern.comparator) for pattern, k in self.states if k < len(pattern.segments)
        )
        return any(
            rule is not None
            and not isinstance(rule, ignore)
            and (_CONFIGURED, *rank) > (self.ignored_by or ())
            for rank, rule in rules
        )

    def matching(self) -> Iterator[Pattern]:
        """Yield the patterns that match this very place."""
        return (pattern for pattern, k in self.states if k == len(pattern.segments))

    def key(self, name: str) -> RuleNode:
        """Return the node of key *name* of an object here."""
        child = self.children.get(name)
        if child is None:
            states, shapes = advance(self.states, name), keys_of(self.shapes, name)
            path = paths.join_key(self.field, name)
            child = self.children[name] = self._child(path, paths.key_text(name), states, shapes)
        return child

    def spots_of(self, keys: tuple[str, ...]) -> tuple[Spot, ...]:
        """Return what leaves at *keys* of an object here are made with."""
        spots = self.spots.get(keys)
        if spots is None:
            spots = self.spots[keys] = tuple(self.key(key).spot for key in keys)
        return spots

    def item(self, index: int) -> RuleNode:
        """Return the node of item *index* of a list here; one for all, unless a rule names an index."""
        if not self.has_index_rules:
            return self.any_item
        child = self.items.get(index)
        if child is None:
            child = self.items[index] = self._item(index)
        return child

    def of_items(self, length: int) -> Sequence[RuleNode]:
        """Return the nodes of the items of a list of *length*."""
        if not self.has_index_rules:
            return [self.any_item] * length
        return [self.item(index) for index in range(length)]

    @property
    def any_item(self) -> RuleNode:
        """The node of the items of a list here that no pattern names by index."""
        if self._any_item is None:
            self._any_item = self._item(None)
        return self._any_item

    def _item(self, index: int | None) -> RuleNode:
        states, shapes = advance(self.states, index), items_of(self.shapes, index)
        return self._child(f"{self.field}[*]", "[*]", states, shapes)

    def _child(
        self, path: str, suffix: str, states: tuple[State, ...], shapes: tuple[Shape, ...]
    ) -> RuleNode:
        return RuleNode(path, suffix, self.defaults, states, shapes, self.ignored_by, self.weight)


def root_node(patterns: Iterable[Pattern], defaults: Defaults, shape: Shape | None = None) -> RuleNode:
    """Return the node of whole documents."""
    states = tuple((pattern, 0) for pattern in patterns)
    return RuleNode(paths.ROOT, "", defaults, states, flatten(shape) if shape else ())


def node_at(node: RuleNode, path: str) -> RuleNode:
    """Return the node at *path* below *node*."""
    for step in paths.parse(path):
        match step:
            case str():
                node = node.key(step)
            case int():
                node = node.item(step)
            case paths.Wild.ITEM:
                node = node.any_item
    return node
