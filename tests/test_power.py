"""The smallest drop a suite could see, against simulation of the test itself (G6)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from pytest_schemascore.gate.metrics import suite_metrics
from pytest_schemascore.gate.power import Noise, power_at, power_of, smallest_drop
from tests.gate_cases import case_of, run_of, single_leaf

OVERALL = suite_metrics()[0]


def simulated_power(cases: int, flip_rate: float, drop: float, critical: float, leaves: int = 1) -> float:
    """Return how often T exceeds *critical* when leaves flip both ways and a drop comes on top.

    Each leaf of each case is lost with probability f / 2 + d and won with probability f / 2.
    """
    rng = np.random.default_rng(5)
    draws = rng.random((2000, cases, leaves))
    lost = draws < flip_rate / 2 + drop
    won = draws > 1 - flip_rate / 2
    losses = (lost.astype(float) - won).sum(axis=2)
    spread = np.sqrt((losses**2).sum(axis=1))
    statistic = np.divide(losses.sum(axis=1), spread, out=np.zeros(2000), where=spread > 0)
    return float((statistic > critical).mean())


def simulated_smallest_drop(cases: int, flip_rate: float, critical: float, leaves: int = 1) -> float:
    """Bisect for the drop that the simulation sees four times in five."""
    low, high = 0.0, 0.9 - flip_rate
    for _ in range(12):
        middle = (low + high) / 2
        seen = simulated_power(cases, flip_rate, middle, critical, leaves) >= 0.8
        low, high = (low, middle) if seen else (middle, high)
    return high


@pytest.mark.parametrize("critical", [1.645, 2.6])
@pytest.mark.parametrize(("cases", "flip_rate"), [(60, 0.3), (150, 0.1), (400, 0.05)])
def test_smallest_drop_is_within_a_fifth_of_simulation(cases: int, flip_rate: float, critical: float) -> None:
    """Cases of one leaf that flip: the formula's drop is the one a simulated gate sees at 80 %."""
    found = smallest_drop(Noise(cases, cases, flip_rate, round(cases * flip_rate)), critical)
    assert found == pytest.approx(simulated_smallest_drop(cases, flip_rate, critical), rel=0.2)


def test_smallest_drop_of_cases_with_many_leaves_is_within_a_fifth_of_simulation() -> None:
    """Ten leaves a case that flip on their own are worth far more than one: measured from the runs alone."""
    rng = np.random.default_rng(8)
    right = rng.random((100, 10)) < 0.5
    flipped = rng.random((100, 10)) < 0.1
    before = [case_of(f"{i:03}", [run_of(float(leaves.sum()), 10)]) for i, leaves in enumerate(right)]
    after = [
        case_of(f"{i:03}", [run_of(float(leaves.sum()), 10)]) for i, leaves in enumerate(right ^ flipped)
    ]
    found = power_of(before, after, OVERALL, 0.05, 1.645)
    assert found.smallest_drop == pytest.approx(simulated_smallest_drop(100, 0.1, 1.645, leaves=10), rel=0.2)


@pytest.mark.parametrize(("cases", "flip_rate"), [(40, 0.0), (40, 0.1), (200, 0.02)])
def test_smallest_drop_with_few_differing_cases_is_within_a_fifth_of_simulation(
    cases: int, flip_rate: float
) -> None:
    """Fewer than ten differing cases: counted out, and a simulated sign test at the same level agrees."""
    rng = np.random.default_rng(6)

    def seen(drop: float) -> bool:
        draws = rng.random((4000, cases))
        lost = (draws < flip_rate / 2 + drop).sum(axis=1)
        won = (draws > 1 - flip_rate / 2).sum(axis=1)
        return bool((binom.sf(lost - 1, lost + won, 0.5) <= 0.05).mean() >= 0.8)

    found = smallest_drop(Noise(cases, cases, flip_rate, round(cases * flip_rate)), float(norm.isf(0.05)))
    assert found is not None
    assert seen(found * 1.2)
    assert not seen(found * 0.8)


def test_formula_is_met_by_its_own_solution() -> None:
    """(c * sqrt(f + d) + 0.84 * sqrt(f + d - d^2)) / sqrt(n) = d at the drop that is returned."""
    d = smallest_drop(Noise(300, 300, 0.08, 24), 2.4)
    assert d is not None
    left = (2.4 * math.sqrt(0.08 + d) + 0.8416 * math.sqrt(0.08 + d - d * d)) / math.sqrt(300)
    assert left == pytest.approx(d, rel=1e-3)


