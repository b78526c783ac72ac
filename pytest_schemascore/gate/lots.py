"""Cases that are alike are tossed together: how many come up heads is one draw, for however many (G4)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST = 16
"""Cases of a lot, below which a toss for each is quicker."""

_PRECISION = 128  # bits of the likeliest number's weight: far more than the 64 of a draw


def lots_of(rows: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """Return the places of equal *rows*, of shape (cases, figures), where they are at least `LEAST`.

    Each lot ascends, and the lots go by their rows' figures.
    """
    _, lot, sizes = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    by_lot = np.argsort(lot.reshape(-1), kind="stable")
    return [places for places in np.split(by_lot, np.cumsum(sizes)[:-1]) if len(places) >= LEAST]


def toss_together(bits: np.random.PCG64, coins: int, times: int) -> NDArray[np.int64]:
    """Toss *coins* fair coins so many *times* and return how many heads came up each time.

    By inverting the binomial distribution with one raw 64-bit number a time, in whole numbers throughout, so
    that the same generator gives the same heads on any machine.
    """
    fewest, weights = _weights(coins)
    total = sum(weights)
    # One more head from each of these numbers on; the last few may be beyond any draw.
    bars = [-(-(below << 64) // total) for below in itertools.accumulate(weights[:-1])]
    bars = [bar for bar in bars if bar < 1 << 64]
    draws = np.asarray(bits.random_raw(times), dtype=np.uint64)
    return fewest + np.searchsorted(np.array(bars, dtype=np.uint64), draws, side="right")


def _weights(coins: int) -> tuple[int, list[int]]:
    """Return the fewest heads that have a chance worth a bit, and whole numbers in proportion to the chances.

    From the likeliest number of heads outwards, by the ratio of neighbouring binomial coefficients.
    """
    middle = coins // 2
    more = [1 << _PRECISION]
    for heads in range(middle, coins):
        if not (weight := more[-1] * (coins - heads) // (heads + 1)):
            break
        more.append(weight)
    fewer = [1 << _PRECISION]
    for heads in range(middle, 0, -1):
        if not (weight := fewer[-1] * heads // (coins - heads + 1)):
            break
        fewer.append(weight)
    return middle - len(fewer) + 1, fewer[:0:-1] + more
