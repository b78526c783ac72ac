"""What pydantic makes of a model, or of any other type that was given as schema."""

from __future__ import annotations

import inspect
from typing import Any

from pydantic import TypeAdapter

from pytest_schemascore.documents.jsonable import describe_error
from pytest_schemascore.errors import SchemaError


def type_adapter(schema: Any) -> TypeAdapter[object]:
    """Return the validator of *schema*, which may be one already.

    Raises:
        SchemaError: pydantic can't make a validator of it.
    """
    if isinstance(schema, TypeAdapter):
        return schema
    if isinstance(schema, (bool, int, float, list)) or inspect.isroutine(schema):
        msg = f"schema={schema!r} is neither a type, nor a JSON Schema (a dict or the path of a .json file)"
        raise SchemaError(msg)
    if hasattr(type(schema), "__pydantic_core_schema__"):
        name = type(schema).__qualname__
        msg = f"schema= is an instance of {name}; give the class itself, schema={name}"
        raise SchemaError(msg)
    try:
        return TypeAdapter(schema)
    except Exception as error:  # annotations of the user's are evaluated here, which may raise anything
        name = getattr(schema, "__qualname__", None) or repr(schema)
        msg = f"schema={name}: pydantic can't make a validator of it: {describe_error(error)}"
        raise SchemaError(msg) from error
