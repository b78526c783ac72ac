"""Holding the error of many metrics at once: step-down max-T within a suite, Sidak over suites (G4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def step_down(
    observed: NDArray[np.float64],
    arranged: NDArray[np.float64],
    share: Callable[[NDArray[np.int64]], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Return the adjusted p-values of Westfall and Young (1993), free step-down max-T.

    From the largest observed statistic down, each is held against the maximum over itself and the smaller
    ones; a p-value is never below the one before it.

    Args:
        observed: of shape (metrics,), large is bad; what counts as equal is already taken off.
        arranged: of shape (arrangements, metrics).
        share: turns counts of arrangements into p-values.
    """
    order = np.argsort(-observed, kind="stable")
    maxima = np.maximum.accumulate(arranged[:, order[::-1]], axis=1)[:, ::-1]
    hits = (maxima >= observed[order]).sum(axis=0)
    adjusted = np.empty_like(observed)
    adjusted[order] = np.maximum.accumulate(share(hits))
    return adjusted


def over_suites(p: float, suites: int) -> float:
    """Return the Sidak-adjusted *p* of one of *suites* suites that are tested in one run."""
    return p if suites == 1 else 1.0 - (1.0 - p) ** suites


def level_of_one(alpha: float, suites: int) -> float:
    """Return the level of one of *suites* suites that together keep *alpha*."""
    return alpha if suites == 1 else 1.0 - (1.0 - alpha) ** (1.0 / suites)
