"""Comparators that leave it to another one, which depends on the values at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.base import Comparator

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Absent, Json


class Choosing(Comparator):
    """Base of comparators that choose another one for each leaf; reports name the one that was chosen."""

    __slots__ = ()

    def choose(self, expected: Json | Absent, actual: Json | Absent) -> Comparator:
        """Return the rule for this label and value; it may choose in turn, see `chosen`."""
        raise NotImplementedError

    def sort_of(self, value: Json) -> Hashable:
        """Return what of *value* the choice depends on."""
        raise NotImplementedError

    def __call__(self, expected: Json, actual: Json) -> float | None:
        return self.choose(expected, actual)(expected, actual)

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        import numpy as np  # only pairing lists works on arrays (R7)

        scores = np.zeros((len(expected), len(actual)))
        columns = self._places(actual)
        for rows in self._places(expected):
            for places in columns:
                rule = self.choose(expected[rows[0]], actual[places[0]])
                block = rule.matrix([expected[i] for i in rows], [actual[j] for j in places])
                scores[np.ix_(rows, places)] = block
        return scores

    def _places(self, values: Sequence[Json]) -> list[list[int]]:
        """Return the indexes of *values*, those of one sort together."""
        places: dict[Hashable, list[int]] = {}
        for index, value in enumerate(values):
            places.setdefault(self.sort_of(value), []).append(index)
        return list(places.values())


def chosen(comparator: Comparator, expected: Json | Absent, actual: Json | Absent) -> Comparator:
    """Return *comparator*, or what it comes down to for this label and value."""
    while isinstance(comparator, Choosing):
        comparator = comparator.choose(expected, actual)
    return comparator
