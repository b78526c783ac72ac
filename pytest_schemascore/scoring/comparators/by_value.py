"""The rule of a union in a schema whose members have rules of their own (S2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_schemascore.scoring.comparators.choosing import Choosing

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.comparators.reading import Reading


@dataclass(frozen=True, slots=True, repr=False)
class ByValue(Choosing):
    """Chooses the first of `readings` that can read both sides, else `other`.

    Two JSON numbers are for `other` too: of ``Decimal | float`` one that was dumped as text is read as a
    decimal, and floats keep the rule of floats.
    """

    readings: tuple[Reading[Any], ...]
    other: Comparator

    def __repr__(self) -> str:
        return f"by_value({', '.join(map(repr, self.readings))}, other={self.other!r})"

    @property
    def reflexive(self) -> bool:
        """Whether `other` is; what can be read always is."""
        return self.other.reflexive

    def choose(self, expected: Json | Absent, actual: Json | Absent) -> Comparator:
        """Return the rule for this label and value."""
        if isinstance(expected, str) or isinstance(actual, str):
            for rule in self.readings:
                if _reads(rule, expected) and _reads(rule, actual):
                    return rule
        return self.other

    def sort_of(self, value: Json) -> Hashable:
        """Return what of *value* the choice depends on."""
        return isinstance(value, str), *(_reads(rule, value) for rule in self.readings)


def _reads(rule: Reading[Any], value: Json | Absent) -> bool:
    return isinstance(value, (str, int, float)) and rule.read(value) is not None
