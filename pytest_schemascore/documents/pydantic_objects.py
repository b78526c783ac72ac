"""The fields of a model, dataclass or TypedDict, from its core schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

CoreSchema: TypeAlias = Mapping[str, Any]

_FIELD_TYPES: Final = ("model-fields", "dataclass-args", "typed-dict")


@dataclass(frozen=True, slots=True)
class ObjectFields:
    """What an object is dumped with.

    Attributes:
        schemas: key as serialised -> core schema; excluded fields left out, computed ones included.
        optional: keys that a dump may lack.
        aliases: other names of the fields -> key.
        is_open: whether keys beyond these are kept.
        extras: the core schema of such keys' values, where there is one.
    """

    schemas: dict[str, CoreSchema]
    optional: frozenset[str]
    aliases: dict[str, str]
    is_open: bool
    extras: CoreSchema | None


def fields_of(core: CoreSchema, definitions: Mapping[str, CoreSchema]) -> ObjectFields | None:
    """Return the fields of the object type *core*; None where it is built in a way of its own."""
    inner: CoreSchema | None = core
    while inner is not None and inner["type"] not in _FIELD_TYPES:
        inner = definitions[inner["schema_ref"]] if inner["type"] == "definition-ref" else inner.get("schema")
    if inner is None:
        return None
    schemas: dict[str, CoreSchema] = {}
    optional: set[str] = set()
    aliases: dict[str, str] = {}
    for name, part in _named(inner["fields"]):
        if part.get("serialization_exclude") or part.get("init_only"):
            continue
        key = part.get("serialization_alias") or name
        schemas[key] = part["schema"]
        aliases.update((other, key) for other in (name, *_input_names(part.get("validation_alias"))))
        if not part.get("required", inner.get("total", True)) or "serialization_exclude_if" in part:
            optional.add(key)
    for computed in inner.get("computed_fields") or ():
        key = computed.get("alias") or computed["property_name"]
        schemas[key] = computed["return_schema"]
        aliases[computed["property_name"]] = key
    config = {**(core.get("config") or {}), **(inner.get("config") or {})}
    return ObjectFields(
        schemas,
        frozenset(optional),
        {name: key for name, key in aliases.items() if name not in schemas},
        (inner.get("extra_behavior") or config.get("extra_fields_behavior")) == "allow",
        inner.get("extras_schema"),
    )


def _named(fields: Mapping[str, CoreSchema] | Iterable[CoreSchema]) -> Iterable[tuple[str, CoreSchema]]:
    return fields.items() if isinstance(fields, Mapping) else ((part["name"], part) for part in fields)


def _input_names(alias: object) -> Iterable[str]:
    """Yield the plain names in a validation alias: a name, a path, or a list of paths."""
    if isinstance(alias, str):
        yield alias
    elif isinstance(alias, list):
        for path in alias:
            if isinstance(path, list) and len(path) == 1 and isinstance(path[0], str):
                yield path[0]
