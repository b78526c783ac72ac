"""`jaccard`: the share of words that two texts have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pytest_schemascore.scoring.comparators.arguments import check_function
from pytest_schemascore.scoring.comparators.normalizing import normalized
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from pytest_schemascore.documents.json_types import Json

Tokenizer: TypeAlias = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True, repr=False)
class jaccard(Reading[frozenset[str]]):  # noqa: N801 - reads as a function where users call it
    """Score two texts by their sets of tokens, |common| / |all|; other values by `exact`.

    Two texts without tokens score 1. Symmetric.

    Args:
        tokenizer: makes the tokens of a text; by default its words, split at whitespace, without regard to
            case and to how Unicode composes a letter.

    Raises:
        RuleError: the tokenizer can't be called.
    """

    tokenizer: Tokenizer | None = None

    def __post_init__(self) -> None:
        if self.tokenizer is not None:
            check_function("jaccard()", "tokenizer", self.tokenizer)

    def read(self, value: Json) -> frozenset[str] | None:
        if not isinstance(value, str):
            return None
        return frozenset(normalized(value).split() if self.tokenizer is None else self.tokenizer(value))

    def score(self, expected: frozenset[str], actual: frozenset[str]) -> float:
        common = len(expected & actual)
        whole = len(expected) + len(actual) - common
        return common / whole if whole else 1.0

    def scores(self, expected: list[frozenset[str]], actual: list[frozenset[str]]) -> NDArray[np.float64]:
        columns: dict[str, int] = {}
        rows = [[columns.setdefault(token, len(columns)) for token in tokens] for tokens in expected]
        others = [[columns.setdefault(token, len(columns)) for token in tokens] for tokens in actual]
        common = (_incidence(rows, len(columns)) @ _incidence(others, len(columns)).T).toarray()
        sizes = (
            np.array([len(row) for row in rows])[:, None] + np.array([len(row) for row in others])[None, :]
        )
        whole = sizes - common
        return np.asarray(np.where(whole > 0, common / np.maximum(whole, 1), 1.0), np.float64)


def _incidence(rows: list[list[int]], width: int) -> csr_array:
    """Return the 0/1 matrix that says which of *width* tokens stand in which row."""
    from scipy.sparse import csr_array  # takes long to load, and only long lists of texts need it

    starts = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    indices = np.array([column for row in rows for column in row], np.int64)
    return csr_array((np.ones(len(indices), np.int64), indices, starts), shape=(len(rows), width))
