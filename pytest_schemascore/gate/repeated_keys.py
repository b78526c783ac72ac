"""Keys that stand twice in one object: a parser takes the last, whichever side of a merge that was."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_TOKEN: Final = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")([ \t\n\r]*:)?|[\[\]{}]', re.DOTALL)


class RepeatedKeyError(Exception):
    """A key that its object already has; `offset` is where it stands the second time."""

    def __init__(self, key: str, offset: int) -> None:
        super().__init__(f"the key {key!r} stands there a second time; keep one")
        self.offset = offset


def check_keys(text: str) -> None:
    """Check the keys of every object in *text*, which must be JSON.

    Raises:
        RepeatedKeyError: an object has one twice.
    """
    levels: list[set[str]] = []
    for match in _TOKEN.finditer(text):
        token, colon = match[1], match[2]
        if colon:
            key = json.loads(token)
            if key in levels[-1]:
                raise RepeatedKeyError(key, match.start())
            levels[-1].add(key)
        elif token is None:
            if match[0] in "[{":
                levels.append(set())
            else:
                levels.pop()


def quotes_at_most(text: str) -> int:
    """Return how many quotes of *text*, which must be JSON, begin or end its texts, or more than that.

    A quick look by which most texts need no `check_keys`.
    """
    # A backslash before a quote escapes it, unless it is escaped itself.
    return text.count('"') - (0 if r"\\" in text else text.count(r"\""))


def with_unique_keys(_: str, value: Any, text: str) -> Any:
    """Return *value* once the keys in its *text* are checked; for `read_members`.

    Raises:
        RepeatedKeyError: one stands there twice.
    """
    check_keys(text)
    return value
