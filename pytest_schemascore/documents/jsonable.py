"""Turning what an extractor may return into JSON data."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Final, TypeGuard

from pytest_schemascore.documents.paths import ROOT, join_index, join_key
from pytest_schemascore.documents.shapes import ValidationFailed

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

INTEGER_DIGITS: Final = 4300
"""How many digits of an integer Python writes as text, unless it is told otherwise."""
INTEGER_LIMIT: Final = 10**INTEGER_DIGITS
"""Integers from here on have more."""
_LEAST: Final = -INTEGER_LIMIT

_EXACT: Final = frozenset({str, bool, type(None)})


def is_json(value: object, levels: int = sys.maxsize) -> TypeGuard[Json]:
    """Say whether *value* is JSON data as it stands: no NaN or Infinity (S1), no other types.

    Nor nested deeper than *levels*, nor so deep that Python can't follow (`RecursionError`).
    """
    kind = type(value)
    if kind is dict:
        return levels > 0 and _is_json_object(value, levels - 1)  # type: ignore[arg-type]  # a dict, as just found
    if kind is list:
        return levels > 0 and all(type(item) in _EXACT or is_json(item, levels - 1) for item in value)  # type: ignore[attr-defined]  # a list
    return is_json_scalar(value)


def is_json_scalar(value: object) -> bool:
    """Say whether *value* is a JSON scalar as it stands."""
    kind = type(value)
    if kind is int:
        return _LEAST < value < INTEGER_LIMIT  # type: ignore[operator]  # an int, as just found
    return math.isfinite(value) if kind is float else kind in _EXACT  # type: ignore[arg-type]  # a float, as just found


def _is_json_object(value: dict[object, object], levels: int) -> bool:
    for key, item in value.items():
        kind = type(item)
        if type(key) is not str:
            return False
        # Said here too, what `is_json_scalar` says: it would be called for every number of an output.
        if kind is float:
            if not math.isfinite(item):  # type: ignore[arg-type]  # a float, as just found
                return False
        elif kind is int:
            if not _LEAST < item < INTEGER_LIMIT:  # type: ignore[operator]  # an int, as just found
                return False
        elif kind not in _EXACT and not is_json(item, levels):
            return False
    return True


def to_json(value: object) -> Json:
    """Return *value* as JSON data: unchanged where it is, and else dumped (models, dataclasses, dates, ...).

    Raises:
        ValidationFailed: it can't be JSON; names the first path that isn't.
    """
    try:
        if is_json(value):
            return value
        # Plain data, which most outputs are, needs no pydantic.
        from pydantic_core import to_jsonable_python

        dumped = to_jsonable_python(value, by_alias=True, serialize_unknown=False)
        if is_json(dumped):
            return dumped
        path, found = _first_foreign(dumped, ROOT) or (ROOT, dumped)
    except Exception as error:  # a property or serializer of the user's may raise anything
        msg = f"{type(value).__name__} can't be turned into JSON: {describe_error(error)}"
        raise ValidationFailed(msg) from error
    endless = f"an integer of more than {INTEGER_DIGITS:,} digits"
    what = endless if type(found) is int else shortened(repr(found))
    msg = f"{path}: {what} is not JSON"
    raise ValidationFailed(msg)


def _first_foreign(value: object, path: str) -> tuple[str, object] | None:
    if type(value) is dict:
        children = [(join_key(path, str(key)), item) for key, item in value.items()]
    elif type(value) is list:
        children = [(join_index(path, index), item) for index, item in enumerate(value)]
    else:
        return None if is_json(value) else (path, value)
    return next((found for place, item in children if (found := _first_foreign(item, place))), None)


def describe_error(error: BaseException) -> str:
    """Name an exception for a person: its type and a short form of its text."""
    return shortened(f"{type(error).__name__}: {error}".removesuffix(": "))


def shortened(text: str, limit: int = 200) -> str:
    """Return *text* with its middle left out where it is longer than *limit* characters."""
    if len(text) <= limit:
        return text
    head = limit // 2
    return f"{text[:head]} ... {text[head - limit :]}"
