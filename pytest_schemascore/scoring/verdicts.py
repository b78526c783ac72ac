"""Asking a comparator, and holding it to what a comparator may say (S7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.errors import ComparatorError

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.comparators.base import Comparator


def ask(comparator: Comparator, name: str, label: Json, value: Json, path: str) -> float | None:
    """Return the verdict of *comparator*, which is called *name*, on one leaf.

    Raises:
        ComparatorError: it raised, or returned neither a number in [0, 1], a bool, nor None.
    """
    try:
        score = comparator(label, value)
    except Exception as error:
        raise raised(name, error, path) from error
    return score if type(score) is float and 0 <= score <= 1 else check_score(score, name, path)


def raised(name: str, error: Exception, path: str) -> ComparatorError:
    """Say that comparator *name* raised *error* at *path*."""
    if isinstance(error, ComparatorError):  # it says itself what is wrong
        return ComparatorError(f"{path}: {error}")
    return ComparatorError(f"{path}: comparator {name} raised {type(error).__name__}: {error}")


def check_score(score: object, name: str, path: str) -> float | None:
    """Return *score* as a float in [0, 1], or None for "not judged".

    Raises:
        ComparatorError: it is anything else; *name* and *path* say whose fault that is.
    """
    if score is None:
        return None
    if hasattr(score, "__float__"):
        try:
            number = float(score)
        except (TypeError, ValueError, OverflowError):
            number = -1.0
        if 0 <= number <= 1:
            return number
    msg = f"{path}: comparator {name} returned {score!r}; return a bool, a number from 0 to 1, or None"
    raise ComparatorError(msg)
