"""`levenshtein`: the share of characters that need no edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class levenshtein(Reading[str]):  # noqa: N801 - reads as a function where users call it
    """Score two texts, as they are, 1 - edit distance / longer length; other values by `exact`.

    The distance counts inserted, deleted and replaced characters; two empty texts score 1. Symmetric.
    """

    def read(self, value: Json) -> str | None:
        return value if isinstance(value, str) else None

    def score(self, expected: str, actual: str) -> float:
        return 1.0 - Levenshtein.distance(expected, actual) / max(len(expected), len(actual), 1)

    def scores(self, expected: list[str], actual: list[str]) -> NDArray[np.float64]:
        # Only pairing lists works on arrays (R7).
        import numpy as np

        from pytest_schemascore.scoring.comparators.edit_distance import lengths, similarities

        longer = np.maximum(lengths(expected)[:, None], lengths(actual)[None, :])
        return similarities(Levenshtein.distance, expected, actual, longer)
