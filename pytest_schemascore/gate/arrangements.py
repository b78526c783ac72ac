"""Which runs stand for "after": the arrangements that G4 compares the observed one with, and their sums."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.gate.run_table import RunTable

DRAWS = 10_000
MOST_ENUMERATED = 2**16
_SEED = 20_240_229  # any fixed number: the same data must give the same verdict everywhere
_BLOCK = 2**16  # cells of a block of arrangements, so that its arrays stay in the processor's cache
_LEAST_ROWS = 64  # of a block, below which a matrix product is slow


@dataclass(frozen=True, slots=True)
class Arrangements:
    """The set of arrangements: enumerated where the joint number is small, drawn otherwise.

    Where the differing cases can be enumerated and the others cannot, each joint arrangement of the differing
    ones comes equally often, with drawn labels for the others. p at the margin is then exact, as the others
    do not matter to it, and the interval, to which they do, comes from the same set and cannot contradict it.

    Attributes:
        before_runs, after_runs: of shape (cases,).
        enumerated: places of the enumerated cases.
        count: how many arrangements.
        exact: whether p at the margin is exact.
    """

    before_runs: NDArray[np.int64]
    after_runs: NDArray[np.int64]
    enumerated: tuple[int, ...]
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
        by_place = [
            weighted[starts[: self._with_more_runs_than(place + 1)] + place]
            for place in range(self.sizes[0] - 1)
        ]
        arranged = np.zeros((self.count, columns.shape[1]))
        for rows, place, chosen in self._blocks():
            arranged[rows] += chosen.astype(np.float64) @ by_place[place]
        return arranged + self._constant(columns)

    def _weighted(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what a run adds when it stands for after rather than before.

        Put on a binary grid that float64 adds without rounding, hence in any order and on any machine alike.
        """
        weight = self.sizes / (self.before_runs * self.after_runs)
        return _on_grid(columns * np.repeat(weight, self.sizes)[:, None])

    def _constant(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(-(columns / np.repeat(self.before_runs, self.sizes)[:, None]).sum(axis=0))

    def _with_more_runs_than(self, runs: int) -> int:
        """Count the cases with more runs; they come first."""
        return int((self.sizes > runs).sum())

    def _blocks(self) -> Iterator[tuple[slice, int, NDArray[np.bool_]]]:
        """Yield rows, place in the case, and which cases' run at that place stands for after.

        Never a case's last run, which the others decide. Drawn by selection sampling (Knuth, TAOCP 2, 3.4.2,
        algorithm S) from raw generator bits: the next run is taken with probability needed / remaining.
        """
        bits = np.random.PCG64(_SEED)
        cases = len(self.before_runs)
        sizes = self.sizes.astype(np.uint64)
        choices = [
            (case, _choices(int(self.before_runs[case]), int(self.after_runs[case])))
            for case in self.enumerated
        ]
        for start in range(0, self.count, step := max(_LEAST_ROWS, _BLOCK // cases)):
            rows = slice(start, min(start + step, self.count))
            height = rows.stop - rows.start
            needed = np.repeat(self.after_runs[None].astype(np.uint64), height, axis=0)
            for place in range(int(sizes[0]) - 1):
                live = self._with_more_runs_than(place + 1)
                remaining = sizes[:live] - np.uint64(place)
                draws = _raw_32(bits, height * live).reshape(height, live)
                chosen = draws * remaining < needed[:, :live] << np.uint64(32)
                needed[:, :live] -= chosen
                _enumerate(chosen, choices, rows, place)
                yield rows, place, chosen


def arrangements_of(table: RunTable, differs: NDArray[np.bool_]) -> Arrangements:
    """Choose the arrangements for *table*; *differs* says which cases matter at the margin (G4)."""
    everything = range(len(differs))
    differing = tuple(case for case in everything if differs[case])
    for cases in (tuple(everything), differing):
        number = _joint_number(table, cases)
        if number <= MOST_ENUMERATED:
            repeats = 1 if len(cases) == len(differs) else -(-DRAWS // number)
            return Arrangements(table.before_runs, table.after_runs, cases, number * repeats, exact=True)
    return Arrangements(table.before_runs, table.after_runs, (), DRAWS, exact=False)


def _joint_number(table: RunTable, cases: tuple[int, ...]) -> int:
    """Return how many joint arrangements *cases* have; stops counting once they are too many."""
    number = 1
    for case in cases:
        number *= math.comb(int(table.sizes[case]), int(table.after_runs[case]))
        if number > MOST_ENUMERATED:
            break
    return number


def _enumerate(
    chosen: NDArray[np.bool_], choices: Sequence[tuple[int, NDArray[np.bool_]]], rows: slice, place: int
) -> None:
    """Overwrite the drawn labels of the enumerated cases: each takes one digit of the row's number."""
    number = np.arange(rows.start, rows.stop)
    for case, options in choices:
        if case < chosen.shape[1]:
            chosen[:, case] = options[number % len(options), place]
        number = number // len(options)


def _choices(before: int, after: int) -> NDArray[np.bool_]:
    """Return every choice of the runs that stand for after, of shape (choices, runs)."""
    runs = before + after
    picks = np.array(list(itertools.combinations(range(runs), after)))
    return np.asarray((picks[:, :, None] == np.arange(runs)).any(axis=1))


def _raw_32(bits: np.random.PCG64, count: int) -> NDArray[np.uint64]:
    """Draw *count* uniform 32-bit numbers, the low half of each raw number first on any machine."""
    raw = np.asarray(bits.random_raw(-(-count // 2)), dtype="<u8")
    return raw.view("<u4")[:count].astype(np.uint64)


def _on_grid(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round each column to multiples of a power of two so large that its sums fit float64's 53 bits."""
    _, exponent = np.frexp(np.abs(columns).sum(axis=0))
    return np.asarray(np.ldexp(np.rint(np.ldexp(columns, 51 - exponent)), exponent - 51))
