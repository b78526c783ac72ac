"""The permutation test against scipy, against full enumeration, and against itself (G3, G4)."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, permutation_test

from pytest_schemascore.gate.evidence import MetricEvidence, judge_suite
from pytest_schemascore.gate.metrics import Metric, field_metrics, suite_metrics
from pytest_schemascore.report.measured import CaseCounts, RunCounts
from tests.gate_cases import case_of, run_of, single_leaf

if TYPE_CHECKING:
    from pytest_schemascore.scoring.outcomes import Counts

OVERALL, _, PRECISION, _ = suite_metrics()
EXTRAS = field_metrics("total")[1]

Parts = list[list[tuple[float, float]]]  # a case's runs, each (contribution, base)


def judge_one(
    before: list[CaseCounts], after: list[CaseCounts], metric: Metric = OVERALL, margin: float = 0.0
) -> MetricEvidence:
    """Judge one metric alone at alpha 0.05."""
    return judge_suite(before, after, [metric], [margin], suites=1, alpha=0.05).metrics[0]


@dataclass(frozen=True)
class Enumerated:
    """One metric's T for each joint arrangement, the observed one first: G4's definition, written plainly."""

    observed: float
    arranged: list[float]

    @property
    def p_value(self) -> float:
        """The share of arrangements at least as bad."""
        return sum(t >= self.observed - 1e-7 for t in self.arranged) / len(self.arranged)


def enumerate_t(before: Parts, after: Parts, margin: float, sign: float = 1.0) -> Enumerated:
    """Permute the run labels within each case in every way."""
    cases = [
        (
            [(sign * c, n) for c, n in then] + [(sign * c + margin * n, n) for c, n in now],
            len(now),
        )
        for then, now in zip(before, after, strict=True)
    ]
    top = sum(sum(c for c, _ in runs) / len(runs) for runs, _ in cases)
    bottom = sum(sum(n for _, n in runs) / len(runs) for runs, _ in cases)
    pooled = top / bottom if bottom else 0.0
    changes = []
    for runs, count_after in cases:
        values = [c - pooled * n for c, n in runs]
        observed = tuple(range(len(values) - count_after, len(values)))
        picks = [
            observed,
            *(p for p in itertools.combinations(range(len(values)), count_after) if p != observed),
        ]
        changes.append([_difference_of_means(values, pick) for pick in picks])
    variance = sum(sum(d * d for d in options) / len(options) for options in changes)
    arranged = [-sum(joint) / math.sqrt(variance) for joint in itertools.product(*changes)]
    return Enumerated(arranged[0], arranged)


def _difference_of_means(values: list[float], after: tuple[int, ...]) -> float:
    chosen = [values[place] for place in after]
    others = [value for place, value in enumerate(values) if place not in after]
    return sum(chosen) / len(chosen) - sum(others) / len(others)


def parts_of(metric: Metric, cases: list[CaseCounts]) -> Parts:
    """Return what the metric takes from each run."""
    return [[metric.parts(run) for run in case.runs] for case in cases]


runs_of_a_case = st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)).map(
    lambda t: run_of(min(t[0], t[1]), t[0], extra=t[2], missing=min(t[3], t[0] - min(t[0], t[1])))
)


@st.composite
def sides(draw: st.DrawFn, most_cases: int = 7) -> tuple[list[CaseCounts], list[CaseCounts]]:
    """Draw paired cases with one or two runs on either side, few enough to enumerate."""
    count = draw(st.integers(5, most_cases))
    both = [
        (
            case_of(f"c{place}", draw(st.lists(runs_of_a_case, min_size=1, max_size=2))),
            case_of(f"c{place}", draw(st.lists(runs_of_a_case, min_size=1, max_size=2))),
        )
        for place in range(count)
    ]
    assume(math.prod(math.comb(len(b.runs) + len(a.runs), len(a.runs)) for b, a in both) <= 3000)
    return [then for then, _ in both], [now for _, now in both]


@pytest.mark.parametrize("seed", range(5))
def test_p_of_single_runs_agrees_with_scipy(seed: int) -> None:
    """One run each: the exact one-sided p of scipy's paired-samples permutation test."""
    rng = np.random.default_rng(seed)
    before, after = rng.integers(0, 5, 10) / 4, rng.integers(0, 5, 10) / 4
    expected = permutation_test(
        (after, before),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        alternative="less",
        n_resamples=10_000,  # more than there are: all are counted
        vectorized=True,
    )
    found = judge_one(single_leaf(before.tolist()), single_leaf(after.tolist()))
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-12)


