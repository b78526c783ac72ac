"""Items are aligned without changing their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from pytest_schemascore.scoring.pairing.base import ItemScores, Pairing, Pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEPS: Final = 2.0**36
"""How many steps a score of 1 has: sums of whole steps are exact, so that what is as good is seen to be."""

_ABSORBS: Final = 1j
"""What it gains that an item absorbs another: of complex numbers the real part counts first."""


@dataclass(frozen=True, slots=True)
class in_order(Pairing):  # noqa: N801 - read as a call in a rule: in_order()
    """Pair items so that no two pairs cross and the total score is the best there is.

    Global alignment by dynamic programming (Needleman and Wunsch 1970, gaps cost nothing); a pair that agrees
    on nothing is no pair. Of the best alignments one is taken in which spare items absorb as many as can be.
    8 bytes a pair of memory, 16 where there are spare ones.
    """

    minds_order: ClassVar[bool] = True

    def pair(self, items: ItemScores) -> Pairs:
        pairs, absorbed = _aligned(items)
        return Pairs.of(pairs, len(items.expected), len(items.actual)).without(absorbed)

    def absorbed(self, items: ItemScores, pairs: Pairs) -> tuple[()]:
        """Return none: the alignment has seen to the spare items."""
        del items, pairs
        return ()


def _aligned(items: ItemScores) -> tuple[list[tuple[int, int]], set[int]]:
    """Return the pairs of a best alignment, and the output items that spare ones absorb in it."""
    n, m, spare = len(items.expected), len(items.actual), items.spare
    if not m or not (n or spare):
        return [], set()
    scores = items.matrix(range(n), range(m)) if n else np.zeros((0, m))
    gains: NDArray[Any] = np.rint(scores * _STEPS)
    if spare:
        gains = np.concatenate([gains, np.full((len(spare), m), _ABSORBS)])
    rows = np.argsort([*items.places, *spare])
    best = _best_totals(gains[rows])
    pairs: list[tuple[int, int]] = []
    absorbed: set[int] = set()
    i, j = len(rows), m
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            row = int(rows[i])
            if row < n:
                pairs.append((row, j))
            else:
                absorbed.add(j)
    return pairs, absorbed


def _best_totals(gains: NDArray[Any]) -> NDArray[Any]:
    """Return, for each pair of prefixes, the best total of an alignment of the two."""
    n, m = gains.shape
    best = np.zeros((n + 1, m + 1), gains.dtype)
    for i in range(n):
        taken = best[i, :-1] + gains[i]
        np.maximum.accumulate(np.maximum(best[i, 1:], taken), out=best[i + 1, 1:])
    return best
