"""JSON objects with their text, so that what an update doesn't touch stays byte for byte (G7)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Member:
    """One ``"key": value`` of an object.

    Attributes:
        start: offset of the key in the text that was read.
        head: everything before the value: space, key and colon.
        value: what was read; a `Members` where the value was taken apart.
        body: the text of the value, or only what follows it where it was taken apart.
    """

    key: str
    start: int
    head: str
    value: object
    body: str

    def to_text(self) -> str:
        """Return the member's text, without the comma behind it."""
        inner = self.value.to_text() if isinstance(self.value, Members) else ""
        return self.head + inner + self.body

    def followed_by(self, space: str) -> Member:
        """Return the member with *space* between its value and the comma behind it."""
        return replace(self, body=self.body + space)

    @property
    def indent(self) -> str:
        """The white space in front of the key."""
        return self.head[: len(self.head) - len(self.head.lstrip())]


@dataclass(frozen=True, slots=True)
class Members:
    """An object taken apart; `tail` is the white space in front of its closing brace."""

    members: tuple[Member, ...]
    tail: str = "\n"

    def to_text(self) -> str:
        """Return the object's text."""
        return "{" + ",".join(member.to_text() for member in self.members) + self.tail + "}"

    def get(self, key: str) -> object:
        """Return the value of *key*; None where there is none."""
        return next((member.value for member in self.members if member.key == key), None)

    def edited(self, changes: Mapping[str, str | Members | None]) -> Members:
        """Return the object with *changes*: key -> new value, or None to remove it.

        What isn't named stays as it is; new keys are put in front of the first greater one.
        """
        indent = self.members[0].indent if self.members else "\n"
        known = {member.key for member in self.members}
        new = {key for key, value in changes.items() if value is not None} - known
        pending = sorted(new, reverse=True)
        result: list[Member] = []
        for member in self.members:
            while pending and pending[-1] < member.key:
                result.append(_new_member(pending[-1], indent, changes[pending.pop()]))
            if member.key not in changes:
                result.append(member)
            elif changes[member.key] is not None:
                result.append(_with_value(member, changes[member.key]))
        result += [_new_member(key, indent, changes[key]) for key in reversed(pending)]
        return Members(tuple(result), self.tail or ("" if self.members else "\n"))

    def with_first(self, key: str, value: str) -> Members:
        """Return the object with the new member *key* in front."""
        indent = self.members[0].indent if self.members else "\n"
        return replace(self, members=(_new_member(key, indent, value), *self.members))


def _with_value(member: Member, value: str | Members | None) -> Member:
    if isinstance(value, Members):
        return replace(member, value=value)
    return replace(member, value=None, body=value or "")


def _new_member(key: str, indent: str, value: str | Members | None) -> Member:
    return _with_value(Member(key, 0, f"{indent}{quoted(key)}: ", None, ""), value)


def quoted(text: str) -> str:
    """Return *text* as a JSON string, readable: only what must be escaped is, and lone surrogates."""
    result = json.dumps(text, ensure_ascii=False)
    return result if result.isascii() else _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", result)
