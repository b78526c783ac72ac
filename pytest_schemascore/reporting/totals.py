"""A suite in a handful of figures: how many cases, how good, what went wrong, what it took."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.report.metrics import known_sum, latency, suite_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.report.measured import Failure
    from pytest_schemascore.report.results import SuiteResult


@dataclass(frozen=True, slots=True)
class Totals:
    """The figures of one suite, over all runs of its cases.

    Attributes:
        cases: measured; of: in the data set; runs: of all cases together.
        validity, overall: shares in [0, 1]; None where there is no value.
        failures: kind -> number of invalid runs (S10).
        judge_errors: answers that judges failed to give; repaired: runs that needed lenient reading.
        not_judged: leaves without a verdict; defaults: leaves that schema defaults filled (S2).
        cost: in the user's own unit; tokens: a count; None where no run told.
        p50, p95: seconds an extractor call took; None where no run told.
    """

    cases: int
    of: int
    runs: int
    validity: float | None
    overall: float | None
    failures: Mapping[Failure, int]
    judge_errors: int
    repaired: int
    not_judged: int
    defaults: int
    cost: float | None
    tokens: int | None
    p50: float | None
    p95: float | None


def totals(suite: SuiteResult) -> Totals:
    """Sum up *suite*."""
    runs = [run for case in suite.cases for run in case.runs]
    counts = suite.counts()
    figures = suite_metrics(counts)
    p50, p95 = percentiles(run.duration for run in runs)
    return Totals(
        cases=len(suite.cases),
        of=suite.of,
        runs=len(runs),
        validity=figures["validity"],
        overall=figures["overall"],
        failures=Counter(run.error.kind for run in runs if run.error),
        judge_errors=sum(len(run.judge_errors) for run in runs),
        repaired=sum(run.repaired for run in runs),
        not_judged=sum(run.counts.not_judged for case in counts.cases.values() for run in case.runs),
        defaults=sum(run.defaults for run in runs),
        cost=known_sum(run.cost for run in runs),
        tokens=known_sum(run.tokens for run in runs),
        p50=p50,
        p95=p95,
    )


def percentiles(values: Iterable[float | None]) -> tuple[float | None, float | None]:
    """Return the 50th and 95th percentile of the known *values*; None where there is none."""
    known = list(values)
    return latency(known, 0.5), latency(known, 0.95)
