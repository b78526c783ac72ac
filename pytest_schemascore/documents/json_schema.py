"""Validating with a JSON Schema (2020-12 unless ``$schema`` says otherwise); jsonschema decides (S2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jsonschema.exceptions import SchemaError as MetaSchemaError
from jsonschema.exceptions import best_match
from jsonschema.validators import Draft202012Validator, extend, validator_for
from referencing.jsonschema import EMPTY_REGISTRY

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.json_schema_formats import FORMATS
from pytest_schemascore.documents.json_schema_refs import check_references, resource_of
from pytest_schemascore.documents.json_schema_shapes import read_json_shape
from pytest_schemascore.documents.json_types import type_name
from pytest_schemascore.documents.jsonable import describe_error, shortened, to_json
from pytest_schemascore.documents.label_check import check_label
from pytest_schemascore.documents.paths import ROOT, join_index, join_key
from pytest_schemascore.documents.pydantic_errors import listed
from pytest_schemascore.documents.shapes import Validated, ValidationFailed
from pytest_schemascore.documents.text_files import FileError, read_json_file
from pytest_schemascore.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import LabelProblem, Shape

_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """A JSON Schema; values pass through it unchanged, since its defaults are annotations."""

    validator: Validator
    shape: Shape

    @classmethod
    def of(cls, schema: Mapping[str, Any], name: str = "JSON Schema") -> JsonSchema:
        """Check and read *schema*; *name* is for messages, a file or the default.

        Raises:
            SchemaError: it isn't a JSON Schema, or a ``$ref`` leads nowhere or out of it.
        """
        contents = _plain(schema)
        try:
            resource = resource_of(contents)
            base = validator_for(contents, default=Draft202012Validator)
            base.check_schema(contents)
            check_references(resource)
            validator = _with_nullable(base)(contents, registry=EMPTY_REGISTRY, format_checker=FORMATS)
            return cls(validator, read_json_shape(resource))
        except MetaSchemaError as error:
            raise SchemaError(f"{name}: {_explain(error)}") from error
        except SchemaError as error:
            raise SchemaError(f"{name}: {error}") from error

    def validate(self, value: object, *, plain: bool = False) -> Validated:
        """Validate JSON data, or the JSON form of an instance.

        Raises:
            ValidationFailed: it doesn't pass, or can't be JSON.
        """
        data: Any = value if plain else to_json(value)
        try:
            errors = list(self.validator.iter_errors(data))
        except Exception as error:  # patterns, deep recursion: jsonschema lets out what they raise
            raise ValidationFailed(describe_error(error)) from error
        if errors:
            raise ValidationFailed(listed(_line(error) for error in errors))
        return Validated(data)

    def check_label(self, label: Json) -> list[LabelProblem]:
        """Return what in *label* no valid output can ever meet."""
        return check_label(label, self.shape)


def load_json_schema(path: Path) -> dict[str, Any]:
    """Read a JSON Schema file.

    Raises:
        SchemaError: it can't be read, isn't JSON (names the line), has a key twice, or isn't an object.
    """
    by_name = "" if path.suffix else "give a model as the class itself, not by its name"
    try:
        schema = read_json_file(path, "schema", if_missing=by_name)
    except FileError as error:
        raise SchemaError(str(error)) from None
    if not isinstance(schema, dict):
        msg = f"{path}: holds no JSON Schema; it must be an object, not {type_name(schema)}"
        raise SchemaError(msg)
    return schema


def _plain(part: Any) -> Any:
    """Return *part* of a schema with dicts for its mappings: jsonschema takes nothing else for an object."""
    if isinstance(part, Mapping):
        return {key: _plain(value) for key, value in part.items()}
    return [_plain(item) for item in part] if isinstance(part, list) else part


def _with_nullable(base: type[Validator]) -> type[Validator]:
    """Return *base* with OpenAPI's ``nullable: true``, which lets null past the keywords beside it."""
    checks = {name: _unless_nullable(check) for name, check in base.VALIDATORS.items()}
    extended: type[Validator] = extend(base, checks)  # type: ignore[no-untyped-call]  # so in its stubs
    return extended


def _unless_nullable(check: Callable[..., Iterable[ValidationError] | None]) -> Callable[..., Any]:
    def checked(validator: Validator, keyword: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if not (value is None and schema.get("nullable") is True):
            yield from check(validator, keyword, value, schema) or ()

    return checked


def _line(error: ValidationError) -> str:
    """Describe the innermost cause; jsonschema's messages hold the value, so they are cut in the middle."""
    try:
        cause = best_match([error]) or error
    except TypeError:  # from looking up a schema that stands as a type, in draft-03
        cause = error
    return f"{_path(cause.absolute_path)}: {shortened(cause.message)}"


def _explain(error: MetaSchemaError) -> str:
    place = _path(error.absolute_path)
    if error.absolute_path and error.absolute_path[-1] == "type" and isinstance(error.instance, str):
        return (
            f"unknown type {error.instance!r} at {place}{did_you_mean(error.instance, _TYPES)};"
            f" the types are {', '.join(_TYPES)}"
        )
    return f"not a valid schema at {place}: {shortened(error.message)}"


def _path(steps: Iterable[str | int]) -> str:
    path = ROOT
    for step in steps:
        path = join_key(path, step) if isinstance(step, str) else join_index(path, step)
    return path
