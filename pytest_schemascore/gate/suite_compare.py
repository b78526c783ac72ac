"""One suite against its baseline, or against its floors alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_schemascore.gate.diff import SuiteDiff
from pytest_schemascore.gate.metrics import suite_metrics, value_of
from pytest_schemascore.gate.movement import differing, lost_and_gained, no_longer_measured
from pytest_schemascore.gate.pairing import pair_cases
from pytest_schemascore.gate.status import LEVEL, Status
from pytest_schemascore.gate.suite_verdict import default_note, evidence_notes, floor_note, suite_problems
from pytest_schemascore.gate.tallied import tallied
from pytest_schemascore.gate.terms import named_metrics, terms_of
from pytest_schemascore.gate.verdict import Reading, judge
from pytest_schemascore.gate.watched import watched_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_schemascore.gate.diff import Change, Flaky, Power
    from pytest_schemascore.gate.evidence import MetricEvidence, SuiteEvidence
    from pytest_schemascore.gate.measured_suite import MeasuredSuite
    from pytest_schemascore.gate.metrics import Metric
    from pytest_schemascore.gate.pairing import CasePairing
    from pytest_schemascore.gate.settings import GateSettings
    from pytest_schemascore.gate.terms import Terms
    from pytest_schemascore.report.measured import CaseCounts, SuiteCounts


def compare_suite(
    before: SuiteCounts, after: MeasuredSuite, settings: GateSettings, *, suites: int
) -> SuiteDiff:
    """Hold *after* against *before*; *suites* is how many suites the run compares."""
    alpha = _alpha(settings, before)
    pairing = pair_cases(before, after)
    metrics = watched_metrics(
        (*pairing.before, *pairing.after),
        after.fields,
        named=named_metrics(settings, after),
        weights=after.weights,
    )
    terms = [terms_of(metric.name, settings, after.gates) for metric in metrics]
    moved = differing(pairing.before, pairing.after)
    evidence = _evidence(pairing, metrics, terms, suites, alpha) if moved or alpha is not None else None
    decides = alpha is not None and evidence is not None and evidence.testable
    changes = []
    for place, (metric, asked) in enumerate(zip(metrics, terms, strict=True)):
        found = evidence.metrics[place] if evidence else None
        reading = _read(metric, pairing, after, moved=bool(moved), needs_floor=asked.floor is not None)
        change = judge(after.key, metric, reading, asked, found if decides else None)
        changes.append(_with_grounds(change, metric, moved, found))
    notes = [*default_note(settings, alpha), *floor_note(after, changes), *_spread_notes(pairing)]
    if evidence is not None:
        notes += evidence_notes(changes, evidence, alpha, LEVEL)
    return SuiteDiff(
        key=after.key,
        changes=tuple(changes),
        compared=len(pairing.before),
        of=len(before.cases),
        moved_from=before.key if before.key != after.key else None,
        new=pairing.new,
        gone=pairing.gone,
        relabelled=pairing.relabelled,
        not_run=pairing.not_run,
        changed_rules=changed_rules(before.rules, after.counts.rules),
        problems=tuple(suite_problems(pairing, after)),
        notes=tuple(notes),
        flaky=_flaky(pairing),
        power=_power(pairing, settings, alpha, evidence, decides=decides),
        alpha=alpha if decides else None,
    )


def hold_against_floors(after: MeasuredSuite, settings: GateSettings) -> SuiteDiff:
    """Hold a suite that has no baseline against its floors; without any, the result has no changes."""
    cases = tuple(map(tallied, after.counts.cases.values()))
    named = named_metrics(settings, after)
    changes = []
    for metric in watched_metrics(cases, after.fields, named=named, weights=after.weights):
        terms = terms_of(metric.name, settings, after.gates)
        if terms.floor is not None:
            value = value_of(metric, cases)
            reading = Reading(None, value, value, after.complete)
            changes.append(judge(after.key, metric, reading, terms, None))
    notes = tuple(floor_note(after, changes))
    return SuiteDiff(after.key, tuple(changes), compared=0, of=0, notes=notes)


def changed_rules(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return pattern -> (rule before, rule now) where they differ; an empty text where there is none."""
    return {
        pattern: (before.get(pattern, ""), after.get(pattern, ""))
        for pattern in sorted(before.keys() | after.keys())
        if before.get(pattern) != after.get(pattern)
    }


