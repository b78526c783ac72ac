"""The shape of a run's times and costs, as the geometry of a small plot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting.totals import percentiles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH: Final = 360
HEIGHT: Final = 120
_MOST_BINS: Final = 24
_LONG_TAIL: Final = 20
"""From this ratio of largest to median on bins are even in the logarithm: else there would be one bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bin: its box in units of the plot, and what it says."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled place on the axis."""

    x: float
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """A plot and its words: `summary` says all that the picture does to who can't see it."""

    title: str
    summary: str
    bars: tuple[Bar, ...]
    median: Mark
    p95: Mark
    ends: tuple[str, str]
    logarithmic: bool


def histogram(title: str, values: Sequence[float], show: Callable[[float], str]) -> Histogram | None:
    """Return the distribution of *values* (at least one, none negative); None where there are none."""
    if not values:
        return None
    ordered = sorted(values)
    low, high = ordered[0], ordered[-1]
    median, p95 = (low if value is None else value for value in percentiles(ordered))
    logarithmic = low > 0 and high > _LONG_TAIL * median
    place = _scale(low, high, logarithmic)
    summary = (
        f"{len(ordered):,} runs, from {show(low)} to {show(high)};"
        f" half take at most {show(median)}, 95 % at most {show(p95)}."
    )
    return Histogram(
        title,
        summary,
        _bars(ordered, place, show),
        _mark(place(median), f"p50 {show(median)}"),
        _mark(place(p95), f"p95 {show(p95)}"),
        (show(low), show(high)),
        logarithmic,
    )


def _scale(low: float, high: float, logarithmic: bool) -> Callable[[float], float]:
    """Return the map from a value to its place in [0, 1]."""
    if high <= low:
        return lambda _: 0.5
    if logarithmic:
        return lambda value: math.log(value / low) / math.log(high / low)
    return lambda value: (value - low) / (high - low)


def _bars(
    ordered: Sequence[float], place: Callable[[float], float], show: Callable[[float], str]
) -> tuple[Bar, ...]:
    bins = min(_MOST_BINS, max(1, math.ceil(2 * len(ordered) ** (1 / 3))))  # Rice's rule
    groups: list[list[float]] = [[] for _ in range(bins)]
    for value in ordered:
        groups[min(int(place(value) * bins), bins - 1)].append(value)
    tallest = max(map(len, groups))
    step = WIDTH / bins
    return tuple(
        Bar(
            round(i * step + 1, 2),
            round(HEIGHT * (1 - len(group) / tallest), 2),
            round(step - 2, 2),
            round(HEIGHT * len(group) / tallest, 2),
            f"{show(group[0])} to {show(group[-1])}: {len(group):,}",
        )
        for i, group in enumerate(groups)
        if group
    )


def _mark(share: float, text: str) -> Mark:
    return Mark(round(share * WIDTH, 2), text, "start" if share < 0.7 else "end")
