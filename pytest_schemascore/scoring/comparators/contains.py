"""`contains`: the label stands somewhere in the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.normalizing import normalized
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class contains(Reading[str]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where the label's text is part of the output's, both normalized as in `exact`, else 0.

    An empty label is part of every text. Values that aren't texts are compared by `exact`. Not symmetric.
    """

    def read(self, value: Json) -> str | None:
        return normalized(value) if isinstance(value, str) else None

    def score(self, expected: str, actual: str) -> float:
        return 1.0 if expected in actual else 0.0
