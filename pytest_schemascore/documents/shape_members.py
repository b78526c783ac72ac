"""Looking through unions, and the shapes that need no schema."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.documents.shapes import ShapeRef

ANYTHING: Final = Shape(Kind.ANY)
NULL: Final = Shape(Kind.NULL)


def anything() -> Shape:
    """Return the shape of a place that nothing is known about; a `ShapeRef`."""
    return ANYTHING


def null() -> Shape:
    """Return the shape of null; a `ShapeRef`."""
    return NULL


def members(shape: Shape) -> Iterator[Shape]:
    """Yield the members of a union, nested unions flattened; of any other shape, that shape."""
    pending: list[Shape] = [shape]
    seen: dict[int, Shape] = {}
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen[id(current)] = current
        if current.options:
            pending.extend(option() for option in reversed(current.options))
        else:
            yield current


def at_key(shape: Shape, name: str) -> tuple[ShapeRef, ...]:
    """Return the shapes that say what key *name* of an object may hold; none where it can't be there."""
    if name in shape.keys:
        return (shape.keys[name],)
    matching = tuple(ref for pattern, ref in shape.patterns.items() if _matches(pattern, name))
    return matching or (() if shape.others is None else (shape.others,))


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # it is of another dialect, in a part that only a reference makes a schema
        return True


def accepts_null(shape: Shape) -> bool:
    """Say whether null may stand at a place of this shape."""
    return any(
        member.kind in (Kind.ANY, Kind.NULL) or (member.kind is Kind.CHOICE and None in member.choices)
        for member in members(shape)
    )


def or_null(shape: Shape) -> Shape:
    """Return the union of *shape* and null, with its rule on top; *shape* where it accepts null already."""
    if accepts_null(shape):
        return shape
    bare = replace(shape, rule=None, named="")
    return Shape(Kind.ANY, options=(lambda: bare, null), rule=shape.rule, named=shape.named)
