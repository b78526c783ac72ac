"""The normal form in which texts are compared (S6)."""

from __future__ import annotations

import unicodedata


def normalized(text: str) -> str:
    """Return *text* in NFC, casefolded, with whitespace stripped and each run of it one space.

    Texts that are canonically equivalent or differ only in case have the same form (Unicode 3.13, D145, in
    composed form); lone surrogates stay.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    composed = unicodedata.normalize("NFC", text).casefold()
    return " ".join(unicodedata.normalize("NFC", composed).split())
