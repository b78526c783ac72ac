"""Which scalars a place can hold, as labels write them."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.json_types import type_name
from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.documents.shape_members import members
from pytest_schemascore.documents.shapes import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json

_NAMES: Final[Mapping[Kind, str]] = {
    Kind.ANY: "anything",
    Kind.DECIMAL: "decimal number",
    Kind.TEXT: "text",
    Kind.DATETIME: "date and time",
    Kind.URL: "URL",
}
_WRITTEN: Final = frozenset(
    {
        *(Kind.ANY, Kind.TEXT, Kind.NOT_JSON, Kind.DECIMAL, Kind.URL),
        *(Kind.DATE, Kind.DATETIME, Kind.TIME, Kind.DURATION),
    }
)
_TYPE_NAMES: Final = {"string": "text"}
_SHOWN_CHOICES: Final = 10


def can_hold(shape: Shape, label: Json) -> bool:
    """Say whether a place of *shape*, no union, can hold the scalar *label* or a value equal to it.

    Numbers and dates are held by value (S2): 1.0 is fine for an integer, 10.5 for a Decimal that is dumped as
    text, and any spelling of a date that can be read as one; which of those a rule can read, only the rule
    knows.
    """
    match shape.kind:
        case Kind.ANY:
            return True
        case Kind.NULL:
            return label is None
        case Kind.BOOLEAN:
            return isinstance(label, bool)
        case Kind.CHOICE:
            return any(_same(choice, label) for choice in shape.choices)
        case Kind.TEXT | Kind.URL:
            return isinstance(label, str)
        case Kind.NOT_JSON:
            return isinstance(label, str) and not _is_json(label)
        case Kind.DURATION:
            return isinstance(label, (str, int, float)) and not isinstance(label, bool)
        case Kind.INTEGER | Kind.NUMBER | Kind.DECIMAL:
            return _is_number(label, shape.kind)
        case Kind.DATE | Kind.DATETIME | Kind.TIME:
            return isinstance(label, str) and _is_date(label)
        case _:
            return False


def is_held(shape: Shape, label: Json) -> bool:
    """Say whether *label* is a scalar that a place of *shape*, a union too, can hold."""
    if isinstance(label, (dict, list)):
        return False
    return (
        any(can_hold(member, label) for member in members(shape)) if shape.options else can_hold(shape, label)
    )


def can_match_text(shape: Shape) -> bool:
    """Say whether a place of *shape*, no union, can hold text, so that ``$regex`` makes sense there."""
    if shape.kind is Kind.CHOICE:
        return any(isinstance(choice, str) for choice in shape.choices)
    return shape.kind in _WRITTEN


def _same(choice: Json, label: Json) -> bool:
    """Compare as enums are: strictly, but 1 is 1.0; true is never 1 (S6)."""
    return choice == label and isinstance(choice, bool) == isinstance(label, bool)


def _is_number(label: Json, kind: Kind) -> bool:
    if isinstance(label, bool):
        return False
    if isinstance(label, int):
        return True
    if isinstance(label, float):
        return kind is not Kind.INTEGER or label.is_integer()
    return kind is Kind.DECIMAL and isinstance(label, str) and _is_decimal(label)


def _is_decimal(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return _is_spelled_date(text)
    return True


def _is_spelled_date(text: str) -> bool:
    from dateutil.parser import parse as parse_date  # most dates are written as ISO 8601 has them

    try:
        parse_date(text)
    except (ValueError, OverflowError):
        return False
    return True


def mismatch(shape: Shape, label: Json) -> str:
    """Say what the schema gives at a place of *shape* and what the label holds instead."""
    found = type_name(label)
    shown = "" if isinstance(label, (dict, list)) or label is None else f" {shortened(repr(label), 60)}"
    return (
        f"the schema gives {_described(shape)} here, never {_TYPE_NAMES.get(found, found)}{shown}"
        f"{_suggestion(shape, label)}"
    )


def _described(shape: Shape) -> str:
    names = dict.fromkeys(_described_one(member) for member in members(shape))
    return " or ".join(names)


def _described_one(shape: Shape) -> str:
    if shape.kind is not Kind.CHOICE:
        return _NAMES.get(shape.kind, shape.kind.value)
    shown = [shortened(repr(choice), 60) for choice in shape.choices[:_SHOWN_CHOICES]]
    left = len(shape.choices) - len(shown)
    return f"one of {', '.join(shown)}{f' (and {left} more)' if left else ''}"


def _suggestion(shape: Shape, label: Json) -> str:
    if not isinstance(label, str):
        return ""
    choices = [choice for member in members(shape) for choice in member.choices if isinstance(choice, str)]
    return did_you_mean(label, choices)
