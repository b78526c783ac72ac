"""The report as Markdown, for a pull request or a CI job's summary: verdict, changes, cases, suites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.status import Status
from pytest_schemascore.report.examples import worst_examples
from pytest_schemascore.report.metrics import field_metrics
from pytest_schemascore.reporting.evidence import before_after, difference
from pytest_schemascore.reporting.markdown_text import code, codes, cut, escape, table
from pytest_schemascore.reporting.numbers import p_value, percent, plain, seconds
from pytest_schemascore.reporting.suite_facts import facts
from pytest_schemascore.reporting.suite_lines import cases_text, troubles
from pytest_schemascore.reporting.totals import totals
from pytest_schemascore.reporting.values import value_pair
from pytest_schemascore.reporting.verdict_text import headline
from pytest_schemascore.reporting.widths import Console

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_schemascore.gate.diff import Change, Diff, SuiteDiff
    from pytest_schemascore.report.report import Report
    from pytest_schemascore.report.results import SuiteResult

STEP_SUMMARY_LIMIT: Final = 1024 * 1024
"""Bytes that GitHub takes of one step's summary; a larger one is not shown at all."""

_NAMES: Final = 20
_VALUE: Final = 60
_NOTE: Final = "_Cut to fit: the report file holds the rest._"


def render_markdown(report: Report, diff: Diff | None, *, limit: int = 1_000_000) -> str:
    """Return the report in at most *limit* bytes of UTF-8, the most important first."""
    return cut(_lines(report, diff), limit, _NOTE)


def append_step_summary(path: Path, text: str, *, limit: int = STEP_SUMMARY_LIMIT) -> None:
    """Append *text* to the summary file that CI named, cut so that the file stays within *limit* bytes.

    Raises:
        OSError: the file can't be written.
    """
    taken = path.stat().st_size if path.exists() else 0
    room = limit - taken - 1
    if room <= len(_NOTE) + 2:
        return
    # Appending, not replacing: other programs of the same step write to this file too.
    with path.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(("\n" if taken else "") + cut(text.split("\n"), room, _NOTE))


def _lines(report: Report, diff: Diff | None) -> Iterator[str]:
    yield from (f"## {escape(headline(report, diff))}", "")
    yield from _problems(diff)
    if diff is not None:
        yield from _changes(diff)
        yield from _cases(diff)
    yield from ("### Suites", "")
    yield from _suites(report)
    for suite in diff.suites if diff else ():
        yield from _facts(suite)
    for result in report.suites.values():
        yield from _fields(result)


def _problems(diff: Diff | None) -> Iterator[str]:
    if diff is None:
        return
    found = [escape(problem) for problem in diff.problems]
    found += [f"{code(suite.key)}: {escape(problem)}" for suite in diff.suites for problem in suite.problems]
    for title, keys in (
        ("New, not in the baseline", diff.new_suites),
        ("Gone, only in the baseline", diff.gone_suites),
        ("Not run", diff.not_run_suites),
    ):
        if keys:
            found.append(f"{title}: {codes(keys, _NAMES)}")
    if found:
        yield from (*(f"- {text}" for text in found), "")


def _changes(diff: Diff) -> Iterator[str]:
    changed = [c for c in _by_status(diff) if c.status is not Status.UNCHANGED]
    if not changed:
        return
    yield from ("### Changed metrics", "")
    several = len(diff.suites) > 1
    header = ["metric", "status", ">before", ">after", ">change", ">lost", ">gained", ">p"]
    yield from table(
        (["suite"] if several else []) + header,
        (([code(c.suite)] if several else []) + _change_cells(c) for c in changed),
    )


def _by_status(diff: Diff) -> list[Change]:
    """Return the changes that fail first, otherwise in the order of the suites."""
    return sorted(diff.changes, key=lambda change: not change.failing)


def _change_cells(change: Change) -> list[str]:
    p = change.p_value if change.p_adjusted is None else change.p_adjusted
    status = f"**{change.status.value}**" if change.failing else change.status.value
    if change.status is Status.BELOW_FLOOR:
        status += f" of {percent(change.floor)}"
    numbers = (
        str(len(change.lost)),
        str(len(change.gained)),
        "" if p is None else p_value(p)[2:].strip("= "),
    )
    return [code(change.metric), status, *before_after(change), difference(change), *numbers]


def _cases(diff: Diff) -> Iterator[str]:
    rows = [
        [code(c.metric), codes(c.lost, _NAMES), codes(c.gained, _NAMES)]
        for c in _by_status(diff)
        if c.lost or c.gained
    ]
    if rows:
        yield from ("### Lost and gained cases", "")
        yield from table(("metric", "lost", "gained"), rows)


def _suites(report: Report) -> Iterator[str]:
    rows = []
    for suite in report.suites.values():
        t = totals(suite)
        latency = "" if t.p50 is None or t.p95 is None else f"{seconds(t.p50)} / {seconds(t.p95)}"
        cost = "" if t.cost is None else plain(t.cost)
        tokens = "" if t.tokens is None else f"{t.tokens:,}"
        figures = (cases_text(t), percent(t.validity), percent(t.overall))
        wrong = "; ".join(map(escape, troubles(t)))
        rows.append((code(suite.key), *figures, wrong, cost, tokens, latency))
    header = ("suite", "cases", ">validity", ">overall", "troubles", ">cost", ">tokens", ">latency p50 / p95")
    yield from table(header, rows)


def _facts(suite: SuiteDiff) -> Iterator[str]:
    found = [f"- {escape(fact)}" for fact in facts(suite, limit=_NAMES)]
    if found:
        yield from (f"{code(suite.key)}:", "", *found, "")


def _fields(suite: SuiteResult) -> Iterator[str]:
    examples = worst_examples(suite)
    console = Console()
    rows = []
    for name, field in field_metrics(suite).items():
        c = field.counts
        numbers = (c.labelled, c.correct, c.wrong, c.missing, c.invented, c.extra, c.not_judged)
        worst = []
        for example in examples.get(name, ()):
            pair = value_pair(example.leaf.expected, example.leaf.actual, console, _VALUE)
            worst.append(f"{code(example.case)}: {code(pair[0])} got {code(pair[1])}")
        rule = code(field.rule.rule) if field.rule else ""
        rows.append([code(name), percent(field.accuracy), *map(str, numbers), rule, "<br>".join(worst)])
    if rows:
        yield from (f"### Fields of {code(suite.key)}", "")
        outcomes = (">correct", ">wrong", ">missing", ">invented", ">extra", ">not judged")
        yield from table(("field", ">accuracy", ">labelled", *outcomes, "rule", "worst examples"), rows)
