"""Cases that are alike and whose labels are drawn together: the chances are those of drawing each (G4)."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from pytest_schemascore.gate import arrangements
from pytest_schemascore.gate.changes import changes_of
from pytest_schemascore.gate.evidence import judge_suite
from pytest_schemascore.gate.lots import LEAST, Lot, lots_of
from pytest_schemascore.gate.metrics import field_metrics, suite_metrics
from pytest_schemascore.gate.run_table import tabulate
from tests.gate_cases import case_of, run_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.gate.changes import Changes
    from pytest_schemascore.report.measured import CaseCounts

KINDS = st.tuples(st.integers(1, 5), st.integers(1, 5))


class Given(np.random.PCG64):
    """A generator of given numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    def random_raw(self, size: int | None = None) -> list[int]:  # type: ignore[override]  # one form
        """Return them all."""
        assert size == len(self.numbers)
        return list(self.numbers)


def lot(cases: int, before: int, after: int) -> Lot:
    """Return a lot of so many cases of one kind."""
    return Lot(np.arange(cases), before, after)


def ways_of(cases: int, before: int, after: int) -> list[int]:
    """Count the arrangements in which 0, 1, 2, ... runs from before stand for after, case by case."""
    ways = [1]
    one = [math.comb(before, k) * math.comb(after, after - k) for k in range(min(before, after) + 1)]
    for _ in range(cases):
        ways = [
            sum(ways[total - k] * one[k] for k in range(len(one)) if 0 <= total - k < len(ways))
            for total in range(len(ways) + len(one) - 1)
        ]
    return ways


@settings(deadline=None)
@given(st.sampled_from([1, 2, 4, 8, 32]), KINDS, st.integers(0, 2**64 - 1))
def test_a_number_inverts_the_exact_distribution(cases: int, kind: tuple[int, int], number: int) -> None:
    """A number as a share of 2^64 falls between the chance of a smaller sum and that of one as large."""
    (found,) = lot(cases, *kind).draw(Given(number), 1).tolist()
    ways = ways_of(cases, *kind)
    smaller, as_large = sum(ways[:found]), sum(ways[: found + 1])
    share, whole, least = Fraction(number, 2**64), sum(ways), Fraction(1, 2**63)
    assert Fraction(smaller, whole) - least <= share < Fraction(as_large, whole) + least


def test_a_number_at_the_bar_is_above_it() -> None:
    """The lower half of all numbers is one side of a coin, the upper half the other."""
    assert lot(1, 1, 1).draw(Given(0, 2**63 - 1, 2**63, 2**64 - 1), 4).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(("cases", "kind"), [(37, (1, 1)), (37, (3, 3)), (50, (1, 4)), (63, (4, 2))])
def test_lots_of_any_size_have_their_chances(cases: int, kind: tuple[int, int]) -> None:
    """20,000 draws fit the counted distribution (chi square, 1 in 1,000)."""
    ways = ways_of(cases, *kind)
    counts = np.bincount(lot(cases, *kind).draw(np.random.PCG64(5), 20_000), minlength=len(ways))
    expected = np.array([20_000 * Fraction(way, sum(ways)) for way in ways], dtype=float)
    usual = expected > 5
    table = [(counts[usual], expected[usual]), (counts[~usual].sum(), expected[~usual].sum())]
    found, asked = (np.hstack([part[side] for part in table]) for side in (0, 1))
    assert chisquare(found, asked).pvalue > 0.001


@pytest.mark.parametrize("cases", [1_000, 99_999])
def test_large_lots_have_binomial_chances(cases: int) -> None:
    """With a run on each side the sum is binomial: 20,000 draws in 20 bins (chi square, 1 in 1,000)."""
    found = lot(cases, 1, 1).draw(np.random.PCG64(6), 20_000)
    ends = binom.ppf(np.arange(1, 20) / 20, cases, 0.5)
    shares = np.diff(binom.cdf(ends, cases, 0.5), prepend=0.0, append=1.0)
    counts = np.bincount(np.searchsorted(ends, found, side="left"), minlength=20)
    assert chisquare(counts, 20_000 * shares).pvalue > 0.001


@settings(deadline=None)
@given(st.integers(0, 17), KINDS)
def test_extreme_numbers_are_within_reach(doublings: int, kind: tuple[int, int]) -> None:
    """The smallest and the largest number give sums that so many cases can have, however many they are."""
    cases, whole = 2**doublings, sum(kind)
    low, high = lot(cases, *kind).draw(Given(0, 2**64 - 1), 2).tolist()
    assert 0 <= low <= cases * kind[0] * kind[1] / whole <= high <= cases * min(kind)


