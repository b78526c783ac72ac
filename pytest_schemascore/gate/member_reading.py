"""Reading a JSON document into members that remember their text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.gate.members import Member, Members
from pytest_schemascore.gate.repeated_keys import RepeatedKeyError
from pytest_schemascore.report.reading import strict_decoder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # What happens to the value of a key: taken apart, key by key, or turned into something else.
    Depth = Mapping[str, "Depth"] | Callable[[str, Any, str], object]

_SPACE: Final = re.compile(r"[ \t\n\r]*")


class MemberError(Exception):
    """A value that is JSON but not what belongs there; `start` is the offset of its key."""

    def __init__(self, key: str, start: int, cause: Exception) -> None:
        super().__init__(key)
        self.key = key
        self.start = start
        self.cause = cause


def read_members(text: str, depth: Depth) -> object:
    """Read the JSON document *text*, taking apart the objects that *depth* names.

    *depth* maps a key (``*`` for any) to the depth below it, or to a function of key, value and the value's
    text whose result stands in place of the value; what has no entry is read whole.

    Raises:
        ValueError: it isn't JSON, or a key stands twice in an object that is taken apart or where such a
            function looked for it.
        RecursionError: it is nested too deeply.
        MemberError: such a function raised a KeyError, TypeError, ValueError or AttributeError.
    """
    reader = _Reader(text)
    value, end = reader.value("", reader.space_end(0), 0, depth)
    end = reader.space_end(end)
    if end != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


class _Reader:
    """One pass over *text*; every method takes an offset and returns the one behind what it read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = strict_decoder().raw_decode

    def space_end(self, at: int) -> int:
        """Return the offset of the first character from *at* on that isn't white space."""
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def value(self, key: str, at: int, start: int, depth: Depth | None) -> tuple[object, int]:
        """Read the value at *at*, that of *key*, which stands at *start*."""
        if depth is not None and not callable(depth) and self._text.startswith("{", at):
            return self._object(at, depth)
        value, end = self._decode(self._text, at)
        if callable(depth):
            try:
                value = depth(key, value, self._text[at:end])
            except RepeatedKeyError as error:
                raise json.JSONDecodeError(str(error), self._text, at + error.offset) from None
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise MemberError(key, start, error) from None
        return value, end

    def _object(self, at: int, depth: Mapping[str, Depth]) -> tuple[Members, int]:
        text = self._text
        members: list[Member] = []
        at += 1
        end = self.space_end(at)
        if text.startswith("}", end):
            return Members((), text[at:end]), end + 1
        while True:
            member, after = self._member(at, depth)
            end = self.space_end(after)
            if text.startswith("}", end):
                members.append(member)
                self._check_unique(members)
                return Members(tuple(members), text[after:end]), end + 1
            if not text.startswith(",", end):
                raise json.JSONDecodeError("Expecting ',' delimiter", text, end)
            members.append(member.followed_by(text[after:end]) if end > after else member)
            at = end + 1

    def _member(self, at: int, depth: Mapping[str, Depth]) -> tuple[Member, int]:
        text = self._text
        start = self.space_end(at)
        if not text.startswith('"', start):
            raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, start)
        key, end = self._decode(text, start)
        colon = self.space_end(end)
        if not text.startswith(":", colon):
            raise json.JSONDecodeError("Expecting ':' delimiter", text, colon)
        value_start = self.space_end(colon + 1)
        value, end = self.value(key, value_start, start, depth.get(key, depth.get("*")))
        body = "" if isinstance(value, Members) else text[value_start:end]
        return Member(key, start, text[at:value_start], value, body), end

    def _check_unique(self, members: list[Member]) -> None:
        if len({member.key for member in members}) == len(members):
            return
        seen: set[str] = set()
        for member in members:
            if member.key in seen:
                error = RepeatedKeyError(member.key, member.start)
                raise json.JSONDecodeError(str(error), self._text, error.offset)
            seen.add(member.key)
