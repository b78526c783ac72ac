"""``pytest-schemascore run``: an extractor over labelled cases, without pytest."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_schemascore.cli.arguments import (
    add_gate_arguments,
    add_verbosity_arguments,
    count,
    gate_settings,
    named,
    positive,
)
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from argparse import Namespace

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.gate.settings import GateSettings
    from pytest_schemascore.report.report import Report

HELP: Final = "run an extractor over labelled cases, score it, and gate on a baseline"
EXAMPLE: Final = """\
  pytest-schemascore run --schema invoices:Invoice --target invoices:extract --cases cases.jsonl
  pytest-schemascore run --schema invoices:Invoice --target invoices:extract --cases cases.jsonl \\
      --baseline baseline.json --max-drop 0.02 --out report.html"""

_NOT_COMPARED: Final = "schemascore: not compared, since this run updates the baseline"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--target",
        type=named,
        required=True,
        metavar="M:F",
        help="the extractor, as module:function; gets a case's input, sync or async",
    )
    parser.add_argument(
        "--cases", required=True, type=named, metavar="FILE", help="labelled cases, .jsonl or .json"
    )
    parser.add_argument(
        "--schema",
        type=named,
        metavar="M:C",
        help="pydantic model, as module:Class, or a JSON Schema file (.json)",
    )
    parser.add_argument(
        "--comparators", type=named, metavar="M:N", help="a dict path -> rule, as module:NAME"
    )
    parser.add_argument(
        "--default", type=named, metavar="M:N", help="the rule of other paths, or a dict JSON type -> rule"
    )
    parser.add_argument("--select", metavar="PATH", help="the part of the output to compare")
    parser.add_argument(
        "--parse",
        choices=("strict", "lenient"),
        default="strict",
        help="lenient: repair JSON, and find it in prose (strict)",
    )
    parser.add_argument(
        "--extra",
        choices=("ignore", "count"),
        default="ignore",
        help="unlabelled keys: whether they count as extra (ignore)",
    )
    parser.add_argument("--name", type=named, metavar="KEY", help="the suite's key in reports and baselines")
    parser.add_argument("--concurrency", type=count, default=16, metavar="N", help="calls at once (16)")
    parser.add_argument(
        "--timeout", type=positive, default=60.0, metavar="S", help="seconds a call may take (60)"
    )
    parser.add_argument("--repeat", type=count, default=1, metavar="N", help="runs of each case (1)")
    parser.add_argument("--baseline", type=named, metavar="FILE", help="compare with this baseline or report")
    parser.add_argument("--update", action="store_true", help="write the baseline from this run instead")
    parser.add_argument(
        "--update-all", action="store_true", help="like --update, with cases that raised or timed out"
    )
    parser.add_argument(
        "--out",
        type=named,
        metavar="FILE",
        action="append",
        default=[],
        help="write a report: .json .html .md .csv",
    )
    add_gate_arguments(parser)
    add_verbosity_arguments(parser)


def run(options: Namespace) -> int:
    """Run, report, and gate where there is something to be held against."""
    from pytest_schemascore.cli.references import load_comparators, load_reference, load_schema_reference
    from pytest_schemascore.cli.reports import writable, write_reports
    from pytest_schemascore.evaluation import evaluate
    from pytest_schemascore.gate.settings import settings_to_json
    from pytest_schemascore.gate.verdict_json import verdict_to_json
    from pytest_schemascore.report.gates import check_floors
    from pytest_schemascore.running.progress import Progress

    updates = options.update or options.update_all
    outs = writable(options.out)
    side = _before(options, updates=updates)
    target = load_reference(options.target, "--target")
    settings = gate_settings(options)
    progress = Progress(options.target, sys.stderr, is_terminal=sys.stderr.isatty())
    report = evaluate(
        load_schema_reference(options.schema),
        options.cases,
        target,  # type: ignore[arg-type]  # evaluate says so where it can't be called
        load_comparators(options.comparators),
        default=load_reference(options.default, "--default") if options.default else None,
        select=options.select,
        parse=options.parse,
        extra=options.extra,
        name=options.name or options.target,
        concurrency=options.concurrency,
        timeout=options.timeout,
        repeat=options.repeat,
        on_progress=progress.update,
        on_metrics=lambda known: check_floors(settings.floors, known, "--min"),
    )
    report = replace(report, settings=settings_to_json(settings))
    # An update replaces what it would be compared with, but floors hold whatever the baseline is.
    held_against = (None, None) if updates else (side, options.baseline)
    diff = _gate(report, settings, *held_against)
    if diff is not None:
        report = replace(report, gate=verdict_to_json(diff))
    written = write_reports(report, diff, outs)
    code = _updated(report, diff, side, options) if updates else _told(report, diff, settings, options)
    return code or (0 if written else 2)


def _updated(report: Report, diff: Diff | None, side: Baseline | Report | None, options: Namespace) -> int:
    """Print what was measured, update the baseline, and return the exit code."""
    from pytest_schemascore.cli.reports import print_summary

    print_summary(report, diff, options, last_word=_NOT_COMPARED if diff is None else "")
    updated = _update(report, side, options)
    return 0 if updated and (diff is None or diff.ok) else 1


def _told(report: Report, diff: Diff | None, settings: GateSettings, options: Namespace) -> int:
    """Print what was measured and what the gate says, and return the exit code."""
    from pytest_schemascore.cli.reports import print_summary

    print_summary(report, diff, options, _update_hint(options))
    if diff is not None and not diff.ok:
        return 1
    judged = diff is not None and (_has_floors(settings) or not diff.new_suites)
    return 0 if judged else _failed_calls(report)


def _update_hint(options: Namespace) -> str:
    """Return the command that records this run as the baseline."""
    file = () if options.baseline else ("--baseline", "baseline.json")
    return shlex.join(("pytest-schemascore", *options.typed, *file, "--update"))


def _failed_calls(report: Report) -> int:
    """Return 1 where calls failed in a run that nothing else judges: it must not look like a good one."""
    from pytest_schemascore.cli.output import complain
    from pytest_schemascore.report.measured import Failure
    from pytest_schemascore.reporting.numbers import counted

    runs = [run for suite in report.suites.values() for case in suite.cases for run in case.runs]
    kinds = [run.error.kind for run in runs if run.error is not None]
    failed = len([kind for kind in kinds if kind in (Failure.RAISED, Failure.TIMED_OUT)])
    if not failed:
        return 0
    complain(f"{counted(failed, 'call')} raised or timed out, and no baseline or floor was there to notice")
    return 1


def _before(options: Namespace, *, updates: bool) -> Baseline | Report | None:
    """Read what the run is held against, or *updates*, before anything is called."""
    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.sides import read_side

    if options.baseline is None:
        if updates:
            msg = "--update needs --baseline FILE, the file to write"
            raise UsageError(msg)
        return None
    path = Path(options.baseline)
    if not path.exists():
        if updates:
            return None
        msg = f"--baseline {path}: there is no such file; record one by adding --update"
        raise UsageError(msg)
    side = read_side(path)
    if updates and not isinstance(side, Baseline):
        msg = f"--baseline {path}: is a report; --update writes baselines, so name another file"
        raise UsageError(msg)
    return side


def _gate(
    report: Report, settings: GateSettings, side: Baseline | Report | None, name: str | None
) -> Diff | None:
    from pytest_schemascore.gate.compare import compare

    if side is None and not _has_floors(settings):
        return None
    return compare(report, side, settings, baseline_name=name)


def _has_floors(settings: GateSettings) -> bool:
    return bool(settings.floors) or settings.min_overall is not None or settings.min_validity is not None


def _update(report: Report, side: Baseline | Report | None, options: Namespace) -> bool:
    """Write the baseline, say what changed in it, and return whether all of the run could be recorded."""
    from pytest_schemascore._files import write_atomically
    from pytest_schemascore.cli.output import in_own_words, write_text
    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.update import render_update, update_baseline
    from pytest_schemascore.reporting.widths import printable

    old = side if isinstance(side, Baseline) else None
    result = update_baseline(old, report, record_failures=options.update_all)
    if result.text is not None:
        write_atomically(Path(options.baseline), result.text)
    for line in render_update(result, options.baseline):
        write_text(f"{printable(in_own_words(line, vars(options)))}\n")
    return result.ok
