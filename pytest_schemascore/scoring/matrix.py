"""The scores of many items against many, added up column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.scoring.pairing.base import UNJUDGED
from pytest_schemascore.scoring.verdicts import raised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pytest_schemascore.scoring.columns import Column
    from pytest_schemascore.scoring.items import Agreement

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

    def __init__(self, rows: NDArray[np.intp], others: NDArray[np.intp], length: int) -> None:
        self._rows = rows
        self._others = others
        self._length = length
        self._total = np.zeros((len(rows), len(others)))
        # One weight for each row, or for each pair once some pair has an unjudged leaf.
        self._weight = np.zeros((len(rows), 1))

    def add(self, column: Column, agreement: Agreement) -> None:
        """Add the scores of *column*; *agreement* scores the pairs of a column that isn't plain."""
        at, labels = self._place(column)
        if not len(at):
            return
        values = column.right[self._others]
        weight = column.node.weight or LEAST_WEIGHT
        if column.codes is not None:
            of_labels, of_values = column.codes[labels], column.codes[values]
            for block in _blocks(len(at)):
                self._total[at[block]] += weight * (of_labels[block, None] == of_values[None, :])
            self._weight[at] += weight
            return
        for block in _blocks(len(at)):
            wanted, row = np.unique(labels[block], return_inverse=True)
            found, place = np.unique(values, return_inverse=True)
            if column.plain:
                scores = _scores(column, wanted, found) * weight
                weights = np.where(np.isnan(scores), 0.0, weight)
            else:
                scores, weights = _pairwise(column, wanted, found, agreement)
            self._add(at[block], np.nan_to_num(scores)[row][:, place], weights[row][:, place])

    def _place(self, column: Column) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which of the rows *column* has, and their labels."""
        position = np.full(self._length, -1, np.intp)
        position[self._rows] = np.arange(len(self._rows))
        at = position[np.asarray(column.rows, np.intp)]
        return at[at >= 0], column.left[at >= 0]

    def _add(self, at: NDArray[np.intp], scores: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        self._total[at] += scores
        if self._weight.shape[1] == 1 and (weights == weights[:, :1]).all():
            self._weight[at] += weights[:, :1]
            return
        if self._weight.shape != self._total.shape:
            self._weight = np.broadcast_to(self._weight, self._total.shape).copy()
        self._weight[at] += weights

    def mean(self) -> NDArray[np.float64]:
        """Return the scores, in [0, 1]; `UNJUDGED` where no leaf of a pair is judged."""
        judged = self._weight > 0
        np.divide(self._total, self._weight, out=self._total, where=judged)
        if not judged.all():
            self._total[np.broadcast_to(~judged, self._total.shape)] = UNJUDGED
        return self._total


def _blocks(length: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, length, _BLOCK))


def _scores(column: Column, wanted: NDArray[np.intp], found: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the comparator's scores of labels *wanted* against values *found*, NaN where not judged.

    Raises:
        ComparatorError: it raised, or gave anything outside [0, 1].
    """
    labels = [column.distinct[k] for k in wanted]
    values = [column.distinct[k] for k in found]
    rows = np.array([k for k, label in enumerate(labels) if label is not None], np.intp)
    others = np.array([k for k, value in enumerate(values) if value is not None], np.intp)
    scores = np.zeros((len(labels), len(values)))
    scores[np.ix_(*([k for k, x in enumerate(side) if x is None] for side in (labels, values)))] = 1.0
    comparator = column.node.comparator
    try:
        judged = comparator.matrix([labels[k] for k in rows], [values[k] for k in others])
    except Exception as error:
        raise raised(comparator, error, column.node.field) from error
    if ((judged < 0) | (judged > 1)).any():
        wrong = judged[(judged < 0) | (judged > 1)][0]
        msg = (
            f"{column.node.field}: comparator {comparator!r} returned {wrong:g}; return a number from 0 to 1"
        )
        raise ComparatorError(msg)
    scores[np.ix_(rows, others)] = judged
    return scores


def _pairwise(
    column: Column, wanted: NDArray[np.intp], found: NDArray[np.intp], agreement: Agreement
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scores of labels *wanted* against values *found*, one by one, and their weights."""
    scores = np.zeros((len(wanted), len(found)))
    weights = np.zeros_like(scores)
    for i, left in enumerate(wanted):
        for j, right in enumerate(found):
            scores[i, j], weights[i, j] = agreement(
                column.distinct[left], column.distinct[right], column.node
            )
    return scores, weights
