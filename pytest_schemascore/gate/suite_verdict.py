"""What fails a suite beside its metrics, and what a reader should know about its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.gate.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_schemascore.gate.diff import Change
    from pytest_schemascore.gate.evidence import SuiteEvidence
    from pytest_schemascore.gate.measured_suite import MeasuredSuite
    from pytest_schemascore.gate.pairing import CasePairing
    from pytest_schemascore.gate.settings import GateSettings
    from pytest_schemascore.report.measured import CaseCounts


def suite_problems(pairing: CasePairing, after: MeasuredSuite) -> Iterator[str]:
    """Yield what fails the suite whatever its metrics say (G1, G2)."""
    compared = len(pairing.before)
    expected = compared + len(pairing.relabelled) + len(pairing.gone)
    if after.complete and 2 * compared < expected:
        yield (
            f"only {compared} of the {expected} cases of the baseline can be compared"
            f" ({len(pairing.relabelled)} relabelled, {len(pairing.gone)} gone);"
            f" if that is meant, record the data set anew with --schemascore-update"
        )
    elif after.complete and not compared and pairing.not_run:
        yield (
            f"nothing was compared: all {len(pairing.not_run)} cases of the baseline were skipped;"
            f" run them, or leave the baseline out"
        )
    if _any_valid(pairing.before) and not _any_valid(after.counts.cases.values()):
        yield "no output is valid any more; the baseline has valid ones"


def _any_valid(cases: Iterable[CaseCounts]) -> bool:
    return any(run.valid for case in cases for run in case.runs)


def floor_note(after: MeasuredSuite, changes: Iterable[Change]) -> Iterator[str]:
    """Say so where floors were set and don't apply, because the suite is not complete."""
    if not after.complete and any(change.floor is not None for change in changes):
        yield f"floors were not checked: {len(after.counts.cases)} of {after.of} cases were run"


def default_note(settings: GateSettings, alpha: float | None) -> Iterator[str]:
    """Say so where drops are tested though nobody asked for it (G9)."""
    if alpha is not None and settings.alpha is None:
        yield (
            f"the baseline's own repeats differ, so drops are tested at alpha {alpha:g};"
            f" --schemascore-max-drop or --schemascore-alpha choose otherwise"
        )


def evidence_notes(
    changes: Sequence[Change], evidence: SuiteEvidence, alpha: float | None, level: float
) -> Iterator[str]:
    """Say what the evidence is worth: untestable suites and metrics (G4), drops within noise (G9).

    *alpha* is the level that decided, None where G2 did; *level* is the one the evidence was computed at.
    """
    if alpha is not None and not evidence.testable:
        yield (
            f"too few cases to test at alpha {alpha:g} (the smallest p that can be reached is"
            f" {evidence.smallest_p:.2g}): any drop beyond max-drop fails"
        )
        return
    by_change = list(zip(changes, evidence.metrics, strict=True))
    if alpha is not None:
        untested = [
            change.metric
            for change, found in by_change
            if not found.testable and not (change.before is None and change.after is None)
        ]
        if untested:
            yield f"too few cases have them to be tested at alpha {alpha:g}: {', '.join(untested)}"
        return
    noise = [
        change.metric
        for change, found in by_change
        if change.status in {Status.REGRESSED, Status.TOLERATED}
        and (found.p_adjusted is None or found.p_adjusted > level)
    ]
    if noise:
        yield f"within noise, were it tested at alpha {level:g}: {', '.join(noise)}"
