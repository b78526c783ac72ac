"""What a soak program found."""

from __future__ import annotations

from typing import NamedTuple


class Figures(NamedTuple):
    """One line of the table.

    Attributes:
        program: its name.
        injected: faults that were injected, or hostile examples that were tried.
        survived: how many of them ended as they should.
        lost: what should not have been lost: outputs paid for, or cases counted wrongly.
        problems: what went wrong, a line each.
    """

    program: str
    injected: int
    survived: int
    lost: int
    problems: tuple[str, ...] = ()
