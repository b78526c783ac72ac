"""Reading pydantic's core schema as shapes.

The core schema is what pydantic itself validates and dumps by: aliases, generics, forward references and
annotations are resolved there. Whatever isn't understood is a place of any kind, which is never wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Flag
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic_core import to_jsonable_python

from pytest_schemascore.documents.annotated import METADATA_KEY
from pytest_schemascore.documents.pydantic_leaves import (
    json_text_shape,
    leaf_shape,
    rewritten_shape,
    serialized_shape,
)
from pytest_schemascore.documents.pydantic_objects import ObjectFields, fields_of
from pytest_schemascore.documents.shape_members import ANYTHING, anything, null, or_null
from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from pytest_schemascore.documents.shapes import ShapeRef

CoreSchema: TypeAlias = Mapping[str, Any]

# Schemas that dump as another one within them, and where that stands.
_WRAPPERS: Final[Mapping[str, str]] = {
    "function-before": "schema",
    "function-after": "schema",
    "function-wrap": "schema",
    "custom-error": "schema",
    "lax-or-strict": "strict_schema",
    "json-or-python": "json_schema",
}


def read_shape(core: CoreSchema) -> Shape:
    """Return the shape of what a type with the core schema *core* dumps in JSON form."""
    return _Reader().shape(core)


def has_defaults(core: object) -> bool:
    """Say whether any field in the core schema *core* has a default."""
    if isinstance(core, Mapping):
        return core.get("type") == "default" or any(map(has_defaults, core.values()))
    return isinstance(core, (list, tuple)) and any(map(has_defaults, core))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one core schema.

    Attributes:
        refs: each part's reference by id, so that recursion ends.
        config: of the model that is read.
    """

    definitions: dict[str, CoreSchema] = field(default_factory=dict)
    refs: dict[int, ShapeRef] = field(default_factory=dict)
    config: CoreSchema = field(default_factory=dict)

    def ref(self, core: CoreSchema) -> ShapeRef:
        if id(core) not in self.refs:
            self.refs[id(core)] = cache(lambda: self.shape(core))
        return self.refs[id(core)]

    def shape(self, core: CoreSchema) -> Shape:
        shape = serialized_shape(core.get("serialization")) or self._dumped(core)
        rule = (core.get("metadata") or {}).get(METADATA_KEY)
        return shape if rule is None else replace(shape, rule=rule, named="Annotated")

    def _dumped(self, core: CoreSchema) -> Shape:
        kind: str = core["type"]
        if (leaf := leaf_shape(core, self.config)) is not None:
            return leaf
        if kind in _WRAPPERS:
            return self._wrapped(core, core.get(_WRAPPERS[kind]) or {"type": "any"})
        read: Callable[[_Reader, CoreSchema], Shape] | None = _READERS.get(kind)
        return ANYTHING if read is None else read(self, core)

    def _wrapped(self, core: CoreSchema, inner: CoreSchema) -> Shape:
        shape = self.shape(inner)
        if "serialization" not in core or shape.options or shape.kind in (Kind.OBJECT, Kind.ARRAY):
            return shape
        return rewritten_shape(core, self.config, shape)

    def json(self, core: CoreSchema) -> Shape:
        shape = self.shape(core.get("schema") or {"type": "any"})
        return json_text_shape() if shape.kind is Kind.ANY and not shape.options else shape

    def definitions_(self, core: CoreSchema) -> Shape:
        self.definitions.update((definition["ref"], definition) for definition in core["definitions"])
        return self.shape(core["schema"])

    def definition_ref(self, core: CoreSchema) -> Shape:
        return self.ref(self.definitions[core["schema_ref"]])()

    def default(self, core: CoreSchema) -> Shape:
        shape = self.shape(core["schema"])
        return or_null(shape) if core.get("default", ...) is None else shape

    def nullable(self, core: CoreSchema) -> Shape:
        return Shape(Kind.ANY, options=(self.ref(core["schema"]), null))

    def union(self, core: CoreSchema) -> Shape:
        choices = [choice[0] if isinstance(choice, tuple) else choice for choice in core["choices"]]
        return Shape(Kind.ANY, options=tuple(map(self.ref, choices)))

    def tagged_union(self, core: CoreSchema) -> Shape:
        refs = {id(choice): self.ref(choice) for choice in core["choices"].values()}
        return Shape(Kind.ANY, options=tuple(refs.values()))

    def chain(self, core: CoreSchema) -> Shape:
        return self.shape(core["steps"][-1])

    def items(self, core: CoreSchema) -> Shape:
        item = core.get("items_schema")
        return Shape(Kind.ARRAY, item=self.ref(item) if item else None)

    def tuple_(self, core: CoreSchema) -> Shape:
        refs = tuple(map(self.ref, core["items_schema"]))
        variadic = core.get("variadic_item_index")
        if variadic is None:
            return Shape(Kind.ARRAY, prefix=refs, ends=True)
        return Shape(
            Kind.ARRAY, prefix=refs[:variadic], item=refs[variadic] if variadic == len(refs) - 1 else None
        )

    def named_tuple(self, core: CoreSchema) -> Shape:
        return Shape(Kind.ARRAY, prefix=tuple(self.ref(part["schema"]) for part in core["fields"]), ends=True)

    def call(self, core: CoreSchema) -> Shape:
        """Read what named tuples were before pydantic had a core schema for them."""
        arguments = core["arguments_schema"].get("arguments_schema", [])
        return Shape(Kind.ARRAY, prefix=tuple(self.ref(part["schema"]) for part in arguments), ends=True)

    def dict_(self, core: CoreSchema) -> Shape:
        values, names = core.get("values_schema"), core.get("keys_schema") or {}
        ref = self.ref(values) if values else anything
        if names.get("type") in ("literal", "enum"):
            keys = {key: ref for key in self.shape(names).choices if isinstance(key, str)}
            return Shape(Kind.OBJECT, keys=keys, optional=frozenset(keys))
        return Shape(Kind.OBJECT, others=ref)

    def model(self, core: CoreSchema) -> Shape:
        if core.get("root_model"):
            return self.shape(core["schema"])
        found = fields_of(core, self.definitions)
        inside = replace(self, config=core.get("config") or self.config)
        return ANYTHING if found is None else inside._object(found)

    def _object(self, found: ObjectFields) -> Shape:
        others = self.ref(found.extras) if found.extras else anything
        return Shape(
            Kind.OBJECT,
            keys={key: self.ref(core) for key, core in found.schemas.items()},
            optional=found.optional,
            aliases=found.aliases,
            others=others if found.is_open else None,
        )

    def literal(self, core: CoreSchema) -> Shape:
        return _choice(core["expected"])

    def enum(self, core: CoreSchema) -> Shape:
        if issubclass(core["cls"], Flag):  # whose members combine to values that none of them has
            return Shape(Kind.INTEGER)
        return _choice(core["members"])


def _choice(values: Iterable[object]) -> Shape:
    return Shape(Kind.CHOICE, choices=tuple(map(to_jsonable_python, values)))


_READERS: Final[Mapping[str, Callable[[_Reader, CoreSchema], Shape]]] = {
    "definitions": _Reader.definitions_,
    "definition-ref": _Reader.definition_ref,
    "default": _Reader.default,
    "nullable": _Reader.nullable,
    "union": _Reader.union,
    "tagged-union": _Reader.tagged_union,
    "chain": _Reader.chain,
    "json": _Reader.json,
    "list": _Reader.items,
    "set": _Reader.items,
    "frozenset": _Reader.items,
    "generator": _Reader.items,
    "tuple": _Reader.tuple_,
    "named-tuple": _Reader.named_tuple,
    "call": _Reader.call,
    "dict": _Reader.dict_,
    "model": _Reader.model,
    "dataclass": _Reader.model,
    "typed-dict": _Reader.model,
    "literal": _Reader.literal,
    "enum": _Reader.enum,
}
