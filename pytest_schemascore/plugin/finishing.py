"""The end of a session: report, gate, update, and a failed gate that shows wherever a failed test does."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_schemascore._files import write_atomically
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.diff import GateSettings
from pytest_schemascore.gate.update import render_update, update_baseline
from pytest_schemascore.gate.verdict_json import verdict_to_json
from pytest_schemascore.report.report import Report
from pytest_schemascore.reporting.github import error_commands
from pytest_schemascore.reporting.markdown import append_step_summary
from pytest_schemascore.reporting.render import render
from pytest_schemascore.reporting.verdict_text import verdict_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.diff import Diff, SuiteDiff
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.report.results import SuiteResult

GATE = "schemascore-gate"


@dataclass(frozen=True, slots=True)
class FailedEntry:
    """A failure that is shown as that of a test: one a suite, or one for the run."""

    node_id: str
    location: tuple[str, int | None, str]
    text: str
    lost: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Conclusion:
    """What a session came to.

    Attributes:
        report: what was measured.
        diff: against baseline and floors; None where nothing was to be judged.
        entries: what failed.
        lines: what else the terminal should say.
        errors: what could not be written, one sentence each.
    """

    report: Report
    diff: Diff | None = None
    entries: list[FailedEntry] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def settings_of(options: Options) -> GateSettings:
    """Return what the options ask of the gate."""
    return GateSettings(
        options.max_drop, options.alpha, options.floors, options.min_overall, options.min_validity
    )


def conclude(
    suites: Mapping[str, SuiteResult],
    options: Options,
    baseline: Baseline | None,
    *,
    files: tuple[str, ...],
    interrupted: bool,
) -> Conclusion:
    """Compare or update, and gather what is to be said; nothing is compared or recorded after an interrupt."""
    settings = settings_of(options)
    report = Report(suites, files=files, interrupted=interrupted, settings=_settings_json(settings))
    conclusion = Conclusion(report)
    if interrupted:
        return conclusion
    if options.updates:
        _update(conclusion, options, baseline)
    elif baseline is not None or options.has_floors or any(suite.gates for suite in suites.values()):
        diff = compare(report, baseline, settings, baseline_name=options.baseline_text or None)
        conclusion.diff = diff
        conclusion.report = replace(report, gate=verdict_to_json(diff))
        conclusion.entries += [_entry(found, diff, report) for found in diff.suites if not found.ok]
        if diff.problems:
            text = "\n".join(diff.problems)
            conclusion.entries.append(FailedEntry(f"{GATE}", (GATE, None, GATE), text))
    return conclusion


def _entry(found: SuiteDiff, diff: Diff, report: Report) -> FailedEntry:
    suite = report.suites[found.key]
    lost = {case: None for change in found.changes if change.failing for case in change.lost}
    file = suite.test.split("::")[0]
    return FailedEntry(
        f"{suite.test}::{GATE}",
        (file, suite.line or None, f"{found.key} {GATE}"),
        verdict_text(replace(diff, suites=(found,), problems=())),
        tuple((found.key, case) for case in lost),
    )


def _update(conclusion: Conclusion, options: Options, baseline: Baseline | None) -> None:
    path = options.baseline
    if path is None:
        return
    result = update_baseline(baseline, conclusion.report, record_failures=options.update_all)
    conclusion.lines += render_update(result, options.baseline_text)
    if result.text is not None:
        try:
            write_atomically(path, result.text)
        except OSError as error:
            conclusion.errors.append(f"baseline {options.baseline_text} was not written: {error}")
    if not result.ok or conclusion.errors:
        text = "\n".join([*result.failures, *conclusion.errors])
        conclusion.entries.append(FailedEntry(f"{GATE}::update", (GATE, None, "schemascore-update"), text))


def _settings_json(settings: GateSettings) -> dict[str, Json]:
    return {
        "max_drop": settings.max_drop,
        "alpha": settings.alpha,
        "floors": dict(settings.floors),
        "min_overall": settings.min_overall,
        "min_validity": settings.min_validity,
    }


def write_reports(conclusion: Conclusion, options: Options) -> None:
    """Write the reports that were asked for, and the step summary where GitHub wants one."""
    for path in options.reports:
        try:
            write_atomically(path, render(conclusion.report, conclusion.diff, path.suffix))
        except OSError as error:
            conclusion.errors.append(f"report {path.name} was not written: {error}")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        try:
            append_step_summary(Path(summary), render(conclusion.report, conclusion.diff, ".md"))
        except OSError as error:
            conclusion.errors.append(f"the step summary was not written: {error}")


def annotate(conclusion: Conclusion, rootdir: Path) -> None:
    """Print annotations where GitHub reads them."""
    if os.environ.get("GITHUB_ACTIONS") == "true" and conclusion.diff is not None:
        root = os.environ.get("GITHUB_WORKSPACE")
        inside = os.path.relpath(rootdir, root) if root else ""
        for text in error_commands(conclusion.diff, conclusion.report, root=inside):
            print(text, file=sys.stderr)


def show_as_failed_test(entry: FailedEntry, session: pytest.Session) -> None:
    """Send a failing report through pytest, as of a test, so that every reporter shows it."""
    hook = session.config.hook
    call = pytest.TestReport(
        nodeid=entry.node_id,
        location=entry.location,
        keywords={},
        outcome="failed",
        longrepr=entry.text,
        when="call",
    )
    teardown = pytest.TestReport(
        nodeid=entry.node_id,
        location=entry.location,
        keywords={},
        outcome="passed",
        longrepr=None,
        when="teardown",
    )
    hook.pytest_runtest_logstart(nodeid=entry.node_id, location=entry.location)
    hook.pytest_runtest_logreport(report=call)
    hook.pytest_runtest_logreport(report=teardown)
    hook.pytest_runtest_logfinish(nodeid=entry.node_id, location=entry.location)
    if session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
