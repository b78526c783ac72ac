"""Printing a report's summary and writing reports to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_schemascore._files import write_atomically
from pytest_schemascore.cli.output import complain, encoding, wants_color, width, write_lines
from pytest_schemascore.reporting.render import check_suffix, render
from pytest_schemascore.reporting.terminal import summary_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.report import Report


def writable(names: Iterable[str]) -> list[Path]:
    """Return the files that reports go to.

    Raises:
        UsageError: a suffix names no form of a report.
    """
    paths = [Path(name) for name in names]
    for path in paths:
        check_suffix(str(path), path.suffix)
    return paths


def write_reports(report: Report, diff: Diff | None, paths: Iterable[Path]) -> bool:
    """Write *report* to each of *paths* in the form its suffix asks for.

    Complains of each that can't be written, since the others and the summary are there all the same; returns
    whether all were.
    """
    failures = 0
    for path in paths:
        try:
            write_atomically(path, render(report, diff, path.suffix))
        except OSError as error:
            complain(f"report {path} was not written: {error.strerror}")
            failures += 1
    return not failures


def print_summary(
    report: Report,
    diff: Diff | None,
    options: argparse.Namespace,
    update_hint: str = "",
    last_word: str = "",
) -> None:
    """Print what was measured and what got worse, as much as ``-v`` and ``-q`` ask for.

    *update_hint* is the command that records the run as the baseline; *last_word* stands for the verdict.
    """
    lines = summary_lines(
        report,
        diff,
        verbosity=-1 if options.quiet else options.verbose,
        width=width(),
        update_hint=update_hint,
        encoding=encoding(),
        last_word=last_word,
    )
    write_lines(lines, vars(options), color=wants_color(options.color))
