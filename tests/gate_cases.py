"""Builders of measured cases for the tests of the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.report.measured import CaseCounts, Failure, RunCounts
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from collections.abc import Sequence


def run_of(
    score: float, labelled: int, *, extra: int = 0, field: str = "total", missing: int = 0, valid: bool = True
) -> RunCounts:
    """Return a run with one field."""
    counts = Counts(score=score, labelled=labelled, correct=int(score), extra=extra, missing=missing)
    return RunCounts(None if valid else Failure.SCHEMA, {field: counts})


def case_of(identifier: str, runs: Sequence[RunCounts], tags: tuple[str, ...] = ()) -> CaseCounts:
    """Return a case with these runs."""
    return CaseCounts(identifier, "label", "input", tags, tuple(runs))


def single_leaf(scores: Sequence[float] | Sequence[Sequence[float]]) -> list[CaseCounts]:
    """Return cases of one labelled leaf; a number a case, or a list of numbers a case, one a run."""
    by_case = [[score] if isinstance(score, int | float) else score for score in scores]
    return [
        case_of(f"case-{place:04}", [run_of(float(score), 1) for score in runs])
        for place, runs in enumerate(by_case)
    ]
