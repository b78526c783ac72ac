"""The scalars of pydantic's core schema, and the form in which they are dumped."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import SchemaError, SchemaSerializer, SchemaValidator, to_json

from pytest_schemascore.documents.shape_members import ANYTHING, anything, null, or_null
from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json

_KINDS: Final[Mapping[str, Kind]] = {
    "none": Kind.NULL,
    "missing-sentinel": Kind.NULL,
    "bool": Kind.BOOLEAN,
    "int": Kind.INTEGER,
    "float": Kind.NUMBER,
    "decimal": Kind.DECIMAL,
    "str": Kind.TEXT,
    "bytes": Kind.TEXT,
    "uuid": Kind.TEXT,
    "url": Kind.URL,
    "multi-host-url": Kind.TEXT,
    "complex": Kind.TEXT,
    "date": Kind.DATE,
    "datetime": Kind.DATETIME,
    "time": Kind.TIME,
    "timedelta": Kind.DURATION,
}
_REWRITTEN: Final = frozenset({"uuid", "url", "multi-host-url", "timedelta"})
_TEMPORAL: Final = frozenset({"date", "datetime", "timedelta"})
# A class as a serializer says what comes out; any other function of the user's may do anything.
_CLASSES: Final[Mapping[object, Kind]] = {
    int: Kind.INTEGER,
    float: Kind.NUMBER,
    str: Kind.TEXT,
    bool: Kind.BOOLEAN,
}


def leaf_shape(core: Mapping[str, Any], config: Mapping[str, Any]) -> Shape | None:
    """Return the shape of a scalar's core schema under the *config* of its model; None where it is none."""
    kind: str = core["type"]
    if kind not in _KINDS:
        return None
    if kind in _TEMPORAL and config.get("ser_json_temporal", "iso8601") != "iso8601":
        return Shape(Kind.NUMBER)
    return Shape(_KINDS[kind], form=Form(core, config) if kind in _REWRITTEN else None)


def json_text_shape() -> Shape:
    """Return the shape of what `pydantic.Json` reads from a text: any JSON.

    A label that is JSON text is none: the same text in an output is read, and the label meant what is in it.
    """
    kinds = (Kind.NOT_JSON, Kind.BOOLEAN, Kind.NUMBER, Kind.OBJECT, Kind.ARRAY)
    members = [_any_of(kind) for kind in kinds]
    return Shape(Kind.ANY, options=(*((lambda shape=shape: shape) for shape in members), null))


def _any_of(kind: Kind) -> Shape:
    return Shape(kind, others=anything if kind is Kind.OBJECT else None)


def serialized_shape(serialization: Mapping[str, Any] | None) -> Shape | None:
    """Return the shape of what a serializer gives; None where its schema tells, ANY where nobody knows."""
    if not serialization or serialization["type"].startswith("include-exclude"):
        return None
    function = serialization.get("function")
    if serialization["type"] == "function-plain" and function in _CLASSES:
        shape = Shape(_CLASSES[function])
        return or_null(shape) if "unless-none" in serialization.get("when_used", "") else shape
    if serialization["type"] not in ("function-plain", "function-wrap"):
        return ANYTHING
    module: str = getattr(function, "__module__", None) or ""
    return None if module.partition(".")[0] == "pydantic" else ANYTHING


def rewritten_shape(core: Mapping[str, Any], config: Mapping[str, Any], inner: Shape) -> Shape:
    """Return the shape of *core*, one of pydantic's own types around *inner* that has its own serializer.

    Paths, IP addresses and URLs are dumped in a normal form, and secrets as stars, whatever is within.
    """
    form = Form(core, config)
    name: str = getattr(core["serialization"].get("function"), "__name__", "")
    if "secret" in name:
        return Shape(Kind.TEXT, form=form)
    return replace(inner, form=form) if inner.kind in (Kind.TEXT, Kind.URL) else inner


@dataclass(frozen=True, slots=True)
class Form:
    """What outputs have for a value that pydantic rewrites: "https://acme.com/" for "https://acme.com".

    It knows the schema of the value alone, none of the user's validators around it.
    """

    core: Mapping[str, Any] = field(repr=False)
    config: Mapping[str, Any] = field(repr=False)

    def __call__(self, label: Json) -> Json:
        """Return the form of *label*; None where the schema refuses it."""
        try:
            value = SchemaValidator(self.core).validate_json(to_json(label), strict=False)
            form: Json = SchemaSerializer(self.core, self.config).to_python(value, mode="json")  # type: ignore[arg-type]  # as above
        except (SchemaError, ValueError, OverflowError):  # refused, or no text that JSON can hold
            return None
        return form
