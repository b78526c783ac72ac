"""Configured paths, and how far the way to a place has matched each of them (S4, S5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pytest_schemascore.documents.paths import Descendant, Wild
from pytest_schemascore.scoring.comparators.base import Comparator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.documents.paths import Segment, Step
    from pytest_schemascore.scoring.pairing.base import Pairing

Rank: TypeAlias = tuple[object, ...]
"""What makes one rule win over another; the greater one does."""


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """One configured path: what it was written as, and what it asks for there."""

    text: str
    segments: tuple[Segment, ...]
    rule: Comparator | Pairing | None = None
    weight: float | None = None

    @property
    def rank(self) -> Rank:
        """More names and indexes win, so an exact path does; then those further left; ``..`` comes last."""
        literal = tuple(isinstance(segment, (str, int)) for segment in self.segments)
        return not any(isinstance(s, Descendant) for s in self.segments), sum(literal), literal

    @property
    def comparator(self) -> Comparator | None:
        """The comparator it asks for, if it does."""
        return self.rule if isinstance(self.rule, Comparator) else None


State: TypeAlias = tuple[Pattern, int]
"""A pattern, and how many of its segments the way to a place has matched."""


def advance(states: Iterable[State], step: Step | None) -> tuple[State, ...]:
    """Return the states after *step*; None is a list item of no particular index."""
    return tuple(dict.fromkeys(_advance(states, step)))


def _advance(states: Iterable[State], step: Step | None) -> Iterator[State]:
    for pattern, k in states:
        if k == len(pattern.segments):
            continue
        segment = pattern.segments[k]
        match segment:
            case Wild.ITEM:
                hit = not isinstance(step, str)
            case Wild.KEY:
                hit = isinstance(step, str)
            case Descendant(name):
                hit = step == name
                yield pattern, k
            case _:
                hit = step == segment
        if hit:
            yield pattern, k + 1


def next_segments(states: Iterable[State]) -> Iterator[Segment]:
    """Yield what the patterns ask for right below a place."""
    return (pattern.segments[k] for pattern, k in states if k < len(pattern.segments))
