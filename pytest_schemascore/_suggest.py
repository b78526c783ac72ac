"""The nearest known name, for error messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'total'?"`` for the closest of *known*, or an empty text."""
    close = nearest(name, known)
    return f"; did you mean {close!r}?" if close else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the closest of *known*, or an empty text where none is close."""
    import difflib  # only mistakes need it, and every run loads this module (R7)

    return next(iter(difflib.get_close_matches(name, list(known), n=1)), "")
