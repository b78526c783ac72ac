"""What a pairing is: which output item stands for which label in a list (S8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pytest_schemascore.documents.annotated import SchemaRule

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True)
class Pairs:
    """The result: ``(expected index, actual index)``, by expected index; and what is left on either side."""

    pairs: tuple[tuple[int, int], ...]
    unmatched_expected: tuple[int, ...]
    unmatched_actual: tuple[int, ...]

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]], expected: int, actual: int) -> Pairs:
        """Fill in what *pairs* leaves of *expected* and *actual* items."""
        left = {i for i, _ in pairs}
        right = {j for _, j in pairs}
        return cls(
            tuple(sorted(pairs)),
            tuple(i for i in range(expected) if i not in left),
            tuple(j for j in range(actual) if j not in right),
        )


class ItemScores(Protocol):
    """The items of two lists, and how well they agree under the rules of their leaves.

    `places` is the index each expected item has in the label's list (``$ignore`` items are left out of
    `expected`); the orders are by canonical JSON, then by index.
    """

    @property
    def expected(self) -> Sequence[Json]: ...

    @property
    def actual(self) -> Sequence[Json]: ...

    @property
    def places(self) -> Sequence[int]: ...

    @property
    def order_of_expected(self) -> Sequence[int]: ...

    @property
    def order_of_actual(self) -> Sequence[int]: ...

    def matrix(self, rows: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Return the score of expected items *rows* against output items *others*, in [0, 1]."""
        ...

    def keys(self, names: Sequence[str]) -> tuple[list[Hashable], list[Hashable]]:
        """Return, for each side, one key an item from its values at *names*; None where one is empty.

        Equal keys mean that the rules of those fields hold the values equal.
        """
        ...

    def identical(self) -> list[tuple[int, int]]:
        """Return pairs of items that may be settled first without changing the best total; often none."""
        ...


class Pairing(SchemaRule):
    """Base of the pairings; a frozen dataclass whose `repr` is its name in reports and baselines."""

    __slots__ = ()

    def pair(self, items: ItemScores) -> Pairs:
        """Pair the items."""
        raise NotImplementedError