def test_a_steady_suite_sees_five_lost_cases() -> None:
    """No flips at all: five lost are p 1/32, so at the smallest drop five or more are lost in 80 %."""
    steady = single_leaf([1] * 50)
    found = power_of(steady, steady, OVERALL, 0.05, None)
    assert found.cases == 50
    assert found.smallest_drop is not None
    assert float(binom.sf(4, 50, found.smallest_drop)) == pytest.approx(0.8, abs=0.01)


def test_more_cases_are_what_five_points_need() -> None:
    """With the cases it asks for, the suite sees five points; with a few less it does not."""
    noise = Noise(100, 100, 0.1, 10)
    before = single_leaf([1] * 5 + [0] * 5 + [1] * 90)
    after = single_leaf([0] * 5 + [1] * 5 + [1] * 90)
    found = power_of(before, after, OVERALL, 0.05, 2.0)
    assert found.more_cases is not None
    assert power_at(0.05, noise.with_cases(100 + found.more_cases), 2.0) >= 0.8
    assert power_at(0.05, noise.with_cases(99 + found.more_cases), 2.0) < 0.8


def test_large_steady_suite_needs_no_more_cases() -> None:
    """A thousand cases of which none differs see five points as they are."""
    steady = single_leaf([1] * 1000)
    assert power_of(steady, steady, OVERALL, 0.05, None).more_cases == 0


def test_tiny_suite_can_see_nothing() -> None:
    """Four single runs cannot reject at all, however much is lost."""
    tiny = single_leaf([1] * 4)
    assert power_of(tiny, tiny, OVERALL, 0.05, None).smallest_drop is None


def test_nothing_to_measure_has_no_power() -> None:
    """No cases, or none with the metric: nothing can be said."""
    assert power_of([], [], OVERALL, 0.05, None).smallest_drop is None
    empty = [case_of("a", [run_of(0, 0)])]
    assert power_of(empty, empty, OVERALL, 0.05, None).more_cases is None


def test_repeats_see_smaller_drops() -> None:
    """Three runs a side average the flips out."""
    rng = np.random.default_rng(9)
    runs = (rng.random((100, 6)) < 0.5).astype(float).tolist()
    one = power_of(
        single_leaf([r[:1] for r in runs]), single_leaf([r[3:4] for r in runs]), OVERALL, 0.05, 1.645
    )
    three = power_of(
        single_leaf([r[:3] for r in runs]), single_leaf([r[3:] for r in runs]), OVERALL, 0.05, 1.645
    )
    assert one.smallest_drop is not None
    assert three.smallest_drop is not None
    assert three.smallest_drop < 0.75 * one.smallest_drop


def test_margin_has_to_be_exceeded() -> None:
    """With max-drop 5 points, nothing up to 5 points is seen, and no number of cases would do for it."""
    before = single_leaf([1] * 10 + [0] * 10 + [1] * 80)
    after = single_leaf([0] * 10 + [1] * 10 + [1] * 80)
    found = power_of(before, after, OVERALL, 0.05, 1.645, margin=0.05)
    plain = power_of(before, after, OVERALL, 0.05, 1.645)
    assert found.smallest_drop is not None
    assert plain.smallest_drop is not None
    assert found.smallest_drop > plain.smallest_drop + 0.04
    assert found.more_cases is None


@pytest.mark.parametrize(
    ("units", "flip_rate", "drop"),
    [
        (50, 0.0, 0.9999),
        (1_000, 0.0, 0.0001),
        (1_000, 0.0, 0.999999),
        (5_000, 0.0002, 0.0004),
        (300, 0.01, 0.03),
        (20_000, 0.0001, 0.0009),
    ],
)
def test_counted_power_is_that_of_every_number_of_differing_units(
    units: int, flip_rate: float, drop: float
) -> None:
    """Of how many differ only the likely numbers are looked at, be they few, many or nearly all."""
    differ = np.arange(units + 1)
    share = flip_rate + drop
    most_accepted = binom.isf(norm.sf(2.0), differ, 0.5)
    seen = binom.sf(most_accepted, differ, min(1.0, (flip_rate / 2 + drop) / share))
    expected = float(binom.pmf(differ, units, share) @ seen)
    noise = Noise(cases=units, units=float(units), flip_rate=flip_rate, differing=1)
    assert power_at(drop, noise, 2.0) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("labelled", [10**6, 2**53])
def test_cases_of_very_many_leaves_take_no_more_memory_than_others(labelled: int) -> None:
    """A baseline may say so of a field; one leaf of millions is then seen, and nothing is counted out."""
    before = [case_of(str(i), [run_of(float(labelled), labelled)]) for i in range(8)]
    after = [case_of("0", [run_of(float(labelled - 1), labelled)]), *before[1:]]
    found = power_of(before, after, OVERALL, 0.05, 1.645)
    assert found.smallest_drop is not None
    assert found.smallest_drop < 0.001
    assert found.more_cases == 0
