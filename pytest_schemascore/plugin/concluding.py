"""What a run comes to: its report, and the gate's verdict or the update of the baseline."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.settings import GateSettings, settings_to_json
from pytest_schemascore.report.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.plugin.failed_entry import FailedEntry
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.report.results import SuiteResult

RUN: Final = "schemascore"
"""What failures of the run as a whole are shown under."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    Attributes:
        files: node ids of the test files that were collected whole.
        deleted: those of the baseline's test files that don't exist any more.
        interrupted: whether it was stopped before its end; then nothing is compared and nothing recorded.
        crashed: whether a worker died; then nothing is recorded.
    """

    files: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    interrupted: bool = False
    crashed: bool = False


@dataclass(slots=True)
class Conclusion:
    """What a run came to.

    Attributes:
        report: what was measured.
        diff: against baseline and floors; None where nothing was to be judged.
        entries: what failed.
        lines: what else the terminal should say; losses: those of them that it says with ``-q`` too.
        last_word: what it says in place of a verdict, where there is none.
    """

    report: Report
    diff: Diff | None = None
    entries: list[FailedEntry] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    last_word: str = ""

    def fail(self, name: str, text: str) -> None:
        """Add a failure of the run as a whole."""
        from pytest_schemascore.plugin.failed_entry import FailedEntry  # most runs have none

        entry = FailedEntry(f"{RUN}::{name}", (RUN, None, f"{RUN} {name}"), text.split("\n")[0], text)
        self.entries.append(entry)


def conclude(
    suites: Mapping[str, SuiteResult], options: Options, baseline: Baseline | None, outcome: Outcome
) -> Conclusion:
    """Compare or update, and gather what is to be said."""
    settings, unknown = _settings(options, suites.values())
    report = Report(
        suites,
        files=outcome.files,
        deleted=outcome.deleted,
        interrupted=outcome.interrupted,
        settings=settings_to_json(settings),
    )
    conclusion = Conclusion(report)
    conclusion.lines += [f"floor for {name!r} not used: no suite of this run has it" for name in unknown]
    if outcome.interrupted:
        return conclusion
    if options.baseline is not None and options.updates:
        from pytest_schemascore.plugin.gating import update  # the gate, which only these two need

        update(conclusion, options, options.baseline, baseline, settings, crashed=outcome.crashed)
    elif baseline is not None or options.has_floors or any(suite.gates for suite in suites.values()):
        from pytest_schemascore.plugin.gating import judge  # as above

        judge(conclusion, options, baseline, settings)
    return conclusion


def _settings(options: Options, suites: Iterable[SuiteResult]) -> tuple[GateSettings, list[str]]:
    """Return what the options ask of the gate, and the floors that no suite of the run has a use for."""
    known: set[str] = set()
    if options.floors:
        from pytest_schemascore.gate.measured_suite import of_result  # the gate, which floors need

        known = {name for suite in suites for name in of_result(suite).metric_names}
    floors = {name: floor for name, floor in options.floors.items() if name in known}
    settings = GateSettings(
        options.max_drop, options.alpha, floors, options.min_overall, options.min_validity
    )
    return settings, sorted(options.floors.keys() - floors.keys())
