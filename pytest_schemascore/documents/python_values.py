"""Python values as JSON data: what an extractor or a label hands over that isn't text.

Two policies for objects that JSON doesn't know (models, dates, decimals): `checked` leaves them for the
schema to judge, `dumped` writes them in JSON form as pydantic does.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from types import ModuleType
from typing import Any, TypeAlias

from pytest_schemascore.documents.json_text import MAX_DEPTH
from pytest_schemascore.documents.jsonable import (
    INTEGER_DIGITS,
    INTEGER_LIMIT,
    is_json,
    is_json_scalar,
    to_json,
)
from pytest_schemascore.documents.paths import ROOT, join_index, join_key
from pytest_schemascore.documents.shapes import ValidationFailed

_Other: TypeAlias = Callable[[object], Any]


class NotJsonValueError(Exception):
    """A Python value that has no JSON form; `reason` says why, `path` where in the value."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.path = path
        self.reason = reason

    def about(self, name: str) -> str:
        """Return the message for the reader, who knows the value as *name*."""
        return f"{name} {self.reason}" if self.path == ROOT else f"{self.path} of {name} {self.reason}"


def checked(value: object) -> Any:
    """Return *value* as JSON data, with models, dates and other typed objects left in place.

    Tuples become lists; dataclass instances and mappings become dicts; what is plain already is not copied.

    Raises:
        NotJsonValueError: it holds NaN, a key that is no text, a set, a function, something unfinished such
            as a generator, or itself, or it is nested deeper than `MAX_DEPTH` levels.
    """
    return _converted(value, _left_alone)


def dumped(value: object) -> Any:
    """Return *value* in JSON form, with models, dates and other typed objects dumped as pydantic does.

    Raises:
        NotJsonValueError: as `checked`, or an object that pydantic can't dump either.
    """
    return _converted(value, _dump)


def is_plain(value: object) -> bool:
    """Say whether *value* is JSON data as it stands, no deeper than `MAX_DEPTH` levels."""
    try:
        return is_json(value, MAX_DEPTH)
    except RecursionError:
        return False


class _RefusedError(Exception):
    """Why a value is refused, and the steps to it, innermost first; becomes a message at the top."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.steps: list[str | int] = []


def _converted(value: object, other: _Other) -> Any:
    try:
        return value if is_plain(value) else _convert(value, other, ())
    except _RefusedError as refused:
        path = ROOT
        for step in reversed(refused.steps):
            path = join_key(path, step) if isinstance(step, str) else join_index(path, step)
        reason = refused.reason
    except RecursionError:
        path, reason = ROOT, "is nested too deeply"
    raise NotJsonValueError(path, reason)


def _convert(value: Any, other: _Other, above: tuple[int, ...]) -> Any:
    """Convert one value; *above* holds the ids of the containers around it."""
    kind = type(value)
    if kind is dict:
        return _object(value, other, _entered(value, above))
    if kind is list:
        return _array(value, other, _entered(value, above))
    if is_json_scalar(value):
        return value
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        return _object(value, other, _entered(value, above))
    if isinstance(value, (list, tuple)):
        return _array(value, other, _entered(value, above))
    if _is_plain_dataclass(value):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return _object(fields, other, _entered(value, above))
    _refuse_unfit(value)
    return other(value)


def _entered(value: object, above: tuple[int, ...]) -> tuple[int, ...]:
    if id(value) in above:
        msg = "is the value that it stands in"
        raise _RefusedError(msg)
    if len(above) == MAX_DEPTH:
        msg = f"is nested deeper than {MAX_DEPTH} levels"
        raise _RefusedError(msg)
    return (*above, id(value))


def _object(value: Mapping[Any, Any], other: _Other, above: tuple[int, ...]) -> Any:
    changed: dict[str, Any] = {}
    plain_keys = type(value) is dict
    for key, item in value.items():
        if type(key) is not str:
            plain_keys = False
            if not isinstance(key, str):
                msg = f"has the key {key!r} ({_name(key)}); the keys of JSON objects are texts"
                raise _RefusedError(msg)
        if not is_json_scalar(item):
            new = _at(key, item, other, above)
            if new is not item:
                changed[key] = new
    if not changed and plain_keys:
        return value
    return {str.__str__(key): changed.get(key, item) for key, item in value.items()}


def _array(value: list[Any] | tuple[Any, ...], other: _Other, above: tuple[int, ...]) -> Any:
    changed: dict[int, Any] = {}
    for index, item in enumerate(value):
        if not is_json_scalar(item):
            new = _at(index, item, other, above)
            if new is not item:
                changed[index] = new
    if not changed and type(value) is list:
        return value
    return [changed.get(index, item) for index, item in enumerate(value)]


def _at(step: str | int, item: Any, other: _Other, above: tuple[int, ...]) -> Any:
    try:
        return _convert(item, other, above)
    except _RefusedError as refused:
        refused.steps.append(step)
        raise


def _number(value: float) -> float:
    if isinstance(value, int):
        if abs(value) >= INTEGER_LIMIT:
            msg = f"is an integer of more than {INTEGER_DIGITS:,} digits"
            raise _RefusedError(msg)
        return value if type(value) is int else int.__int__(value)
    if not math.isfinite(value):
        msg = f"is {float.__repr__(value)}, which is not JSON"
        raise _RefusedError(msg)
    return value if type(value) is float else float.__float__(value)


def _is_plain_dataclass(value: object) -> bool:
    """Leave pydantic's own dataclasses, which know how to dump themselves, to the schema."""
    return (
        dataclasses.is_dataclass(value)
        and not isinstance(value, type)
        and not hasattr(type(value), "__pydantic_serializer__")
    )


def _refuse_unfit(value: object) -> None:
    """Refuse what can only be a mistake: no schema would take it for JSON data."""
    if isinstance(value, type):
        msg = f"is the class {value.__qualname__}, not an instance of it"
    elif isinstance(value, Awaitable):
        msg = f"is {_article(_name(value))} that was never awaited"
    elif inspect.isgenerator(value) or inspect.isasyncgen(value) or isinstance(value, Iterator):
        msg = f"is {_article(_name(value))}; collect its items into a list"
    elif isinstance(value, AbstractSet):
        msg = f"is {_article(_name(value))}, which has no order; make it a sorted list"
    elif inspect.isroutine(value) or isinstance(value, ModuleType):
        msg = f"is {_article(_name(value))}, not data"
    else:
        return
    raise _RefusedError(msg)


def _left_alone(value: object) -> object:
    return value


def _dump(value: object) -> object:
    try:
        return to_json(value)
    except ValidationFailed as error:
        msg = f"has no JSON form ({error})"
        raise _RefusedError(msg) from error


def _name(value: object) -> str:
    return type(value).__qualname__


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
