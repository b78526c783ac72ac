"""The gate's verdict in words: one line, one reason, and the short text of the failing test entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.gate.status import Status
from pytest_schemascore.reporting.evidence import arrow, difference, grounds, names, worst_first
from pytest_schemascore.reporting.numbers import counted, percent, points
from pytest_schemascore.reporting.widths import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.gate.diff import Change, Diff, Power, SuiteDiff
    from pytest_schemascore.report.report import Report

_REASONS = 3
_NAMES = 10


def headline(report: Report, diff: Diff | None) -> str:
    """Return the last word on a run: interrupted, not compared, or the gate's verdict."""
    if report.interrupted:
        finished = sum(len(suite.cases) for suite in report.suites.values())
        of = sum(suite.of for suite in report.suites.values())
        return f"schemascore: interrupted: {finished:,} of {of:,} finished; not compared"
    return "schemascore: not compared, no baseline was named" if diff is None else verdict_line(diff)


def verdict_line(diff: Diff) -> str:
    """Return ``schemascore: 2 regressions against baseline.json`` or ``schemascore: gate passed ...``."""
    against = f" against {printable(diff.baseline)}" if diff.baseline else ""
    if not diff.ok:
        return f"schemascore: {_what_failed(diff)}{against}"
    compared = sum(suite.compared for suite in diff.suites)
    parts = [f"{counted(compared, 'case')} compared"] if diff.baseline else []
    for status in (Status.WITHIN_NOISE, Status.TOLERATED):
        number = _number(diff, status)
        if number:
            parts.append(f"{counted(number, 'drop')} {status.value}")
    improved = _number(diff, Status.IMPROVED)
    if improved:
        parts.append(counted(improved, "improvement"))
    return f"schemascore: gate passed{against}" + (f" ({', '.join(parts)})" if parts else "")


def verdict_text(diff: Diff) -> str:
    """Return the short text of the gate's failing test entry: the reason first, then each failing metric.

    The worst of a suite come with their reasons and lost cases, the others with a line each.
    For an entry a suite, hand over ``dataclasses.replace(diff, suites=(suite,))``.
    """
    failing = [suite for suite in diff.suites if not suite.ok]
    only = failing[0] if len(failing) == 1 and not diff.problems else None
    lines = [short_reason(only) if only else verdict_line(diff).removeprefix("schemascore: ")]
    lines += map(printable, diff.problems)
    for suite in failing:
        lines += ["", printable(suite.key), *(f"  {line}" for line in _suite_lines(suite))]
    return "\n".join(lines)


def short_reason(suite: SuiteDiff) -> str:
    """Return why *suite* fails in one line, for pytest's short summary; fields come first, worst first."""
    reasons = [*map(printable, suite.problems), *map(_in_short, worst_first(_failing(suite)))]
    shown = ", ".join(reasons[:_REASONS])
    return f"{shown} and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else shown


def power_sentence(power: Power) -> str:
    """Return what a suite could not have seen (G6); nothing where that can't be said."""
    if power.smallest_drop is None and not power.more_cases:
        return ""
    drop = "any drop"
    if power.smallest_drop is not None:
        drop = f"a drop under {points(power.smallest_drop).removeprefix('+').removesuffix(' pts')} points"
    sentence = f"could not have seen {drop}"
    if power.supposed_alpha is not None:
        sentence = f"at alpha {power.supposed_alpha:g}, could not have told {drop} from noise"
    if power.more_cases:
        sentence += f"; {counted(power.more_cases, 'more case', 'more cases')} would show 5 points"
    return sentence


def _what_failed(diff: Diff) -> str:
    regressed = _number(diff, Status.REGRESSED) + _number(diff, Status.VANISHED)
    below = _number(diff, Status.BELOW_FLOOR)
    problems = len(diff.problems) + sum(len(suite.problems) for suite in diff.suites)
    parts = [counted(regressed, "regression")] if regressed else []
    if below:
        parts.append(f"{counted(below, 'value')} below {'its' if below == 1 else 'their'} floor")
    if problems:
        parts.append(counted(problems, "problem"))
    return ", ".join(parts)


def _number(diff: Diff, status: Status) -> int:
    return sum(change.status is status for change in diff.changes)


def _failing(suite: SuiteDiff) -> list[Change]:
    return [change for change in suite.changes if change.failing]


def _in_short(change: Change) -> str:
    metric = printable(change.metric)
    if change.status is Status.VANISHED:
        return f"{metric} vanished"
    if change.status is Status.BELOW_FLOOR:
        return f"{metric} {percent(change.after)} below its floor of {percent(change.floor)}"
    return f"{metric} {arrow(change)} ({difference(change)})"


def _suite_lines(suite: SuiteDiff) -> Iterator[str]:
    yield from map(printable, suite.problems)
    for number, change in enumerate(worst_first(_failing(suite))):
        evidence = grounds(change)
        pieces = (printable(change.metric), arrow(change), difference(change), evidence and f"({evidence})")
        # Each is named: with -q, and in JUnit, nothing else names it.
        yield "  ".join(filter(None, pieces))
        if number < _NAMES and change.reason:
            yield f"  {printable(change.reason)}"
        if number < _NAMES and change.lost:
            yield f"  lost: {names([printable(id_) for id_ in change.lost], _NAMES)}"
