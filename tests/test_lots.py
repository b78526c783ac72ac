"""Cases that are alike and tossed together: the chances are those of tossing each (G4)."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from pytest_schemascore.gate import arrangements, lots
from pytest_schemascore.gate.evidence import judge_suite
from pytest_schemascore.gate.metrics import field_metrics, suite_metrics
from tests.gate_cases import case_of, run_of, single_leaf

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Given(np.random.PCG64):
    """A generator of given numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    def random_raw(self, size: int | None = None) -> list[int]:  # type: ignore[override]  # less general
        """Return them all."""
        assert size == len(self.numbers)
        return list(self.numbers)


@given(st.integers(1, 64), st.integers(0, 2**64 - 1))
def test_heads_invert_the_exact_distribution(coins: int, number: int) -> None:
    """A number as a share of 2^64 falls between the chance of fewer heads and that of as many."""
    (heads,) = lots.toss_together(Given(number), coins, 1).tolist()
    ways = [math.comb(coins, k) for k in range(coins + 1)]
    fewer, as_many = sum(ways[:heads]), sum(ways[: heads + 1])
    share, whole, least = Fraction(number, 2**64), 2**coins, Fraction(1, 2**62)
    assert Fraction(fewer, whole) - least <= share < Fraction(as_many, whole) + least


@pytest.mark.parametrize("coins", [1, 2, 17, 1_000, 100_000])
def test_heads_of_all_numbers_of_coins_have_binomial_chances(coins: int) -> None:
    """20,000 tosses fit the binomial distribution in 20 bins (chi square, 1 in 1,000)."""
    found = lots.toss_together(np.random.PCG64(5), coins, 20_000)
    ends = np.unique(binom.ppf(np.arange(1, 20) / 20, coins, 0.5))
    bins = np.searchsorted(ends, found, side="left")
    shares = np.diff(binom.cdf(ends, coins, 0.5), prepend=0.0, append=1.0)
    counts = np.bincount(bins, minlength=len(shares))
    kept = shares > 0
    assert chisquare(counts[kept], 20_000 * shares[kept]).pvalue > 0.001
    assert counts[~kept].sum() == 0


def test_extreme_numbers_are_within_reach() -> None:
    """The smallest and the largest number give heads that some coins can show, however many there are."""
    for coins in (1, 3, 50, 64, 65, 5_000):
        low, high = lots.toss_together(Given(0, 2**64 - 1), coins, 2).tolist()
        assert 0 <= low <= coins // 2 <= high <= coins


@given(st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0]), min_size=1, max_size=90))
@example([0.5] * 15 + [0.0, -0.0] * 8 + [1.0] * 40)
def test_lots_hold_equal_rows_and_enough_of_them(values: list[float]) -> None:
    """Each lot is all places of one row; rows that are too few to be worth it are in none."""
    rows = np.array([[value, value * 2] for value in values]).reshape(-1, 2)
    found = lots.lots_of(rows)
    expected = {
        value: [place for place, other in enumerate(values) if other == value] for value in set(values)
    }
    assert sorted(lot.tolist() for lot in found) == sorted(
        places for places in expected.values() if len(places) >= lots.LEAST
    )


def test_evidence_with_lots_is_that_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether cases are tossed together or one by one shows in no figure beyond the chance of the draw."""
    rng = random.Random(4)
    before, after = [], []
    for place in range(400):
        total, lost = rng.choice([2, 3]), rng.random()
        right = total - (lost < 0.06) + (lost > 0.94)
        before.append(case_of(f"{place:03}", [run_of(min(2, total), total)]))
        after.append(case_of(f"{place:03}", [run_of(min(right, total), total, extra=int(lost < 0.02))]))
    metrics = [*suite_metrics()[:3], *field_metrics("total")]
    together = judge_suite(before, after, metrics, [0.01] * 5, suites=1, alpha=0.05).metrics
    monkeypatch.setattr(arrangements, "lots_of", lambda rows: [])  # noqa: ARG005 - as if none were alike
    apart = judge_suite(before, after, metrics, [0.01] * 5, suites=1, alpha=0.05).metrics
    assert any(evidence.interval is not None for evidence in together)
    for one, other in zip(together, apart, strict=True):
        assert (one.p_value is None, one.interval is None) == (other.p_value is None, other.interval is None)
        for share, same in ((one.p_value, other.p_value), (one.p_adjusted, other.p_adjusted)):
            if share is not None and same is not None:
                # Both are drawn: four standard deviations of their difference.
                assert abs(share - same) <= 4 * math.sqrt(2 * max(same * (1 - same), 1e-4) / 10_000)
        if one.interval is not None and other.interval is not None:
            assert one.interval == pytest.approx(other.interval, abs=0.002)


def test_cases_with_repeats_are_in_no_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lot is of cases with one run on each side: three runs a side have more than two arrangements."""
    asked: list[int] = []

    def none(rows: NDArray[np.float64]) -> list[NDArray[np.int64]]:
        asked.append(len(rows))
        return []

    monkeypatch.setattr(arrangements, "lots_of", none)
    same, other = [[1, 1, 1]] * 50, [[1, 1, 0]] * 3
    before = single_leaf([*same, *other, *[[1]] * 20])
    after = single_leaf([*same, *same[:3], *[[1]] * 20])
    judge_suite(before, after, suite_metrics()[:1], [0.0], suites=1, alpha=0.05)
    assert asked == [20]
