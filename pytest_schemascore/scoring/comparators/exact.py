"""`exact`: equal or not (S6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.arguments import check_flag
from pytest_schemascore.scoring.comparators.equality import equal, equality_codes, number_off
from pytest_schemascore.scoring.comparators.naming import BuiltIn
from pytest_schemascore.scoring.comparators.normalizing import normalized

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class exact(BuiltIn):  # noqa: N801 - reads as a function where users call it
    """Score 1 for equal values and 0 for others.

    Texts are compared in NFC, casefolded and with whitespace collapsed; integers exactly at any size; a
    float with a number within 1e-9 relative; 1 equals 1.0, true is never 1, "1" is never 1. Lists and
    objects are equal where all that they hold is. Symmetric.

    Args:
        normalize: False compares texts as they are.

    Raises:
        RuleError: an argument is of the wrong type.
    """

    normalize: bool = True

    def __post_init__(self) -> None:
        check_flag("exact()", "normalize", self.normalize)

    def __call__(self, expected: Json, actual: Json) -> float:
        if type(expected) is str and type(actual) is str:
            same = expected == actual or (self.normalize and normalized(expected) == normalized(actual))
            return 1.0 if same else 0.0
        return 1.0 if equal(expected, actual, normalize=self.normalize) else 0.0

    def codes(self, values: Sequence[Json]) -> Sequence[Hashable] | None:
        return equality_codes(values, normalize=self.normalize)

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        codes = self.codes([*expected, *actual])
        if codes is None:
            return BuiltIn.matrix(self, expected, actual)
        return agreements(codes[: len(expected)], codes[len(expected) :])


def agreements(rows: Sequence[Hashable], columns: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return 1 where the code of a row is that of a column, else 0."""
    import numpy as np  # only pairing lists works on arrays (R7)

    numbers = number_off([*rows, *columns])
    return np.equal(numbers[: len(rows), None], numbers[len(rows) :]).astype(np.float64)
