"""Text in columns: how wide it shows, cutting it, padding it, and saying it on a console that isn't UTF-8."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_JOINERS: Final = "\u200c\u200d"
"""Invisible, but words of several scripts and many emoji are spelled with them."""
_UNPRINTABLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SHORT_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FALLBACKS: Final = {"→": "->", "…": "...", "\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"}


def printable(text: str) -> str:
    """Return *text* on one line, with nothing in it that steers a terminal or turns the direction of writing.

    Control and format characters, line separators and lone surrogates become escapes: ``\\n``, ``\\u202e``.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if _steers(c) else c for c in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in _UNPRINTABLE and character not in _JOINERS


def _escape(character: str) -> str:
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def encodable(text: str, encoding: str) -> str:
    """Return *text* as a stream of *encoding* can take it: ``→`` becomes ``->``, a minus sign ``-``.

    Other characters it can't take become escapes, ``\\u732b``. An encoding nobody knows counts as ASCII.
    """
    try:
        text.encode(encoding)
    except LookupError:
        return encodable(text, "ascii")
    except UnicodeEncodeError:
        return "".join(_encodable_character(c, encoding) for c in text)
    return text


def _encodable_character(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return _FALLBACKS.get(character) or _escape(character)
    return character


def display_width(text: str) -> int:
    """Return how many columns *text* takes: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill *text* with spaces to *width* columns; *right* puts them in front."""
    space = " " * max(0, width - display_width(text))
    return space + text if right else text + space


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """Cut *text* in the middle to at most *width* columns; no character is parted from its marks."""
    if len(text) <= width and display_width(text) <= width:
        return text
    room = width - display_width(ellipsis)
    if room < 2:
        return _start(text, width)
    tail = _end(text, room // 2)
    return _start(text, room - display_width(tail)) + ellipsis + tail


def clip_end(text: str, width: int, ellipsis: str = "…") -> str:
    """Cut *text* at its end to at most *width* columns."""
    if len(text) <= width and display_width(text) <= width:
        return text
    return _start(text, width - display_width(ellipsis)) + ellipsis


def _start(text: str, width: int) -> str:
    taken = 0
    for index, character in enumerate(text):
        taken += _columns(character)
        if taken > width:
            return text[:index]
    return text


def _end(text: str, width: int) -> str:
    taken, start = 0, len(text)
    for index in range(len(text) - 1, -1, -1):
        columns = _columns(text[index])
        taken += columns
        if taken > width:
            break
        if columns:
            start = index
    return text[start:]


@dataclass(frozen=True, slots=True)
class Console:
    """What text is laid out for: columns, and the encoding of the stream it goes to."""

    width: int = 80
    encoding: str = "utf-8"

    @property
    def ellipsis(self) -> str:
        """What stands for text that was cut."""
        return encodable("…", self.encoding)

    def clean(self, text: str) -> str:
        """Return *text* so that it shows as one line here; done before measuring, since it may get longer."""
        return encodable(printable(text), self.encoding)

    def clip(self, text: str, width: int) -> str:
        """Return *text*, cleaned and cut in the middle to *width* columns."""
        return clip(self.clean(text), width, self.ellipsis)

    def wrap(self, text: str, *, indent: int = 0, hanging: int | None = None) -> list[str]:
        """Lay *text* out in lines of at most `width` columns, broken at spaces.

        The first is indented by *indent*, the others by *hanging* (by *indent* where not given). A word
        longer than a line is cut in the middle.
        """
        hanging = indent if hanging is None else hanging
        lines = list(self._filled(self.clean(text).split(" "), self.width - indent, self.width - hanging))
        return [" " * (hanging if number else indent) + line for number, line in enumerate(lines)]

    def _filled(self, words: Iterable[str], first: int, others: int) -> Iterator[str]:
        line, room = "", first
        for word in words:
            candidate = f"{line} {word}" if line else word
            if line and display_width(candidate) > room:
                yield line
                room, candidate = others, word
            line = candidate if display_width(candidate) <= room else clip(candidate, room, self.ellipsis)
        yield line
