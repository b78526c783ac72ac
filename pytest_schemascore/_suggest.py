"""The nearest known name or file, for error messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'total'?"`` for the closest of *known*, or an empty text."""
    import difflib  # only mistakes need it, and every run loads this module (R7)

    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def near_file(path: Path) -> str:
    """Return ``"; did you mean 'cases.jsonl'?"`` for the file beside *path* with the closest name."""
    try:
        names = sorted(each.name for each in path.parent.iterdir() if each.is_file())
    except OSError:
        return ""
    return did_you_mean(path.name, names)
