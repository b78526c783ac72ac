"""Validating with pydantic: the value is dumped in JSON form, aliases as the schema serialises them (S2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from pytest_schemascore.documents import jsonable
from pytest_schemascore.documents.jsonable import describe_error
from pytest_schemascore.documents.label_check import check_label
from pytest_schemascore.documents.pydantic_defaults import DefaultCounter
from pytest_schemascore.documents.pydantic_errors import describe_validation_error
from pytest_schemascore.documents.pydantic_shapes import has_defaults, read_shape
from pytest_schemascore.documents.shapes import Validated, ValidationFailed
from pytest_schemascore.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import LabelProblem, Shape


@dataclass(frozen=True, slots=True)
class PydanticSchema:
    """A pydantic model, or any other type that a `TypeAdapter` takes.

    Attributes:
        adapter: validates and dumps.
        shape: what the adapter's dumps look like.
        counter: counts the leaves that are schema defaults; None where the schema has no default.
    """

    adapter: TypeAdapter[Any]
    shape: Shape
    counter: DefaultCounter | None

    @classmethod
    def of(cls, adapter: TypeAdapter[Any]) -> PydanticSchema:
        """Read the shape of *adapter*; raises `SchemaError` where its type isn't fully defined."""
        try:
            core: Mapping[str, Any] = adapter.core_schema
            return cls(adapter, read_shape(core), DefaultCounter() if has_defaults(core) else None)
        except Exception as error:  # a deferred schema is built here, from the user's annotations
            msg = f"{adapter!r}: pydantic can't build its schema: {describe_error(error)}"
            raise SchemaError(msg) from error

    def validate(self, value: object, *, plain: bool = False) -> Validated:
        """Validate JSON data or an instance, and dump it; strictness is pydantic's own.

        Raises:
            ValidationFailed: pydantic refuses it, a validator or serializer of the user's raises, or the dump
                isn't JSON (NaN, Infinity).
        """
        try:
            parsed = self._parse(value)
            # Warnings are for values that a model was built with unchecked; the label check finds those.
            dumped = self.adapter.dump_python(parsed, mode="json", by_alias=True, warnings=False)
            defaults = self.counter.count(parsed, dumped) if self.counter else 0
        except ValidationFailed:
            raise
        except Exception as error:  # validators and serializers are the user's and may raise anything
            raise ValidationFailed(describe_error(error)) from error
        # A dump holds Python's own types alone, and what equals JSON data has no NaN and no endless number.
        same = plain and dumped == value
        return Validated(dumped if same else jsonable.to_json(dumped), defaults)

    def _parse(self, value: object) -> object:
        """Validate *value* as Python data, and as JSON text where that fails.

        Only the first takes instances; only the second takes a date's text under strict mode, and the dump of
        an instance of another class.
        """
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            failure, data = error, value
        try:
            text = to_json(value, by_alias=True, inf_nan_mode="constants")
        except Exception:  # noqa: BLE001 - what JSON can't hold was refused above already, with the better reason
            raise ValidationFailed(describe_validation_error(failure, data)) from failure
        try:
            return self.adapter.validate_json(text)
        except ValidationError as error:
            failure, data = error, from_json(text)
        raise ValidationFailed(describe_validation_error(failure, data)) from failure

    def check_label(self, label: Json) -> list[LabelProblem]:
        """Return what in *label* no dump of this schema can ever meet."""
        return check_label(label, self.shape)
