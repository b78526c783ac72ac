"""A user's own function as a comparator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.base import Comparator

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class FunctionComparator(Comparator):
    """Calls ``function(expected, actual) -> bool | float | None``; its name is ``module:qualname``."""

    function: Callable[[Json, Json], object]
    name: str

    def __call__(self, expected: Json, actual: Json) -> float | None:
        return self.function(expected, actual)  # type: ignore[return-value]  # whoever calls checks what came back

    @property
    def reflexive(self) -> bool:
        """A user's function is always asked: it may judge equal values as it likes."""
        return False

    def __repr__(self) -> str:
        return self.name
