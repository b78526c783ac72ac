"""Lenient reading (S1): one JSON value inside prose, or JSON with small faults, which json_repair mends.

What looks like JSON is found by its brackets, from left to right; a fenced block counts before anything bare.
Everything found is read, strictly where that works and repaired where not, and all of it must be the same
value: two different ones are an error, since either might be the answer.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import canonical, read_json, read_json_at
from pytest_schemascore.documents.python_values import NotJsonValueError, checked
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

MAX_LENGTH: Final = 5_000_000
"""Texts of more characters are not repaired: json_repair reads about a million a second."""
MAX_FOUND: Final = 1_000
"""Texts with more would-be JSON values are given up."""


class NothingFoundError(Exception):
    """There is no one JSON value in the text; the text of the error says what there is instead."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value that was found in a text, and how."""

    value: Json
    note: str


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of the text that looks like JSON; `value` holds it where it is, strictly."""

    text: str
    strict: bool
    value: Json
    fenced: bool


def require_json_repair() -> None:
    """Check, before anything is run, that lenient reading can repair.

    Raises:
        UsageError: json_repair isn't installed.
    """
    try:
        import json_repair  # noqa: F401 - it is an extra; whether it is there is the question
    except ImportError:
        msg = (
            "parse='lenient' needs json_repair, which isn't installed;"
            " type: pip install 'pytest-schemascore[lenient]'"
        )
        raise UsageError(msg) from None


def find_json(text: str) -> Found:
    """Return the one JSON value in *text*.

    Raises:
        NothingFoundError: there is none, or several different ones, or *text* is too long to search.
        UsageError: json_repair is needed and isn't installed.
    """
    if len(text) > MAX_LENGTH:
        msg = f"too long to be searched for JSON ({len(text):,} characters; at most {MAX_LENGTH:,})"
        raise NothingFoundError(msg)
    spans = _spans(text)
    spans = [span for span in spans if span.fenced] or spans
    found: dict[str, Found] = {}
    for span in _objects_first(spans):
        if span.strict:
            found.setdefault(canonical(span.value), Found(span.value, "JSON taken out of the text around it"))
        else:
            repaired = _repaired(span.text)
            found.setdefault(canonical(repaired), Found(repaired, "broken JSON repaired"))
    if not found:
        msg = "there is no JSON object or array in the text"
        raise NothingFoundError(msg)
    if len(found) > 1:
        shown = " and ".join(key if len(key) <= 60 else f"{key[:60]}…" for key in list(found)[:2])
        msg = f"{len(found)} different JSON values in the text, any of which might be the answer: {shown}"
        raise NothingFoundError(msg)
    return next(iter(found.values()))


def _objects_first(spans: list[_Span]) -> list[_Span]:
    """Drop arrays without objects where there are others: ``[1]`` in prose is a footnote."""
    with_objects = [span for span in spans if "{" in span.text]
    return with_objects or spans


# A fence begins its line; a bracket in a value comes before a fence inside that value.
_START: Final = re.compile(r"(?P<fence>^[ \t]*(?:`{3,}|~{3,}))|[\[{]", re.MULTILINE)
_LOOKS_LIKE: Final = re.compile(
    r"""\{\s*(?:["'}]|[\w-]+\s*:)|\[\s*(?:["'\[{\]]|-?\d|(?:true|false|null|True|False|None)\b)"""
)
_INFO_WORD: Final = re.compile(r"[ \t]*[A-Za-z]\w*")
_BRACKET: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)


def _spans(text: str, *, fenced: bool = False) -> list[_Span]:
    """Find everything in *text* that looks like JSON; none lies within another."""
    if fenced:
        with suppress(JsonError):
            return [_Span(text, strict=True, value=read_json(text).value, fenced=True)]
    spans: list[_Span] = []
    position = 0
    while (start := _START.search(text, position)) is not None:
        position = start.end()
        if start["fence"]:
            if not fenced:
                body, position = _fenced(text, start)
                spans.extend(_spans(body, fenced=True))
        elif _LOOKS_LIKE.match(text, start.start()):
            span, position = _bare(text, start.start(), fenced=fenced)
            spans.append(span)
        if len(spans) > MAX_FOUND:
            msg = f"more than {MAX_FOUND:,} would-be JSON values in the text"
            raise NothingFoundError(msg)
    return spans


def _fenced(text: str, start: re.Match[str]) -> tuple[str, int]:
    """Return the body of the block that *start* opens, without the word beside it, and where it ends."""
    word = _INFO_WORD.match(text, start.end())
    first = word.end() if word else start.end()
    close = re.compile(rf"^[ \t]*{start['fence'].strip()}", re.MULTILINE).search(text, first)
    end, after = (close.start(), close.end()) if close else (len(text), len(text))
    return text[first:end], after


def _bare(text: str, start: int, *, fenced: bool) -> tuple[_Span, int]:
    """Return the value at *start*: as JSON, or else from its bracket to the one that closes it.

    Raises:
        NothingFoundError: it says what JSON can't, such as NaN; that isn't for repair.
    """
    try:
        value, end = read_json_at(text, start)
        return _Span(text[start:end], strict=True, value=value, fenced=fenced), end
    except JsonError as error:
        if not error.syntax:
            raise NothingFoundError(str(error)) from None
    depth = 0
    end = len(text)
    for bracket in _BRACKET.finditer(text, start):
        depth += (bracket[0] in ("[", "{")) - (bracket[0] in ("]", "}"))
        if depth == 0:
            end = bracket.end()
            break
    return _Span(text[start:end], strict=False, value=None, fenced=fenced), end


def _repaired(text: str) -> Json:
    require_json_repair()
    from json_repair import repair_json

    try:
        value: Json = checked(repair_json(text, return_objects=True, skip_json_loads=True))
    except (NotJsonValueError, ValueError, RecursionError) as error:
        msg = f"broken JSON that can't be repaired ({error})"
        raise NothingFoundError(msg) from None
    if not isinstance(value, (dict, list)):
        msg = "broken JSON that can't be repaired"
        raise NothingFoundError(msg)
    return value
