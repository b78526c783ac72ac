"""The terminal summary: what got worse, read in five seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.gate.status import Status
from pytest_schemascore.reporting.lines import Line, line
from pytest_schemascore.reporting.suite_lines import suite_lines
from pytest_schemascore.reporting.verdict_text import headline
from pytest_schemascore.reporting.widths import Console

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.report import Report
    from pytest_schemascore.reporting.lines import Markup


def summary_lines(
    report: Report,
    diff: Diff | None,
    *,
    verbosity: int,
    width: int,
    update_hint: str,
    encoding: str = "utf-8",
    remarks: Iterable[str] = (),
    last_word: str = "",
) -> list[Line]:
    """Return the summary, laid out in *width* columns for a stream of *encoding*; the verdict comes last.

    Below 0, *verbosity* leaves only *remarks* and the verdict; 1 adds every field with its rule and worst
    examples; 2 names all cases. *update_hint* is the command that records this run as the baseline (G8);
    empty for none. *remarks* come before the verdict, and *last_word* in its place where the run was not
    there to be judged.
    """
    console = Console(width, encoding)
    verdict = list(_verdict(report, diff, console, last_word))
    noted = list(_remarks(remarks, console))
    if verbosity < 0:
        return noted + verdict
    lines: list[Line] = []
    diffs = {suite.key: suite for suite in diff.suites} if diff else {}
    for suite in report.suites.values():
        found = diffs.get(suite.key)
        lines += suite_lines(suite, console, verbosity)
        if found is not None:
            from pytest_schemascore.reporting.change_lines import suite_diff_lines  # only what was compared

            lines += suite_diff_lines(found, console, verbosity)
        if verbosity > 0:
            from pytest_schemascore.reporting.fields_table import field_lines  # only where asked for

            lines += field_lines(suite, console, verbosity)
        lines.append(line())
    if diff is not None:
        lines += _whole_run(diff, console)
    lines += noted
    lines += _hint(report, diff, console, update_hint)
    return lines + verdict


def _whole_run(diff: Diff, console: Console) -> Iterator[Line]:
    for problem in diff.problems:
        yield from (line(text, "red", "bold") for text in console.wrap(f"problem: {problem}", hanging=2))
    for title, keys in (
        ("new, not in the baseline", diff.new_suites),
        ("gone, only in the baseline", diff.gone_suites),
        ("not run", diff.not_run_suites),
    ):
        for key in keys:
            yield from map(line, console.wrap(f"suite {title}: {key}", hanging=2))


def _remarks(remarks: Iterable[str], console: Console) -> Iterator[Line]:
    for remark in remarks:
        indent = len(remark) - len(remark.lstrip(" "))
        yield from map(line, console.wrap(remark[indent:], indent=indent, hanging=indent + 2))


def _hint(report: Report, diff: Diff | None, console: Console, update_hint: str) -> Iterator[Line]:
    if not update_hint or report.interrupted or not report.validity:
        return
    if diff is None or diff.baseline is None:
        text = "record this run as the baseline with:"
    elif any(change.status is Status.IMPROVED for change in diff.changes):
        text = f"record the {'improvement' if diff.ok else 'run, regressions and all,'} with:"
    elif diff.new_suites or any(suite.new for suite in diff.suites):
        text = "record what is new with:"
    else:
        return
    yield line(text)
    # A command is copied: it stays on one line, however long.
    yield line(f"  {console.clean(update_hint)}")


def _verdict(report: Report, diff: Diff | None, console: Console, last_word: str) -> Iterator[Line]:
    failed = report.interrupted or (diff is not None and not diff.ok)
    markup: tuple[Markup, ...] = ("red", "bold") if failed else ("green", "bold") if diff else ()
    for text in console.wrap(last_word or headline(report, diff), hanging=2):
        yield line(text, *markup)
