"""Change lines in columns: name, before, after, difference, evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting.evidence import before_after, difference, grounds
from pytest_schemascore.reporting.widths import display_width, pad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.gate.diff import Change
    from pytest_schemascore.reporting.widths import Console

INDENT: Final = 4
_NARROWEST_NAME: Final = 12
_GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class ChangeRows:
    """The columns that all change lines of a suite share, in columns of the terminal."""

    console: Console
    name: int
    before: int
    after: int
    difference: int

    @classmethod
    def fitting(cls, changes: Sequence[Change], console: Console) -> ChangeRows:
        """Return the columns for *changes* (at least one); names give way to figures and evidence."""
        rows = [_cells(change, console) for change in changes]
        name, before, after, delta, evidence = (
            max(map(display_width, column)) for column in zip(*rows, strict=True)
        )
        taken = INDENT + before + display_width(_arrow(console)) + after + delta + 3 * len(_GAP)
        room = console.width - taken - min(evidence, console.width // 2)
        return cls(console, min(name, max(_NARROWEST_NAME, room)), before, after, delta)

    def lines(self, change: Change) -> list[str]:
        """Return the change's line, or its lines where name or evidence don't fit beside the figures."""
        console = self.console
        name, before, after, delta, evidence = _cells(change, console)
        lines = []
        if display_width(name) > self.name:
            lines.append(" " * INDENT + console.clip(name, console.width - INDENT))
            name = ""
        figures = pad(before, self.before, right=True) + _arrow(console) + pad(after, self.after, right=True)
        columns = (" " * INDENT + pad(name, self.name), figures, pad(delta, self.difference, right=True))
        row = _GAP.join(columns).rstrip()
        if evidence and display_width(row + _GAP + evidence) > console.width:
            return [*lines, row, *console.wrap(evidence, indent=INDENT + 2)]
        return [*lines, f"{row}{_GAP}{evidence}" if evidence else row]


def _arrow(console: Console) -> str:
    return console.clean(" → ")


def _cells(change: Change, console: Console) -> tuple[str, str, str, str, str]:
    before, after = before_after(change)
    evidence = grounds(change)
    return (
        console.clean(change.metric),
        console.clean(before),
        console.clean(after),
        console.clean(difference(change)),
        console.clean(f"({evidence})") if evidence else "",
    )
