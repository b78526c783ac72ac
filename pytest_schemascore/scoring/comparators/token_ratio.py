"""`token_ratio`: how alike two texts are whatever the order of their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pytest_schemascore.scoring.comparators.normalizing import normalized
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class token_ratio(Reading[str]):  # noqa: N801 - reads as a function where users call it
    """Score how alike two texts are whatever the order of their words; other values by `exact`.

    The score is the normalized Indel similarity of the normalized texts with their words sorted
    (``rapidfuzz.fuzz.token_sort_ratio`` / 100). Symmetric.
    """

    def read(self, value: Json) -> str | None:
        return " ".join(sorted(normalized(value).split())) if isinstance(value, str) else None

    def score(self, expected: str, actual: str) -> float:
        return 1.0 - Indel.distance(expected, actual) / max(len(expected) + len(actual), 1)

    def scores(self, expected: list[str], actual: list[str]) -> NDArray[np.float64]:
        # Its numpy is for pairing lists alone (R7).
        from pytest_schemascore.scoring.comparators.edit_distance import lengths, similarities

        both = lengths(expected)[:, None] + lengths(actual)[None, :]
        return similarities(Indel.distance, expected, actual, both)