def changes_between(before: Sequence[CaseCounts], after: Sequence[CaseCounts]) -> Changes:
    """Return the changes of a field's accuracy and extras."""
    return changes_of(tabulate(before, after, field_metrics("total")), [0.01, 0.0])


def drawn_cases(kinds: list[tuple[int, int, int, int]]) -> tuple[list[CaseCounts], list[CaseCounts]]:
    """Make a case of each kind: runs before, runs after, right before and after, of 3; -1 varies by run."""
    before, after = [], []
    for place, (many, some, right, now) in enumerate(kinds):
        then = [run_of(run % 2 if right < 0 else right, 3) for run in range(many)]
        before.append(case_of(f"{place:03}", then))
        after.append(case_of(f"{place:03}", [run_of(run % 2 if now < 0 else now, 3) for run in range(some)]))
    return before, after


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(-1, 1), st.integers(-1, 1)),
        min_size=1,
        max_size=6,
        unique=True,
    ),
    st.lists(st.integers(1, 70), min_size=6, max_size=6),
    st.sets(st.integers(0, 5)),
)
@example([(1, 1, 1, 1), (1, 1, 0, 0)], [LEAST // 2] * 6, set())
def test_lots_are_the_cases_that_are_moved_alike(
    kinds: list[tuple[int, int, int, int]], sizes: list[int], enumerated: set[int]
) -> None:
    """Cases whose runs agree within each side, by how many these are and how far the sides are apart."""
    flat = [kind for kind, size in zip(kinds, sizes, strict=False) for _ in range(size)]
    flat.sort(key=lambda kind: -kind[0] - kind[1])  # as tables have them
    chosen = tuple(sorted(place for place in enumerated if place < len(flat)))
    alike = defaultdict(list)
    for place, (many, some, right, now) in enumerate(flat):
        varies = (right < 0 and many > 1) or (now < 0 and some > 1)
        if not varies and place not in chosen:
            alike[many, some, max(right, 0) - max(now, 0)].append(place)
    found = lots_of(changes_between(*drawn_cases(flat)), chosen)
    assert {(each.before, each.after, *each.cases.tolist()) for each in found} == {
        (many, some, *places) for (many, some, _), places in alike.items() if len(places) >= LEAST
    }


@pytest.mark.parametrize("runs", [1, 3])
def test_evidence_with_lots_is_that_without(monkeypatch: pytest.MonkeyPatch, runs: int) -> None:
    """Whether labels are drawn together or case by case shows in no figure beyond the chance of the draw."""
    rng = random.Random(4)
    before, after = [], []
    for place in range(400):
        total, luck = rng.choice([2, 3]), rng.random()
        right = total - (luck < 0.06) + (luck > 0.94)
        same = [run_of(min(2, total), total)] * (runs - 1)
        before.append(case_of(f"{place:03}", [run_of(min(2, total), total), *same]))
        now = run_of(min(right, total), total, extra=int(luck < 0.02))
        after.append(case_of(f"{place:03}", [now, *(same if rng.random() < 0.5 else [now] * (runs - 1))]))
    metrics = [*suite_metrics()[:3], *field_metrics("total")]
    together = judge_suite(before, after, metrics, [0.01] * 5, suites=1, alpha=0.05).metrics
    monkeypatch.setattr(arrangements, "lots_of", lambda changes, enumerated: ())  # noqa: ARG005 - none alike
    apart = judge_suite(before, after, metrics, [0.01] * 5, suites=1, alpha=0.05).metrics
    assert any(evidence.interval is not None for evidence in together)
    assert together != apart
    for one, other in zip(together, apart, strict=True):
        assert (one.p_value is None, one.interval is None) == (other.p_value is None, other.interval is None)
        for share, same_share in ((one.p_value, other.p_value), (one.p_adjusted, other.p_adjusted)):
            if share is not None and same_share is not None:
                # Both are drawn: four standard deviations of their difference.
                spread = math.sqrt(2 * max(same_share * (1 - same_share), 1e-4) / 10_000)
                assert abs(share - same_share) <= 4 * spread
        if one.interval is not None and other.interval is not None:
            assert one.interval == pytest.approx(other.interval, abs=0.002)
