"""`fuzzy`: texts that are alike enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from pytest_schemascore.scoring.comparators.arguments import check_share
from pytest_schemascore.scoring.comparators.normalizing import normalized
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class fuzzy(Reading[str]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where two texts are at least *threshold* alike, else 0; values that aren't texts by `exact`.

    The likeness is the normalized Indel similarity, 1 - distance / (length + length) where the distance
    counts inserted and deleted characters (``rapidfuzz.fuzz.ratio`` / 100), of the texts as `exact`
    normalizes them. It is compared without rounding: exactly at the threshold passes. Symmetric.

    Args:
        threshold: in [0, 1].

    Raises:
        RuleError: the threshold is no number in [0, 1].
    """

    threshold: float = field(default=0.85, metadata={"always": True})
    _edits: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_share("fuzzy()", "threshold", self.threshold)
        object.__setattr__(self, "_edits", 1 - Fraction(Decimal(str(self.threshold))))

    def read(self, value: Json) -> str | None:
        return normalized(value) if isinstance(value, str) else None

    def score(self, expected: str, actual: str) -> float:
        if expected == actual:
            return 1.0
        most = self._most_edits(len(expected) + len(actual))
        return 1.0 if Indel.distance(expected, actual, score_cutoff=most) <= most else 0.0

    def scores(self, expected: list[str], actual: list[str]) -> NDArray[np.float64]:
        import numpy as np  # only pairing lists works on arrays (R7)

        from pytest_schemascore.scoring.comparators.edit_distance import lengths

        rows, columns = lengths(expected), lengths(actual)
        known = np.unique(np.add.outer(np.unique(rows), np.unique(columns)))
        allowed = np.array([self._most_edits(int(length)) for length in known], np.int64)
        most = allowed[np.searchsorted(known, np.add.outer(rows, columns))]
        distances = cdist(
            expected, actual, scorer=Indel.distance, score_cutoff=int(most.max()), dtype=np.int64
        )
        return np.asarray(distances <= most, np.float64)

    def _most_edits(self, length: int) -> int:
        """Return how many edits texts of this length together may need."""
        return length * self._edits.numerator // self._edits.denominator
