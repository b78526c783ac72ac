"""`ignore`: a path that isn't scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.naming import BuiltIn

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class ignore(BuiltIn):  # noqa: N801 - reads as a function where users call it
    """Leave what stands at a path and below it out of every count; scoring looks for this type."""

    @property
    def reflexive(self) -> bool:
        """Not even equal values get a score."""
        return False

    def __call__(self, expected: Json, actual: Json) -> None:
        del expected, actual
