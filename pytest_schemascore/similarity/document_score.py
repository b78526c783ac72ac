"""What comes of comparing two documents: a number, and in words what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, Union

from pytest_schemascore.documents import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

# The way to a place, innermost step first; only the few that are shown become text.
Trail: TypeAlias = Union["tuple[Trail, paths.Step]", None]

SHOWN: Final = 5
"""How many places an explanation names."""


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """The result of `json_distance` or `json_similarity`.

    Attributes:
        score: a distance (a count, 0 is best) or a similarity (in [0, 1], 1 is best); None where a document
            could not be read and the measure has no number for that.
        passed: whether the documents are equal (distance) or alike enough (similarity).
        label: ``pass``, ``fail``, or ``unreadable``.
        explanation: where they differ, or why a side can't be read.
    """

    score: float | None
    passed: bool
    label: str
    explanation: str

    @classmethod
    def of(cls, score: float, trails: list[Trail], *, passed: bool) -> DocumentScore:
        """Return the result for two documents that differ at *trails*."""
        return cls(score, passed, "pass" if passed else "fail", _explained(trails))

    @classmethod
    def unreadable(cls, reason: str, score: float | None = None) -> DocumentScore:
        """Return the result for a document that can't be read."""
        return cls(score, passed=False, label="unreadable", explanation=reason)


def _explained(trails: list[Trail]) -> str:
    if not trails:
        return "the documents are equal"
    count = "1 value differs" if len(trails) == 1 else f"{len(trails):,} values differ"
    more = f" and {len(trails) - SHOWN:,} more" if len(trails) > SHOWN else ""
    return f"{count}: {', '.join(_texts(trails[:SHOWN]))}{more}"


def _texts(trails: Iterable[Trail]) -> Iterable[str]:
    for trail in trails:
        steps: list[paths.Step] = []
        while trail is not None:
            trail, step = trail
            steps.append(step)
        yield paths.to_text(tuple(reversed(steps)))
