"""A default that is a mapping JSON type -> rule."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_types import type_name
from pytest_schemascore.scoring.comparators.choosing import Choosing

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.scoring.comparators.base import Comparator


@dataclass(frozen=True, slots=True, repr=False)
class ByJsonType(Choosing):
    """Chooses by the JSON type of the label; a number with a fraction on either side makes both numbers.

    `other` serves types that have no rule of their own here.
    """

    other: Comparator
    string: Comparator | None = None
    boolean: Comparator | None = None
    integer: Comparator | None = None
    number: Comparator | None = None

    @property
    def reflexive(self) -> bool:
        """Whether all its rules are."""
        rules = (self.other, self.string, self.boolean, self.integer, self.number)
        return all(rule.reflexive for rule in rules if rule is not None)

    def __repr__(self) -> str:
        own = [f"{f.name}={rule!r}" for f in fields(self) if (rule := getattr(self, f.name)) is not None]
        return f"by_type({', '.join(own)})"

    def choose(self, expected: Json | Absent, actual: Json | Absent) -> Comparator:
        """Return the rule for this label and value."""
        kind = type_name(expected)
        if kind == "integer" and (self.integer is None or type_name(actual) == "number"):
            kind = "number"
        rule: Comparator | None = getattr(self, kind) if kind in _OWN else None
        return rule or self.other

    def sort_of(self, value: Json) -> Hashable:
        """Return what of *value* the choice depends on."""
        return type_name(value)


_OWN: Final = frozenset({"string", "boolean", "integer", "number"})
