"""A suite's own lines in the terminal: its name and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.report.metrics import floor
from pytest_schemascore.reporting.lines import Line, Segment, line
from pytest_schemascore.reporting.numbers import counted, percent, plain, seconds
from pytest_schemascore.reporting.totals import totals
from pytest_schemascore.reporting.widths import clip_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.report.results import SuiteResult
    from pytest_schemascore.reporting.totals import Totals
    from pytest_schemascore.reporting.widths import Console

_NOTES = 5
_INVALID = 3
"""How many invalid cases are shown with their messages, unless everything is asked for."""


def suite_lines(suite: SuiteResult, console: Console, verbosity: int) -> Iterator[Line]:
    """Yield the suite's name, cases, validity and overall, then what went wrong and what it took."""
    figures = totals(suite)
    yield line(console.clip(suite.key, console.width), "bold")
    yield Line(
        (
            Segment(f"  {cases_text(figures)}  validity {percent(figures.validity)}  "),
            Segment(f"overall {percent(figures.overall)}", ("bold",)),
        )
    )
    for text in troubles(figures, judges_hint="" if verbosity > 0 else " (-v says why)"):
        yield from map(line, console.wrap(text, indent=2, hanging=4))
    yield from _invalid_lines(suite, console, verbosity)
    effort = effort_text(figures)
    if effort:
        yield from map(line, console.wrap(effort, indent=2, hanging=4))
    if verbosity > 0:
        yield from _details(suite, figures, console)


def _invalid_lines(suite: SuiteResult, console: Console, verbosity: int) -> Iterator[Line]:
    """Yield invalid cases with the first line of why, cut to about three lines."""
    invalid = [(case.id, run.error) for case in suite.cases for run in case.runs if run.error]
    shown = invalid if verbosity > 1 else invalid[:_INVALID]
    for case, error in shown:
        message = console.clean(f"{case}: {error.message.partition(chr(10))[0]}")
        shortened = clip_end(message, 3 * (console.width - 12), console.ellipsis)
        yield from map(line, console.wrap(shortened, indent=4, hanging=6))
    if len(invalid) > len(shown):
        yield line(f"    and {counted(len(invalid) - len(shown), 'more', 'more')}, see -vv or the report")


def cases_text(figures: Totals) -> str:
    """Return ``310 cases``, ``24 of 40 cases`` or ``40 cases in 120 runs``."""
    text = counted(figures.of, "case")
    if figures.cases != figures.of:
        text = f"{figures.cases:,} of {text}"
    return text if figures.runs == figures.cases else f"{text} in {counted(figures.runs, 'run')}"


def troubles(figures: Totals, *, judges_hint: str = "") -> list[str]:
    """Return what went wrong beside the scores: invalid outputs by kind, judges, repairs.

    *judges_hint* says where to read why judges failed.
    """
    found = []
    if figures.failures:
        kinds = (f"{number:,} {kind.value}" for kind, number in figures.failures.items())
        all_of_them = "; no output was valid" if not figures.validity else ""
        found.append(f"invalid: {', '.join(kinds)}{all_of_them}")
    if figures.judge_errors:
        found.append(f"judges failed: {counted(figures.judge_errors, 'time')}{judges_hint}")
    if figures.not_judged:
        found.append(f"not judged: {counted(figures.not_judged, 'leaf', 'leaves')}")
    if figures.repaired:
        found.append(f"needed lenient reading: {counted(figures.repaired, 'answer')}")
    return found


def effort_text(figures: Totals) -> str:
    """Return ``cost 0.0421  tokens 5,310  latency p50 840 ms, p95 2.1 s``, of what is known."""
    parts = []
    if figures.cost is not None:
        parts.append(f"cost {plain(figures.cost)}")
    if figures.tokens is not None:
        parts.append(f"tokens {figures.tokens:,}")
    if figures.p50 is not None and figures.p95 is not None:
        parts.append(f"latency p50 {seconds(figures.p50)}, p95 {seconds(figures.p95)}")
    return "  ".join(parts)


def _details(suite: SuiteResult, figures: Totals, console: Console) -> Iterator[Line]:
    texts = [f"an extractor that returns nothing would get: overall {percent(floor(suite))}"]
    if figures.defaults:
        texts.append(f"filled by schema defaults: {counted(figures.defaults, 'leaf', 'leaves')}")
    texts += [f"skipped: {case}: {reason}" for case, reason in suite.skipped.items()]
    runs = [(case.id, run) for case in suite.cases for run in case.runs]
    notes = [f"judge failed on {case}: {why}" for case, run in runs for why in run.judge_errors]
    notes += [f"note on {case}: {note}" for case, run in runs for note in run.notes]
    texts += notes[:_NOTES]
    if len(notes) > _NOTES:
        texts.append(f"and {counted(len(notes) - _NOTES, 'more note', 'more notes')}, see the report")
    for text in texts:
        yield from map(line, console.wrap(text, indent=2, hanging=4))
