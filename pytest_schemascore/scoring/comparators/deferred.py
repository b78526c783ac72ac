"""Comparators whose verdict comes later: judges (S12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.base import Comparator

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class Deferred(Comparator):
    """A judge: scoring notes the question, and whoever runs the suite asks it.

    Attributes:
        function: the user's function.
        name: its ``module:qualname``.
        whole: whether it wants all its leaves of a case in one call, or each on its own.
    """

    function: Callable[..., object]
    name: str
    whole: bool = True

    def __call__(self, expected: Json, actual: Json) -> float | None:
        """Stand in for the judge where a score is needed at once, as in pairing: 1 if equal, else 0."""
        return float(type(expected) is type(actual) and expected == actual)

    def __repr__(self) -> str:
        return f"judge({self.name})" if self.whole else self.name
