"""What the benchmarks print: rows of figures, and each budget as met or missed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADINGS = ("work", "who", "size", "seconds", "per second", "to ours", "peak MB", "figure")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: *items* is how many records or lines the seconds were for; ours: our seconds an item."""

    work: str
    who: str
    size: str
    items: int
    seconds: float
    megabytes: float | None = None
    ours: float | None = None
    figure: float | None = None

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        ratio = self.seconds / self.items / self.ours if self.ours else None
        return (
            self.work,
            self.who,
            self.size,
            f"{self.seconds:.4f}",
            f"{self.items / self.seconds:,.0f}",
            "" if ratio is None else f"{ratio:.1f}x",
            "" if self.megabytes is None else f"{self.megabytes:.0f}",
            "" if self.figure is None else f"{self.figure:.4f}",
        )


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget, and what was measured."""

    text: str
    measured: str
    met: bool


@dataclass(slots=True)
class Results:
    """Everything that was measured."""

    rows: list[Row] = field(default_factory=list)
    budgets: list[Budget] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the table, then the budgets."""
        yield from _aligned([HEADINGS, *(row.cells() for row in self.rows)])
        yield ""
        yield from self.notes
        yield ""
        yield from _aligned(
            [(("MISSED", "met")[budget.met], budget.text, budget.measured) for budget in self.budgets]
        )


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
