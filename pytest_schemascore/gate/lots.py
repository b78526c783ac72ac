"""Cases that a margin and a swap of runs move alike, whose labels are drawn together (G4).

Of a case whose runs agree within each side it only matters how many of its runs from before stand for after.
Of many such cases, the sum is one draw from a known distribution.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_schemascore.gate.changes import Changes

LEAST = 32
"""Cases of a lot, below which labels for each are quicker."""

_PRECISION = 96  # bits of a distribution's weights together: far more than the 64 of a draw


class Lot(NamedTuple):
    """Cases that are alike.

    Attributes:
        cases: their places, ascending.
        before, after: how many runs each of them has on either side.
    """

    cases: NDArray[np.int64]
    before: int
    after: int

    def draw(self, bits: np.random.PCG64, times: int) -> NDArray[np.int64]:
        """Return how many runs from before stand for after in all cases together, so many *times*.

        By inverting the distribution with raw 64-bit numbers, in whole numbers throughout, so that the same
        generator gives the same on any machine: one number a time for each binary digit of the lot's size.
        """
        total = np.zeros(times, dtype=np.int64)
        for doublings in range(len(self.cases).bit_length()):
            if len(self.cases) >> doublings & 1:
                fewest, bars = _bars(self.before, self.after, doublings)
                draws = np.asarray(bits.random_raw(times), dtype=np.uint64)
                total += fewest + np.searchsorted(bars, draws, side="right")
        return total


def lots_of(changes: Changes, enumerated: tuple[int, ...]) -> tuple[Lot, ...]:
    """Return the lots of at least `LEAST` cases, without those that are *enumerated*."""
    table = changes.table
    rows = np.hstack([changes.scores, changes.shifts])
    # Relative to the last run, those from after are zero where they agree.
    first = np.where(table.is_after[:, None], 0.0, np.repeat(rows[table.starts], table.sizes, axis=0))
    agree = np.logical_and.reduceat((rows == first).all(axis=1), table.starts)
    agree[list(enumerated)] = False
    cases = np.flatnonzero(agree)
    if len(cases) < LEAST:
        return ()
    kinds = np.column_stack([table.before_runs, table.after_runs, rows[table.starts]])[cases]
    _, lot, sizes = np.unique(kinds, axis=0, return_inverse=True, return_counts=True)
    by_lot = np.split(cases[np.argsort(lot.reshape(-1), kind="stable")], np.cumsum(sizes)[:-1])
    return tuple(
        Lot(places, int(table.before_runs[places[0]]), int(table.after_runs[places[0]]))
        for places in by_lot
        if len(places) >= LEAST
    )


class _Sum(NamedTuple):
    """A distribution of whole numbers: the smallest, and weights in proportion to the chances from there."""

    fewest: int
    weights: list[int]


@cache
def _bars(before: int, after: int, doublings: int) -> tuple[int, NDArray[np.uint64]]:
    """Return the smallest sum of 2^doublings cases, and the 64-bit numbers from which on it is one more."""
    fewest, weights = _sum_of(before, after, doublings)
    total = sum(weights)
    bars = [-(-(below << 64) // total) for below in itertools.accumulate(weights[:-1])]
    # The last few may be beyond any draw.
    return fewest, np.array([bar for bar in bars if bar < 1 << 64], dtype=np.uint64)


@cache
def _sum_of(before: int, after: int, doublings: int) -> _Sum:
    """Return how many runs from before stand for after in 2^doublings cases.

    For one case that is hypergeometric; twice as many have the square of the generating polynomial, worked
    out as one product of whole numbers (Kronecker's substitution).
    """
    if not doublings:
        numbers = range(min(before, after) + 1)
        return _Sum(0, [math.comb(before, k) * math.comb(after, k) for k in numbers])
    half = _sum_of(before, after, doublings - 1)
    width = 2 * sum(half.weights).bit_length() // 8 + 1
    packed = int.from_bytes(b"".join(w.to_bytes(width, "little") for w in half.weights), "little")
    terms = 2 * len(half.weights) - 1
    square = (packed * packed).to_bytes(width * (terms + 1), "little")
    weights = [int.from_bytes(square[at : at + width], "little") for at in range(0, width * terms, width)]
    return _trimmed(_Sum(2 * half.fewest, weights))


def _trimmed(full: _Sum) -> _Sum:
    """Drop what is below the precision: low bits, and sums at either end that have no others."""
    excess = max(0, sum(full.weights).bit_length() - _PRECISION)
    weights = [weight >> excess for weight in full.weights]
    first = next(place for place, weight in enumerate(weights) if weight)
    last = next(place for place in reversed(range(len(weights))) if weights[place])
    return _Sum(full.fewest + first, weights[first : last + 1])
