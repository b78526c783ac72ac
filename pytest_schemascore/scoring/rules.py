"""Which rule a place is scored with (S5), resolved once a suite and not once a leaf.

A `RuleNode` stands for a place in documents. It knows the rule there and makes the nodes below it on first
use, so a walk over a thousand documents looks each rule up once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.documents.shapes import Kind, Shape
from pytest_schemascore.documents import paths
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.ignore import ignore
from pytest_schemascore.scoring.overrides import override
from pytest_schemascore.scoring.pairing.base import Pairing
from pytest_schemascore.documents.paths import Descendant, Wild

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_schemascore.documents.paths import Segment, Step

# A pattern and how much of it the way to a node has matched.
State = tuple["Pattern", int]


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """One configured path: what it was written as, and what it asks for there."""

    text: str
    segments: tuple[Segment, ...]
    rule: Comparator | Pairing | None = None
    weight: float | None = None

    @property
    def specificity(self) -> tuple[bool, int, tuple[bool, ...]]:
        """What makes one pattern win over another: no ``..``, more names and indexes, named further left."""
        literal = tuple(isinstance(segment, (str, int)) for segment in self.segments)
        return not any(isinstance(s, Descendant) for s in self.segments), sum(literal), literal


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a place gets that nothing was said of.

    `by_kind` gives the rule of a schema type whose JSON form hides it (dates, decimals, choices).
    """

    comparator: Comparator
    pairing: Pairing
    by_kind: Callable[[Kind], Comparator | None]


@dataclass(slots=True, eq=False)
class RuleNode:
    """The rule of one place, and the way to the places below it.

    Attributes:
        field: the folded path of the place.
        suffix: what this place adds to the path of its parent.
        comparator, pairing: how a leaf and a list here are scored.
        why: where the comparator comes from; pairing_why: where the pairing comes from.
        ignored: whether nothing here counts.
        weight: of each leaf here, in pairing and in the ``weighted`` metric.
        trusted: whether equal values of one type may be scored 1 without asking the comparator.
    """

    field: str
    suffix: str
    defaults: Defaults
    states: tuple[State, ...]
    shapes: tuple[Shape, ...]
    ignored: bool = False
    weight: float = 1.0
    comparator: Comparator = field(init=False)
    pairing: Pairing = field(init=False)
    rule_name: str = field(init=False)
    why: str = field(init=False)
    pairing_why: str = field(init=False)
    trusted: bool = field(init=False)
    children: dict[str, RuleNode] = field(default_factory=dict)
    items: dict[int, RuleNode] = field(default_factory=dict)
    _any_item: RuleNode | None = None
    _indexed: bool = field(init=False)

    def __post_init__(self) -> None:
        matched = sorted(self.matching(), key=lambda p: p.specificity, reverse=True)
        self._resolve_leaf(matched)
        self._resolve_list(matched)
        self.weight = next((p.weight for p in matched if p.weight is not None), self.weight)
        self.rule_name = repr(self.comparator)
        self.trusted = self.comparator.reflexive
        self._indexed = any(isinstance(p.segments[k], int) for p, k in self.states if k < len(p.segments))

    def _resolve_leaf(self, matched: Sequence[Pattern]) -> None:
        for pattern in matched:
            if isinstance(pattern.rule, Comparator):
                self.comparator, self.why = pattern.rule, f"comparators[{pattern.text!r}]"
                self.ignored = isinstance(pattern.rule, ignore)
                return
        for shape in self.shapes:
            rule = override(shape.rule) if isinstance(shape.rule, dict) else shape.rule
            if isinstance(rule, Comparator):
                self.comparator, self.why = rule, shape.named
                self.ignored = isinstance(rule, ignore)
                return
        by_type = self.defaults.by_kind(self.kind)
        if by_type is not None:
            self.comparator, self.why = by_type, f"schema type {self.kind.value}"
            return
        self.comparator, self.why = self.defaults.comparator, "default"

    def _resolve_list(self, matched: Sequence[Pattern]) -> None:
        for pattern in matched:
            if isinstance(pattern.rule, Pairing):
                self.pairing, self.pairing_why = pattern.rule, f"comparators[{pattern.text!r}]"
                return
        for shape in self.shapes:
            if isinstance(shape.rule, Pairing):
                self.pairing, self.pairing_why = shape.rule, shape.named
                return
        self.pairing, self.pairing_why = self.defaults.pairing, "default"

    @property
    def kind(self) -> Kind:
        """The one type the schema gives this place, null aside; ANY where it gives several or none."""
        kinds = {shape.kind for shape in self.shapes} - {Kind.NULL}
        return kinds.pop() if len(kinds) == 1 else Kind.ANY

    def matching(self) -> Iterator[Pattern]:
        """Yield the patterns that match this very place."""
        return (pattern for pattern, k in self.states if k == len(pattern.segments))

    def key(self, name: str) -> RuleNode:
        """Return the node of key *name* of an object here."""
        child = self.children.get(name)
        if child is None:
            child = self.children[name] = self._child(name, paths.key_text(name), _keys_of(self.shapes, name))
        return child

    def item(self, index: int) -> RuleNode:
        """Return the node of item *index* of a list here; one for all, unless a pattern names an index."""
        if not self._indexed and not any(shape.prefix for shape in self.shapes):
            return self.any_item
        child = self.items.get(index)
        if child is None:
            child = self.items[index] = self._child(index, "[*]", _items_of(self.shapes, index))
        return child

    @property
    def any_item(self) -> RuleNode:
        """The node of the items of a list here that no pattern names by index."""
        if self._any_item is None:
            self._any_item = self._child(None, "[*]", _items_of(self.shapes, None))
        return self._any_item

    @property
    def has_index_rules(self) -> bool:
        """Whether items of a list here differ in their rules."""
        return self._indexed or any(shape.prefix for shape in self.shapes)

    def _child(self, step: Step | None, suffix: str, shapes: tuple[Shape, ...]) -> RuleNode:
        path = suffix.removeprefix(".") if self.field == paths.ROOT and suffix[0] == "." else None
        if path is None:
            path = suffix if self.field == paths.ROOT and suffix[:2] == "['" else self.field + suffix
        return RuleNode(
            path,
            suffix,
            self.defaults,
            tuple(_advance(self.states, step)),
            shapes,
            ignored=self.ignored,
            weight=self.weight,
        )


