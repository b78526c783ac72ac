"""Items are paired so that their total score is the best there is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pytest_schemascore.scoring.comparators.arguments import check_share
from pytest_schemascore.scoring.pairing.base import UNJUDGED, ItemScores, Pairing, Pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

Assigned: TypeAlias = tuple[list[int], list[int]]
"""Rows of a matrix and the column of each."""

_MANY = 4
"""How many equally good columns a row may have, on average, before all items are sorted at once."""
_SLACK = 1e-12
"""What a mean may lose to rounding and still reach the threshold it equals."""


@dataclass(frozen=True, slots=True)
class by_content(Pairing):  # noqa: N801 - read as a call in a rule: by_content()
    """Pair items by what they hold, whatever their order: the pairing with the best total score.

    The score of a pair is the weighted mean over the expected item's labelled leaves under their own rules.
    Pairs below *threshold*, and pairs that agree on nothing, are undone: their items count as missing and
    extra. Ties go by canonical JSON, then by order, so shuffling either list changes no count.

    The assignment is `scipy.optimize.linear_sum_assignment`. Memory grows with the product of both lengths
    less what is identical: 8 bytes a pair, 800 MB for two lists of 10,000 items that all differ.

    Raises:
        RuleError: *threshold* isn't a number in [0, 1].
    """

    threshold: float = 0.0

    def __post_init__(self) -> None:
        check_share("by_content()", "threshold", self.threshold)

    def __repr__(self) -> str:
        return f"by_content(threshold={self.threshold:g})" if self.threshold else "by_content()"

    def pair(self, items: ItemScores) -> Pairs:
        rows, others = range(len(items.expected)), range(len(items.actual))
        settled = items.identical() if len(rows) > 1 and len(others) > 1 else []
        left = {i for i, _ in settled}
        right = {j for _, j in settled}
        rest = best_pairs(
            items, [i for i in rows if i not in left], [j for j in others if j not in right], self.threshold
        )
        alike = left if settled and items.all_scalars() else frozenset()
        return Pairs.of([*settled, *rest], len(rows), len(others), alike)


def best_pairs(
    items: ItemScores, rows: Sequence[int], others: Sequence[int], threshold: float = 0.0
) -> list[tuple[int, int]]:
    """Return the best assignment of expected items *rows* to output items *others*, weak pairs left out."""
    rows, others = items.promising(rows, others)
    if not rows or not others:
        return []
    scores = items.matrix(rows, others)
    at_other = _places(others)

    def by_canonical(columns: Iterable[int]) -> list[int]:
        return [at_other[j] for j in items.sorted_actual([others[column] for column in columns])]

    chosen = first_choices(scores, by_canonical)
    if chosen is None:
        at_row, columns = _places(rows), by_canonical(range(len(others)))
        rows, others = items.sorted_expected(rows), [others[column] for column in columns]
        scores = scores[[at_row[i] for i in rows]][:, columns]
        chosen = assignment(scores)
    best = scores[chosen]
    holds = ((best > 0) & ((best >= float(threshold) - _SLACK) | (best == UNJUDGED))).tolist()
    return [(rows[i], others[j]) for i, j, holds_ in zip(*chosen, holds, strict=True) if holds_]


def _places(items: Sequence[int]) -> dict[int, int]:
    return {item: place for place, item in enumerate(items)}


def first_choices(
    scores: NDArray[np.float64], by_canonical: Callable[[Iterable[int]], list[int]]
) -> Assigned | None:
    """Return each row with its best column, rows of zeros left out.

    Of equally good columns the first is taken, as *by_canonical* sorts them. No assignment has a better total
    than the one returned. It is None where two rows want the same column, or where so many columns are
    equally good that all items may as well be sorted.
    """
    best = scores.max(axis=1, keepdims=True)
    found, wanted = ((scores == best) & (best > 0)).nonzero()
    if len(found) > _MANY * len(scores):
        return None
    rows, columns = found.tolist(), wanted.tolist()
    if len(set(rows)) < len(rows):
        times = Counter(rows)
        tied = {column for row, column in zip(rows, columns, strict=True) if times[row] > 1}
        order = _places(by_canonical(tied))
        choice: dict[int, int] = {}
        for row, column in sorted(zip(rows, columns, strict=True), key=lambda pair: order.get(pair[1], 0)):
            choice.setdefault(row, column)
        rows, columns = list(choice), list(choice.values())
    return (rows, columns) if len(set(columns)) == len(columns) else None


def assignment(scores: NDArray[np.float64]) -> Assigned:
    """Return the rows and columns of an assignment with the best total; rows of zeros may be left out.

    Where no two rows have their best score in the same column, no other assignment has a better total.
    """
    rows = scores.max(axis=1).nonzero()[0]
    columns = scores[rows].argmax(axis=1).tolist()
    if len(set(columns)) == len(columns):
        return rows.tolist(), columns
    from scipy.optimize import linear_sum_assignment  # takes long to load: most short lists do without

    matched, places = linear_sum_assignment(scores, maximize=True)
    return matched.tolist(), places.tolist()
