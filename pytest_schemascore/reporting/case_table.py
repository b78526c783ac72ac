"""The section of a failing case: which leaves went wrong, what was expected, and which rule said so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.reporting.numbers import counted
from pytest_schemascore.reporting.values import value_pair
from pytest_schemascore.reporting.widths import Console, display_width, pad
from pytest_schemascore.scoring.outcomes import Outcome

if TYPE_CHECKING:
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.scoring.outcomes import Leaf

_HEADER: Final = ("path", "expected", "actual", "score", "outcome", "rule")
_GAP: Final = "  "
_INDEX: Final = re.compile(r"(?<=\[)(\d+)(?=\])")
_SHORTEST: Final = 8
_LIMIT: Final = 50
_EXCERPT: Final = 300
_MESSAGE: Final = 2_000
_WIDTH: Final = 80
_PATH, _EXPECTED, _ACTUAL, _SCORE, _OUTCOME, _RULE = range(len(_HEADER))
_TEXTS: Final = (_PATH, _EXPECTED, _ACTUAL, _RULE)


def case_table(run: RunResult) -> list[str]:
    """Return lines that show what went wrong in *run*, in 80 columns.

    Above the table stand the error of an invalid output, judges that failed and notes. The table holds the
    leaves that aren't right, at most fifty.
    """
    console = Console(_WIDTH)
    lines = []
    if run.error is not None:
        lines += console.wrap(f"invalid ({run.error.kind.value}): {run.error.message[:_MESSAGE]}", hanging=2)
        if isinstance(run.output, str) and run.output.strip():
            text = run.output[:_EXCERPT] + ("…" if len(run.output) > _EXCERPT else "")
            lines += console.wrap(f"output: {text}", hanging=2)
    for message in run.judge_errors:
        lines += console.wrap(f"judge failed: {message}", hanging=2)
    for note in run.notes:
        lines += console.wrap(f"note: {note}", hanging=2)
    wrong = [leaf for leaf in run.leaves if leaf.outcome is not Outcome.CORRECT]
    lines += _table(wrong[:_LIMIT], console)
    if len(wrong) > _LIMIT:
        lines.append(f"and {counted(len(wrong) - _LIMIT, 'more leaf', 'more leaves')}, see the report")
    right = len(run.leaves) - len(wrong)
    if right:
        lines.append(f"{counted(right, 'leaf', 'leaves')} correct")
    return lines


def _table(leaves: list[Leaf], console: Console) -> list[str]:
    if not leaves:
        return []
    rows = [_cells(leaf, console) for leaf in leaves]
    widths = _fitted([_HEADER, *rows], console.width - len(_GAP) * (len(_HEADER) - 1))
    rows = [_with_values(row, leaf, widths, console) for row, leaf in zip(rows, leaves, strict=True)]
    return [_line(row, widths, console) for row in (_HEADER, *rows)]


def _cells(leaf: Leaf, console: Console) -> tuple[str, ...]:
    expected, actual = value_pair(leaf.expected, leaf.actual, console, console.width)
    score = "" if leaf.score is None else f"{leaf.score:.2f}"
    return (
        console.clean(_where(leaf)),
        expected,
        actual,
        score,
        leaf.outcome.value,
        console.clean(leaf.rule),
    )


def _where(leaf: Leaf) -> str:
    """Return the label's path, ``items[1→0].sku`` where its list item is paired with one at another place."""
    if leaf.actual is ABSENT or leaf.actual_path == leaf.path:
        return leaf.path
    here, there = _INDEX.split(leaf.path), _INDEX.split(leaf.actual_path)
    if len(here) != len(there):
        return f"{leaf.path} (at {leaf.actual_path})"
    return "".join(a if a == b else f"{a}→{b}" for a, b in zip(here, there, strict=True))


def _fitted(rows: list[tuple[str, ...]], room: int) -> list[int]:
    """Return column widths that fit *room*: values give way first, then the rule, then the path."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for columns, least in (((_EXPECTED, _ACTUAL), 16), ((_RULE,), 12), ((_PATH,), 16), (_TEXTS, _SHORTEST)):
        while sum(widths) > room:
            widest = max(columns, key=lambda column: widths[column])
            if widths[widest] <= least:
                break
            widths[widest] -= 1
    return widths


def _with_values(row: tuple[str, ...], leaf: Leaf, widths: list[int], console: Console) -> tuple[str, ...]:
    """Cut the two values to their columns anew, so that their difference stays in sight."""
    narrow = min(widths[_EXPECTED], widths[_ACTUAL])
    if display_width(row[_EXPECTED]) <= widths[_EXPECTED] and display_width(row[_ACTUAL]) <= widths[_ACTUAL]:
        return row
    expected, actual = value_pair(leaf.expected, leaf.actual, console, narrow)
    return (row[_PATH], expected, actual, *row[_SCORE:])


def _line(row: tuple[str, ...], widths: list[int], console: Console) -> str:
    cells = (
        pad(console.clip(cell, width), width, right=column == _SCORE)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return _GAP.join(cells).rstrip()
