"""Walking down a schema's shapes, through the unions on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    refs = (shape.keys.get(name) or shape.others for shape in shapes)
    return tuple(found for ref in refs if ref is not None for found in flatten(ref()))


def items_of(shapes: Iterable[Shape], index: int | None) -> tuple[Shape, ...]:
    """Return the shapes that item *index* of a list may have; None is one of no particular index."""
    refs = (
        shape.prefix[index] if index is not None and index < len(shape.prefix) else shape.item
        for shape in shapes
    )
    return tuple(found for ref in refs if ref is not None for found in flatten(ref()))


def one_kind(shapes: Iterable[Shape]) -> Kind:
    """Return the one type that *shapes* give, null aside; ANY where they give several or none."""
    kinds = {shape.kind for shape in shapes} - {Kind.NULL}
    return kinds.pop() if len(kinds) == 1 else Kind.ANY
