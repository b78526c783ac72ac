"""Hides secrets in texts that others will read, such as the message of an HTTP client's exception."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

MASK: Final = "***"

_NAMES: Final = (
    r"(?:api[_-]?key|access[_-]?key|secret[_-]?access[_-]?key|secret[_-]?key|client[_-]?secret"
    r"|(?:access|refresh|auth|id|bearer|session)[_-]?token|password|passwd|secret)"
)

_QUOTE: Final = r"\\?[\"']"
"""Also one that is escaped in a quoted text."""


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Compile what secrets look like: only for the first message, since it takes long (R7)."""
    return (
        # A private key, whole.
        re.compile(r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----).*?(?=-----END|\Z)", re.DOTALL),
        # Authorization headers, as a header line, a mapping's item or a pair of bytes: the scheme is kept.
        re.compile(
            rf"(?i)(\b(?:proxy-)?authorization(?:{_QUOTE})?\s{{0,4}}[:=,]\s{{0,4}}(?:b?{_QUOTE})?"
            r"(?:(?:bearer|basic|token|negotiate|api-?key)\s{1,4})?)"
            r"(?:(?:digest|aws4-[\w-]{1,20})\s[^\r\n]+|[^\s\"'\\]+)"
        ),
        re.compile(
            rf"(?i)(\b(?:set-)?cookie(?:{_QUOTE})?\s{{0,4}}[:,]\s{{0,4}}(?:b?{_QUOTE})?)(?=[\w.-]+=)[^\r\n\"'\\]+"
        ),
        re.compile(
            rf"(?i)(\bx-[\w-]{{0,40}}(?:key|token|secret)(?:{_QUOTE})?\s{{0,4}}[:=,]\s{{0,4}}(?:b?{_QUOTE})?)"
            r"[^\s\"'\\,;]+"
        ),
        # A digit is asked for where a plain word could stand: "bearer certificates", "sk-learn-compatible".
        re.compile(r"(?i)(\bbearer\s{1,4})(?=[\w.~+/-]*\d)[\w.~+/-]{8,}=*"),
        re.compile(r"()(?<![\w-])(?:sk|pk|rk)[-_](?=[\w-]*\d)[\w-]{16,}"),
        re.compile(
            r"()(?<![\w-])(?:gh[opusr]_|github_pat_|glpat-|hf_|gsk_|npm_|xai-|xox[abeprs]-)[\w-]{16,}"
        ),
        re.compile(r"()(?<![\w-])AIza[\w-]{30,}"),
        re.compile(r"()(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        # A JSON web token.
        re.compile(r"()(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
        # Passwords in URLs, up to the last @ before the path.
        re.compile(r"(\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@\"'<>]*:)[^\s/\"'<>]+(?=@)", re.IGNORECASE),
        # Query parameters and assignments.
        re.compile(r"(?i)([?&;](?:key|token|sig|signature|auth|code)=)[^\s&#\"'\\<>]+"),
        re.compile(rf"(?i)((?<![A-Za-z0-9]){_NAMES}=(?:b?{_QUOTE})?)[^\s&#\"'\\<>,;)]+"),
        re.compile(rf"(?i)((?<![A-Za-z0-9]){_NAMES}(?:{_QUOTE})?\s{{0,4}}[:=,]\s{{0,4}}b?{_QUOTE})[^\"'\\]+"),
    )


def mask_secrets(text: str) -> str:
    """Return *text* with ``***`` in place of what looks like a secret.

    Authorization, cookie and API key headers, bearer tokens, private keys, the keys of well-known providers
    (``sk-...``, ``ghp_...``, ``AKIA...``), passwords in URLs, and values named like ``api_key=`` or
    ``"password":``. It is for messages; data is left as it is, since masking would change what is scored.
    """
    for pattern in _patterns():
        text = pattern.sub(rf"\g<1>{MASK}", text)
    return text


def text_of(error: BaseException) -> str:
    """Return the text of *error*; empty where it has none, or raises another instead of telling."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever a user's class raises
        return ""
