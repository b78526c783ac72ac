"""Where `cosine` gets its vectors from: sentence-transformers or a function of the user's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pytest_schemascore.errors import ComparatorError, RuleError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

Embedder: TypeAlias = Callable[[list[str]], Sequence[Sequence[float]]]


class Vectors:
    """Unit vectors by text, each text embedded once, the model loaded when the first one is asked for."""

    __slots__ = ("_by_text", "_embed", "_model")

    def __init__(self, model: str | Embedder) -> None:
        self._model = model
        self._embed: Embedder | None = None if isinstance(model, str) else model
        self._by_text: dict[str, NDArray[np.float64]] = {}

    def of(self, texts: Iterable[str]) -> NDArray[np.float64]:
        """Return the vectors of *texts* as rows of length 1 (or 0); new texts go to the model as one batch.

        Raises:
            RuleError: the model can't be loaded.
            ComparatorError: the embedder didn't return one vector of finite numbers a text.
        """
        wanted = list(texts)
        new = [text for text in dict.fromkeys(wanted) if text not in self._by_text]
        if new:
            self._by_text.update(zip(new, self._units(new), strict=True))
        return np.stack([self._by_text[text] for text in wanted])

    def _units(self, texts: list[str]) -> NDArray[np.float64]:
        if self._embed is None:
            self._embed = _sentence_transformer(str(self._model))
        try:
            vectors = np.array(self._embed(texts), np.float64)
        except (TypeError, ValueError) as error:
            msg = f"cosine(): the embedder failed or returned no vectors of numbers: {error}"
            raise ComparatorError(msg) from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            msg = (
                f"cosine(): for {len(texts)} texts the embedder returned an array of shape {vectors.shape};"
                " it has to return one vector of finite numbers for each"
            )
            raise ComparatorError(msg)
        longest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True, initial=0.0), np.finfo(float).tiny)
        vectors = vectors / longest  # first, so that squares neither overflow nor vanish
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return np.asarray(vectors / np.maximum(lengths, 1e-300), np.float64)


def check_installed(model: str) -> None:
    """Raise `UsageError` where sentence-transformers, which *model* needs, is not installed."""
    if find_spec("sentence_transformers") is None:
        msg = (
            f"cosine({model!r}) needs sentence-transformers; install it with:"
            " pip install 'pytest-schemascore[embeddings]' (or give a function that embeds texts)"
        )
        raise UsageError(msg)


def _sentence_transformer(name: str) -> Embedder:
    from sentence_transformers import SentenceTransformer

    try:
        model = SentenceTransformer(name)
    except (OSError, ValueError) as error:
        msg = f"cosine({name!r}): the model can't be loaded; give its name or folder: {error}"
        raise RuleError(msg) from error

    def embed(texts: list[str]) -> Sequence[Sequence[float]]:
        vectors: Sequence[Sequence[float]] = model.encode(texts, show_progress_bar=False)
        return vectors

    return embed
