"""The formula of `json_similarity`, as weighted parts of two documents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import canonical, read_json
from pytest_schemascore.documents.json_types import ABSENT, is_empty
from pytest_schemascore.similarity.sides import is_same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.similarity.document_score import Trail

_BELOW_ONE: Final = math.nextafter(1.0, 0.0)
"""The best score of values that differ."""

_EXACT_FLOAT: Final = 2**53
"""Up to here every integer is a float."""


Number = TypeVar("Number", float, Fraction)


class Part(NamedTuple):
    """A place at which the walk ends: how much it weighs, how well it agrees, and where it is."""

    weight: float
    score: float
    trail: Trail


@dataclass(frozen=True, slots=True)
class Formula:
    """How places are weighed and values scored; the arguments of `json_similarity`."""

    keys: Literal["union", "expected"]
    numbers: Literal["relative", "symmetric", "exact"]
    mean: Literal["nested", "leaves"]
    reads_inner_text: bool = False

    def parts(self, expected: Json, actual: Json) -> Iterator[Part]:
        """Yield the parts; their weighted mean is the score. By a stack, since documents may be deep."""
        lacking = None if self.numbers == "symmetric" else ABSENT
        stack: list[tuple[Json | Absent, Json | Absent, float, Trail]] = [(expected, actual, 1.0, None)]
        while stack:
            left, right, weight, trail = stack.pop()
            if self.reads_inner_text:
                left, right = _opened(left), _opened(right)
            below: list[tuple[Json | Absent, Json | Absent, Trail]] = []
            if isinstance(left, dict) and isinstance(right, dict):
                surplus = (key for key in right if key not in left) if self.keys == "union" else ()
                below = [
                    (left.get(key, lacking), right.get(key, lacking), (trail, key))
                    for key in (*left, *surplus)
                ]
            elif isinstance(left, list) and isinstance(right, list):
                length = max(len(left), len(right)) if self.keys == "union" else len(left)
                below = [(_at(left, i), _at(right, i), (trail, i)) for i in range(length)]
            if below:
                share = weight / len(below)
                stack += [(e, a, share, place) for e, a, place in reversed(below)]
            else:
                yield Part(self._weight(left, right, weight), self._score(left, right), trail)

    def _weight(self, left: Json | Absent, right: Json | Absent, share: float) -> float:
        if self.mean == "nested":
            return share
        if self.keys == "union":
            return max(_leaves(left), _leaves(right), 0 if left == right else 1)
        met = is_empty(right) or (isinstance(left, dict) and isinstance(right, dict))
        return _leaves(left) if met else max(_leaves(left), 1)

    def _score(self, left: Json | Absent, right: Json | Absent) -> float:
        """Score two values that have no parts in common."""
        if left is ABSENT or right is ABSENT:
            return 0.0
        if isinstance(left, dict) and isinstance(right, dict):
            return 1.0  # both are empty, or the surplus of one is free
        if isinstance(left, list) and isinstance(right, list):
            return float(left == right)  # one is empty: an item beyond an empty list is invented
        if isinstance(left, str) and isinstance(right, str):
            return _edit_score(left, right)
        if _is_number(left) and _is_number(right):
            return self._number_score(left, right)  # type: ignore[arg-type]  # just seen to be numbers
        if left is None or right is None or (isinstance(left, bool) and isinstance(right, bool)):
            return float(left is right)
        return _edit_score(canonical(left), canonical(right)) if self.numbers == "symmetric" else 0.0

    def _number_score(self, left: float, right: float) -> float:
        if is_same(left, right):
            return 1.0
        if self.numbers == "exact":
            return 0.0
        if max(abs(left), abs(right)) < _EXACT_FLOAT:
            return self._nearness(left, right)
        return self._nearness(Fraction(left), Fraction(right))

    def _nearness(self, left: Number, right: Number) -> float:
        """Return 1 - |e - a| / scale for numbers that differ, where the scale is |e| or |e| + |a|."""
        scale = abs(left) if self.numbers == "relative" else abs(left) + abs(right)
        gap = abs(left - right)
        return min(1.0 - float(gap / scale), _BELOW_ONE) if gap < scale else 0.0


def _opened(value: Json | Absent) -> Json | Absent:
    """Return the object or list that a text holds, or *value* as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return read_json(value).value
        except JsonError:
            return value
    return value


def _at(items: list[Json], index: int) -> Json | Absent:
    return items[index] if index < len(items) else ABSENT


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _edit_score(left: str, right: str) -> float:
    """Return 1 - edit distance / longer length."""
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.normalized_similarity(left, right))


def _leaves(value: Json | Absent) -> int:
    """Count the scalars in *value*; empty containers have none."""
    count = 0
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, list):
            stack += item
        else:
            count += item is not ABSENT
    return count
