"""`url`: web addresses by where they lead."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pytest_schemascore.documents.json_types import Json

_PORTS: Final = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}
_ESCAPED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]\Z")
_NOT_ALLOWED: Final = re.compile(r"[^\x21-\x7e]")


class Address(NamedTuple):
    """A URL in normal form; equal ones lead to the same place."""

    scheme: str
    user: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str


@dataclass(frozen=True, slots=True, repr=False)
class url(Reading[Address]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where two texts are the same URL after normalization (RFC 3986, section 6.2), else 0.

    Not told apart: the case of scheme and host, the scheme's default port, escapes of characters that need
    none and their case, ``.`` and ``..`` in paths, and a trailing slash. Scheme, user, query and fragment
    count. What is no URL (it needs ``scheme://host``) equals only what is none either, by `exact`. Symmetric.
    """

    def read(self, value: Json) -> Address | None:
        return _address(value) if isinstance(value, str) else None

    def score(self, expected: Address, actual: Address) -> float:
        return 1.0 if expected == actual else 0.0

    def reading_codes(self, readings: list[Address]) -> Sequence[Hashable] | None:
        return readings


def _address(text: str) -> Address | None:
    plain = unicodedata.normalize("NFC", text.strip())
    if any(character.isspace() for character in plain):
        return None
    try:
        parts = urlsplit(plain)
        port = parts.port
        host = parts.hostname
    except ValueError:
        return None
    if not parts.scheme or not host:
        return None
    user = parts.netloc.rpartition("@")[0]
    return Address(
        parts.scheme,
        user,
        host.rstrip("."),
        None if port == _PORTS.get(parts.scheme) else port,
        _path(_escapes(parts.path)),
        _escapes(parts.query),
        _escapes(parts.fragment),
    )


def _path(path: str) -> str:
    """Remove ``.`` and ``..`` (RFC 3986, section 5.2.4) and a trailing slash."""
    kept: list[str] = []
    for segment in path.removeprefix("/").split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept).removesuffix("/")


def _escapes(part: str) -> str:
    """Escape what has to be (as UTF-8), unescape what needn't, and write escapes in upper case."""
    escaped = _NOT_ALLOWED.sub(
        lambda m: "".join(f"%{b:02X}" for b in m[0].encode("utf-8", "surrogatepass")), part
    )
    return _ESCAPED.sub(_unescaped_if_plain, escaped)


def _unescaped_if_plain(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    return character if _UNRESERVED.match(character) else escape[0].upper()
