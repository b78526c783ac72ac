"""The gate's verdict on a run, or its update of the baseline, put into the run's conclusion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_schemascore._files import write_atomically
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.update import render_update, update_baseline
from pytest_schemascore.gate.verdict_json import verdict_to_json
from pytest_schemascore.plugin.failed_entry import FailedEntry
from pytest_schemascore.reporting.verdict_text import short_reason, verdict_text

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


def update(
    conclusion: Conclusion, options: Options, path: Path, baseline: Baseline | None, *, crashed: bool
) -> None:
    """Write what was measured into the baseline at *path*, if that can be; *crashed* says a worker died."""
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
