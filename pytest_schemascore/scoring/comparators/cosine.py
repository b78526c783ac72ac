"""`cosine`: texts by what they mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pytest_schemascore.scoring.comparators.arguments import check_function
from pytest_schemascore.scoring.comparators.embedding import Embedder, Vectors, check_installed
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class cosine(Reading[str]):  # noqa: N801 - reads as a function where users call it
    """Score two texts by the cosine of their embeddings, 0 where it is negative; other values by `exact`.

    The score is rounded to six digits, below which a model's result depends on what else is in the batch.
    The same text scores 1; a blank one scores 0 with any other. Each text is embedded once, in batches.
    Symmetric.

    Args:
        model: name or folder of a sentence-transformers model (needs the extra ``embeddings``), or a function
            that takes a list of texts and returns one vector of the same length for each.

    Raises:
        RuleError: the model is neither.
        UsageError: sentence-transformers is not installed and a model is named.
    """

    model: str | Embedder
    _vectors: Vectors = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.model, str):
            check_installed(self.model)
        else:
            check_function("cosine()", "model", self.model)
        object.__setattr__(self, "_vectors", Vectors(self.model))

    def read(self, value: Json) -> str | None:
        return value if isinstance(value, str) else None

    def score(self, expected: str, actual: str) -> float:
        return float(self.scores([expected], [actual])[0, 0])

    def scores(self, expected: list[str], actual: list[str]) -> NDArray[np.float64]:
        same = np.array([[e == a for a in actual] for e in expected], np.float64)
        rows = [i for i, text in enumerate(expected) if text.strip()]
        columns = [j for j, text in enumerate(actual) if text.strip()]
        if rows and columns and not same.all():
            vectors = self._vectors.of([*(expected[i] for i in rows), *(actual[j] for j in columns)])
            others = vectors[len(rows) :]
            for i, vector in zip(rows, vectors, strict=False):
                # Row by row, not as a matrix product, so that a pair's last digits don't depend on the rest.
                likeness = np.round((others * vector).sum(axis=1), 6).clip(0.0, 1.0)
                same[i, columns] = np.maximum(same[i, columns], likeness)
        return same
