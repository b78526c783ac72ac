"""What the comparators by edit distance share; the distances are rapidfuzz's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.process import cdist

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def lengths(texts: list[str]) -> NDArray[np.int64]:
    """Return the number of characters of each text."""
    return np.array([len(text) for text in texts], np.int64)


def similarities(
    distance: Callable[..., int], expected: list[str], actual: list[str], most: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return 1 - distance / *most* for each of *expected* (rows) with each of *actual*, 1 where that is 0."""
    distances = cdist(expected, actual, scorer=distance, dtype=np.int64)
    return np.asarray(1.0 - distances / np.maximum(most, 1), np.float64)
