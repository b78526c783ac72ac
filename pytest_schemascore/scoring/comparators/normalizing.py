"""The normal form in which texts are compared (S6)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def normalized(text: str) -> str:
    """Return *text* in NFC, casefolded, with whitespace stripped and each run of it one space.

    Texts that are canonically equivalent or differ only in case have the same form (Unicode 3.13, D145, in
    composed form); lone surrogates stay.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    composed = unicodedata.normalize("NFC", text).casefold()
    return " ".join(unicodedata.normalize("NFC", composed).split())


def all_normalized(texts: Sequence[str]) -> Sequence[str]:
    """Return each of *texts* `normalized`; in one step where none has more to it than the case of letters."""
    lines = "\n".join(["", *texts, ""])
    # Printable ASCII knows no whitespace but the space, and so no line break but those put between the texts.
    even = lines.isascii() and not any(uneven in lines for uneven in ("  ", "\n ", " \n"))
    if even and "".join(texts).isprintable():
        lower = lines.lower()
        return texts if lower == lines else lower.split("\n")[1:-1]
    forms = {text: normalized(text) for text in dict.fromkeys(texts)}
    return [forms[text] for text in texts]
