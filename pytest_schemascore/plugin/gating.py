"""The gate's verdict on a run, or its update of the baseline, put into the run's conclusion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_schemascore._files import write_atomically
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.update import render_losses, render_update, update_baseline
from pytest_schemascore.gate.verdict_json import verdict_to_json
from pytest_schemascore.plugin.failed_entry import FailedEntry
from pytest_schemascore.plugin.naming import gate_of
from pytest_schemascore.reporting.verdict_text import short_reason, verdict_line, verdict_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.diff import Diff, SuiteDiff
    from pytest_schemascore.gate.settings import GateSettings
    from pytest_schemascore.plugin.concluding import Conclusion
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.report.report import Report


def judge(
    conclusion: Conclusion, options: Options, baseline: Baseline | None, settings: GateSettings
) -> None:
    """Compare what was measured with *baseline*, hold it against the floors, and note what failed."""
    name = options.baseline_text or None
    _note(conclusion, compare(conclusion.report, baseline, settings, baseline_name=name))


def _note(conclusion: Conclusion, diff: Diff) -> None:
    """Put the verdict into the run's conclusion and report."""
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
        gate_of(suite.test),
        (suite.test.partition("::")[0], suite.line - 1 if suite.line else None, f"{found.key} gate"),
        short_reason(found),
        verdict_text(replace(diff, suites=(found,), problems=())),
        tuple((found.key, case) for case in lost),
    )


def update(
    conclusion: Conclusion,
    options: Options,
    path: Path,
    baseline: Baseline | None,
    settings: GateSettings,
    *,
    crashed: bool,
) -> None:
    """Write what was measured into the baseline at *path*, if that can be; *crashed* says a worker died.

    Nothing is compared with what is overwritten, but floors hold whatever the baseline is.
    """
    conclusion.last_word = f"schemascore: {_write(conclusion, options, path, baseline, crashed=crashed)}"
    held = compare(conclusion.report, None, settings)
    if any(change.floor is not None for change in held.changes):
        _note(conclusion, held)
    if not held.ok:
        conclusion.last_word += f", with {verdict_line(held).removeprefix('schemascore: ')}"


def _write(
    conclusion: Conclusion, options: Options, path: Path, baseline: Baseline | None, *, crashed: bool
) -> str:
    """Write the baseline, note what changes and what failed, and return what became of the file."""
    name = options.baseline_text
    if crashed:
        conclusion.fail("update", f"a worker crashed, so {name} was not written")
        return f"{name} was not written"
    result = update_baseline(baseline, conclusion.report, record_failures=options.update_all)
    if result.text is not None:
        try:
            write_atomically(path, result.text)
        except OSError as error:
            conclusion.fail("update", f"baseline {name} was not written: {error}")
            return f"{name} was not written"
    conclusion.lines += render_update(result, name)[1:]
    conclusion.losses += render_losses(result)
    if result.failures:
        conclusion.fail("update", "\n".join(result.failures))
    return f"{'nothing to update in' if result.text is None else 'updated'} {name}"
