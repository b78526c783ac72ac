"""A label and an output side by side: rows of a tree in which paired list items stand on one line (S8)."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.documents import label_directives as directives
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.scoring.outcomes import Outcome
from pytest_schemascore.scoring.selection import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.scoring.outcomes import Leaf

_Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree.

    Attributes:
        depth: 0 for what stands directly under the root.
        step: the key or list index in the label; in the output for what is there alone; ``$`` for the root.
        moved_to: index of the paired item in the output, where it is another one.
        side: ``label`` or ``output`` where only that side has it, otherwise ``both``.
        leaf: the scored leaf; None of a container and of what isn't scored.
        expected, actual: values that aren't scored (unlabelled or ignored); `ABSENT` where there are none.
        bad: of a container, how many leaves below it aren't correct; leaves: how many there are.
    """

    depth: int
    step: str | int
    moved_to: int | None = None
    side: str = "both"
    leaf: Leaf | None = None
    expected: Json | Absent = ABSENT
    actual: Json | Absent = ABSENT
    bad: int = 0
    leaves: int = 0


@dataclass(slots=True, eq=False)
class _Node:
    step: str | int
    where: _Steps | None = None
    extra: bool = False
    leaf: Leaf | None = None
    children: dict[object, _Node] = field(default_factory=dict)
    bad: int = 0
    leaves: int = 0

    @property
    def side(self) -> str:
        return "output" if self.extra else "both" if self.where is not None else "label"

    def row(self, depth: int) -> Row:
        there = self.where[-1] if self.where else self.step
        moved = there if isinstance(there, int) and there != self.step else None
        return Row(depth, self.step, moved, self.side, self.leaf, bad=self.bad, leaves=self.leaves)


def rows_of(leaves: Iterable[Leaf], expected: Json | Absent, output: Json | Absent) -> Iterator[Row]:
    """Yield the rows of the tree that *leaves* span, in the order of the label.

    Keys of *expected* and *output* that no leaf covers come last in their object, as not scored.
    """
    root = _grow(leaves)
    if root.leaf is not None:
        yield Row(0, paths.ROOT, leaf=root.leaf)
        expected = output = ABSENT
    pending = [iter(_level(root, 0, expected, output))]
    while pending:
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
            continue
        row, node, label, value = entry
        yield row
        if node is not None and node.children:
            pending.append(iter(_level(node, len(pending), label, value)))


_Entry = tuple[Row, _Node | None, Json | Absent, Json | Absent]


def _level(node: _Node, depth: int, label: Json | Absent, value: Json | Absent) -> Iterator[_Entry]:
    """Yield the rows right below *node*, each with what the walk needs to go on."""
    label = _plain(label)
    shown: set[str | int] = set()
    for child in node.children.values():
        there = child.where[-1] if child.where else child.step
        part = ABSENT if child.extra else select(label, (child.step,))
        found = select(value, (there,)) if child.where else ABSENT
        shown |= {child.step, there}
        yield child.row(depth), child, part, found
    for key in _unscored_keys(label, value, shown):
        sides = select(label, (key,)), select(value, (key,))
        yield Row(depth, key, expected=sides[0], actual=sides[1]), None, ABSENT, ABSENT


def _plain(label: Json | Absent) -> Json | Absent:
    """Return what ``$literal`` wraps, and nothing for the other directives, whose keys aren't data."""
    directive = directives.directive_of(label)
    if directive is None or not isinstance(label, dict):
        return label
    return label[directive] if directive == directives.LITERAL else ABSENT


def _unscored_keys(label: Json | Absent, value: Json | Absent, shown: set[str | int]) -> list[str]:
    sides = [side for side in (label, value) if isinstance(side, dict)]
    return [key for key in dict.fromkeys(k for side in sides for k in side) if key not in shown]


def _grow(leaves: Iterable[Leaf]) -> _Node:
    """Return the tree of *leaves*; extras hang where their list or object stands in the label."""
    root = _Node(paths.ROOT, where=())
    by_place: dict[_Steps, _Node] = {(): root}
    extras: list[tuple[Leaf, _Steps]] = []
    for leaf in leaves:
        steps = _steps(leaf.path)
        if leaf.outcome is Outcome.EXTRA:
            extras.append((leaf, steps))
            continue
        where = _steps(leaf.actual_path) if leaf.actual is not ABSENT else None
        trail = [root]
        for depth, step in enumerate(steps, 1):
            node = trail[-1].children.setdefault(step, _Node(step))
            if where is not None and len(where) == len(steps):
                node.where = where[:depth]
                by_place[node.where] = node
            trail.append(node)
        _settle(trail, leaf)
    for leaf, steps in extras:
        _attach(root, by_place, leaf, steps)
    return root


def _attach(root: _Node, by_place: dict[_Steps, _Node], leaf: Leaf, steps: _Steps) -> None:
    """Hang an extra leaf, whose *steps* are places in the output, below what was paired with its parent."""
    trail = [root]
    for depth, step in enumerate(steps, 1):
        node = by_place.get(steps[:depth])
        if node is None:
            node = _Node(step, where=steps[:depth], extra=True)
            # The label may have an item of its own with this index, so an extra has another key.
            trail[-1].children["extra", step] = by_place[steps[:depth]] = node
        trail.append(node)
    _settle(trail, leaf)


def _settle(trail: list[_Node], leaf: Leaf) -> None:
    trail[-1].leaf = leaf
    for node in trail[:-1]:
        node.leaves += 1
        node.bad += leaf.outcome is not Outcome.CORRECT


@functools.lru_cache(maxsize=4_096)
def _steps(path: str) -> _Steps:
    return tuple(step for step in paths.parse(path) if isinstance(step, (str, int)))
