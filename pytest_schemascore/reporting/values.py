"""JSON values as text that fits, with the differences between two of them in sight."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_types import ABSENT, type_name
from pytest_schemascore.reporting.visible import common_prefix, look_alike
from pytest_schemascore.reporting.widths import clip_end, display_width

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.reporting.widths import Console

_LONG: Final = 2_000
"""Longer texts are cut before anything is done with them: nobody reads a megabyte in a table."""


def value_text(value: Json | Absent) -> str:
    """Return *value* as compact JSON, whatever its size or depth; ``absent`` where there is none."""
    if value is ABSENT:
        return "absent"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(Decimal(value))  # Python refuses to print integers of more than 4,300 digits itself
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return f"({type_name(value)} too deep or too large to show)"


def value_pair(
    expected: Json | Absent, actual: Json | Absent, console: Console, width: int
) -> tuple[str, str]:
    """Return both values as text of at most *width* columns each, cut so that their first difference shows.

    Where two texts differ but look the same, what isn't plain ASCII is written as code points: ``<U+00A0>``.
    """
    if isinstance(expected, str) and isinstance(actual, str):
        expected, actual = _around_difference(expected, actual, _LONG, "…")
    left, right = value_text(expected), value_text(actual)
    if look_alike(left, right):
        left, right = _spelled(left), _spelled(right)
    left, right = console.clean(left), console.clean(right)
    if max(display_width(left), display_width(right)) > width:
        left, right = _around_difference(left, right, width // 2, console.ellipsis)
    return clip_end(left, width, console.ellipsis), clip_end(right, width, console.ellipsis)


def _around_difference(left: str, right: str, room: int, ellipsis: str) -> tuple[str, str]:
    """Cut both to 4 * *room* characters with the first difference within about *room* columns."""
    first = common_prefix(left, right)
    if max(len(left), len(right)) <= room or display_width(left[:first]) < room:
        skip, dots = 0, ""
    else:
        skip, dots = max(0, first - room // 3), ellipsis
    return dots + left[skip : skip + 4 * room], dots + right[skip : skip + 4 * room]


def _spelled(text: str) -> str:
    return "".join(c if c.isascii() else f"<U+{ord(c):04X}>" for c in text)
