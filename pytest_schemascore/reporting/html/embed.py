"""Putting data, styles and scripts into a page so that none of it can turn into markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# ``<`` and ``&`` would be markup, the line separators end lines in old engines, and a lone surrogate has no
# UTF-8; each is written as the escape that JSON reads back as the same character.
_UNSAFE: Final = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def json_text(value: object) -> str:
    """Return *value* as strict JSON that is safe inside ``<script type="application/json">``.

    Raises:
        ValueError: it holds NaN or an infinity.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def content_security_policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """Return a policy under which only these inline *scripts* and *styles* run and nothing is fetched."""
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)};"
        " base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: Sequence[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
