"""What a comparison found: every metric's change with its evidence, and the verdict (G1 to G3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.gate.settings import GateSettings
from pytest_schemascore.gate.status import FAILING, Status
from pytest_schemascore.report.measured import DIGITS

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Change:
    """One metric before and after, over the cases both sides hold.

    Attributes:
        suite: key of the suite; metric: see `pytest_schemascore.gate.metrics.Metric`.
        before, after: shares in [0, 1] (``<distance>``: differing values); None where there is no value.
        status: what became of it.
        lost, gained: ids of the cases that got worse and better on it, worst first.
        interval: of the change after - before, holding 1 - 2 * alpha (0.9 without alpha), since each end
            inverts the one-sided test; None where untestable.
        p_value: one-sided, of "the drop is at most max_drop"; p_adjusted: step-down max-T and Sidak.
        max_drop: the margin it was held against.
        floor: the floor it was held against, if any.
        reason: for a failing change, one sentence that says why.
    """

    suite: str
    metric: str
    before: float | None
    after: float | None
    status: Status
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    interval: tuple[float, float] | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    max_drop: float = 0.0
    floor: float | None = None
    reason: str = ""

    @property
    def change(self) -> float | None:
        """After - before, rounded to the stored digits; None where either is missing."""
        if self.before is None or self.after is None:
            return None
        return round(round(self.after, DIGITS) - round(self.before, DIGITS), DIGITS)

    @property
    def failing(self) -> bool:
        """Whether it fails the gate."""
        return self.status in FAILING


@dataclass(frozen=True, slots=True)
class Flaky:
    """A field whose runs disagree: the share of (case, pair of runs) in which its score differs (G5)."""

    field: str
    flip_rate: float


@dataclass(frozen=True, slots=True)
class Power:
    """What a suite could see (G6): shares in [0, 1]; None where it can't be said.

    Attributes:
        smallest_drop: smallest drop of overall seen with 80 % power.
        cases: how many cases are compared; more_cases: how many more would show a drop of five points.
        supposed_alpha: the level of a test that would see it, where none decided; else None.
    """

    smallest_drop: float | None
    cases: int
    more_cases: int | None
    supposed_alpha: float | None = None


@dataclass(frozen=True, slots=True)
class SuiteDiff:
    """One suite against its baseline.

    Attributes:
        key: the suite's key now; moved_from: its key in the baseline where that differs.
        changes: every gated metric: suite metrics, then fields in the order of the report, then tags.
        compared: how many cases both sides hold with the same label; of: how many the baseline holds.
        new, gone, relabelled, not_run: case ids, each apart.
        changed_rules: pattern -> (rule before, rule now); an empty text where there is none.
        problems: what fails the suite beside its changes, one sentence each (too little pairs, all outputs
            invalid).
        notes: what a reader should know, one sentence each (untestable, in-noise drops, spread of repeats).
        flaky, power: see there.
        alpha: the level actually used (G9 may have set it); None where G2 decided.
    """

    key: str
    changes: tuple[Change, ...]
    compared: int
    of: int
    moved_from: str | None = None
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    not_run: tuple[str, ...] = ()
    changed_rules: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    flaky: tuple[Flaky, ...] = ()
    power: Power | None = None
    alpha: float | None = None

    @property
    def ok(self) -> bool:
        """Whether this suite passes."""
        return not self.problems and not any(change.failing for change in self.changes)


@dataclass(frozen=True, slots=True)
class Diff:
    """A report against a baseline.

    Attributes:
        suites: each suite of the report that is gated: paired with the baseline, or new with floors.
        new_suites, gone_suites, not_run_suites: keys, each apart; the last never fail.
        problems: what fails the run as a whole, one sentence each.
        settings: what the user asked for.
        baseline: how the user named the baseline, for messages; None where only floors were checked.
    """

    suites: tuple[SuiteDiff, ...]
    new_suites: tuple[str, ...] = ()
    gone_suites: tuple[str, ...] = ()
    not_run_suites: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    settings: GateSettings = field(default_factory=GateSettings)
    baseline: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the gate passes."""
        return not self.problems and all(suite.ok for suite in self.suites)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every change of every suite, with its evidence."""
        return tuple(change for suite in self.suites for change in suite.changes)

    @property
    def regressions(self) -> dict[str, float | None]:
        """The failing metrics and their changes, keyed as `deltas`."""
        return {self._name(c): c.change for c in self.changes if c.failing}

    @property
    def deltas(self) -> dict[str, float | None]:
        """Metric -> change; the suite's key and ``::`` in front where there are several suites."""
        return {self._name(c): c.change for c in self.changes}

    def _name(self, change: Change) -> str:
        return change.metric if len(self.suites) == 1 else f"{change.suite}::{change.metric}"
