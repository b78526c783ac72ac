"""Drawing which runs of each case stand for "after", by a few arrangements of some cases at a time (G4)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.gate.arrangements import Arrangements

_BLOCK = 2**16  # cells of a block of arrangements, so that its arrays stay in the processor's cache
_LEAST_ROWS = 64  # of a block, below which a matrix product is slow


class Block(NamedTuple):
    """Some arrangements of some cases, which come again with each place in them but the last.

    Attributes:
        arrangements: rows of all arrangements.
        cases: places of the cases.
        place: of a run in its case.
        chosen: whether that run stands for after, of shape (arrangements, cases).
    """

    arrangements: slice
    cases: NDArray[np.int64]
    place: int
    chosen: NDArray[np.bool_]


def draw_labels(arrangements: Arrangements, bits: np.random.PCG64) -> Iterator[Block]:
    """Yield the labels of all cases that are in no lot, enumerated or drawn with raw numbers of *bits*.

    A case's last run is in no block: the others decide it.
    """
    apart = np.ones(len(arrangements.sizes), dtype=np.bool_)
    for lot in arrangements.lots:
        apart[lot.cases] = False
    single = arrangements.sizes == 2
    yield from _selected(arrangements, np.flatnonzero(apart & ~single), bits)
    yield from _tossed(arrangements, np.flatnonzero(apart & single), bits)


def _selected(arrangements: Arrangements, cases: NDArray[np.int64], bits: np.random.PCG64) -> Iterator[Block]:
    """Yield the labels of *cases* with more than two runs, most first.

    By selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S): the next run is taken with probability needed
    / remaining.
    """
    counted = _counted_among(arrangements, cases)
    sizes = arrangements.sizes[cases].astype(np.uint64)
    after = arrangements.after_runs[None, cases].astype(np.uint64)
    for rows, height in _blocks_of(arrangements.count, len(cases)):
        needed = np.repeat(after, height, axis=0)
        for place in range(int(sizes[0]) - 1):
            live = int((sizes > place + 1).sum())
            remaining = sizes[:live] - np.uint64(place)
            draws = _raw_32(bits, height * live).reshape(height, live)
            chosen = draws * remaining < needed[:, :live] << np.uint64(32)
            needed[:, :live] -= chosen
            _enumerate(chosen, counted, rows, place)
            yield Block(rows, cases[:live], place, chosen)


def _tossed(arrangements: Arrangements, cases: NDArray[np.int64], bits: np.random.PCG64) -> Iterator[Block]:
    """Yield the labels of *cases* with a run on each side: a bit says whether the first stands for after."""
    counted = _counted_among(arrangements, cases)
    for rows, height in _blocks_of(arrangements.count, len(cases)):
        chosen = _raw_bits(bits, height * len(cases)).reshape(height, len(cases))
        _enumerate(chosen, counted, rows, 0)
        yield Block(rows, cases, 0, chosen)


def _blocks_of(count: int, cases: int) -> Iterator[tuple[slice, int]]:
    """Cut *count* arrangements of so many *cases* into blocks, none where there are no cases."""
    if not cases:
        return
    step = max(_LEAST_ROWS, _BLOCK // cases)
    for start in range(0, count, step):
        stop = min(start + step, count)
        yield slice(start, stop), stop - start


class _Counted(NamedTuple):
    """An enumerated case: its place among those drawn with it, and all its choices.

    Its choice is one digit of the arrangement's number, that of value *divisor*.
    """

    place: int
    divisor: int
    options: NDArray[np.bool_]


def _counted_among(arrangements: Arrangements, cases: NDArray[np.int64]) -> list[_Counted]:
    """Return the enumerated cases that are among *cases*."""
    places = {case: place for place, case in enumerate(cases.tolist())}
    counted, divisor = [], 1
    for case in arrangements.enumerated:
        options = _choices(int(arrangements.before_runs[case]), int(arrangements.after_runs[case]))
        if case in places:
            counted.append(_Counted(places[case], divisor, options))
        divisor *= len(options)
    return counted


def _enumerate(
    chosen: NDArray[np.bool_], counted: Sequence[_Counted], arrangements: slice, place: int
) -> None:
    """Overwrite the drawn labels of the enumerated cases."""
    number = np.arange(arrangements.start, arrangements.stop)
    for case, divisor, options in counted:
        if case < chosen.shape[1]:
            chosen[:, case] = options[number // divisor % len(options), place]


def _choices(before: int, after: int) -> NDArray[np.bool_]:
    """Return every choice of the runs that stand for after, of shape (choices, runs)."""
    runs = before + after
    picks = np.array(list(itertools.combinations(range(runs), after)))
    return np.asarray((picks[:, :, None] == np.arange(runs)).any(axis=1))


def _raw_32(bits: np.random.PCG64, count: int) -> NDArray[np.uint64]:
    """Draw *count* uniform 32-bit numbers, the low half of each raw number first on any machine."""
    raw = np.asarray(bits.random_raw(-(-count // 2)), dtype="<u8")
    return raw.view("<u4")[:count].astype(np.uint64)


def _raw_bits(bits: np.random.PCG64, count: int) -> NDArray[np.bool_]:
    """Draw *count* bits, the low ones of each raw number first on any machine."""
    raw = np.asarray(bits.random_raw(-(-count // 64)), dtype="<u8")
    return np.unpackbits(raw.view(np.uint8), count=count, bitorder="little").view(np.bool_)
