"""Counts as a baseline stores them; both sides of a comparison take this form, so equal is equal (G2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_schemascore.report.measured import DIGITS, CaseCounts, RunCounts, SuiteCounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.scoring.outcomes import Counts


def stored_suite(suite: SuiteCounts) -> SuiteCounts:
    """Return *suite* with its cases and rules sorted, and every case as `stored_case` gives it."""
    return replace(
        suite,
        rules=dict(sorted(suite.rules.items())),
        cases={case_id: stored_case(suite.cases[case_id]) for case_id in sorted(suite.cases)},
    )


def stored_case(case: CaseCounts) -> CaseCounts:
    """Return *case* with scores rounded to the stored digits and fields sorted."""
    return replace(case, runs=tuple(map(_stored_run, case.runs)))


def _stored_run(run: RunCounts) -> RunCounts:
    measures = {name: _rounded(run.measures[name]) for name in sorted(run.measures)} if run.measures else {}
    return RunCounts(run.failure, _stored_fields(run.fields), measures)


def _stored_fields(fields: Mapping[str, Counts]) -> dict[str, Counts]:
    stored = {}
    for name in sorted(fields):
        counts = fields[name]
        score = counts.score
        # Whole scores, which most are, need no rounding.
        stored[name] = replace(counts, score=_rounded(score)) if score % 1 else counts
    return stored


def _rounded(value: float) -> float:
    return round(value, DIGITS)
