"""Text in which nothing hides: controls, odd spaces and marks shown by code point, differences marked.

A text becomes a list of *parts* for the page: a plain string, or ``[text, kind]`` or ``[text, kind, title]``
where the kind is one of `DIFFERS`, `CODE_POINT` and `LEFT_OUT`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, TypeAlias

from pytest_schemascore.reporting.numbers import counted

Part: TypeAlias = str | list[str]

DIFFERS: Final = "d"
CODE_POINT: Final = "u"
LEFT_OUT: Final = "g"

# The last alternative: accents beyond the fourth on one letter, which would be drawn over other lines.
_ACCENTS: Final = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_HIDDEN: Final = re.compile(
    "([\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200b\u200e\u200f"
    "\u2028-\u202f\u205f-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff])\\1*"
    f"|(?<={_ACCENTS}{{4}}){_ACCENTS}+"
)
# Part of ordinary emoji, Persian and CJK text: spelled out only where two texts look alike.
_JOINERS: Final = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
_MOST_HIDDEN: Final = 300
_MOST_REVEALED: Final = 12
_CONTEXT: Final = 200


def parts_of(text: str, kind: str = "") -> list[Part]:
    """Split *text* where characters hide; a run of the same one becomes one code point with its count."""
    parts: list[Part] = []
    position = 0
    for number, match in enumerate(_HIDDEN.finditer(text)):
        if number == _MOST_HIDDEN:
            _add(parts, _HIDDEN.sub("\ufffd", text[position:]), kind)
            return parts
        _add(parts, text[position : match.start()], kind)
        parts.append(_code_point(match[0][0], len(match[0])))
        position = match.end()
    _add(parts, text[position:], kind)
    return parts


def plain(text: str, limit: int = 200) -> str:
    """Return *text* on one line, at most *limit* characters of it, with hidden ones as ``[U+200B]``."""
    cut = text[:limit] + "…" if len(text) > limit else text
    return _HIDDEN.sub(lambda match: f"[U+{ord(match[0][0]):04X}]", " ".join(re.split(r"[\r\n\t]+", cut)))


def excerpt(text: str, limit: int) -> list[Part]:
    """Return the parts of *text*, its end left out beyond *limit* characters."""
    return _window(text, 0, 0, limit, reveal=False)


def pair(expected: str, actual: str, limit: int) -> tuple[list[Part], list[Part]]:
    """Return the parts of two texts with the stretch that differs marked.

    At most *limit* characters of each are kept, those around the first difference among them. Where the
    texts look alike (another Unicode form, other spaces), the code points of the difference are spelled out.
    """
    start = common_prefix(expected, actual)
    while start and (_is_mark(expected[start : start + 1]) or _is_mark(actual[start : start + 1])):
        start -= 1
    end = common_prefix(expected[start:][::-1], actual[start:][::-1])
    while end and _is_mark(expected[-end]):
        end -= 1
    reveal = look_alike(expected, actual)
    return (
        _window(expected, start, len(expected) - end, limit, reveal=reveal),
        _window(actual, start, len(actual) - end, limit, reveal=reveal),
    )


def look_alike(expected: str, actual: str) -> bool:
    """Say whether two texts differ only in Unicode form, width, spaces or characters that don't show."""
    return expected != actual and _skeleton(expected) == _skeleton(actual)


def common_prefix(a: str, b: str) -> int:
    """Return how many characters *a* and *b* share at their start, by bisection on slices."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _skeleton(text: str) -> str:
    shown = _JOINERS.sub("", _HIDDEN.sub("", text))
    return "".join(unicodedata.normalize("NFKC", shown).split())


def _is_mark(character: str) -> bool:
    """Say whether *character* belongs to the one before it, as an accent does; no character does not."""
    return bool(character) and unicodedata.combining(character) != 0


def _window(text: str, start: int, end: int, limit: int, *, reveal: bool) -> list[Part]:
    """Return the parts of *text* with ``text[start:end]`` marked, cut to *limit* characters."""
    first = max(0, min(start - _CONTEXT, len(text) - limit)) if len(text) > limit else 0
    last = min(len(text), first + limit)
    parts: list[Part] = []
    if first:
        parts.append(_left_out(first))
    parts += parts_of(text[first : min(start, last)])
    differing = text[max(start, first) : min(end, last)]
    parts += parts_of(_HIDDEN.sub("", differing) if reveal else differing, DIFFERS)
    if reveal:
        parts += map(_code_point, differing[:_MOST_REVEALED])
    parts += parts_of(text[max(end, first) : last])
    if last < len(text):
        parts.append(_left_out(len(text) - last))
    return parts


def _left_out(number: int) -> Part:
    return [f"{counted(number, 'character')} left out", LEFT_OUT]


def _code_point(character: str, count: int = 1) -> Part:
    times = f" \u00d7{count:,}" if count > 1 else ""
    name = unicodedata.name(character, "") or _UNNAMED.get(character, "control character")
    if "\ud800" <= character <= "\udfff":
        name = "lone surrogate"
    return [f"U+{ord(character):04X}{times}", CODE_POINT, name.lower()]


def _add(parts: list[Part], text: str, kind: str) -> None:
    if text:
        parts.append([text, kind] if kind else text)


_UNNAMED: Final = {
    "\x00": "null",
    "\x07": "bell",
    "\x08": "backspace",
    "\t": "tab",
    "\n": "line feed",
    "\x0c": "form feed",
    "\r": "carriage return",
    "\x1b": "escape",
    "\x7f": "delete",
    "\x85": "next line",
}
