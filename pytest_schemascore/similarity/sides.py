"""Reading the two sides of a comparison, and when two of their values are the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import read_json
from pytest_schemascore.documents.python_values import NotJsonValueError, dumped

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


class UnreadableError(Exception):
    """A side that is not JSON; the text says which and why."""


def read_side(value: object, name: str, *, parse_strings: bool) -> Json:
    """Return one side as JSON data: text parsed (with *parse_strings*), models and the like dumped.

    Raises:
        UnreadableError: it is no JSON; NaN and Infinity aren't either.
    """
    try:
        if isinstance(value, (str, bytes)) and parse_strings:
            return read_json(value).value
        return _as_json(value)
    except JsonError as error:
        msg = f"{name} is not JSON: {error}"
        raise UnreadableError(msg) from None
    except NotJsonValueError as error:
        msg = f"{name} is not JSON: {error}"
        raise UnreadableError(msg) from None


def _as_json(value: object) -> Json:
    try:
        converted: Json = dumped(value)
    except NotJsonValueError:
        if not _is_json_of_any_depth(value):
            raise
        return value  # type: ignore[return-value]  # just found to be JSON
    return converted


def _is_json_of_any_depth(value: object) -> bool:
    """Say whether *value* is plain JSON data; by a stack of its own, so that depth has no limit."""
    above: set[int] = set()
    stack: list[tuple[object, bool]] = [(value, False)]
    while stack:
        item, done = stack.pop()
        if done:
            above.remove(id(item))
        elif isinstance(item, (dict, list)):
            if id(item) in above or (isinstance(item, dict) and any(type(key) is not str for key in item)):
                return False
            above.add(id(item))
            stack.append((item, True))
            stack += [(part, False) for part in (item.values() if isinstance(item, dict) else item)]
        elif isinstance(item, float):
            if not math.isfinite(item):
                return False
        elif item is not None and not isinstance(item, (str, int)):
            return False
    return True


def is_same(expected: Json, actual: Json) -> bool:
    """Say whether two scalars are equal, to the last digit and character: 1 is 1.0, true is not 1."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    return expected == actual
