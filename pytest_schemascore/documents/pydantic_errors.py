"""pydantic's validation errors as ``path: message`` lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.documents.paths import ROOT, join_index, join_key
from pytest_schemascore.errors import at_most_ten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ValidationError


def describe_validation_error(error: ValidationError, value: object) -> str:
    """List each error of *error*, which validating *value* gave, with the path in our syntax."""
    details = error.errors(include_url=False, include_context=False)
    return listed(
        f"{_path(detail['loc'], value, missing=detail['type'].startswith('missing'))}:"
        f" {shortened(detail['msg'])}{_given(detail['type'], detail['input'])}"
        for detail in details
    )


def listed(lines: Iterable[str]) -> str:
    """Join *lines*, at most ten; equal lines (of a union's members) stand once."""
    return "\n".join(at_most_ten(list(dict.fromkeys(lines))))


def _given(kind: str, value: object) -> str:
    if kind.startswith("missing") or not isinstance(value, (str, int, float, type(None))):
        return ""
    return f", got {shortened(repr(value), 60)}"


def _path(location: tuple[int | str, ...], value: object, *, missing: bool) -> str:
    """Follow *location* through *value*; steps that are in no value are pydantic's names of union members."""
    path = ROOT
    for position, step in enumerate(location):
        is_last = position == len(location) - 1
        if isinstance(value, dict) and (str(step) in value or (missing and is_last)):
            path, value = join_key(path, str(step)), value.get(str(step))
        elif isinstance(value, (list, tuple)) and isinstance(step, int):
            path, value = join_index(path, step), value[step] if step < len(value) else None
    return path
