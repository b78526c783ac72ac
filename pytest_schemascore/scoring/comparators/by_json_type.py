"""A default that is a mapping JSON type -> rule."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import type_name
from pytest_schemascore.scoring.comparators.base import Comparator

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class ByJsonType(Comparator):
    """Chooses by the JSON type of the label; a number with a fraction on either side makes both numbers.

    `other` serves types that have no rule of their own here.
    """

    other: Comparator
    string: Comparator | None = None
    boolean: Comparator | None = None
    integer: Comparator | None = None
    number: Comparator | None = None

    def __call__(self, expected: Json, actual: Json) -> float | None:
        return self.choose(type_name(expected), type_name(actual))(expected, actual)

    @property
    def reflexive(self) -> bool:
        """Whether all its rules are."""
        rules = (self.other, self.string, self.boolean, self.integer, self.number)
        return all(rule.reflexive for rule in rules if rule is not None)

    def __repr__(self) -> str:
        own = [f"{f.name}={rule!r}" for f in fields(self) if (rule := getattr(self, f.name)) is not None]
        return f"by_type({', '.join(own)})"

    def choose(self, expected: str, actual: str) -> Comparator:
        """Return the rule for a label and a value of these JSON types."""
        kind = expected
        if kind == "integer" and (actual == "number" or self.integer is None):
            kind = "number"
        rule: Comparator | None = getattr(self, kind, None) if kind != "other" else None
        return rule or self.other

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        import numpy as np  # only pairing lists works on arrays (R7)

        scores = np.zeros((len(expected), len(actual)))
        columns = _places_by_type(actual)
        for kind, rows in _places_by_type(expected).items():
            for other, places in columns.items():
                block = self.choose(kind, other).matrix(
                    [expected[i] for i in rows], [actual[j] for j in places]
                )
                scores[np.ix_(rows, places)] = block
        return scores


def _places_by_type(values: Sequence[Json]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for index, value in enumerate(values):
        places.setdefault(type_name(value), []).append(index)
    return places
