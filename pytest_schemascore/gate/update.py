"""Moving the baseline to what a run measured (G7): only the cases that ran, byte for byte the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_schemascore.gate.collected import Collected
from pytest_schemascore.gate.measured_suite import of_result
from pytest_schemascore.gate.pairing import pair_suites
from pytest_schemascore.gate.update_edit import updated_text
from pytest_schemascore.gate.update_plan import SuiteUpdate, plan_update

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.report.report import Report


@dataclass(frozen=True, slots=True)
class UpdateResult:
    """What an update comes to.

    Attributes:
        text: the new baseline file; None where nothing changes.
        suites: in the order of the report.
        removed: keys of suites that are gone.
        invalid: keys of suites that were recorded without a single valid output.
    """

    text: str | None
    suites: tuple[SuiteUpdate, ...]
    removed: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[str, ...]:
        """What makes the run fail, one sentence each: suites refused, and cases without an answer."""
        return tuple(_failures(self.suites))

    @property
    def ok(self) -> bool:
        """Whether everything that ran was recorded."""
        return not self.failures


def update_baseline(old: Baseline | None, report: Report, *, record_failures: bool) -> UpdateResult:
    """Return the baseline that holds *report*, and what that changes in *old*.

    A case whose extractor raised or timed out keeps its old line where that one was valid, and gets none
    where it had none. A suite whose rules changed is refused unless it ran completely and no case keeps its
    old line; the lines of skipped cases, which other rules scored, go. Gone cases go only where the suite ran
    completely, gone suites only where their file was collected whole, neither after an interrupt. The old key
    of a suite that moved goes with its new one.

    Args:
        old: the baseline so far; None where there is none.
        report: what was measured.
        record_failures: also record cases whose extractor raised or timed out.
    """
    suites = [of_result(suite, interrupted=report.interrupted) for suite in report.suites.values()]
    known = old.suites if old else {}
    # What only the labels say is no ground for taking lines away, so a suite outside pytest never moves.
    collected = Collected() if report.interrupted else replace(Collected.of(report), by_labels=False)
    pairing = pair_suites(known, {suite.key: suite.counts for suite in suites}, collected)
    # A new suite that ran in part may be the one that is gone, whose other lines it lacks.
    partial = any(suite.key in pairing.new and not suite.complete for suite in suites)
    gone = () if partial else pairing.gone
    plans = [
        plan_update(known.get(pairing.pairs.get(suite.key, "")), suite, record_failures=record_failures)
        for suite in suites
        if suite.counts.cases
    ]
    left = (
        plan.before.key for plan in plans if plan.before is not None and plan.before.key != plan.after.key
    )
    text = updated_text(old, plans, (*gone, *sorted(left)))
    invalid = tuple(
        plan.after.key
        for plan in plans
        if not plan.update.kept
        and not any(run.valid for case in plan.after.cases.values() for run in case.runs)
    )
    return UpdateResult(text, tuple(plan.update for plan in plans), gone, invalid)


def render_update(result: UpdateResult, name: str) -> list[str]:
    """Return what to tell the user, a line each: what changed in the baseline *name*, and what got lower."""
    lines = [f"{name}: {'nothing to update' if result.text is None else 'updated'}"]
    for suite in result.suites:
        lines += [f"  {line}" for line in _suite_lines(suite)]
    lines += [f"  {key}: removed, its test is gone" for key in result.removed]
    lines += _invalid_lines(result)
    return lines + [f"  {sentence}" for sentence in result.failures]


def render_losses(result: UpdateResult) -> list[str]:
    """Return the lines of `render_update` that a user is to see however little was asked for."""
    lowered = [f"  {line}" for suite in result.suites for line in _lowered_lines(suite)]
    return [*lowered, *_invalid_lines(result)]


def _invalid_lines(result: UpdateResult) -> list[str]:
    return [f"  {key}: not one output was valid; is the extractor broken?" for key in result.invalid]


def _suite_lines(suite: SuiteUpdate) -> Iterator[str]:
    if suite.moved_from is not None:
        yield f"{suite.key}: was {suite.moved_from}"
    counted = [
        f"{len(ids)} {what} ({_listed(ids)})"
        for what, ids in (("added", suite.added), ("updated", suite.updated), ("removed", suite.pruned))
        if ids
    ]
    if suite.header_changed:
        counted.append("rules or test changed")
    if counted:
        yield f"{suite.key}: {', '.join(counted)}"
    if suite.dropped:
        yield (
            f"{suite.key}: {len(suite.dropped)} removed ({_listed(suite.dropped)}):"
            f" skipped, and recorded under the old rules"
        )
    yield from _lowered_lines(suite)


def _lowered_lines(suite: SuiteUpdate) -> Iterator[str]:
    for lowered in suite.lowered:
        after = "none" if lowered.after is None else f"{lowered.after:.6g}"
        yield f"{suite.key}: {lowered.metric} gets worse: {lowered.before:.6g} -> {after}"


def _listed(ids: tuple[str, ...]) -> str:
    shown = ", ".join(ids[:10])
    return f"{shown} and {len(ids) - 10} more" if len(ids) > 10 else shown


def _failures(suites: tuple[SuiteUpdate, ...]) -> Iterator[str]:
    for suite in suites:
        if suite.refused:
            yield f"{suite.key}: not updated: {suite.refused}"
        if suite.kept:
            yield (
                f"{suite.key}: not recorded, as the extractor raised or timed out: {', '.join(suite.kept)}"
                f" (--schemascore-update-all records them too)"
            )
