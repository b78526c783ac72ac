"""Paths (S4): a subset of RFC 9535 JSONPath that doesn't need ``$.`` in front.

A *path* names one place, ``items[0].price``; a *field* is a path with its list indexes folded,
``items[*].price``; a *pattern* is what a user writes and may also hold ``.*`` and ``..name``.
Names are letters, digits, ``_`` and ``-`` and don't begin with a digit; every other key is quoted,
``['any key']``, so no two keys ever share a path. The root is ``$``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from pytest_schemascore.errors import PathError


class Wild(Enum):
    """A segment that matches any list item or any key."""

    ITEM = "[*]"
    KEY = ".*"


@dataclass(frozen=True, slots=True)
class Descendant:
    """``..name``: that key at any depth."""

    name: str


Step: TypeAlias = str | int
Segment: TypeAlias = Step | Wild | Descendant

ROOT: Final = "$"

_PLAIN: Final = re.compile(r"[^\W\d][\w-]*\Z")
_TOKEN: Final = re.compile(
    r"""
      \.\.(?P<descendant>[^\W\d][\w-]*)
    | \.\.\[(?P<descendant_quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]
    | (?P<any_key>\.\*)
    | \.(?P<name>[^\W\d][\w-]*)
    | \[(?:
          (?P<index>0|[1-9]\d*)
        | (?P<any_item>\*)
        | (?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      )\]
    """,
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_TO_ESCAPE: Final = re.compile(r"['\\\x00-\x1f\x7f\u2028\u2029]")


def parse(text: str) -> tuple[Segment, ...]:
    """Parse a path or pattern; the root is the empty tuple.

    Raises:
        PathError: *text* isn't of the subset; names the column, counted from 1.
    """
    if text == ROOT:
        return ()
    if text.startswith((".", "[")):
        source = text
    elif text.startswith(("$.", "$[")):
        source = text[1:]
    else:
        source = f".{text}"
    shift = len(text) - len(source)
    segments: list[Segment] = []
    position = 0
    while position < len(source):
        token = _TOKEN.match(source, position)
        if token is None:
            column = max(position + shift, 0) + 1
            msg = (
                f"path {text!r}: can't be read from column {column}"
                f" (a key with dots, brackets or spaces is quoted: ['any key'])"
            )
            raise PathError(msg)
        segments.append(_segment(token))
        position = token.end()
    if not segments:
        msg = "a path is empty; the root is '$'"
        raise PathError(msg)
    return tuple(segments)


def _segment(token: re.Match[str]) -> Segment:
    kind = token.lastgroup
    text = token[kind or 0]
    match kind:
        case "index":
            return int(text)
        case "any_item":
            return Wild.ITEM
        case "any_key":
            return Wild.KEY
        case "quoted":
            return _unquoted(text)
        case "descendant":
            return Descendant(text)
        case "descendant_quoted":
            return Descendant(_unquoted(text))
        case _:
            return text


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(
        lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else _ESCAPED.get(m[1], m[1]), text[1:-1]
    )


def key_text(key: str) -> str:
    """Return the segment for *key*: ``.name``, or ``['any key']`` where the key isn't a plain name."""
    if _PLAIN.match(key):
        return f".{key}"
    return "['" + _TO_ESCAPE.sub(_escape, key) + "']"


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in "'\\" else f"\\u{ord(character):04x}"


def join_key(parent: str, key: str) -> str:
    """Return the path of *key* in the object at *parent* (``$`` for the root)."""
    text = key_text(key)
    if parent == ROOT:
        return text.removeprefix(".")
    return parent + text


def join_index(parent: str, index: int) -> str:
    """Return the path of item *index* in the list at *parent*."""
    return f"{parent}[{index}]"


def to_text(segments: tuple[Segment, ...]) -> str:
    """Return the one spelling of a path or pattern; ``parse(to_text(s)) == s``."""
    text = ROOT
    for segment in segments:
        match segment:
            case str():
                text = join_key(text, segment)
            case int():
                text = join_index(text, segment)
            case Wild.ITEM:
                text += "[*]"
            case Wild.KEY:
                text = "*" if text == ROOT else f"{text}.*"
            case Descendant(name):
                text = (
                    text.removeprefix(ROOT) + "." + (key if (key := key_text(name))[0] == "." else f".{key}")
                )
    return text


def field_of(path: str) -> str:
    """Fold the list indexes of *path*: ``items[0].price`` becomes ``items[*].price``."""
    return to_text(tuple(Wild.ITEM if isinstance(s, int) else s for s in parse(path)))


def normalized(text: str) -> str:
    """Return the one spelling of the path or pattern *text*: ``$.total`` becomes ``total``."""
    return to_text(parse(text))
