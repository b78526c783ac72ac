"""Reading a JSON Schema as shapes.

Keywords that only narrow values down (``minimum``, ``pattern``, ``not``, ``if``) are left out: a shape may
allow more than the schema does, never less.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, reduce
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.documents.json_schema_merge import is_unknown, merged
from pytest_schemascore.documents.json_schema_refs import REFERENCES, follow, resolver_of
from pytest_schemascore.documents.shape_members import ANYTHING, anything, null, or_null
from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referencing import Resource
    from referencing._core import Resolver  # the package exports what returns one, but not its name

    from pytest_schemascore.documents.shapes import ShapeRef

OVERRIDE: Final = "x-override-evaluator"

_TYPES: Final[Mapping[str, Kind]] = {
    "null": Kind.NULL,
    "boolean": Kind.BOOLEAN,
    "integer": Kind.INTEGER,
    "number": Kind.NUMBER,
}
_FORMATS: Final[Mapping[str, Kind]] = {"date": Kind.DATE, "date-time": Kind.DATETIME, "time": Kind.TIME}
_OBJECT_KEYWORDS: Final = frozenset({"properties", "additionalProperties", "patternProperties"})
_ARRAY_KEYWORDS: Final = frozenset({"items", "prefixItems"})
# What else may evaluate items, so that unevaluatedItems lets them be.
_EVALUATE: Final = frozenset({"items", "contains", "if", "allOf", "anyOf", "oneOf", "$ref", "$dynamicRef"})


def read_json_shape(resource: Resource[Any]) -> Shape:
    """Return the shape of what passes the schema *resource*, whose references were checked already."""
    return _Reader().shape(resource.contents, resolver_of(resource))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one schema; `refs` holds each part's reference by id, so that recursion ends."""

    refs: dict[int, ShapeRef] = field(default_factory=dict)
    open_: set[int] = field(default_factory=set)

    def ref(self, schema: Any, resolver: Resolver[Any]) -> ShapeRef:
        if not isinstance(schema, dict):
            return anything
        if id(schema) not in self.refs:
            self.refs[id(schema)] = cache(lambda: self.shape(schema, resolver))
        return self.refs[id(schema)]

    def shape(self, schema: Any, resolver: Resolver[Any]) -> Shape:
        # A schema that is met again while it is read says nothing more about the place it stands for.
        if not isinstance(schema, dict) or id(schema) in self.open_:
            return ANYTHING
        self.open_.add(id(schema))
        try:
            shape = reduce(merged, self._parts(schema, resolver), ANYTHING)
        finally:
            self.open_.discard(id(schema))
        shape = _with_presence(shape, schema)
        if schema.get("nullable") is True:
            shape = or_null(shape)
        if OVERRIDE in schema:
            shape = replace(shape, rule=schema[OVERRIDE], named=OVERRIDE)
        return shape

    def _parts(self, schema: dict[str, Any], resolver: Resolver[Any]) -> Iterator[Shape]:
        """Yield what the keywords of *schema* each say; the place is all of them at once."""
        yield self._own(schema, resolver)
        for keyword in REFERENCES:
            if isinstance(reference := schema.get(keyword), str):
                yield self.ref(*follow(reference, resolver))()
        for part in schema.get("allOf", ()):
            yield self.ref(part, resolver)()
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                yield Shape(Kind.ANY, options=tuple(self.ref(part, resolver) for part in schema[keyword]))

    def _own(self, schema: dict[str, Any], resolver: Resolver[Any]) -> Shape:
        if "const" in schema:
            return Shape(Kind.CHOICE, choices=(schema["const"],))
        if "enum" in schema:
            return Shape(Kind.CHOICE, choices=tuple(schema["enum"]))
        types = schema.get("type", _implied(schema))
        if not isinstance(types, list):
            return self._of_type(types, schema, resolver)
        shapes = [self._of_type(name, schema, resolver) for name in types]
        return Shape(Kind.ANY, options=tuple(map(_constant, shapes))) if len(shapes) != 1 else shapes[0]

    def _of_type(self, name: object, schema: dict[str, Any], resolver: Resolver[Any]) -> Shape:
        match name:
            case "object":
                return self._object(schema, resolver)
            case "array":
                return self._array(schema, resolver)
            case "string":
                return Shape(_FORMATS.get(schema.get("format", ""), Kind.TEXT))
            case _:
                # In draft-03 a schema may stand as a type, and any name that says nothing.
                kind = _TYPES.get(name) if isinstance(name, str) else None
                return ANYTHING if kind is None else Shape(kind)

    def _object(self, schema: dict[str, Any], resolver: Resolver[Any]) -> Shape:
        keys = {key: self.ref(part, resolver) for key, part in schema.get("properties", {}).items()}
        patterns = {
            key: self.ref(part, resolver) for key, part in schema.get("patternProperties", {}).items()
        }
        additional = schema.get("additionalProperties", True)
        return Shape(
            Kind.OBJECT,
            keys=keys,
            optional=frozenset(keys),
            patterns=patterns,
            others=None if additional is False else self.ref(additional, resolver),
        )

    def _array(self, schema: dict[str, Any], resolver: Resolver[Any]) -> Shape:
        items = schema.get("items", True)
        # Before 2020-12 the first items stood in a list under "items", the rest under "additionalItems".
        prefix = items if isinstance(items, list) else schema.get("prefixItems", [])
        rest = schema.get("additionalItems", True) if isinstance(items, list) else items
        return Shape(
            Kind.ARRAY,
            prefix=tuple(self.ref(part, resolver) for part in prefix),
            item=self.ref(rest, resolver) if isinstance(rest, dict) else None,
            ends=rest is False or (schema.get("unevaluatedItems") is False and not _EVALUATE & schema.keys()),
        )


def _constant(shape: Shape) -> ShapeRef:
    return null if shape.kind is Kind.NULL else lambda: shape


def _implied(schema: dict[str, Any]) -> str | None:
    """Name the type that the keywords are about where none is given."""
    if schema.keys() & _OBJECT_KEYWORDS:
        return "object"
    return "array" if schema.keys() & _ARRAY_KEYWORDS else None


def _with_presence(shape: Shape, schema: dict[str, Any]) -> Shape:
    """Return *shape* with what ``required`` and ``unevaluatedProperties`` say, which hold for all parts."""
    if shape.kind is not Kind.OBJECT:
        return shape
    closed = schema.get("unevaluatedProperties") is False and not schema.keys() & {"if", "dependentSchemas"}
    return replace(
        shape,
        optional=shape.optional.difference(_required(schema)),
        others=None if closed and (shape.others is None or is_unknown(shape.others())) else shape.others,
    )


def _required(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("required", ()) if isinstance(schema.get("required"), list) else ()
        for part in schema.get("allOf", ()):
            yield from _required(part)
