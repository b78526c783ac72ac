"""Why a text isn't JSON, and where: looked for only once reading has failed, so that reading stays quick."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable


class JsonError(Exception):
    """A text that isn't strict JSON.

    Attributes:
        message: what is wrong.
        line, column: where, both counted from 1, columns in characters.
        syntax: whether the grammar is broken, which may be mended; false where the text says something that
            can't be had exactly (NaN, a number out of range, too many levels).
    """

    def __init__(self, message: str, line: int, column: int, *, syntax: bool = True) -> None:
        super().__init__(f"{message} at line {line}, column {column}")
        self.message = message
        self.line = line
        self.column = column
        self.syntax = syntax


_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]|-?\d[\d.eE+-]*|-?Infinity|NaN', re.DOTALL)


def unreadable(text: str, message: str, is_culprit: Callable[[str], bool]) -> JsonError:
    """Return the error for the first token outside the strings of *text* that *is_culprit*."""
    offset = next((m.start() for m in _TOKEN.finditer(text) if is_culprit(m[0])), 0)
    line_start = text.rfind("\n", 0, offset) + 1
    return JsonError(message, text.count("\n", 0, offset) + 1, offset - line_start + 1, syntax=False)


def too_deep(text: str, limit: int) -> JsonError:
    """Return the error for the first bracket of *text* that opens a level beyond *limit*."""
    depth = 0

    def opens_too_deep(bracket: str) -> bool:
        nonlocal depth
        depth += (bracket in ("[", "{")) - (bracket in ("]", "}"))
        return depth > limit

    return unreadable(text, f"nested deeper than {limit} levels", opens_too_deep)


def too_long(text: str, limit: int) -> JsonError:
    """Return the error for the first integer of *text* with more than *limit* digits."""

    def is_too_long(token: str) -> bool:
        digits = token.removeprefix("-")
        return digits.isdigit() and len(digits) > limit

    return unreadable(text, f"an integer has more digits than Python reads ({limit:,})", is_too_long)
