"""What an update does to one suite (G7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.lowered import lowered_metrics
from pytest_schemascore.gate.suite_compare import changed_rules
from pytest_schemascore.report.measured import Failure

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_schemascore.gate.lowered import Lowered
    from pytest_schemascore.gate.measured_suite import MeasuredSuite
    from pytest_schemascore.report.measured import CaseCounts, SuiteCounts

_NO_ANSWER: Final = frozenset({Failure.RAISED, Failure.TIMED_OUT})


@dataclass(frozen=True, slots=True)
class SuiteUpdate:
    """What an update does to one suite.

    Attributes:
        key: the suite's key; moved_from: its key in the baseline where that differs.
        added, updated, pruned: ids of cases.
        dropped: ids of cases that were skipped, and whose lines go since other rules scored them.
        kept: ids of cases whose extractor raised or timed out: their old line stays, or none is written.
        lowered: the suite's metrics that get worse.
        refused: why nothing is done to the suite; empty where something may be.
        header_changed: whether rules or test are other ones.
    """

    key: str
    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    pruned: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    lowered: tuple[Lowered, ...] = ()
    refused: str = ""
    moved_from: str | None = None
    header_changed: bool = False

    @property
    def changes_file(self) -> bool:
        """Whether the suite's text changes."""
        cases = self.added or self.updated or self.pruned or self.dropped
        return bool(cases or self.header_changed or self.moved_from is not None)


@dataclass(frozen=True, slots=True)
class Plan:
    """An update of a suite: what is told of it, the suite before, and what it holds then."""

    update: SuiteUpdate
    before: SuiteCounts | None
    after: SuiteCounts


def plan_update(before: SuiteCounts | None, suite: MeasuredSuite, *, record_failures: bool) -> Plan:
    """Return the update of *before* to what *suite* measured; see `update_baseline` for the rules."""
    now = suite.counts
    if before is None:
        kept = {i for i, case in now.cases.items() if not record_failures and _without_answer(case)}
        cases = {case_id: case for case_id, case in now.cases.items() if case_id not in kept}
        update = SuiteUpdate(suite.key, added=tuple(cases), kept=tuple(sorted(kept)))
        return Plan(update, None, replace(now, cases=cases))
    rules = changed_rules(before.rules, now.rules)
    kept = set() if record_failures else {i for i, case in now.cases.items() if _is_kept(case, before)}
    if rules and (why := _unscored(suite, kept & before.cases.keys())):
        return Plan(SuiteUpdate(suite.key, refused=_refusal(rules, why)), before, before)
    recorded = {case_id: case for case_id, case in now.cases.items() if case_id not in kept}
    gone = before.cases.keys() - now.cases.keys() - suite.skipped if suite.complete else set()
    dropped = before.cases.keys() & suite.skipped if rules else set()
    cases = {i: case for i, case in before.cases.items() if i not in gone | dropped} | recorded
    after = replace(now, cases={case_id: cases[case_id] for case_id in sorted(cases)})
    update = SuiteUpdate(
        key=suite.key,
        added=tuple(sorted(recorded.keys() - before.cases.keys())),
        updated=tuple(i for i, case in recorded.items() if i in before.cases and before.cases[i] != case),
        pruned=tuple(sorted(gone)),
        dropped=tuple(sorted(dropped)),
        kept=tuple(sorted(kept)),
        moved_from=before.key if before.key != suite.key else None,
        header_changed=bool(rules) or before.test != now.test,
    )
    if update.changes_file:
        lowered = lowered_metrics(before.cases.values(), after.cases.values(), suite.fields, suite.weights)
        update = replace(update, lowered=lowered)
    return Plan(update, before, after)


def _is_kept(case: CaseCounts, before: SuiteCounts) -> bool:
    """Whether there was no answer and the old line, if there is one, holds better: valid outputs only."""
    old = before.cases.get(case.id)
    return _without_answer(case) and (old is None or all(run.valid for run in old.runs))


def _without_answer(case: CaseCounts) -> bool:
    return any(run.failure in _NO_ANSWER for run in case.runs)


def _unscored(suite: MeasuredSuite, kept: Collection[str]) -> str:
    """Return why lines of other rules would stand beside those of the present ones; empty where none would.

    *kept* are the cases that keep their old line. Those that are skipped on purpose have no measurement to
    wait for, so their lines are dropped instead.
    """
    if not suite.complete:
        return f"only {len(suite.counts.cases)} of {suite.of} were run; run them all"
    if kept:
        return (
            f"the extractor raised or timed out for {', '.join(sorted(kept))};"
            f" run again, or record that with --schemascore-update-all"
        )
    return ""


def _refusal(rules: dict[str, tuple[str, str]], why: str) -> str:
    changes = ", ".join(
        f"{pattern}: {old or 'none'} -> {new or 'none'}" for pattern, (old, new) in rules.items()
    )
    return f"its rules changed ({changes}), so its cases must be recorded together, and {why}"
