"""Reading an output (S1): from whatever the extractor returned to a value for the schema to judge."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Final, NamedTuple

from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import ParsedJson, decode, opened, read_json
from pytest_schemascore.documents.jsonable import INTEGER_DIGITS
from pytest_schemascore.documents.output import Unreadable
from pytest_schemascore.documents.python_values import NotJsonValueError, checked, is_plain
from pytest_schemascore.errors import UsageError

_NOTES_SHOWN: Final = 10


class NotJson(Exception):  # noqa: N818 - it is an outcome of a case, not an error of the program
    """The output is not JSON; the text says why, for the reader of the report."""


class ReadOutput(NamedTuple):
    """An output that could be read.

    Attributes:
        value: JSON data, in which models, dates and other typed objects may stand for the schema to judge.
        notes: defects that don't make it invalid, such as duplicate keys.
        repaired: whether only lenient reading could read it.
        plain: whether it is JSON data throughout.
    """

    value: object
    notes: tuple[str, ...] = ()
    repaired: bool = False
    plain: bool = True


def read_output(raw: object, *, lenient: bool = False) -> ReadOutput:
    """Read what an extractor returned.

    Text and bytes must be JSON as a whole, or be one fenced block that is; with *lenient* one JSON value
    inside prose will do, and small faults are repaired. Other Python values are taken as they are once it is
    clear that they are data. Nothing in them is executed.

    Raises:
        NotJson: it can't be read, for whatever reason; a coroutine that was never awaited is closed.
        UsageError: *lenient* needs json_repair and it isn't installed.
    """
    try:
        return _read(raw, lenient=lenient)
    except (NotJson, UsageError):
        raise
    except Exception as error:  # a value of a class of the user's may raise anything wherever it is touched
        msg = f"the output can't be read: {type(error).__name__}"
        raise NotJson(msg) from error


def read_part(part: object, *, is_document: bool, lenient: bool = False) -> ReadOutput:
    """Read what stands inside an output: null is null, and a text is one unless it holds an object or list.

    Arguments of tool calls, for example, are objects as JSON text. Where a document is wanted, every text has
    to be JSON. Raises what `read_output` does.
    """
    if part is None or (isinstance(part, str) and not is_document and opened(part) is part):
        return ReadOutput(part)
    return read_output(part, lenient=lenient)


def _read(raw: object, *, lenient: bool) -> ReadOutput:
    if raw is None:
        msg = (
            "the extractor returned None; return the output (JSON text, a dict or list, or a model instance)"
        )
        raise NotJson(msg)
    if isinstance(raw, Unreadable):
        raise NotJson(raw.reason)
    if isinstance(raw, (str, bytes, bytearray, memoryview)):
        return _read_text(raw if isinstance(raw, str) else bytes(raw), lenient=lenient)
    try:
        return ReadOutput(raw) if is_plain(raw) else ReadOutput(checked(raw), plain=False)
    except NotJsonValueError as error:
        if inspect.iscoroutine(raw) and inspect.getcoroutinestate(raw) == inspect.CORO_CREATED:
            raw.close()  # or Python warns of it later, in another test
        raise NotJson(error.about("the output")) from None


def _read_text(raw: str | bytes, *, lenient: bool) -> ReadOutput:
    try:
        text = raw if isinstance(raw, str) else decode(raw)
    except JsonError as error:
        msg = f"not JSON: {error}"
        raise NotJson(msg) from None
    try:
        return _noted(_read_strictly(text))
    except JsonError as error:
        if not (lenient and error.syntax):
            msg = f"not JSON: {error}"
            raise NotJson(msg) from None
    from pytest_schemascore.documents.lenient import NothingFoundError, find_json  # few outputs need it

    try:
        found = find_json(text)
    except NothingFoundError as error:
        msg = f"not JSON: {error}"
        raise NotJson(msg) from None
    return ReadOutput(found.value, (found.note,), repaired=True, plain=False)


def _read_strictly(text: str) -> ParsedJson:
    """Read *text* whole, and only where that fails as one fenced block: a fence may stand inside a string."""
    try:
        return read_json(text)
    except JsonError as error:
        for body in _fenced_bodies(text):
            try:
                return read_json(body)
            except JsonError:
                continue
        raise error from None


_FENCE: Final = re.compile(r"`{3,}|~{3,}")
_INFO_WORD: Final = re.compile(r"[ \t]*[A-Za-z]\w*(?=[\s{\[])")


def _fenced_bodies(text: str) -> list[str]:
    """Return what may be the body of *text*, one fenced block: what is below its first line, or all of it."""
    text = text.removeprefix("\ufeff").strip()
    fence = _FENCE.match(text)
    if fence is None or len(text) < 2 * len(fence[0]) or not text.endswith(fence[0]):
        return []
    inner = text[fence.end() : -len(fence[0])]
    word = _INFO_WORD.match(inner)
    return [inner.partition("\n")[2], inner[word.end() :] if word else inner]


def _noted(parsed: ParsedJson) -> ReadOutput:
    # Python can be told to read longer integers than reports may hold; those the schema has to look for.
    plain = 0 < sys.get_int_max_str_digits() <= INTEGER_DIGITS
    notes = [f"duplicate key {path}; the last one counts" for path in parsed.duplicates[:_NOTES_SHOWN]]
    more = len(parsed.duplicates) - _NOTES_SHOWN
    if more > 0:
        notes.append(f"{more} more duplicate keys")
    return ReadOutput(parsed.value, tuple(notes), plain=plain)
