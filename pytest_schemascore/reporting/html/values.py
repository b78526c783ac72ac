"""JSON values as text: exact numbers, quoted strings, big documents cut at a stated size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_types import Absent, Json, type_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_DIGITS: Final = 400
_DEEPEST_INDENT: Final = 20
_EXACT_BITS: Final = 4_000
"""Below Python's own limit of 4,300 decimal digits, which takes more than 14,000 bits."""


def scalar_text(value: bool | float | None) -> str:
    """Return a number, boolean or null as JSON writes it; a huge integer in hexadecimal and cut."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int) and value.bit_length() > _EXACT_BITS:
        digits = hex(value)
        return f"{digits[:_MOST_DIGITS]}… ({value.bit_length():,} bits)"
    return repr(value)


def document_text(value: Json | Absent, limit: int, *, indented: bool = True) -> tuple[str, bool]:
    """Return *value* as JSON text of at most *limit* characters, and whether it was cut.

    Works without recursion and stops at the limit, so that neither depth nor size of a document matters.
    """
    pieces: list[str] = []
    length = 0
    for piece in _pieces(value, limit, indented):
        pieces.append(piece)
        length += len(piece)
        if length > limit:
            return "".join(pieces)[:limit], True
    return "".join(pieces), False


def _pieces(value: Json | Absent, limit: int, indented: bool) -> Iterator[str]:
    """Yield the text of *value* bit by bit; a string as long as *limit* is never quoted whole."""
    pending: list[Iterator[str | tuple[str, Json | Absent]]] = [iter((("", value),))]
    while pending:
        part = next(pending[-1], None)
        if part is None:
            pending.pop()
        elif isinstance(part, str):
            yield part
        else:
            prefix, item = part
            yield prefix
            if isinstance(item, (dict, list)) and item:
                pending.append(_container(item, len(pending), indented))
            else:
                yield _leaf_text(item, limit)


def _container(
    value: dict[str, Json] | list[Json], depth: int, indented: bool
) -> Iterator[str | tuple[str, Json]]:
    line = "\n" + "  " * min(depth, _DEEPEST_INDENT) if indented else ""
    end = "\n" + "  " * min(depth - 1, _DEEPEST_INDENT) if indented else ""
    comma = "," if indented else ", "
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    separator = opening
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{separator}{line}{quoted(key)}: ", item
            separator = comma
    else:
        for item in value:
            yield f"{separator}{line}", item
            separator = comma
    yield end + closing


def _leaf_text(value: Json | Absent, limit: int) -> str:
    if isinstance(value, str):
        return quoted(value[: limit + 1])
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    return type_name(value) if isinstance(value, Absent) else scalar_text(value)


def quoted(text: str) -> str:
    """Return *text* as a JSON string, with every character that JSON allows left as it is."""
    return json.dumps(text, ensure_ascii=False)
