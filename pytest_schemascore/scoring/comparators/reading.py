"""The frame of comparators that read values as something: numbers, dates, texts in some form."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.naming import BuiltIn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class Reading(BuiltIn, Generic[T]):
    """Scores two values that can be read; two that can't by `exact`; one of each scores 0."""

    def read(self, value: Json) -> T | None:
        """Return *value* in the form in which it is compared; None where it can't be read."""
        raise NotImplementedError

    def score(self, expected: T, actual: T) -> float:
        """Return the score of two readings in [0, 1]."""
        raise NotImplementedError

    def scores(self, expected: list[T], actual: list[T]) -> NDArray[np.float64]:
        """Return the score of each of *expected* (rows) with each of *actual*: what `score` gives, faster."""
        import numpy as np  # only pairing lists works on arrays (R7)

        return np.array([[self.score(e, a) for a in actual] for e in expected], np.float64)

    def reading_codes(self, readings: list[T]) -> Sequence[Hashable] | None:
        """Return `codes` for *readings*."""
        del readings
        return None

    def __call__(self, expected: Json, actual: Json) -> float:
        left = self.read(expected)
        right = self.read(actual)
        if left is not None and right is not None:
            return self.score(left, right)
        return exact()(expected, actual) if left is right else 0.0

    def codes(self, values: Sequence[Json]) -> Sequence[Hashable] | None:
        readings = [self.read(value) for value in values]
        found = self.reading_codes([r for r in readings if r is not None])
        others = exact().codes([v for v, r in zip(values, readings, strict=True) if r is None])
        if found is None or others is None:
            return None
        of_read, of_others = iter(found), iter(others)
        return [(False, next(of_others)) if r is None else (True, next(of_read)) for r in readings]

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        left = [self.read(value) for value in expected]
        right = [self.read(value) for value in actual]
        import numpy as np  # only pairing lists works on arrays (R7)

        scores = np.zeros((len(left), len(right)), np.float64)
        rows, columns = _places(left, read=True), _places(right, read=True)
        if rows and columns:
            e, e_at = distinct(r for r in left if r is not None)
            a, a_at = distinct(r for r in right if r is not None)
            scores[np.ix_(rows, columns)] = self.scores(e, a)[np.ix_(e_at, a_at)]
        rows, columns = _places(left, read=False), _places(right, read=False)
        if rows and columns:
            others = exact().matrix([expected[i] for i in rows], [actual[j] for j in columns])
            scores[np.ix_(rows, columns)] = others
        return scores


def settled(
    rule: Reading[T],
    scores: NDArray[np.float64],
    doubtful: NDArray[np.bool_],
    expected: list[T],
    actual: list[T],
) -> NDArray[np.float64]:
    """Return *scores* with the *doubtful* cells, the few at an edge, scored one by one."""
    for i, j in zip(*doubtful.nonzero(), strict=True):
        scores[i, j] = rule.score(expected[i], actual[j])
    return scores


def distinct(readings: Iterable[T]) -> tuple[list[T], list[int]]:
    """Return the distinct *readings* by first appearance, and where each of all stands among them."""
    places: dict[T, int] = {}
    at = [places.setdefault(reading, len(places)) for reading in readings]
    return list(places), at


def _places(readings: list[T | None], *, read: bool) -> list[int]:
    return [i for i, reading in enumerate(readings) if (reading is not None) is read]
