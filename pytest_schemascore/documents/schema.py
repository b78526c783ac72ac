"""One adapter for whatever the user gives as schema (S2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_schemascore.documents.jsonable import to_json
from pytest_schemascore.documents.label_check import check_label
from pytest_schemascore.documents.shape_members import ANYTHING
from pytest_schemascore.documents.shapes import Validated

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import LabelProblem, Schema, Shape


def adapt_schema(schema: object) -> Schema:
    """Make a `Schema` of what the user gave.

    Args:
        schema: None (any JSON passes), a pydantic model or anything a `TypeAdapter` takes, a JSON Schema as a
            dict, or the path of a JSON Schema file.

    Raises:
        SchemaError: it can't be read or understood; names the file and line, or the place in the schema.
    """
    if schema is None:
        return AnySchema()
    if isinstance(schema, (str, Path, Mapping)):
        return _json_schema(schema)
    # It loads pydantic, which whoever has no models doesn't need.
    from pytest_schemascore.documents.pydantic_schema import PydanticSchema
    from pytest_schemascore.documents.type_adapter import type_adapter

    return PydanticSchema.of(type_adapter(schema))


def _json_schema(schema: str | Path | Mapping[str, Any]) -> Schema:
    # It loads jsonschema, which whoever has models doesn't need.
    from pytest_schemascore.documents.json_schema import JsonSchema, load_json_schema

    if isinstance(schema, Mapping):
        return JsonSchema.of(schema)
    return JsonSchema.of(load_json_schema(Path(schema)), str(schema))


@dataclass(frozen=True, slots=True)
class AnySchema:
    """No schema: every JSON value passes, and labels are checked for their directives only."""

    @property
    def shape(self) -> Shape:
        """Anything at all."""
        return ANYTHING

    def validate(self, value: object, *, plain: bool = False) -> Validated:
        """Return *value* as JSON data; raises `ValidationFailed` where it can't be that."""
        return Validated(value if plain else to_json(value))  # type: ignore[arg-type]  # plain is JSON data

    def check_label(self, label: Json) -> list[LabelProblem]:
        """Return the malformed directives in *label* (S11)."""
        return check_label(label, ANYTHING)
