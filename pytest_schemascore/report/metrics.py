"""The figures of a suite, computed from its counts alone (S9), so that a report and a baseline agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pytest_schemascore._checks import check_share
from pytest_schemascore.scoring.counting import met_by_absence
from pytest_schemascore.scoring.outcomes import Counts, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from pytest_schemascore.report.field_rules import FieldRule
    from pytest_schemascore.report.measured import CaseCounts, RunCounts, SuiteCounts
    from pytest_schemascore.report.results import SuiteResult
    from pytest_schemascore.scoring.outcomes import Leaf

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class FieldMetrics:
    """One field over all cases.

    Attributes:
        accuracy, precision, f1: in [0, 1], each case weighing the same however many runs it has; None where
            there is nothing to divide by.
        counts: added up over all runs.
        rule: the comparator the field got, and why; None where the report doesn't say.
    """

    accuracy: float | None
    precision: float | None
    f1: float | None
    counts: Counts
    rule: FieldRule | None = None


def suite_metrics(suite: SuiteCounts, weights: Mapping[str, float] | None = None) -> dict[str, float | None]:
    """Return the suite's figures by name.

    ``overall``, ``validity``, ``precision``, ``recall``, ``f1`` and ``exact_match`` always; ``weighted``
    where *weights* (field -> weight) are given; the mean of each measure (``distance``, ``similarity``) that
    some run has. Shares in [0, 1]; None where there is nothing to divide by.
    """
    return cases_metrics(suite.cases.values(), weights)


def cases_metrics(
    cases: Collection[CaseCounts],
    weights: Mapping[str, float] | None = None,
    *,
    totals: Mapping[str, Counts] | None = None,
) -> dict[str, float | None]:
    """Return the same figures as `suite_metrics` over *cases*; *totals*: their `field_totals`, if known."""
    by_field = field_totals(cases) if totals is None else totals
    whole = Counts.total(by_field.values())
    figures = {
        "overall": whole.accuracy,
        "validity": _mean_over_cases([run.valid for run in case.runs] for case in cases),
        "precision": whole.precision,
        "recall": whole.recall,
        "f1": whole.f1,
        "exact_match": _mean_over_cases([is_exact(run) for run in case.runs] for case in cases),
    }
    if weights:
        figures["weighted"] = _weighted(by_field, weights)
    for name in sorted({name for case in cases for run in case.runs for name in run.measures}):
        known = ([run.measures[name] for run in case.runs if name in run.measures] for case in cases)
        figures[name] = _mean_over_cases(values for values in known if values)
    return figures


def field_totals(cases: Collection[CaseCounts]) -> dict[str, Counts]:
    """Add up *cases* by field, in order of appearance, so that every case weighs the same.

    Each run is counted as often as brings all cases to one common number of runs, which keeps the counts
    whole numbers; only ratios of them mean anything.
    """
    common = math.lcm(*{len(case.runs) for case in cases})
    return _sums((run.fields, common // len(case.runs)) for case in cases for run in case.runs)


def _sums(parts: Iterable[tuple[Mapping[str, Counts], int]]) -> dict[str, Counts]:
    totals: dict[str, list[float]] = {}
    for fields, times in parts:
        _add(totals, fields, times)
    return {name: Counts(t[0], *map(int, t[1:])) for name, t in totals.items()}


def _add(totals: dict[str, list[float]], fields: Mapping[str, Counts], times: int) -> None:
    for name, c in fields.items():
        total = totals.get(name)
        if total is None:
            total = totals[name] = [0.0, 0, 0, 0, 0, 0, 0, 0]
        total[0] += c.score * times
        total[1] += c.labelled * times
        total[2] += c.correct * times
        if c.missing:
            total[3] += c.missing * times
        if c.invented:
            total[4] += c.invented * times
        if c.extra:
            total[5] += c.extra * times
        if c.not_judged:
            total[6] += c.not_judged * times
        if c.empty:
            total[7] += c.empty * times


def is_exact(run: RunCounts) -> bool:
    """Whether the output is valid and nothing is wrong, missing, invented or extra."""
    return run.valid and all(counts.is_perfect for counts in run.fields.values())


def _mean_over_cases(values_by_case: Iterable[Collection[float]]) -> float | None:
    means = [sum(values) / len(values) for values in values_by_case]
    return sum(means) / len(means) if means else None


def _weighted(by_field: Mapping[str, Counts], weights: Mapping[str, float]) -> float | None:
    base = sum(counts.labelled * weights.get(name, 1.0) for name, counts in by_field.items())
    score = sum(counts.score * weights.get(name, 1.0) for name, counts in by_field.items())
    return score / base if base else None


def field_metrics(suite: SuiteResult) -> dict[str, FieldMetrics]:
    """Return the figures of every field: those measured, in order of appearance, then those only named."""
    cases = [case.counts() for case in suite.cases]
    ratios = field_totals(cases)
    totals = _sums((run.fields, 1) for case in cases for run in case.runs)
    found = {}
    for name in dict.fromkeys((*ratios, *suite.field_rules)):
        ratio = ratios.get(name, Counts())
        found[name] = FieldMetrics(
            accuracy=ratio.accuracy,
            precision=ratio.precision,
            f1=ratio.f1,
            counts=totals.get(name, ratio),
            rule=suite.field_rules.get(name),
        )
    return found


def known_sum(values: Iterable[_Number | None]) -> _Number | None:
    """Add up the known *values*, costs or tokens; None where there is none."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def floor(suite: SuiteResult) -> float | None:
    """Return the overall that an extractor which returns nothing would get, in [0, 1].

    Labels that are empty are met by absence, but not inside a list's items: an item that isn't there is
    missing as a whole. None where nothing is labelled.
    """
    shares = [share for case in suite.cases for share in _floor_parts(case.runs[0].leaves)]
    return sum(shares) / len(shares) if shares else None


def _floor_parts(leaves: Iterable[Leaf]) -> Iterator[bool]:
    for leaf in leaves:
        if leaf.outcome not in {Outcome.EXTRA, Outcome.NOT_JUDGED}:
            in_an_item = leaf.path != leaf.field
            empty = leaf.outcome is Outcome.INVENTED or met_by_absence(leaf.expected)
            yield empty and not in_an_item


def latency(durations: Iterable[float | None], share: float) -> float | None:
    """Return the duration in seconds that *share* of the known *durations* don't exceed; None where unknown.

    Interpolated between the two nearest, as numpy's quantile does by default: 0 is the least, 1 the largest.

    Raises:
        UsageError: *share* is not in [0, 1].
    """
    check_share("share", share)
    known = sorted(duration for duration in durations if duration is not None)
    if not known:
        return None
    place = share * (len(known) - 1)
    low = math.floor(place)
    high = min(low + 1, len(known) - 1)
    return known[low] + (known[high] - known[low]) * (place - low)
