"""The scores of many items against many, added up column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from pytest_schemascore.scoring.comparators.equality import number_off
from pytest_schemascore.scoring.pairing.base import UNJUDGED
from pytest_schemascore.scoring.verdicts import check_score, raised

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.columns import Column
    from pytest_schemascore.scoring.items import Agreement

Codes: TypeAlias = "tuple[Sequence[Hashable], Sequence[Hashable]]"
"""The codes of a column: of the labels by row, and of the values by output item."""

LEAST_WEIGHT: Final = 1e-13
"""What a weight of 0 counts in pairing: it decides only where nothing else does."""

_BLOCK: Final = 512
"""Rows handled at once, so that what a column needs beside the total stays small."""


class PairScores:
    """The score of expected items *rows* against output items *others*.

    The score of a pair is the weighted mean over the expected item's labelled leaves; those that aren't
    judged have no weight.

    Args:
        rows, others: which items.
        length: how many expected items there are in all.
    """

    def __init__(self, rows: Sequence[int], others: Sequence[int], length: int) -> None:
        self._rows = rows
        self._others = others
        self._length = length
        self._total = np.zeros((len(rows), len(others)))
        # One weight for each row, or for each pair once some pair has an unjudged leaf.
        self._weight = np.zeros((len(rows), 1))

    def add(self, column: Column, agreement: Agreement) -> None:
        """Add the scores of *column*; *agreement* scores the pairs of a column that isn't plain."""
        at, places = column.places(self._rows, self._length)
        if not at:
            return
        if column.codes is not None:
            of_labels, of_values = column.codes
            numbers = number_off([of_labels[k] for k in places] + [of_values[j] for j in self._others])
            self._add_agreeing(at, numbers[: len(at)], numbers[len(at) :], column.node.weight or LEAST_WEIGHT)
            return
        labels = np.array([column.distinct.left[k] for k in places])
        found, place = _distinct(np.array([column.distinct.right[j] for j in self._others]))
        for block in _blocks(len(at)):
            wanted, row = _distinct(labels[block])
            if column.plain:
                scores, weights = _judged(column, wanted, found)
            else:
                scores, weights = _pairwise(column, wanted, found, agreement)
            rows = self._rows_of(at, block)
            self._total[rows] += _spread(scores, row, place)
            self._add_weights(rows, _spread(weights, row, place))

    def _add_agreeing(
        self, at: Sequence[int], labels: NDArray[np.intp], values: NDArray[np.intp], weight: float
    ) -> None:
        for block in _blocks(len(at)):
            rows = self._rows_of(at, block)
            agree = labels[block, None] == values
            self._total[rows] += agree if weight == 1 else agree * weight
            self._weight[rows] += weight

    def _rows_of(self, at: Sequence[int], block: slice) -> slice | Sequence[int]:
        """Return the rows of a block of *at*; where those are all rows a slice, which copies nothing."""
        return block if len(at) == len(self._rows) else at[block]

    def _add_weights(self, rows: slice | Sequence[int], weights: NDArray[np.float64]) -> None:
        if weights.shape[1] > 1 and self._weight.shape != self._total.shape:
            if (weights == weights[:, :1]).all():
                weights = weights[:, :1]
            else:
                self._weight = np.broadcast_to(self._weight, self._total.shape).copy()
        self._weight[rows] += weights

    def mean(self) -> NDArray[np.float64]:
        """Return the scores, in [0, 1]; `UNJUDGED` where no leaf of a pair is judged."""
        judged = self._weight > 0
        np.divide(self._total, self._weight, out=self._total, where=judged)
        if not judged.all():
            self._total[np.broadcast_to(~judged, self._total.shape)] = UNJUDGED
        return self._total


def shares_agreeing(
    columns: Sequence[Codes], rows: Sequence[int], others: Sequence[int]
) -> NDArray[np.float64]:
    """Return in how many of *columns* rows and others have equal codes, as a share of all columns.

    That is what `PairScores` comes to where every expected item has every column, with codes and a weight
    of 1, at a third of the time for short lists: all columns are compared at once, which for long ones would
    take much memory.
    """
    # One numbering for all columns: that codes of different columns may be equal is no harm.
    codes = [
        code
        for left, right in columns
        for side, places in ((left, rows), (right, others))
        for code in map(side.__getitem__, places)
    ]
    numbers = number_off(codes).reshape(len(columns), len(rows) + len(others))
    agree = numbers[:, : len(rows), None] == numbers[:, None, len(rows) :]
    shares: NDArray[np.float64] = agree.sum(axis=0) / len(columns)
    return shares


def _blocks(length: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, length, _BLOCK))


def _distinct(places: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp] | None]:
    """Return the different *places* and where each stands among them; None where all are different."""
    different, at = np.unique(places, return_inverse=True)
    return (places, None) if len(different) == len(places) else (different, at)


def _spread(
    cells: NDArray[np.float64], row: NDArray[np.intp] | None, place: NDArray[np.intp] | None
) -> NDArray[np.float64]:
    """Return *cells*, which stand for distinct labels and values, for all of them."""
    if row is not None:
        cells = cells[row]
    return cells if place is None or cells.shape[1] == 1 else cells[:, place]


def _judged(
    column: Column, wanted: NDArray[np.intp], found: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weighted scores of labels *wanted* against values *found*, and their weights."""
    weight = column.node.weight or LEAST_WEIGHT
    scores = _scores(column, wanted, found)
    unjudged = np.isnan(scores)
    if not unjudged.any():
        return scores * weight, np.full((len(wanted), 1), weight)
    return np.nan_to_num(scores) * weight, np.where(unjudged, 0.0, weight)


def _scores(column: Column, wanted: NDArray[np.intp], found: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the comparator's scores of labels *wanted* against values *found*, NaN where not judged.

    Raises:
        ComparatorError: it raised, or gave anything outside [0, 1].
    """
    labels, is_label = _there(column, wanted)
    values, is_value = _there(column, found)
    node = column.node
    try:
        judged = node.comparator.matrix(labels, values)
    except Exception as error:
        raise raised(node.rule_name, error, node.field) from error
    outside = (judged < 0) | (judged > 1)
    if outside.any():
        check_score(judged[outside][0], node.rule_name, node.field)
    if len(labels) == len(wanted) and len(values) == len(found):
        return judged
    scores = np.asarray(~is_label[:, None] & ~is_value[None, :], np.float64)
    scores[np.ix_(is_label, is_value)] = judged
    return scores


def _there(column: Column, places: NDArray[np.intp]) -> tuple[list[Json], NDArray[np.bool_]]:
    """Return those of the values at *places* that aren't empty, and which they are."""
    distinct = column.distinct.all
    values = [distinct[k] for k in places]
    return [v for v in values if v is not None], np.array([v is not None for v in values], bool)


def _pairwise(
    column: Column, wanted: NDArray[np.intp], found: NDArray[np.intp], agreement: Agreement
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scores of labels *wanted* against values *found*, one by one, and their weights."""
    distinct = column.distinct.all
    scores = np.zeros((len(wanted), len(found)))
    weights = np.zeros_like(scores)
    for i, left in enumerate(wanted):
        for j, right in enumerate(found):
            scores[i, j], weights[i, j] = agreement(distinct[left], distinct[right], column.node)
    return scores, weights
