"""What a pairing is: which output item stands for which label in a list (S8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """How well items of the two lists agree, under the rules of their leaves."""

    @property
    def expected(self) -> Sequence[Json]: ...

    @property
    def actual(self) -> Sequence[Json]: ...

    def matrix(self) -> NDArray[np.float64]:
        """Return the score of each expected item (rows) against each actual item (columns), in [0, 1]."""
        ...

    def keys(self, names: tuple[str, ...]) -> tuple[list[object], list[object]]:
        """Return, for each side, one hashable key an item from the values at *names*; None where one lacks.

        Equal keys mean that the rules of those fields hold the values to be equal.
        """
        ...

    def identical(self) -> list[tuple[int, int]]:
        """Return pairs of items that may be settled first without changing the best total; often empty."""
        ...


class Pairing:
    """Base of the pairings; a frozen dataclass whose `repr` is its name in reports and baselines."""

    __slots__ = ()

    def pair(self, scores: ItemScores) -> Pairs:
        """Pair the items of *scores*."""
        raise NotImplementedError