def _advance(states: Iterable[State], step: Step | None) -> Iterator[State]:
    """Yield the states after *step*; None is a list item of no particular index."""
    for pattern, k in states:
        if k == len(pattern.segments):
            continue
        segment = pattern.segments[k]
        match segment:
            case Wild.ITEM:
                hit = not isinstance(step, str)
            case Wild.KEY:
                hit = isinstance(step, str)
            case Descendant(name):
                hit = step == name
                yield pattern, k
            case _:
                hit = step == segment and type(step) is type(segment)
        if hit:
            yield pattern, k + 1


def flatten(shape: Shape) -> tuple[Shape, ...]:
    """Return *shape*, or the members of the union it is; a rule on the union comes first, as its own shape."""
    if not shape.options:
        return (shape,)
    members = tuple(member for option in shape.options for member in flatten(option()))
    return (Shape(Kind.NULL, rule=shape.rule, named=shape.named), *members) if shape.rule else members


def _keys_of(shapes: Iterable[Shape], name: str) -> tuple[Shape, ...]:
    found: list[Shape] = []
    for shape in shapes:
        below = shape.keys.get(name) or shape.others
        if below is not None:
            found += flatten(below())
    return tuple(found)


def _items_of(shapes: Iterable[Shape], index: int | None) -> tuple[Shape, ...]:
    found: list[Shape] = []
    for shape in shapes:
        inside = index is not None and index < len(shape.prefix)
        below = shape.prefix[index] if inside and index is not None else shape.item
        if below is not None:
            found += flatten(below())
    return tuple(found)


def root_node(patterns: Iterable[Pattern], defaults: Defaults, shape: Shape | None = None) -> RuleNode:
    """Return the node of whole documents."""
    states = tuple((pattern, 0) for pattern in patterns)
    return RuleNode(paths.ROOT, "", defaults, states, flatten(shape) if shape else ())
