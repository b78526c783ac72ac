"""Data apart from what it was made of: extractors may change what they get, and return one object twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_schemascore.documents.json_types import CONTAINERS
from pytest_schemascore.documents.output import Output


def detached(value: Any) -> Any:
    """Return *value* with dicts and lists of its own, so that what becomes of the original later is nothing.

    What else it holds is shared. A value that can't be copied so (it holds itself, it is nested too deeply,
    it is being changed) is returned as it is; reading it tells what is wrong.
    """
    if type(value) is Output:
        return replace(value, value=detached(value.value))
    try:
        return _copied(value)
    except (RecursionError, RuntimeError):
        return value


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {key: _copied(part) if type(part) in CONTAINERS else part for key, part in value.items()}
    if kind is list:
        return [_copied(part) if type(part) in CONTAINERS else part for part in value]
    return value
