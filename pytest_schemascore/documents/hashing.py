"""Hashes that say whether a label or an input is still the same, on every machine and in every process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

from pytest_schemascore.documents.json_text import canonical


class NoStableFormError(Exception):
    """A value that can't be told from another by anything but its address; the text names its type."""


def short_hash(value: object) -> str:
    """Return the first 16 hex digits of SHA-256 over the canonical JSON of *value*.

    What isn't JSON is hashed by what it holds, never by address or `repr`: objects, dataclasses and models by
    type name and attributes, sets in sorted order, buffers (bytes, arrays) by shape and content, dates,
    decimals and paths by their text, enum members by name, classes and functions by name.

    Raises:
        NoStableFormError: *value* holds something with none of these (a lock, a socket), or holds itself.
    """
    try:
        text = _text(value)
    except RecursionError:
        msg = f"{type(value).__qualname__} (holds itself, or is nested too deeply)"
        raise NoStableFormError(msg) from None
    except ValueError as error:
        raise NoStableFormError(f"{type(value).__qualname__} ({error})") from error
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _text(value: Any) -> str:
    try:
        return canonical(value)
    except TypeError:
        return canonical(_stable(value))


_BY_TEXT: Final = (date, time, timedelta, tzinfo, Decimal, PurePath, UUID, complex, range)
_JSON_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
# Type flags of CPython that tell classes written in Python from those that may hide state in C.
_HEAP_TYPE: Final = 1 << 9
_IMMUTABLE_TYPE: Final = 1 << 8


def _stable(value: Any) -> Any:
    """Return JSON data that is the same for values that hold the same."""
    if type(value) in _JSON_SCALARS:
        return value
    if isinstance(value, Enum):
        return {"$enum": type(value).__qualname__, "name": value.name}
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return _stable_mapping(value)
    if isinstance(value, (list, tuple)):
        return [_stable(item) for item in value]
    if isinstance(value, AbstractSet):
        return {"$set": sorted(canonical(_stable(item)) for item in value)}
    return _stable_object(value)


def _stable_mapping(value: Mapping[Any, Any]) -> Any:
    if all(isinstance(key, str) for key in value):
        return {key: _stable(item) for key, item in value.items()}
    return {
        "$map": sorted([canonical(_stable(key)), canonical(_stable(item))] for key, item in value.items())
    }


def _stable_object(value: Any) -> Any:
    from fractions import Fraction  # few inputs are no JSON

    name = type(value).__qualname__
    if isinstance(value, (*_BY_TEXT, Fraction)):
        text = value.as_posix() if isinstance(value, PurePath) else str(value)
        return {"$type": name.removeprefix("Pure"), "text": text}
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return {"$name": f"{value.__module__}:{value.__qualname__}"}
    if (buffer := _buffer(value)) is not None:
        return buffer
    return {"$type": name, "attributes": _stable_mapping(_attributes(value))}


def _buffer(value: Any) -> dict[str, Any] | None:
    try:
        view = memoryview(value)
    except TypeError:
        return None
    if "O" in view.format:
        msg = f"{type(value).__qualname__} (an array of Python objects)"
        raise NoStableFormError(msg)
    content = hashlib.sha256(view.tobytes()).hexdigest()
    return {"$buffer": content, "format": view.format, "shape": list(view.shape or ())}


def _attributes(value: Any) -> dict[str, Any]:
    """Return what *value* holds: its ``__dict__``, its slots, and a model's extra fields."""
    kind = type(value)
    slots = [name for parent in kind.__mro__ for name in _slots(parent) if hasattr(value, name)]
    has_dict = hasattr(value, "__dict__")
    if not all(_is_python_class(parent) for parent in kind.__mro__) or not (has_dict or slots):
        raise NoStableFormError(kind.__qualname__)
    attributes = {name: getattr(value, name) for name in slots}
    attributes |= vars(value) if has_dict else {}
    if extra := getattr(value, "__pydantic_extra__", None):
        attributes["__pydantic_extra__"] = extra
    return attributes


def _slots(kind: type) -> list[str]:
    slots = kind.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if not name.startswith("__")]


def _is_python_class(kind: type) -> bool:
    return kind is object or bool(kind.__flags__ & _HEAP_TYPE and not kind.__flags__ & _IMMUTABLE_TYPE)
