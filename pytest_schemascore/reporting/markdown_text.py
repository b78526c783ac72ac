"""Text that Markdown renders as itself, whatever it holds: no markup, no HTML, no mention, no new column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting.widths import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKUP: Final = re.compile(r"([\\`*_\[\]~#]|^[-+=]|(?<=www)\.)", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^(\d+)([.)])")
_COLON: Final = re.compile(r":(?=\S)")
_ENTITIES: Final = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "|": "&#124;",  # a backslash would do in a table, but parsers disagree on backslashes before it
        "@": "&#64;&#8203;",  # mentions are found after rendering: a zero-width space stops them
        "$": "&#36;",  # formulas
    }
)
_LONGEST: Final = 200
_LONGEST_TEXT: Final = 4_000


def escape(text: str) -> str:
    """Return *text* as plain text on one line, cut to 4,000 characters, for a paragraph, list or table."""
    shown = printable(text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…").strip()
    plain = _MARKUP.sub(r"\\\1", shown).translate(_ENTITIES)
    # A colon may begin an emoji's name or a link; a number with a stop may begin a list.
    return _COLON.sub("&#58;", _NUMBERED.sub(r"\1\\\2", plain))


def code(text: str) -> str:
    """Return a name or value, cut to 200 characters, as a code span; escaped where a span can't hold it."""
    shown = printable(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")
    if not shown.strip() or "`" in shown or "|" in shown:
        return escape(shown) or "(empty)"
    return f"`{shown}`"


def codes(names: Iterable[str], limit: int) -> str:
    """Return *names* as code spans, ``and 12 more`` beyond *limit*."""
    every = list(names)
    text = ", ".join(map(code, every[:limit]))
    return f"{text} and {len(every) - limit:,} more" if len(every) > limit else text


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of a table whose cells are Markdown already; none where there are no rows.

    A column whose title begins with ``>`` is aligned to the right.
    """
    titles = list(header)
    body = [_row(row) for row in rows]
    if not body:
        return []
    rule = ["---:" if title.startswith(">") else "---" for title in titles]
    return [_row(title.removeprefix(">") for title in titles), _row(rule), *body, ""]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cut(lines: Iterable[str], limit: int, note: str) -> str:
    """Join *lines* to at most *limit* bytes of UTF-8; where some don't fit, *note* ends the text."""
    every = list(lines)
    whole = "\n".join(every).rstrip("\n") + "\n"
    if len(whole.encode()) <= limit:
        return whole
    room = limit - len(f"\n{note}\n".encode())
    kept = []
    for line in every:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, "", note, ""])
