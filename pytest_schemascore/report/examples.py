"""The worst examples of every field: where to look first."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING, Final

from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_schemascore.report.results import SuiteResult

_TELLING: Final = {Outcome.WRONG: 0, Outcome.INVENTED: 1, Outcome.MISSING: 2, Outcome.EXTRA: 3}
"""Where scores are equal, a wrong value says more than a missing one."""


@dataclass(frozen=True, slots=True)
class Example:
    """One leaf that went wrong, and the id of its case."""

    case: str
    leaf: Leaf


def worst_examples(suite: SuiteResult, limit: int = 3) -> Mapping[str, tuple[Example, ...]]:
    """Return up to *limit* leaves a field that aren't right, worst first and at most one a case.

    Leaves of invalid outputs come last: they say nothing about the field. Fields without a miss are left out.
    """
    found: dict[str, dict[str, tuple[tuple[bool, float, int, int], Leaf]]] = {}
    for number, (case, valid, leaf) in enumerate(_misses(suite)):
        badness = (not valid, leaf.score or 0.0, _TELLING[leaf.outcome], number)
        of_field = found.setdefault(leaf.field, {})
        if case not in of_field or badness < of_field[case][0]:
            of_field[case] = badness, leaf
    return {
        field: tuple(
            Example(case, leaf)
            for case, (_, leaf) in nsmallest(limit, of_field.items(), key=lambda entry: entry[1][0])
        )
        for field, of_field in found.items()
    }


def _misses(suite: SuiteResult) -> Iterator[tuple[str, bool, Leaf]]:
    for case in suite.cases:
        for run in case.runs:
            for leaf in run.leaves:
                if leaf.outcome in _TELLING:
                    yield case.id, run.valid, leaf
