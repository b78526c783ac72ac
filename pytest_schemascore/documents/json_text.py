"""Strict JSON (S1): reading text exactly, and writing it.

The standard library's scanner reads, because it alone sees duplicate keys and keeps integers whole
(orjson makes floats of those over 64 bits); orjson writes what it can write exactly.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeVar

import orjson

from pytest_schemascore.documents.json_errors import JsonError, too_deep, too_long, unreadable
from pytest_schemascore.documents.paths import ROOT, join_index, join_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_schemascore.documents.json_types import Json

_T = TypeVar("_T")

MAX_DEPTH: Final = 200
"""How many levels of objects and arrays a document may have: what pydantic and orjson can take, with room."""


class ParsedJson(NamedTuple):
    """What a text held, and the paths of keys that their object holds more than once (the last one won)."""

    value: Json
    duplicates: tuple[str, ...] = ()


def read_json(text: str | bytes) -> ParsedJson:
    """Read one JSON document; a byte order mark in front is skipped.

    Integers are exact up to Python's own limit of digits (``sys.get_int_max_str_digits()``, usually 4,300).
    Lone surrogates in strings are kept as they are.

    Raises:
        JsonError: *text* isn't JSON (NaN and Infinity aren't), isn't UTF-8, holds a number that Python can't
            read, or is nested deeper than `MAX_DEPTH` levels.
    """
    whole = (decode(text) if isinstance(text, bytes) else text).removeprefix("\ufeff")
    return _explained(whole, lambda: _parse(whole))


def opened(value: Any) -> Any:
    """Return the object or list that a JSON text holds; anything else as it is, other texts too."""
    if not isinstance(value, str):
        return value
    try:
        held = read_json(value).value
    except JsonError:
        return value
    return held if isinstance(held, (dict, list)) else value


def read_json_at(text: str, start: int) -> tuple[Json, int]:
    """Read the JSON value that begins at offset *start*; return it and the offset after it.

    Duplicate keys go unnoticed.

    Raises:
        JsonError: as `read_json`; its place is exact for syntax errors only.
    """

    def parse() -> tuple[Json, int]:
        value, end = _PLAIN.raw_decode(text, start)
        _check_depth(text[start:end], value)
        return value, end

    return _explained(text, parse)


def decode(data: bytes) -> str:
    """Decode UTF-8 with or without byte order mark.

    Raises:
        JsonError: *data* is in another encoding, which is named where it can be told.
    """
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        msg = f"the text is {encoding[:6].upper()}, not UTF-8; save it as UTF-8"
        raise JsonError(msg, 1, 1, syntax=False)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line_start = before.rfind(b"\n") + 1
        msg = f"the text is not UTF-8 (byte 0x{error.object[error.start]:02X}); save it as UTF-8"
        column = len(before[line_start:].decode("utf-8")) + 1
        raise JsonError(msg, before.count(b"\n") + 1, column, syntax=False) from None


def dump_json(value: Json) -> str:
    """Write *value* as compact JSON on one line; NaN and Infinity, which JSON lacks, become null."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # orjson refuses integers over 64 bits and lone surrogates; escaped, both are plain JSON.
        return json.dumps(_finite(value), separators=(",", ":"), allow_nan=False)


def canonical(value: Json) -> str:
    """Write *value* in the one form that equal values share: keys sorted, compact, numbers by `repr`.

    1 and 1.0 are different texts. Texts may hold lone surrogates. Not orjson, whose spelling of floats has
    changed between releases: hashes of this text stand in committed baselines.
    """
    return _CANONICAL.encode(value)


def all_canonical(objects: Sequence[dict[str, Json]]) -> list[str]:
    """Return the `canonical` text of each of *objects* in one step.

    They must hold scalars alone: an object in a list would be taken for one of them.
    """
    if not objects:
        return []
    # All are written as one array, with a separator that JSON escapes inside texts: where a brace follows it,
    # an object begins.
    array = _SEPARATED.encode(objects)
    return ["{" + text.replace(_SEPARATOR, ",") for text in array[2:-1].split(_SEPARATOR + "{")]


class _NumberError(ValueError):
    """A number that JSON doesn't have, or that no float can hold."""

    def __init__(self, message: str, token: str) -> None:
        super().__init__(message)
        self.token = token


class _DuplicateKeyError(Exception):
    """Ends the fast reading: some object has a key twice."""


class _Marked(dict[str, Any]):
    """An object some of whose keys stood more than once in the text."""

    __slots__ = ("repeated",)
    repeated: list[str]


def _explained(text: str, parse: Callable[[], _T]) -> _T:
    """Call *parse* and turn whatever stops it into a `JsonError` that says where."""
    try:
        return parse()
    except json.JSONDecodeError as error:
        reason = error.msg if text.strip(" \t\r\n") else "there is no text"
        raise JsonError(reason, error.lineno, error.colno) from None
    except _NumberError as error:
        raise unreadable(text, str(error), error.token.__eq__) from None
    except RecursionError:
        raise too_deep(text, MAX_DEPTH) from None
    except ValueError:
        # What `int` raises beyond its limit, which is the process's own to set.
        raise too_long(text, sys.get_int_max_str_digits()) from None


def _parse(text: str) -> ParsedJson:
    try:
        value = _FAST.decode(text)
    except _DuplicateKeyError:
        value = _NOTING.decode(text)
    else:
        _check_depth(text, value)
        return ParsedJson(value)
    _check_depth(text, value)
    duplicates: list[str] = []
    value = _without_marks(value, ROOT, duplicates)
    return ParsedJson(value, tuple(duplicates))


def _check_depth(text: str, value: Json) -> None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner = (child for parent in level for child in _children(parent))
        level = [child for child in inner if isinstance(child, (dict, list))]
        if not level:
            return
    raise too_deep(text, MAX_DEPTH)


def _children(value: Json) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise _DuplicateKeyError
    return mapping


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) == len(pairs):
        return mapping
    marked = _Marked(mapping)
    marked.repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    return marked


def _without_marks(value: Any, path: str, duplicates: list[str]) -> Any:
    """Turn marked objects into plain ones and note the paths of their repeated keys."""
    if isinstance(value, dict):
        if isinstance(value, _Marked):
            duplicates.extend(join_key(path, key) for key in value.repeated)
        return {key: _without_marks(item, join_key(path, key), duplicates) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_marks(item, join_index(path, i), duplicates) for i, item in enumerate(value)]
    return value


def _float(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        msg = f"{token if len(token) <= 20 else token[:20] + '…'} is too large for a float"
        raise _NumberError(msg, token)
    return value


def _constant(token: str) -> NoReturn:
    msg = f"{token} is not JSON"
    raise _NumberError(msg, token)


def _finite(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


_FAST: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_float, parse_constant=_constant)
_NOTING: Final = json.JSONDecoder(object_pairs_hook=_marked, parse_float=_float, parse_constant=_constant)
_PLAIN: Final = json.JSONDecoder(parse_float=_float, parse_constant=_constant)
_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), check_circular=False
)
_SEPARATOR: Final = "\x1e"
_SEPARATED: Final = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(_SEPARATOR, ":"), check_circular=False
)
