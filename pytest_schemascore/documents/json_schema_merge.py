"""Two things said of one place, as by ``allOf`` or beside a ``$ref``: the shape that both hold for."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.shape_members import at_key, members
from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from pytest_schemascore.documents.shapes import ShapeRef

_CONTAINERS: Final = frozenset({Kind.OBJECT, Kind.ARRAY})
# Of two kinds that go together the narrower one holds.
_NARROWER: Final = {
    frozenset({Kind.INTEGER, Kind.NUMBER}): Kind.INTEGER,
    frozenset({Kind.TEXT, Kind.DATE}): Kind.DATE,
    frozenset({Kind.TEXT, Kind.DATETIME}): Kind.DATETIME,
    frozenset({Kind.TEXT, Kind.TIME}): Kind.TIME,
}


def is_unknown(shape: Shape) -> bool:
    """Say whether nothing is known of a place of this shape."""
    return shape.kind is Kind.ANY and not shape.options


def merged(first: Shape, second: Shape) -> Shape:
    """Return the shape of what is both; where nothing can be, *first*. The rule is the first there is."""
    ruling = first if first.rule is not None else second
    both = _both(replace(first, rule=None, named=""), replace(second, rule=None, named=""))
    return replace(both or first, rule=ruling.rule, named=ruling.named)


def _both(first: Shape, second: Shape) -> Shape | None:
    if is_unknown(first):
        return second
    if is_unknown(second):
        return first
    if first.options or second.options:
        return _union(first, second)
    if first.kind is Kind.CHOICE or second.kind is Kind.CHOICE:
        return _choice(first, second)
    if first.kind is second.kind:
        if first.kind is Kind.OBJECT:
            return _objects(first, second)
        return _arrays(first, second) if first.kind is Kind.ARRAY else first
    kind = _NARROWER.get(frozenset({first.kind, second.kind}))
    return None if kind is None else Shape(kind)


def _union(first: Shape, second: Shape) -> Shape | None:
    """Pair the members that go together."""
    found: list[Shape] = []
    for one in members(first):
        for other in members(second):
            both = _both(one, other)
            if both is not None and all(both is not known for known in found):
                ruling = one if one.rule is not None else other
                found.append(
                    both if both.rule is ruling.rule else replace(both, rule=ruling.rule, named=ruling.named)
                )
    if len(found) < 2:
        return found[0] if found else None
    return Shape(Kind.ANY, options=tuple(map(_constant, found)))


def _choice(first: Shape, second: Shape) -> Shape | None:
    choice, other = (first, second) if first.kind is Kind.CHOICE else (second, first)
    if other.kind is Kind.CHOICE:
        return replace(choice, choices=tuple(value for value in choice.choices if value in other.choices))
    return None if other.kind in _CONTAINERS else choice


def _objects(first: Shape, second: Shape) -> Shape:
    keys: dict[str, ShapeRef] = {}
    for key in {**first.keys, **second.keys}:
        one, other = at_key(first, key), at_key(second, key)
        if one and other:
            keys[key] = _merged_ref(one[0], other[0])
    others = None
    if first.others is not None and second.others is not None:
        others = _merged_ref(first.others, second.others)
    return Shape(
        Kind.OBJECT,
        keys=keys,
        optional=frozenset(
            key
            for key in keys
            if all(key in part.optional or key not in part.keys for part in (first, second))
        ),
        patterns=_patterns(first, second),
        others=others,
    )


def _patterns(first: Shape, second: Shape) -> dict[str, ShapeRef]:
    """Return the patterns of both; a part that is closed allows its own alone."""
    parts = [part for part in (first, second) if part.others is None] or [first, second]
    return {pattern: ref for part in parts for pattern, ref in part.patterns.items()}


def _arrays(first: Shape, second: Shape) -> Shape:
    longer, shorter = sorted((first, second), key=lambda shape: len(shape.prefix), reverse=True)
    item = first.item or second.item
    if first.item is not None and second.item is not None:
        item = _merged_ref(first.item, second.item)
    most = min((len(part.prefix) for part in (first, second) if part.ends), default=len(longer.prefix))
    prefix = tuple(
        _merged_ref(ref, shorter.prefix[index]) if index < len(shorter.prefix) else ref
        for index, ref in enumerate(longer.prefix[:most])
    )
    ends = first.ends or second.ends
    return Shape(Kind.ARRAY, item=None if ends else item, prefix=prefix, ends=ends)


def _merged_ref(first: ShapeRef, second: ShapeRef) -> ShapeRef:
    return first if first is second else cache(lambda: merged(first(), second()))


def _constant(shape: Shape) -> ShapeRef:
    return lambda: shape
