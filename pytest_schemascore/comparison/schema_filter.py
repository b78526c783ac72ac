"""What a schema leaves of a document to compare: the properties it lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_schema_merge import is_unknown
from pytest_schemascore.documents.shape_members import at_key
from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.errors import SchemaError

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.rules import RuleNode

_SAYS_MORE: Final = frozenset(
    {"additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "$dynamicRef"}
    | {"allOf", "anyOf", "oneOf", "if", "dependentSchemas"}
)


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return *schema* with the objects that say nothing of other properties closed to them.

    So a property that is in neither list is told of, as structeval does. Parts of an ``allOf`` are left as
    they are, since each lists only some of the properties.
    """
    copy = {key: _closed_below(key, part) for key, part in schema.items()}
    if "properties" in schema and not _SAYS_MORE & schema.keys():
        copy["additionalProperties"] = False
    return copy


_HOLD_SCHEMAS: Final = frozenset({"properties", "patternProperties", "$defs", "definitions"})
_ARE_SCHEMAS: Final = frozenset({"items", "additionalProperties", "additionalItems"})
_LIST_SCHEMAS: Final = frozenset({"anyOf", "oneOf", "prefixItems"})


def _closed_below(keyword: str, part: Any) -> Any:
    if keyword in _HOLD_SCHEMAS and isinstance(part, Mapping):
        return {name: _closed_schema(schema) for name, schema in part.items()}
    if keyword in _ARE_SCHEMAS:
        return _closed_schema(part)
    if keyword in _LIST_SCHEMAS and isinstance(part, list):
        return [_closed_schema(schema) for schema in part]
    return part


def _closed_schema(schema: Any) -> Any:
    """Return *schema* closed; true, false and lists, which are schemas in places, as they are."""
    return closed(schema) if isinstance(schema, Mapping) else schema


def listed(value: Json, node: RuleNode, side: str, *, strict: bool, path: str = paths.ROOT) -> Json:
    """Return *value* without the properties that the schema at *node* doesn't list.

    Args:
        side: which document this is, for messages.
        strict: whether a property that may not be there is an error; else it is left out too.

    Raises:
        SchemaError: a property may not be there; names the path and the nearest known one.
    """
    if isinstance(value, list):
        return [
            listed(item, node.item(i), side, strict=strict, path=paths.join_index(path, i))
            for i, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    return {
        key: listed(part, node.key(key), side, strict=strict, path=paths.join_key(path, key))
        for key, part in value.items()
        if _is_listed(key, node, paths.join_key(path, key), side, strict=strict)
    }


def _is_listed(key: str, node: RuleNode, path: str, side: str, *, strict: bool) -> bool:
    objects = [shape for shape in node.shapes if shape.kind is Kind.OBJECT]
    if not objects or any(key in shape.keys for shape in objects):
        return True
    others = [ref() for shape in objects for ref in at_key(shape, key)]
    if any(not is_unknown(other) for other in others):
        return True  # a map: the schema describes its values
    if others:
        return not any(shape.keys for shape in objects)
    if strict:
        known = {name for shape in objects for name in shape.keys}
        msg = (
            f"{side}: {path} is not in the schema{did_you_mean(key, known)}; list it, or allow others with"
            ' "additionalProperties": true'
        )
        raise SchemaError(msg)
    return False
