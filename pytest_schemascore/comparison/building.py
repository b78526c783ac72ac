"""From scored leaves and paired lists to the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pytest_schemascore.comparison.tree import Node, Tally
from pytest_schemascore.documents import label_directives as directives
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT, type_name
from pytest_schemascore.scoring.comparators.choosing import Choosing, chosen
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.scoring.rules import RuleNode
    from pytest_schemascore.scoring.scored import ListPairs, Scored


class Item(NamedTuple):
    """A list item: its index on both sides, `NONE` where a side lacks it."""

    expected: int
    actual: int

    @property
    def name(self) -> str:
        """The index, or both where they differ."""
        if self.expected == self.actual or self.actual == NONE:
            return f"[{self.expected}]"
        return f"[{self.actual}]" if self.expected == NONE else f"[{self.expected}] = [{self.actual}]"


NONE: Final = -1
Key: TypeAlias = str | Item


def build_tree(scored: Scored, actual: Json | Absent, rules: RuleNode) -> Node:
    """Return the tree of a comparison of *actual* that gave *scored* under *rules*."""
    partners = {pairs.path: _Partners.of(pairs) for pairs in scored.lists}
    root = _Place(paths.ROOT)
    for leaf in scored.leaves:
        beyond = leaf.outcome is Outcome.EXTRA
        place = root
        for step in paths.parse(leaf.actual_path if beyond else leaf.path):
            if isinstance(step, (str, int)):
                place = place.below(step, partners, beyond=beyond)
        place.leaf = leaf
    return _node(root, "$", paths.ROOT, actual, rules)


@dataclass(frozen=True, slots=True)
class _Partners:
    """The pairs of a list, by the index on either side."""

    of_expected: Mapping[int, int]
    of_actual: Mapping[int, int]

    @classmethod
    def of(cls, pairs: ListPairs) -> _Partners:
        return cls(dict(pairs.pairs), {j: i for i, j in pairs.pairs})

    def item(self, index: int, *, beyond: bool) -> Item:
        """Return the item with *index* on the expected side, or on the actual one where *beyond*."""
        if beyond:
            return Item(self.of_actual.get(index, NONE), index)
        return Item(index, self.of_expected.get(index, NONE))


_ALONE: Final = _Partners({}, {})


@dataclass(slots=True)
class _Place:
    """A node in the making; `path` is where it stands on the expected side, if it does."""

    path: str | None
    children: dict[Key, _Place] = field(default_factory=dict)
    leaf: Leaf | None = None

    def below(self, step: str | int, lists: Mapping[str, _Partners], *, beyond: bool) -> _Place:
        """Return the place that *step* leads to: a step of the actual side where *beyond*."""
        key: Key
        path = None
        if isinstance(step, str):
            key = step
            if self.path is not None and not beyond:
                path = paths.join_key(self.path, step)
        else:
            partners = _ALONE if self.path is None else lists.get(self.path, _ALONE)
            key = partners.item(step, beyond=beyond)
            if self.path is not None and key.expected != NONE:
                path = paths.join_index(self.path, key.expected)
        if key not in self.children:
            self.children[key] = _Place(path)
        return self.children[key]


def _node(place: _Place, name: str, where: str, value: Json | Absent, rules: RuleNode) -> Node:
    """Return the node of *place*, which has *value* at *where* on the actual side."""
    children = [_child(key, child, where, value, rules) for key, child in place.children.items()]
    items = [key for key in place.children if isinstance(key, Item)]
    if children and value is not ABSENT and not isinstance(value, list if items else dict):
        children.append(_misfit(where, value))
    actual_path = None if value is ABSENT else where
    leaf = _with_rule_used(place.leaf, rules) if place.leaf is not None else None
    if leaf is not None and not children:
        return Node(name, place.path, actual_path, tally_of(leaf, rules.weight), leaf=leaf)
    return Node(
        name,
        place.path,
        actual_path,
        Tally.total(child.tally for child in children),
        tuple(children),
        leaf,
        tuple((i, j) for i, j in items if NONE not in (i, j)),
        tuple(i for i, j in items if j == NONE),
        tuple(j for i, j in items if i == NONE),
        repr(rules.pairing) if items else "",
    )


def _child(key: Key, child: _Place, where: str, value: Json | Absent, rules: RuleNode) -> Node:
    if isinstance(key, Item):
        there = isinstance(value, list) and key.actual != NONE
        found = value[key.actual] if isinstance(value, list) and there else ABSENT
        rule = rules.any_item if key.expected == NONE else rules.item(key.expected)
        return _node(child, key.name, paths.join_index(where, key.actual) if there else "", found, rule)
    found = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    return _node(child, key, paths.join_key(where, key), found, rules.key(key))


def _with_rule_used(leaf: Leaf, rules: RuleNode) -> Leaf:
    """Name, of a rule that goes by type, the one for the type at hand."""
    if leaf.rule != rules.rule_name or not isinstance(rules.comparator, Choosing):
        return leaf
    return leaf._replace(rule=repr(chosen(rules.comparator, leaf.expected, leaf.expected)))


def _misfit(where: str, value: Json) -> Node:
    """Return a node for what stands where an object or a list was expected; all of it is surplus."""
    leaf = Leaf(where, paths.field_of(where), Outcome.EXTRA, None, ABSENT, value, "", where)
    return Node(f"({type_name(value)} instead)", None, where, tally_of(leaf, 1.0), leaf=leaf)


def tally_of(leaf: Leaf, weight: float) -> Tally:
    """Count the scalars on both sides of *leaf*; none where it was not judged."""
    if leaf.outcome is Outcome.NOT_JUDGED:
        return Tally()
    score = leaf.score or 0.0
    scale = 1 if weight == 1 else weight
    expected = _scalars_of_label(leaf.expected) * scale
    actual = scalars(leaf.actual) * scale
    return Tally(expected, actual, score * expected, score * actual)


def _scalars_of_label(label: Json | Absent) -> int:
    directive = directives.directive_of(label)
    if directive is not None:
        return int(directive != directives.ABSENT)
    return scalars(label)


def scalars(value: Json | Absent) -> int:
    """Count the scalars in *value*, nulls too; empty objects and lists hold none."""
    count = 0
    pending: list[Json | Absent] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list):
            pending += item
        elif item is not ABSENT:
            count += 1
    return count
