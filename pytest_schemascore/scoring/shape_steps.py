"""Walking down a schema's shapes, through the unions on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.shape_members import at_key
from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable


def flatten(shape: Shape) -> tuple[Shape, ...]:
    """Return *shape*, or the members of the union it is, before them a shape for a rule on the union."""
    if not shape.options:
        return (shape,)
    members = tuple(member for option in shape.options for member in flatten(option()))
    return (Shape(Kind.NULL, rule=shape.rule, named=shape.named), *members) if shape.rule else members


def keys_of(shapes: Iterable[Shape], name: str) -> tuple[Shape, ...]:
    """Return the shapes that key *name* of an object may have."""
    refs = (ref for shape in shapes for ref in at_key(shape, name))
    return tuple(found for ref in refs for found in flatten(ref()))


def items_of(shapes: Iterable[Shape], index: int | None) -> tuple[Shape, ...]:
    """Return the shapes that item *index* of a list may have; None is one of no particular index."""
    refs = (
        shape.prefix[index] if index is not None and index < len(shape.prefix) else shape.item
        for shape in shapes
    )
    return tuple(found for ref in refs if ref is not None for found in flatten(ref()))


def scalar_kinds(shapes: Iterable[Shape]) -> list[Kind]:
    """Return the types of the scalars that *shapes* give, null aside."""
    kinds = dict.fromkeys(shape.kind for shape in shapes)
    return [kind for kind in kinds if kind not in _NO_SCALARS]


def are_tuples(shapes: Iterable[Shape]) -> bool:
    """Say whether a list here is always a tuple, whose places differ in meaning."""
    lists = [shape for shape in shapes if shape.kind in (Kind.ARRAY, Kind.ANY)]
    return bool(lists) and all(shape.prefix for shape in lists)


_NO_SCALARS: Final = frozenset({Kind.NULL, Kind.OBJECT, Kind.ARRAY})
