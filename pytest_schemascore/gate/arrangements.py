"""Which runs stand for "after": the arrangements that G4 compares the observed one with, and their sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_schemascore.gate.labels import draw_labels
from pytest_schemascore.gate.lots import lots_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_schemascore.gate.changes import Changes
    from pytest_schemascore.gate.lots import Lot
    from pytest_schemascore.gate.run_table import RunTable

DRAWS = 10_000
MOST_ENUMERATED = 2**16
_SEED = 20_240_229  # any fixed number: the same data must give the same verdict everywhere
_LOTS_AT_ONCE = 16  # so that their numbers, one an arrangement, stay below some 30 MB


@dataclass(frozen=True, slots=True)
class Arrangements:
    """The set of arrangements: enumerated where the joint number is small, drawn otherwise.

    Where the differing cases can be enumerated and the others cannot, each joint arrangement of the differing
    ones comes equally often, with drawn labels for the others. p at the margin is then exact, as the others
    do not matter to it, and the interval, to which they do, comes from the same set and cannot contradict it.

    Attributes:
        before_runs, after_runs: of shape (cases,).
        enumerated: places of the enumerated cases.
        lots: cases that are alike, whose labels are drawn together.
        count: how many arrangements.
        exact: whether p at the margin is exact.
    """

    before_runs: NDArray[np.int64]
    after_runs: NDArray[np.int64]
    enumerated: tuple[int, ...]
    lots: tuple[Lot, ...]
    count: int
    exact: bool

    def share(self, hits: NDArray[np.int64]) -> NDArray[np.float64]:
        """Turn counts of arrangements at least as bad into p-values; the observed one joins drawn ones."""
        own = 0 if self.exact else 1
        return (hits + own) / (self.count + own)

    def most_hits(self, alpha: float) -> int:
        """Return the largest count whose `share` is at most *alpha*, -1 where there is none."""
        own = 0 if self.exact else 1
        hits = math.floor(alpha * (self.count + own)) - own + 1
        while hits >= 0 and (hits + own) / (self.count + own) > alpha:
            hits -= 1
        return hits

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many runs each case has on both sides together, most first."""
        return self.before_runs + self.after_runs

    def observed(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what `sums` returns of the arrangement that was observed, of shape (columns,)."""
        starts = np.cumsum(self.sizes) - self.sizes
        place = np.arange(len(columns)) - np.repeat(starts, self.sizes)
        is_after = place >= np.repeat(self.before_runs, self.sizes)
        return np.asarray(self._weighted(columns)[is_after].sum(axis=0) + self._constant(columns))

    def sums(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the summed differences of means, after - before, of shape (arrangements, columns).

        *columns* is (runs, columns), relative to each case's last run. The difference of a case's means is a
        weighted sum over the runs that stand for after, and a constant.
        """
        weighted = self._weighted(columns)
        starts = np.cumsum(self.sizes) - self.sizes
        arranged = np.zeros((self.count, columns.shape[1]))
        bits = np.random.PCG64(_SEED)
        for first in range(0, len(self.lots), _LOTS_AT_ONCE):
            lots = self.lots[first : first + _LOTS_AT_ONCE]
            chosen = np.column_stack([lot.draw(bits, self.count) for lot in lots])
            arranged += chosen.astype(np.float64) @ weighted[starts[[lot.cases[0] for lot in lots]]]
        for block in draw_labels(self, bits):
            rows = weighted[starts[block.cases] + block.place]
            arranged[block.arrangements] += block.chosen.astype(np.float64) @ rows
        return arranged + self._constant(columns)

    def _weighted(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what a run adds when it stands for after rather than before.

        Put on a binary grid that float64 adds without rounding, hence in any order and on any machine alike.
        """
        weight = self.sizes / (self.before_runs * self.after_runs)
        return _on_grid(columns * np.repeat(weight, self.sizes)[:, None])

    def _constant(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(-(columns / np.repeat(self.before_runs, self.sizes)[:, None]).sum(axis=0))


def arrangements_of(changes: Changes) -> Arrangements:
    """Choose the arrangements for the cases of *changes*; those that differ matter at the margin (G4)."""
    table = changes.table
    sides = table.before_runs, table.after_runs
    everything = tuple(range(len(table.sizes)))
    differing = tuple(np.flatnonzero(changes.differs).tolist())
    for cases in (everything, differing):
        number = _joint_number(table, cases)
        if number <= MOST_ENUMERATED:
            repeats = 1 if cases == everything else -(-DRAWS // number)
            return Arrangements(*sides, cases, lots_of(changes, cases), number * repeats, exact=True)
    return Arrangements(*sides, (), lots_of(changes, ()), DRAWS, exact=False)


def _joint_number(table: RunTable, cases: tuple[int, ...]) -> int:
    """Return how many joint arrangements *cases* have; stops counting once they are too many."""
    number = 1
    for case in cases:
        number *= math.comb(int(table.sizes[case]), int(table.after_runs[case]))
        if number > MOST_ENUMERATED:
            break
    return number


def _on_grid(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round each column to multiples of a power of two so large that its sums fit float64's 53 bits."""
    _, exponent = np.frexp(np.abs(columns).sum(axis=0))
    return np.asarray(np.ldexp(np.rint(np.ldexp(columns, 51 - exponent)), exponent - 51))
