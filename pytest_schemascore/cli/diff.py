"""``pytest-schemascore diff``: a saved report against a baseline, calling nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_schemascore.cli.arguments import add_gate_arguments, add_verbosity_arguments, gate_settings, named
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.report.report import Report

HELP: Final = "hold a saved report against a baseline or another report, calling nothing"
EXAMPLE: Final = """\
  pytest-schemascore diff baseline.json report.json --max-drop 0.02
  pytest-schemascore diff baseline.json shard1.json shard2.json
  pytest-schemascore diff report.json report.json --suite 'test_x[small]=test_x[large]'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "baseline", type=named, metavar="BASELINE", help="a baseline, or the report of another run"
    )
    parser.add_argument(
        "reports",
        type=named,
        metavar="REPORT",
        nargs="+",
        help="a report (.json); several are shards of one run",
    )
    parser.add_argument(
        "--suite",
        metavar="OLD=NEW",
        action="append",
        default=[],
        help="compare suite OLD of the baseline with suite NEW of the report, and no others; may be repeated",
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


def run(options: argparse.Namespace) -> int:
    """Compare and print; settings that no option gives are those of the run that made the report."""
    from pytest_schemascore.cli.reports import print_summary, writable, write_reports
    from pytest_schemascore.gate.compare import compare
    from pytest_schemascore.gate.measured_suite import of_result
    from pytest_schemascore.gate.merge import merge_reports
    from pytest_schemascore.gate.settings import settings_to_json
    from pytest_schemascore.gate.sides import read_side
    from pytest_schemascore.gate.verdict_json import verdict_to_json
    from pytest_schemascore.report.gates import check_floors
    from pytest_schemascore.report.report import Report

    outs = writable(options.out)
    before = read_side(Path(options.baseline))
    report = merge_reports([Report.load(path) for path in options.reports])
    suites = _suites(options.suite, before, report)
    if suites is not None:
        report = replace(report, suites={key: report.suites[key] for _, key in suites})
    known = {name for suite in report.suites.values() for name in of_result(suite).metric_names}
    check_floors(dict(options.min), known, "--min")
    settings = gate_settings(options, report.settings)
    # A floor that the run had may be for suites that are not compared here.
    settings = replace(settings, floors={n: floor for n, floor in settings.floors.items() if n in known})
    diff = compare(report, before, settings, baseline_name=options.baseline, suites=suites)
    report = replace(report, settings=settings_to_json(settings), gate=verdict_to_json(diff))
    written = write_reports(report, diff, outs)
    print_summary(report, diff, options)
    return 1 if not diff.ok else 0 if written else 2


def _suites(texts: Iterable[str], before: Baseline | Report, report: Report) -> list[tuple[str, str]] | None:
    """Return old and new keys; they may hold ``=`` too, and the split that gives two known ones counts."""
    from pytest_schemascore._suggest import did_you_mean

    pairs: list[tuple[str, str]] = []
    for text in texts:
        parts = text.split("=")
        splits = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(1, len(parts))]
        if not splits:
            msg = f"--suite {text}: write OLD=NEW, the suite's key in the baseline and in the report"
            raise UsageError(msg)
        fitting = [(old, new) for old, new in splits if old in before.suites and new in report.suites]
        if not fitting:
            old, new = splits[0] if len(splits) == 1 else splits[len(splits) // 2]
            side, key, known = (
                ("baseline", old, before.suites)
                if old not in before.suites
                else ("report", new, report.suites)
            )
            listed = f"{did_you_mean(key, known)} (known: {', '.join(known) or 'none'})"
            msg = f"--suite {text}: the {side} has no suite {key!r}{listed}"
            raise UsageError(msg)
        pairs.append(fitting[0])
    return pairs or None
