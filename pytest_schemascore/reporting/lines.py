"""Lines of text with names of markup: what a terminal is given to write, without knowing one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Markup: TypeAlias = Literal["red", "green", "yellow", "bold"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a line; *markup* only supports what the text says."""

    text: str
    markup: tuple[Markup, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output, without its newline."""

    segments: tuple[Segment, ...] = ()

    @property
    def text(self) -> str:
        """The line without markup."""
        return "".join(segment.text for segment in self.segments)


def line(text: str = "", *markup: Markup) -> Line:
    """Return a line of one piece; an empty one where there is no text."""
    return Line((Segment(text, markup),) if text else ())
