"""The result of a comparison as a tree with the same figures at every node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.scoring.outcomes import Leaf


@dataclass(frozen=True, slots=True)
class Tally:
    """What precision and recall are computed from.

    Attributes:
        expected: scalars on the expected side, each times its weight (null is one; empty objects and lists
            hold none).
        actual: likewise on the actual side.
        found: sum of the scores of the expected ones.
        right: sum of the scores of the actual ones. It differs from `found` only where a side is empty.
    """

    expected: float = 0
    actual: float = 0
    found: float = 0.0
    right: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.expected + other.expected,
            self.actual + other.actual,
            self.found + other.found,
            self.right + other.right,
        )

    @classmethod
    def total(cls, parts: Iterable[Tally]) -> Tally:
        """Add up *parts*."""
        return sum(parts, cls())


@dataclass(frozen=True, slots=True)
class Node:
    """One place of the two documents.

    Attributes:
        name: the key, or the indexes of a list item (``[2]``, or ``[2] = [0]`` where they differ), or ``$``.
        path: where it stands on the expected side; None where only the actual side has it.
        actual_path: where it stands on the actual side; None where only the expected side has it.
        tally: the counts.
        children: the places below.
        leaf: of a place without children, what was found there with outcome, score and rule.
        pairs: of a list, (index in expected, index in actual) of the items that belong together.
        unmatched_expected, unmatched_actual: of a list, indexes of items without a partner.
        pairing: of a list, the rule by which items were paired.
    """

    name: str
    path: str | None
    actual_path: str | None
    tally: Tally
    children: tuple[Node, ...] = ()
    leaf: Leaf | None = None
    pairs: tuple[tuple[int, int], ...] = ()
    unmatched_expected: tuple[int, ...] = ()
    unmatched_actual: tuple[int, ...] = ()
    pairing: str = ""

    @property
    def precision(self) -> float:
        """Share of the actual side's scalars that are right, in [0, 1]; 1 where it has none."""
        return self.tally.right / self.tally.actual if self.tally.actual else 1.0

    @property
    def recall(self) -> float:
        """Share of the expected side's scalars that were found, in [0, 1]; 1 where it has none."""
        return self.tally.found / self.tally.expected if self.tally.expected else 1.0

    def f_score(self, beta: float = 1.0) -> float:
        """(1 + b^2) P R / (b^2 P + R), in [0, 1]: recall counts *beta* times as much as precision."""
        weight = beta * beta
        whole = weight * self.precision + self.recall
        return (1 + weight) * self.precision * self.recall / whole if whole else 0.0

    @property
    def rule(self) -> str:
        """The rule used here: a leaf's comparator, a list's pairing, or nothing."""
        return self.leaf.rule if self.leaf else self.pairing

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()
