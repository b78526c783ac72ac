"""What changed in a suite, in the terminal: one line a metric under its status, then the names of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.status import FAILING, Status
from pytest_schemascore.reporting.change_rows import INDENT, ChangeRows
from pytest_schemascore.reporting.evidence import fine_print, grounds, names
from pytest_schemascore.reporting.lines import Line, line
from pytest_schemascore.reporting.numbers import counted
from pytest_schemascore.reporting.suite_facts import fact_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_schemascore.gate.diff import Change, SuiteDiff
    from pytest_schemascore.reporting.lines import Markup
    from pytest_schemascore.reporting.widths import Console

_ORDER: Final = (
    Status.REGRESSED,
    Status.VANISHED,
    Status.BELOW_FLOOR,
    Status.WITHIN_NOISE,
    Status.TOLERATED,
    Status.IMPROVED,
    Status.NEW,
)
_NAMES: Final = 8
_ROWS: Final = 10


def suite_diff_lines(suite: SuiteDiff, console: Console, verbosity: int) -> Iterator[Line]:
    """Yield what fails *suite*, its changes by status, and what else a reader should know."""
    for problem in suite.problems:
        for text in console.wrap(f"problem: {problem}", indent=2, hanging=4):
            yield line(text, "red", "bold")
    groups = [(status, [c for c in suite.changes if c.status is status]) for status in _ORDER]
    shown = [change for _, changes in groups for change in changes]
    if shown:
        rows = ChangeRows.fitting(shown, console)
        for status, changes in groups:
            if changes:
                yield from _group(status, changes, rows, suite.alpha, verbosity)
    elif suite.compared:
        yield line("  no metric changed")
    yield from _swapped(suite, console, verbosity)
    yield from fact_lines(suite, console, verbosity)


def _group(
    status: Status, changes: Sequence[Change], rows: ChangeRows, alpha: float | None, verbosity: int
) -> Iterator[Line]:
    yield line(f"  {status.value}", *_markup(status), "bold")
    shown = changes if status in FAILING or verbosity > 0 else changes[:_ROWS]
    for change in shown:
        for text in rows.lines(change):
            yield line(text, *_markup(status))
        for text in _below(change, alpha, verbosity):
            yield from map(line, rows.console.wrap(text, indent=INDENT + 2, hanging=INDENT + 4))
    if len(shown) < len(changes):
        yield line(f"{' ' * INDENT}and {len(changes) - len(shown):,} more, shown with -v")


def _markup(status: Status) -> tuple[Markup, ...]:
    if status in FAILING:
        return ("red",)
    return ("green",) if status is Status.IMPROVED else ()


def _below(change: Change, alpha: float | None, verbosity: int) -> Iterator[str]:
    if change.reason and (verbosity > 0 or change.change is None):
        yield change.reason
    if verbosity > 0 and (text := fine_print(change, alpha)):
        yield text
    limit = None if verbosity > 1 else _NAMES
    if change.lost:
        yield f"lost: {names(change.lost, limit)}"
    if change.gained and verbosity > 0:
        yield f"gained: {names(change.gained, limit)}"


def _swapped(suite: SuiteDiff, console: Console, verbosity: int) -> Iterator[Line]:
    """Name metrics that stayed equal only because losses and gains cancel out."""
    swapped = [c for c in suite.changes if c.status is Status.UNCHANGED and (c.lost or c.gained)]
    if not swapped:
        return
    yield line(f"  unchanged, though cases differ: {counted(len(swapped), 'metric')}")
    if verbosity > 0:
        for change in swapped:
            text = f"{change.metric}  ({grounds(change)})"
            yield from map(line, console.wrap(text, indent=INDENT, hanging=INDENT + 2))
            for below in _below(change, suite.alpha, verbosity):
                yield from map(line, console.wrap(below, indent=INDENT + 2, hanging=INDENT + 4))
