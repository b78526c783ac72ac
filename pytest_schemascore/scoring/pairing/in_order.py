"""Items are aligned without changing their order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pytest_schemascore.scoring.pairing.base import ItemScores, Pairing, Pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class in_order(Pairing):  # noqa: N801 - read as a call in a rule: in_order()
    """Pair items so that no two pairs cross and the total score is the best there is.

    Global alignment by dynamic programming (Needleman and Wunsch 1970, gaps cost nothing); a pair that agrees
    on nothing is no pair. 8 bytes a pair of memory.
    """

    minds_order: ClassVar[bool] = True

    def pair(self, items: ItemScores) -> Pairs:
        n, m = len(items.expected), len(items.actual)
        if not n or not m:
            return Pairs.of([], n, m)
        scores = items.matrix(range(n), range(m))
        best = _best_totals(scores)
        pairs: list[tuple[int, int]] = []
        i, j = n, m
        while i and j:
            if best[i, j] == best[i - 1, j]:
                i -= 1
            elif best[i, j] == best[i, j - 1]:
                j -= 1
            else:
                i, j = i - 1, j - 1
                pairs.append((i, j))
        return Pairs.of(pairs, n, m)

    def absorbed(self, items: ItemScores, pairs: Pairs) -> set[int]:
        """Return, for each spare item, the first item left between the partners of its neighbours."""
        taken: set[int] = set()
        partners = [(items.places[i], j) for i, j in pairs.pairs]
        for spare in items.spare:
            after = max((j for place, j in partners if place < spare), default=-1)
            before = min((j for place, j in partners if place > spare), default=len(items.actual))
            free = (j for j in pairs.unmatched_actual if after < j < before and j not in taken)
            taken.update(islice(free, 1))
        return taken


def _best_totals(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each pair of prefixes, the best total of an alignment of the two."""
    n, m = scores.shape
    best = np.zeros((n + 1, m + 1))
    for i in range(n):
        taken = best[i, :-1] + scores[i]
        np.maximum.accumulate(np.maximum(best[i, 1:], taken), out=best[i + 1, 1:])
    return best
