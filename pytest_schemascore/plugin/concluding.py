"""What a run comes to: its report, and the gate's verdict or the update of the baseline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pytest_schemascore._files import write_atomically
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.diff import GateSettings
from pytest_schemascore.gate.update import render_update, update_baseline
from pytest_schemascore.gate.verdict_json import settings_to_json, verdict_to_json
from pytest_schemascore.plugin.failed_entry import FailedEntry
from pytest_schemascore.report.gates import metric_names
from pytest_schemascore.report.report import Report
from pytest_schemascore.reporting.verdict_text import short_reason, verdict_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.diff import Diff, SuiteDiff
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.report.results import SuiteResult

RUN: Final = "schemascore"
"""What failures of the run as a whole are shown under."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    Attributes:
        files: node ids of the test files that were collected whole.
        interrupted: whether it was stopped before its end; then nothing is compared and nothing recorded.
        crashed: whether a worker died; then nothing is recorded.
    """

    files: tuple[str, ...] = ()
    interrupted: bool = False
    crashed: bool = False


@dataclass(slots=True)
class Conclusion:
    """What a run came to.

    Attributes:
        report: what was measured.
        diff: against baseline and floors; None where nothing was to be judged.
        entries: what failed.
        lines: what else the terminal should say.
        last_word: what it says in place of a verdict, where there is none.
    """

    report: Report
    diff: Diff | None = None
    entries: list[FailedEntry] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    last_word: str = ""

    def fail(self, name: str, text: str) -> None:
        """Add a failure of the run as a whole."""
        entry = FailedEntry(f"{RUN}::{name}", (RUN, None, f"{RUN} {name}"), text.split("\n")[0], text)
        self.entries.append(entry)


def conclude(
    suites: Mapping[str, SuiteResult], options: Options, baseline: Baseline | None, outcome: Outcome
) -> Conclusion:
    """Compare or update, and gather what is to be said."""
    settings, unknown = _settings(options, suites.values())
    report = Report(
        suites, files=outcome.files, interrupted=outcome.interrupted, settings=settings_to_json(settings)
    )
    conclusion = Conclusion(report)
    conclusion.lines += [f"floor for {name!r} not used: no suite of this run has it" for name in unknown]
    if outcome.interrupted:
        return conclusion
    if options.baseline is not None and options.updates:
        _update(conclusion, options, options.baseline, baseline, crashed=outcome.crashed)
    elif baseline is not None or options.has_floors or any(suite.gates for suite in suites.values()):
        _compare(conclusion, options, baseline, settings)
    return conclusion


def _settings(options: Options, suites: Iterable[SuiteResult]) -> tuple[GateSettings, list[str]]:
    """Return what the options ask of the gate, and the floors that no suite of the run has a use for."""
    known: set[str] = set()
    for suite in suites:
        tags = {tag for case in suite.cases for tag in case.tags}
        measures = {name for case in suite.cases for run in case.runs for name in run.measures}
        known |= metric_names(suite.field_rules, tags, measures, weighted=bool(suite.weights))
    floors = {name: floor for name, floor in options.floors.items() if name in known}
    settings = GateSettings(
        options.max_drop, options.alpha, floors, options.min_overall, options.min_validity
    )
    return settings, sorted(options.floors.keys() - floors.keys())


def _compare(
    conclusion: Conclusion, options: Options, baseline: Baseline | None, settings: GateSettings
) -> None:
    diff = compare(conclusion.report, baseline, settings, baseline_name=options.baseline_text or None)
    conclusion.diff = diff
    conclusion.report = replace(conclusion.report, gate=verdict_to_json(diff))
    conclusion.entries += [_entry(found, diff, conclusion.report) for found in diff.suites if not found.ok]
    if diff.problems:
        conclusion.fail("gate", "\n".join(diff.problems))


def _entry(found: SuiteDiff, diff: Diff, report: Report) -> FailedEntry:
    """Return the failure of one suite, below its test function."""
    suite = report.suites[found.key]
    lost = dict.fromkeys(case for change in found.changes if change.failing for case in change.lost)
    return FailedEntry(
        f"{suite.test}::gate",
        (suite.test.partition("::")[0], suite.line - 1 if suite.line else None, f"{found.key} gate"),
        short_reason(found),
        verdict_text(replace(diff, suites=(found,), problems=())),
        tuple((found.key, case) for case in lost),
    )


def _update(
    conclusion: Conclusion, options: Options, path: Path, baseline: Baseline | None, *, crashed: bool
) -> None:
    name = options.baseline_text
    conclusion.last_word = f"schemascore: {name} was not written"
    if crashed:
        conclusion.fail("update", f"a worker crashed, so {name} was not written")
        return
    result = update_baseline(baseline, conclusion.report, record_failures=options.update_all)
    if result.text is not None:
        try:
            write_atomically(path, result.text)
        except OSError as error:
            conclusion.fail("update", f"baseline {name} was not written: {error}")
            return
    conclusion.last_word = (
        f"schemascore: {'nothing to update in' if result.text is None else 'updated'} {name}"
    )
    conclusion.lines += render_update(result, name)[1:]
    if result.failures:
        conclusion.fail("update", "\n".join(result.failures))
