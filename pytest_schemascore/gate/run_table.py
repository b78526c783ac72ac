"""Both sides' runs of the compared cases as arrays, which is what the permutation test works on (G4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_schemascore.gate.metrics import Metric, Parts
    from pytest_schemascore.report.measured import CaseCounts, RunCounts


@dataclass(frozen=True, slots=True)
class RunTable:
    """One row a run: case by case, the runs from before first and those from after behind them.

    The cases with most runs come first and then go by id, so that the order they were given in changes
    nothing.

    Attributes:
        contributions, bases: of shape (runs, metrics), in leaves, see `Metric`; contributions have the sign
            that makes a smaller sum the worse one.
        before_runs, after_runs: of shape (cases,), how many runs each side has of a case; at least one.
    """

    contributions: NDArray[np.float64]
    bases: NDArray[np.float64]
    before_runs: NDArray[np.int64]
    after_runs: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many runs a case has on both sides together."""
        return self.before_runs + self.after_runs

    @property
    def starts(self) -> NDArray[np.int64]:
        """The row of each case's first run."""
        return np.cumsum(self.sizes) - self.sizes

    @property
    def is_after(self) -> NDArray[np.bool_]:
        """Which rows come from after."""
        place = np.arange(len(self.bases)) - np.repeat(self.starts, self.sizes)
        return np.asarray(place >= np.repeat(self.before_runs, self.sizes))

    def smallest_p(self) -> NDArray[np.float64]:
        """Return the smallest p each metric could reach had every case got worse, of shape (metrics,).

        One over the number of joint arrangements of the cases that have a base: 2^-n for n cases of one run
        each.
        """
        has_base = np.logical_or.reduceat(self.bases != 0, self.starts, axis=0)
        share = np.array(
            [1 / math.comb(n, k) for n, k in zip(self.sizes.tolist(), self.after_runs.tolist(), strict=True)]
        )
        return np.asarray(np.where(has_base, share[:, None], 1.0).prod(axis=0))


def tabulate(
    before: Sequence[CaseCounts], after: Sequence[CaseCounts], metrics: Sequence[Metric]
) -> RunTable:
    """Lay out the runs of paired cases: ``before[i]`` and ``after[i]`` are the same case.

    A metric of a tag counts the cases that carry it after.
    """
    pairs = sorted(
        zip(before, after, strict=True), key=lambda pair: (-len(pair[0].runs) - len(pair[1].runs), pair[1].id)
    )
    parts = np.array(_rows(pairs, metrics), dtype=np.float64).reshape(-1, len(metrics), 2)
    worse_when_smaller = np.array([-1.0 if metric.rises else 1.0 for metric in metrics])
    return RunTable(
        contributions=parts[:, :, 0] * worse_when_smaller,
        bases=parts[:, :, 1],
        before_runs=np.array([len(then.runs) for then, _ in pairs], dtype=np.int64),
        after_runs=np.array([len(now.runs) for _, now in pairs], dtype=np.int64),
    )


def _rows(
    pairs: Sequence[tuple[CaseCounts, CaseCounts]], metrics: Sequence[Metric]
) -> list[list[tuple[float, float]]]:
    """Return contribution and base of each run in each metric."""
    asked = [(metric.parts, metric.tag) for metric in metrics]
    rows = []
    for then, now in pairs:
        tags = now.tags
        after = [_row(run, asked, tags) for run in now.runs]
        # Most cases did not change, and then both sides' runs are the same objects.
        rows += after if then.runs is now.runs else [_row(run, asked, tags) for run in then.runs]
        rows += after
    return rows


def _row(
    run: RunCounts, asked: Sequence[tuple[Parts, str | None]], tags: tuple[str, ...]
) -> list[tuple[float, float]]:
    return [parts(run) if tag is None or tag in tags else (0.0, 0.0) for parts, tag in asked]
