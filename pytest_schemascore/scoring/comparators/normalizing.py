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


def all_normalized(texts: Sequence[str]) -> list[str]:
    """Return each of *texts* `normalized`; of a list's columns many are the same, and most are ASCII."""
    forms = {
        text: " ".join(text.lower().split()) if text.isascii() else normalized(text)
        for text in dict.fromkeys(texts)
    }
    return [forms[text] for text in texts]
