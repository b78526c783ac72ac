"""What repeated runs of the same cases say: flaky fields, and a spread that paired tests do not see (G5)."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from pytest_schemascore.gate.diff import Flaky
from pytest_schemascore.report.measured import DIGITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.report.measured import CaseCounts, RunCounts

SPREAD_LEVEL = 0.01
"""How unlikely a spread between runs must be before it is pointed out."""


def flaky_fields(cases: Sequence[CaseCounts]) -> tuple[Flaky, ...]:
    """Return the fields whose score differs between runs of a case, the flakiest first.

    The flip rate is over all (case, pair of runs) in which either run has a label of the field; extras alone
    have no score that could flip.
    """
    flips: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for case in cases:
        scored = [(_labelled(run), _scores(run)) for run in case.runs]
        for (labelled, scores), (labelled_too, others) in itertools.combinations(scored, 2):
            names = labelled | labelled_too
            pairs.update(names)
            if scores != others:
                flips.update(name for name in names if scores.get(name) != others.get(name))
    rates = [Flaky(name, flips[name] / pairs[name]) for name in pairs if flips[name]]
    return tuple(sorted(rates, key=lambda flaky: (-flaky.flip_rate, flaky.field)))


def varies(cases: Sequence[CaseCounts]) -> bool:
    """Whether the runs of some case differ in a count or in why they failed (G9 asks)."""
    return any(
        run.fields != case.runs[0].fields or run.failure != case.runs[0].failure
        for case in cases
        for run in case.runs[1:]
    )


def run_spread_note(cases: Sequence[CaseCounts], name: str) -> str | None:
    """Return a sentence where whole runs differ more than independent cases would make them, else None.

    Independent cases make the variance of a run's total the sum of the variances within the cases; k runs
    then give (k - 1) * variance between totals / that sum, which is chi-squared with k - 1 degrees of freedom
    for many cases. Cases with fewer runs than most are left out.

    Args:
        cases: one side's cases with their runs.
        name: whose runs these are, as a subject: ``"the baseline"``.
    """
    runs = max((len(case.runs) for case in cases), default=0)
    complete = [case for case in cases if len(case.runs) == runs]
    if runs < 2:
        return None
    scores = np.array([[run.counts.score for run in case.runs] for case in complete])
    labelled = sum(case.runs[0].counts.labelled for case in complete)
    between = float(scores.sum(axis=0).var(ddof=1))
    expected = float(scores.var(axis=1, ddof=1).sum())
    if (
        not expected
        or not labelled
        or special.chdtrc(runs - 1, (runs - 1) * between / expected) >= SPREAD_LEVEL
    ):
        return None
    points = 100 / labelled
    return (
        f"the {runs} runs of {name} spread more than independent cases would: "
        f"overall varies by {math.sqrt(between) * points:.1f} points from run to run, "
        f"{math.sqrt(expected) * points:.1f} would be expected; something moves whole runs, "
        "so differences between runs look surer than they are"
    )


def _labelled(run: RunCounts) -> set[str]:
    return {name for name, counts in run.fields.items() if counts.labelled or counts.not_judged}


def _scores(run: RunCounts) -> dict[str, float]:
    return {name: round(counts.score, DIGITS) for name, counts in run.fields.items()}