@given(sides(), st.sampled_from([OVERALL, PRECISION, EXTRAS]), st.sampled_from([0.0, 0.02, 0.25]))
@settings(deadline=None, max_examples=60)
def test_p_agrees_with_full_enumeration(
    both: tuple[list[CaseCounts], list[CaseCounts]], metric: Metric, margin: float
) -> None:
    """Unequal runs, ratio metrics, metrics that rise, and a margin: p is the share counted by definition."""
    before, after = both
    found = judge_one(before, after, metric, margin)
    assume(found.testable and found.p_value != 1.0)
    expected = enumerate_t(
        parts_of(metric, before), parts_of(metric, after), margin, -1.0 if metric.rises else 1.0
    )
    assert found.p_value == pytest.approx(expected.p_value, abs=1e-12)


@given(sides(most_cases=6))
@settings(deadline=None, max_examples=30)
def test_adjusted_p_is_step_down_max_t(both: tuple[list[CaseCounts], list[CaseCounts]]) -> None:
    """From the worst metric down, each is held against the maximum over itself and the better ones."""
    before, after = both
    metrics = [OVERALL, PRECISION, EXTRAS]
    found = judge_suite(before, after, metrics, [0.0] * 3, suites=1, alpha=0.05).metrics
    assume(all(evidence.testable for evidence in found))
    moved = [place for place, evidence in enumerate(found) if evidence.interval is not None]
    assume(moved)
    tables = {
        place: enumerate_t(
            parts_of(metrics[place], before),
            parts_of(metrics[place], after),
            0.0,
            -1.0 if metrics[place].rises else 1.0,
        )
        for place in moved
    }
    order = sorted(moved, key=lambda place: -tables[place].observed)
    largest = 0.0
    for rank, place in enumerate(order):
        rest = [tables[other].arranged for other in order[rank:]]
        bar = tables[place].observed - 1e-7
        hits = sum(max(joint) >= bar for joint in zip(*rest, strict=True))
        largest = max(largest, hits / len(rest[0]))
        assert found[place].p_adjusted == pytest.approx(largest, abs=1e-12)


def test_drawn_p_is_near_the_exact_one() -> None:
    """Too many arrangements to enumerate: the drawn p is within chance of the one counted by convolution."""
    rng = random.Random(7)
    changes = [rng.choice([-3, -2, -1, -1, 1, 2]) for _ in range(40)]
    before = [case_of(f"{i:02}", [run_of(3, 6)]) for i in range(40)]
    after = [case_of(f"{i:02}", [run_of(3 + change, 6)]) for i, change in enumerate(changes)]
    sums = Counter({0: 1})
    for change in changes:
        sums = Counter(
            {
                total: sums[total - change] + sums[total + change]
                for total in {old + step for old in sums for step in (-change, change)}
            }
        )
    exact = sum(ways for total, ways in sums.items() if total <= sum(changes)) / 2**40
    found = judge_one(before, after)
    assert found.p_value is not None
    assert abs(found.p_value * 10_001 - 1 - 10_000 * exact) <= 4 * math.sqrt(10_000 * exact * (1 - exact))
    assert (found.p_value * 10_001) == pytest.approx(round(found.p_value * 10_001))


@given(sides(), st.sampled_from([OVERALL, PRECISION, EXTRAS]), st.sampled_from([0.0, 0.01, 0.2]))
@settings(deadline=None, max_examples=80)
def test_p_and_interval_never_contradict(
    both: tuple[list[CaseCounts], list[CaseCounts]], metric: Metric, margin: float
) -> None:
    """p is at most alpha exactly where the margin lies outside the interval on the side of getting worse."""
    found = judge_one(*both, metric, margin)
    assume(found.interval is not None)
    assert found.interval is not None
    assert found.p_value is not None
    low, high = found.interval
    assert low <= high
    assert (found.p_value <= 0.05) == (low > margin if metric.rises else high < -margin)


@given(sides(), st.floats(0.0, 0.6))
@settings(deadline=None, max_examples=60)
def test_interval_inverts_the_test_at_any_margin(
    both: tuple[list[CaseCounts], list[CaseCounts]], margin: float
) -> None:
    """With everything enumerated, the interval found at margin 0 tells what p is at another margin."""
    found = judge_one(*both)
    assume(found.interval is not None)
    assert found.interval is not None
    assume(abs(found.interval[1] + margin) > 1e-6)
    other = judge_one(*both, margin=margin)
    assert other.p_value is not None
    assert (other.p_value <= 0.05) == (found.interval[1] < -margin)


