"""What a pairing is: which output item stands for which label in a list (S8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from pytest_schemascore.documents.annotated import SchemaRule

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Sequence, Set

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True)
class Pairs:
    """The result: ``(expected index, actual index)``, by expected index; and what is left on either side.

    `right` are expected items of which the pairing knows that every value is right, all of them scalars.
    """

    pairs: tuple[tuple[int, int], ...]
    unmatched_expected: tuple[int, ...]
    unmatched_actual: tuple[int, ...]
    right: Set[int] = frozenset()

    @classmethod
    def of(
        cls, pairs: Sequence[tuple[int, int]], expected: int, actual: int, right: Set[int] = frozenset()
    ) -> Pairs:
        """Fill in what *pairs* leaves of *expected* and *actual* items."""
        left = {i for i, _ in pairs}
        others = {j for _, j in pairs}
        return cls(
            tuple(sorted(pairs)),
            tuple(i for i in range(expected) if i not in left) if len(left) < expected else (),
            tuple(j for j in range(actual) if j not in others) if len(others) < actual else (),
            right,
        )

    def without(self, absorbed: Collection[int]) -> Pairs:
        """Return the same, with the output items *absorbed* no longer left over."""
        return replace(self, unmatched_actual=tuple(j for j in self.unmatched_actual if j not in absorbed))


class ItemScores(Protocol):
    """The items of two lists, and how well they agree under the rules of their leaves.

    `expected` are the label's items that count, `places` their indexes in its list, and `spare` the indexes
    of the others (``$ignore``, or all ignored), each of which absorbs one item of the output.
    """

    @property
    def expected(self) -> Sequence[Json]: ...

    @property
    def actual(self) -> Sequence[Json]: ...

    @property
    def places(self) -> Sequence[int]: ...

    @property
    def spare(self) -> Sequence[int]: ...

    def matrix(self, rows: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Return the score of expected items *rows* against output items *others*.

        In [0, 1]; `UNJUDGED` where none of a pair's leaves can be judged.
        """
        ...

    def keys(self, names: Sequence[str]) -> tuple[list[Hashable], list[Hashable]]:
        """Return, for each side, one key an item from its values at the paths *names*.

        None where one of them is empty. Equal keys mean that the rules of those fields hold the values equal.
        """
        ...

    def open_keys(self, names: Sequence[str]) -> list[int]:
        """Return the expected items that say with a directive which key they have (``$any``, ``$regex``)."""
        ...

    def meets_key(self, row: int, other: int, names: Sequence[str]) -> bool:
        """Say whether output item *other* holds at *names* what expected item *row* asks for there."""
        ...

    def identical(self) -> list[tuple[int, int]]:
        """Return pairs of items that may be settled first without changing the best total; often none."""
        ...

    def all_scalars(self) -> bool:
        """Say whether all expected items are objects of the same keys, with scalars there, none ignored."""
        ...

    def promising(self, rows: Sequence[int], others: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """Return *rows* and *others* without those that agree with none on anything, as far as is known."""
        ...

    def sorted_expected(self, rows: Iterable[int]) -> list[int]:
        """Sort expected items by canonical JSON, whatever the order of lists in them, then by place."""
        ...

    def sorted_actual(self, others: Iterable[int]) -> list[int]:
        """Sort output items likewise."""
        ...


UNJUDGED: Final = 1e-9
"""The score of a pair without any judged leaf: it holds at any threshold, but every other one is better."""


class Pairing(SchemaRule):
    """Base of the pairings; a frozen dataclass whose `repr` is its name in reports and baselines.

    Attributes:
        minds_order: whether a list in another order is another list.
    """

    __slots__ = ()
    minds_order: ClassVar[bool] = False

    def pair(self, items: ItemScores) -> Pairs:
        """Pair the items."""
        raise NotImplementedError

    def absorbed(self, items: ItemScores, pairs: Pairs) -> Collection[int]:
        """Return which unmatched output items the spare ones absorb: by content, so that order is nothing."""
        return items.sorted_actual(pairs.unmatched_actual)[: len(items.spare)]

    def pair_all(self, items: ItemScores) -> Pairs:
        """Pair the items, and let the spare ones absorb what is left of the output's."""
        pairs = self.pair(items)
        return pairs.without(self.absorbed(items, pairs)) if items.spare else pairs


def places_of(keys: Iterable[Hashable]) -> dict[Hashable, list[int]]:
    """Return where each of *keys* stands among them, by first appearance."""
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return places
