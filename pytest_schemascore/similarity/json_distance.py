"""`json_distance`: how many values differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.similarity.document_score import DocumentScore, Trail
from pytest_schemascore.similarity.sides import UnreadableError, is_same, read_side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.documents.json_types import Absent, Json


def json_distance(expected: object, actual: object, parse_strings: bool = True) -> DocumentScore:
    """Count the values that differ between two documents; lower is better, 0 passes.

    Objects are compared by key and lists by position. A missing or surplus key or item costs 1 whatever it
    holds, and so does a value of another type. Equal numbers are equal (1 and 1.0, but not true and 1).
    The measure is Arize Phoenix's ``json_distance``, with numbers as its documentation has them.

    Args:
        expected, actual: JSON data, models, or JSON text.
        parse_strings: False takes texts as JSON strings instead of parsing them.

    Returns:
        Its ``score`` is None where a side can't be read; the explanation says which, and why.
    """
    try:
        left = read_side(expected, "expected", parse_strings=parse_strings)
        right = read_side(actual, "actual", parse_strings=parse_strings)
    except UnreadableError as error:
        return DocumentScore.unreadable(str(error))
    differing = list(_differing(left, right))
    return DocumentScore.of(float(len(differing)), differing, passed=not differing)


def _differing(expected: Json, actual: Json) -> Iterator[Trail]:
    """Yield the places that differ, in the documents' order; by a stack, since documents may be deep."""
    stack: list[tuple[Json | Absent, Json | Absent, Trail]] = [(expected, actual, None)]
    while stack:
        left, right, trail = stack.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            keys = [*left, *(key for key in right if key not in left)]
            stack += [(left.get(k, ABSENT), right.get(k, ABSENT), (trail, k)) for k in reversed(keys)]
        elif isinstance(left, list) and isinstance(right, list):
            for index in reversed(range(max(len(left), len(right)))):
                item = left[index] if index < len(left) else ABSENT
                other = right[index] if index < len(right) else ABSENT
                stack.append((item, other, (trail, index)))
        elif left is ABSENT or right is ABSENT or not _same_leaves(left, right):
            yield trail


def _same_leaves(left: Json, right: Json) -> bool:
    if isinstance(left, (dict, list)) or isinstance(right, (dict, list)):
        return False
    return is_same(left, right)
