"""The mistakes a user can make, each with a message that says what happened, where, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST: Final = 10


class SchemascoreError(Exception):
    """Base of every error that this package raises on purpose; its text is meant for the user."""


class UsageError(SchemascoreError, ValueError):
    """Something the user wrote can't be used: an argument, an option, a file."""


class CaseError(UsageError):
    """A case file or list of cases that can't be read, or a label that can never be met."""


class PathError(UsageError):
    """A path that doesn't parse or that matches nothing."""


class RuleError(UsageError):
    """A comparator or pairing that doesn't fit where it was put."""


class SchemaError(UsageError):
    """A schema that can't be read or understood."""


class BaselineError(UsageError):
    """A baseline or report file that is missing, unreadable, or of another format."""


class RecordedError(SchemascoreError):
    """What a call had raised that is taken from a journal; the text names the original class."""


class ComparatorError(SchemascoreError):
    """A comparator raised or returned something outside [0, 1]: a bug in the evaluation, not a miss (S7)."""


def at_most_ten(problems: Sequence[str]) -> list[str]:
    """Return the first ten of *problems*, one a line of a message, and how many more there are."""
    more = len(problems) - _MOST
    return [*problems[:_MOST], *([f"and {more} more"] if more > 0 else [])]