def _alpha(settings: GateSettings, before: SuiteCounts) -> float | None:
    """Return the level asked for; unasked, one only where the baseline's own repeats differ (G9)."""
    if settings.alpha is not None or settings.max_drop is not None or not _repeats(before.cases.values()):
        return settings.alpha
    from pytest_schemascore.gate.repeats import varies  # loads scipy, which only repeats need

    return LEVEL if varies(tuple(before.cases.values())) else None


def _read(
    metric: Metric, pairing: CasePairing, after: MeasuredSuite, *, moved: bool, needs_floor: bool
) -> Reading:
    then = value_of(metric, pairing.before)
    now = value_of(metric, pairing.after) if moved else then
    whole = now
    if needs_floor and len(pairing.after) < len(after.counts.cases):
        whole = value_of(metric, after.counts.cases.values())
    return Reading(then, now, whole, after.complete)


def _with_grounds(
    change: Change,
    metric: Metric,
    moved: Sequence[tuple[CaseCounts, CaseCounts]],
    found: MetricEvidence | None,
) -> Change:
    """Add who got worse and better, and how sure that is, where anything moved (G3)."""
    if change.status is Status.VANISHED:
        return replace(change, lost=no_longer_measured(metric, moved))
    lost, gained = lost_and_gained(metric, moved, change.before)
    if found is None or change.change is None or not (lost or gained or change.change):
        return replace(change, lost=lost, gained=gained)
    return replace(
        change,
        lost=lost,
        gained=gained,
        interval=found.interval,
        p_value=found.p_value,
        p_adjusted=found.p_adjusted,
    )


def _evidence(
    pairing: CasePairing,
    metrics: Sequence[Metric],
    terms: Sequence[Terms],
    suites: int,
    alpha: float | None,
) -> SuiteEvidence | None:
    if not pairing.before:
        return None
    from pytest_schemascore.gate.evidence import judge_suite  # loads numpy, which needs a reason

    return judge_suite(
        pairing.before,
        pairing.after,
        metrics,
        [asked.max_drop for asked in terms],
        suites=suites,
        alpha=LEVEL if alpha is None else alpha,
    )


def _power(
    pairing: CasePairing,
    settings: GateSettings,
    alpha: float | None,
    evidence: SuiteEvidence | None,
    *,
    decides: bool,
) -> Power | None:
    """Return what a test could see (G6), also where none decided: a drop that noise hides fails nothing then.

    Where nothing differs and nobody asked for a test there is no noise to speak of.
    """
    if evidence is None:
        return None
    from pytest_schemascore.gate.power import power_of  # loads scipy, which needs a reason

    overall = suite_metrics()[0]
    level = LEVEL if alpha is None else alpha
    found = power_of(
        pairing.before, pairing.after, overall, level, evidence.critical, settings.max_drop or 0.0
    )
    return found if decides else replace(found, supposed_alpha=level)


def _repeats(cases: Iterable[CaseCounts]) -> bool:
    return any(len(case.runs) > 1 for case in cases)


def _flaky(pairing: CasePairing) -> tuple[Flaky, ...]:
    """Return the flaky fields of the side that has repeats, the present one first (G5)."""
    cases = pairing.after if _repeats(pairing.after) else pairing.before
    if not _repeats(cases):
        return ()
    from pytest_schemascore.gate.repeats import flaky_fields  # loads scipy, which only repeats need

    return flaky_fields(cases)


def _spread_notes(pairing: CasePairing) -> Iterator[str]:
    for cases, name in ((pairing.before, "the baseline"), (pairing.after, "this run")):
        if _repeats(cases):
            from pytest_schemascore.gate.repeats import run_spread_note  # loads scipy, as above

            note = run_spread_note(cases, name)
            if note:
                yield note