@pytest.mark.parametrize(("lost", "gained"), [(8, 0), (9, 2), (30, 12), (6, 1)])
def test_p_and_interval_agree_on_a_suite_whose_other_cases_are_drawn(lost: int, gained: int) -> None:
    """Few of many cases differ: p counts them exactly, and the interval still cannot contradict it."""
    same = 200 - lost - gained
    before = single_leaf([1] * lost + [0] * gained + [1] * same)
    after = single_leaf([0] * lost + [1] * gained + [1] * same)
    found = judge_one(before, after)
    exact = float(binom.sf(lost - 1, lost + gained, 0.5))
    assert found.p_value == pytest.approx(exact, abs=1e-12 if lost + gained <= 16 else 0.01)
    assert found.interval is not None
    assert (found.p_value is not None and found.p_value <= 0.05) == (found.interval[1] < 0)
    assert found.interval[0] < (gained - lost) / 200 < found.interval[1]


def test_same_data_give_the_same_evidence_in_any_order() -> None:
    """Shuffling the cases changes no figure, drawn or counted."""
    rng = random.Random(3)
    before = single_leaf([[rng.random(), rng.random()] for _ in range(60)])
    after = single_leaf([[rng.random()] for _ in range(60)])
    order = rng.sample(range(60), 60)
    shuffled = [before[i] for i in order], [after[i] for i in order]
    metrics = [*suite_metrics(), *field_metrics("total")]
    judged = [judge_suite(*s, metrics, [0.01] * 6, suites=1, alpha=0.05) for s in ((before, after), shuffled)]
    assert judged[0] == judged[1]


def test_metrics_in_chunks_give_the_same_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many metrics are permuted some at a time to bound memory, which shows in no figure."""
    rng = random.Random(5)
    names = ["a", "b", "c", "d"]
    before, after = (
        [case_of(f"{i:02}", [_drawn_run(rng, names, [0.5] * 4)]) for i in range(30)] for _ in range(2)
    )
    metrics = [*suite_metrics(), *(metric for name in names for metric in field_metrics(name))]
    whole = judge_suite(before, after, metrics, [0.01] * 12, suites=1, alpha=0.05)
    monkeypatch.setattr("pytest_schemascore.gate.evidence._CELLS", 50_000)
    assert judge_suite(before, after, metrics, [0.01] * 12, suites=1, alpha=0.05) == whole


def test_p_is_what_it_was() -> None:
    """A drawn p is a fixed number: another one means that gates elsewhere would change their verdict."""
    before = single_leaf([1] * 30 + [0] * 20)
    after = single_leaf([0] * 19 + [1] * 11 + [1] * 9 + [0] * 11)
    found = judge_one(before, after)
    assert found.p_value is not None
    assert round(found.p_value * 10_001) == 447


@pytest.mark.parametrize(("runs_before", "runs_after", "margin"), [(1, 1, 0.0), (3, 3, 0.0), (1, 3, 0.02)])
def test_unchanged_runs_are_rejected_at_most_as_often_as_alpha(
    runs_before: int, runs_after: int, margin: float
) -> None:
    """Nothing changed between the sides: no more fail than alpha gives by bad luck (1 in 1,000)."""
    rng = random.Random(11)
    names = ["a", "b", "c"]
    metrics = [OVERALL, *(metric for name in names for metric in field_metrics(name))]
    failed = 0
    for _ in range(40):
        chances = [[rng.choice([0.2, 0.5, 0.9, 1.0]) for _ in names] for _ in range(25)]
        before, after = [
            [
                case_of(f"{place:02}", [_drawn_run(rng, names, chance) for _ in range(runs)])
                for place, chance in enumerate(chances)
            ]
            for runs in (runs_before, runs_after)
        ]
        evidence = judge_suite(before, after, metrics, [margin] * len(metrics), suites=1, alpha=0.05)
        failed += any(metric.rejected for metric in evidence.metrics)
    assert failed <= binom.isf(0.001, 40, 0.05)


def _drawn_run(rng: random.Random, names: list[str], chances: list[float]) -> RunCounts:
    fields: dict[str, Counts] = {}
    for name, chance in zip(names, chances, strict=True):
        fields.update(run_of(int(rng.random() < chance), 1, field=name, extra=int(rng.random() < 0.2)).fields)
    return RunCounts(None, fields)
