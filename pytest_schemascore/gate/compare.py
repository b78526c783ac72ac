"""A run against its baseline: pairing, evidence and verdict in one call (G1 to G4, G9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore._garbage import collector_held
from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.gate.baseline import Baseline
from pytest_schemascore.gate.collected import Collected
from pytest_schemascore.gate.diff import Diff
from pytest_schemascore.gate.measured_suite import MeasuredSuite, of_counts, of_result
from pytest_schemascore.gate.pairing import SuitePairing, pair_named, pair_suites
from pytest_schemascore.gate.settings import GateSettings
from pytest_schemascore.gate.stored import stored_suite
from pytest_schemascore.gate.suite_compare import compare_suite, hold_against_floors
from pytest_schemascore.gate.terms import unknown_floors
from pytest_schemascore.report.report import Report

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pytest_schemascore.report.measured import SuiteCounts


@collector_held()
def compare(
    report: Report | Mapping[str, SuiteCounts],
    baseline: Baseline | Report | Mapping[str, SuiteCounts] | None,
    settings: GateSettings | None = None,
    *,
    baseline_name: str | None = None,
    suites: Collection[tuple[str, str]] | None = None,
) -> Diff:
    """Hold *report* against *baseline* and say what got worse.

    Args:
        report: what was measured; bare counts stand for complete suites.
        baseline: what it is held against; None to check only floors.
        settings: what is asked; any drop fails by default.
        baseline_name: how the user named the baseline, for messages.
        suites: key before and key now, to compare just these, whatever their labels' suites are called.

    Raises:
        UsageError: *suites* names a suite that isn't there, or one of now twice.
    """
    settings = settings or GateSettings()
    after = _measured(report)
    before = _stored(baseline)
    counts = {key: suite.counts for key, suite in after.items()}
    if suites is None:
        pairing = pair_suites(before, counts, _collected(report))
    else:
        pairing = pair_named(before, counts, suites)
    diffs = []
    for key, suite in after.items():
        if key in pairing.pairs:
            then = before[pairing.pairs[key]]
            diffs.append(compare_suite(then, suite, settings, suites=len(pairing.pairs)))
        elif suites is None and (found := hold_against_floors(suite, settings)).changes:
            diffs.append(found)
    if baseline_name is None and isinstance(baseline, Baseline):
        baseline_name = baseline.name
    return Diff(
        suites=tuple(diffs),
        new_suites=pairing.new if baseline is not None else (),
        gone_suites=pairing.gone,
        not_run_suites=pairing.not_run,
        problems=(*_pairing_problems(pairing, before, after), *_floor_problems(settings, after)),
        settings=settings,
        baseline=baseline_name,
    )


def _measured(report: Report | Mapping[str, SuiteCounts]) -> dict[str, MeasuredSuite]:
    if isinstance(report, Report):
        return {key: of_result(suite, interrupted=report.interrupted) for key, suite in report.suites.items()}
    return {key: of_counts(suite) for key, suite in report.items()}


def _collected(report: Report | Mapping[str, SuiteCounts]) -> Collected:
    return Collected.of(report) if isinstance(report, Report) else Collected()


def _stored(baseline: Baseline | Report | Mapping[str, SuiteCounts] | None) -> Mapping[str, SuiteCounts]:
    if isinstance(baseline, Baseline):
        return baseline.suites
    if isinstance(baseline, Report):
        return {key: stored_suite(suite.counts()) for key, suite in baseline.suites.items()}
    return {key: stored_suite(suite) for key, suite in (baseline or {}).items()}


def _pairing_problems(
    pairing: SuitePairing, before: Mapping[str, SuiteCounts], after: Mapping[str, MeasuredSuite]
) -> Iterator[str]:
    """Yield a sentence where whole suites are gone and too little is left to compare (G1).

    A new suite that ran in part may be the one that is gone; only a complete run tells.
    """
    partial = any(not after[key].complete for key in pairing.new)
    if not pairing.gone or partial or any(suite.interrupted for suite in after.values()):
        return
    gone = sum(len(before[key].cases) for key in pairing.gone)
    left = sum(len(before[key].cases) for key in pairing.pairs.values())
    if left < gone or not left:
        yield (
            f"suites of the baseline are gone, and {gone} of its {gone + left} cases with them:"
            f" {', '.join(pairing.gone)}; if that is meant, remove them with --schemascore-update"
        )


def _floor_problems(settings: GateSettings, after: Mapping[str, MeasuredSuite]) -> Iterator[str]:
    if not settings.floors or not after:
        return
    known = {name for suite in after.values() for name in suite.metric_names}
    for name in unknown_floors(settings, known):
        near = did_you_mean(name, known)
        yield f"there is a floor for {name!r}, which no suite has as a field, tag or metric{near}"
