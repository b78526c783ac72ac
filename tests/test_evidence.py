"""What the permutation test says of a suite: what can be tested, many metrics and suites at once (G3, G4)."""

from __future__ import annotations

import pytest

from pytest_schemascore.gate.evidence import SuiteEvidence, judge_suite
from pytest_schemascore.gate.metrics import (
    Metric,
    field_metrics,
    measure_metric,
    suite_metrics,
    tag_metric,
    value_of,
)
from pytest_schemascore.report.measured import CaseCounts, RunCounts
from pytest_schemascore.scoring.outcomes import Counts
from tests.gate_cases import case_of, run_of, single_leaf

OVERALL, VALIDITY, PRECISION, JUDGED = suite_metrics()
ACCURACY, EXTRAS = field_metrics("total")


def judge(
    before: list[CaseCounts], after: list[CaseCounts], *metrics: Metric, suites: int = 1, margin: float = 0.0
) -> SuiteEvidence:
    """Judge at alpha 0.05 with one margin for all."""
    chosen = metrics or (OVERALL,)
    return judge_suite(before, after, chosen, [margin] * len(chosen), suites=suites, alpha=0.05)


def test_five_cases_lost_of_five_are_significant() -> None:
    """Five single runs, all lost: p is 2^-5, the smallest there is."""
    found = judge(single_leaf([1] * 5), single_leaf([0] * 5))
    assert found.smallest_p == 1 / 32
    assert found.testable
    assert found.metrics[0].p_value == 1 / 32
    assert found.metrics[0].rejected


def test_four_cases_cannot_be_tested() -> None:
    """Four single runs can reach no less than 1/16: nothing is tested and the suite says so."""
    found = judge(single_leaf([1] * 4), single_leaf([0] * 4))
    assert found.smallest_p == 1 / 16
    assert not found.testable
    assert (found.metrics[0].p_value, found.metrics[0].interval, found.metrics[0].testable) == (
        None,
        None,
        False,
    )


def test_repeats_make_a_small_suite_testable() -> None:
    """One case with three runs a side has 20 arrangements, so 1/20 is reached, which is alpha itself."""
    found = judge(single_leaf([[1, 1, 1]]), single_leaf([[0, 0, 0]]))
    assert found.smallest_p == 0.05
    assert found.metrics[0].p_value == 0.05
    assert found.metrics[0].rejected


def test_three_of_a_hundred_lost_are_within_noise() -> None:
    """Whether a suite can be tested depends on its cases, not on how few of them happen to differ."""
    found = judge(single_leaf([1] * 100), single_leaf([0] * 3 + [1] * 97))
    assert found.testable
    assert found.metrics[0].testable
    assert found.metrics[0].p_value == 1 / 8
    assert not found.metrics[0].rejected


def test_field_that_few_cases_have_is_flagged_and_tested_with_none() -> None:
    """A field labelled in four cases of twenty is untestable; the others' p is as if it weren't there."""
    rare = field_metrics("rare")[0]
    with_rare = {"total": Counts(1.0, 1, 1), "rare": Counts(1.0, 1, 1)}
    lost_rare = {"total": Counts(0.0, 1), "rare": Counts(0.0, 1)}
    before = [case_of(f"{i:02}", [RunCounts(None, with_rare) if i < 4 else run_of(1, 1)]) for i in range(20)]
    after = [case_of(f"{i:02}", [RunCounts(None, lost_rare) if i < 4 else run_of(0, 1)]) for i in range(20)]
    both = judge(before, after, ACCURACY, rare)
    alone = judge(before, after, ACCURACY)
    assert not both.metrics[1].testable
    assert both.metrics[1].p_adjusted is None
    assert both.testable
    assert both.metrics[0] == alone.metrics[0]


def test_nothing_changed_has_p_one_and_no_interval() -> None:
    """Where no run differs there is nothing to test; the suite itself could be tested."""
    found = judge(single_leaf([1, 0] * 10), single_leaf([1, 0] * 10), OVERALL, VALIDITY, PRECISION, EXTRAS)
    assert found.testable
    assert found.critical is None
    assert len(found.metrics) == 4
    for metric in found.metrics:
        assert (metric.p_value, metric.p_adjusted, metric.interval) == (1.0, 1.0, None)
        assert metric.testable
        assert not metric.rejected


def test_nothing_changed_is_no_drop_beyond_a_margin() -> None:
    """With a margin an unchanged metric has p 1 as well."""
    found = judge(single_leaf([1, 0] * 10), single_leaf([1, 0] * 10), margin=0.02)
    assert (found.metrics[0].p_value, found.metrics[0].interval) == (1.0, None)


def test_metric_without_any_base_is_untestable() -> None:
    """No label, no value given: no p, no error, no division by zero."""
    before = [case_of(str(i), [run_of(0, 0)]) for i in range(8)]
    found = judge(before, before, OVERALL, PRECISION)
    assert [metric.testable for metric in found.metrics] == [False, False]
    assert found.smallest_p == 1.0


def test_no_cases_are_untestable() -> None:
    """An empty pairing has nothing to test."""
    found = judge([], [])
    assert (found.testable, found.smallest_p) == (False, 1.0)
    assert not found.metrics[0].testable


def test_more_suites_ask_for_more_evidence() -> None:
    """Sidak: with four suites p 1/32 becomes 1 - (31/32)^4, and five cases can no longer be tested."""
    five = judge(single_leaf([1] * 5), single_leaf([0] * 5), suites=4)
    assert five.smallest_p == pytest.approx(1 - (31 / 32) ** 4)
    assert not five.testable
    eight = judge(single_leaf([1] * 8), single_leaf([0] * 8), suites=4)
    assert eight.metrics[0].p_value == 1 / 256
    assert eight.metrics[0].p_adjusted == pytest.approx(1 - (255 / 256) ** 4)
    assert eight.metrics[0].rejected


def test_more_extras_are_what_is_bad_of_extras() -> None:
    """Extras regress upwards: eight cases that invent an item are rejected, eight that stop are not."""
    without = [case_of(str(i), [run_of(1, 1)]) for i in range(8)]
    inventing = [case_of(str(i), [run_of(1, 1, extra=1)]) for i in range(8)]
    assert judge(without, inventing, EXTRAS).metrics[0].p_value == 1 / 256
    assert judge(without, inventing, EXTRAS).metrics[0].rejected
    assert judge(inventing, without, EXTRAS).metrics[0].p_value == 1.0
    interval = judge(without, inventing, EXTRAS).metrics[0].interval
    assert interval is not None
    assert interval[0] == pytest.approx(1.0, abs=1e-6)


def test_inventing_values_is_seen_in_precision() -> None:
    """Precision's base changes from run to run: right answers stay, invented ones come on top."""
    before = [case_of(str(i), [run_of(2, 2)]) for i in range(10)]
    after = [case_of(str(i), [run_of(2, 2, extra=i % 3)]) for i in range(10)]
    found = judge(before, after, OVERALL, PRECISION)
    assert not found.metrics[0].rejected
    assert found.metrics[1].p_value == 1 / 64  # six of ten invent something, none stops
    assert found.metrics[1].rejected


def test_a_rising_distance_regresses() -> None:
    """An unbounded figure of whole documents is tested the same way."""
    metric = measure_metric("distance")
    near = [CaseCounts(str(i), "", "", (), (RunCounts(None, {}, {"distance": 1.0}),)) for i in range(7)]
    far = [CaseCounts(str(i), "", "", (), (RunCounts(None, {}, {"distance": 3.0}),)) for i in range(7)]
    assert judge(near, far, metric).metrics[0].p_value == 1 / 128
    assert judge(near, far, metric, margin=2.0).metrics[0].p_value == 1.0


def test_tag_counts_only_its_cases() -> None:
    """The overall of a tag sees the cases that carry it, and no others."""
    before = [case_of(str(i), [run_of(1, 1)], ("scanned",) if i < 6 else ()) for i in range(9)]
    after = [case_of(str(i), [run_of(0, 1)], ("scanned",) if i < 6 else ()) for i in range(9)]
    found = judge(before, after, tag_metric("scanned"), tag_metric("typed"))
    assert found.metrics[0].p_value == 1 / 64
    assert not found.metrics[1].testable


def test_margin_is_part_of_the_null() -> None:
    """A drop of exactly max-drop is not evidence of a larger one, a far larger one is."""
    before = single_leaf([1] * 50)
    assert not judge(before, single_leaf([0] * 5 + [1] * 45), margin=0.1).metrics[0].rejected
    assert judge(before, single_leaf([0] * 20 + [1] * 30), margin=0.1).metrics[0].rejected


def test_interval_holds_the_change_and_its_end_is_the_margin_where_the_verdict_turns() -> None:
    """Thirty of a hundred lost: the change lies inside, and margins beside the end are told apart."""
    before, after = single_leaf([1] * 100), single_leaf([0] * 30 + [1] * 70)
    interval = judge(before, after).metrics[0].interval
    assert interval is not None
    assert value_of(OVERALL, before) == 1.0
    assert interval[0] < -0.3 < interval[1] < -0.2
    assert judge(before, after, margin=-interval[1] - 0.01).metrics[0].rejected
    assert not judge(before, after, margin=-interval[1] + 0.01).metrics[0].rejected


def test_unequal_numbers_of_runs_weigh_cases_alike() -> None:
    """A case with five runs counts as much as one with a single run: equal means are no change."""
    before = single_leaf([[1.0, 1.0, 0.0, 1.0, 1.0], [0.0], [1.0, 0.0], [1.0], [0.5], [1.0]])
    after = single_leaf([[0.8], [0.0, 0.0], [0.5, 0.5], [1.0], [0.5], [1.0]])
    found = judge(before, after)
    assert found.metrics[0].p_value is not None
    assert found.metrics[0].p_value > 0.4
    assert value_of(OVERALL, before) == pytest.approx(value_of(OVERALL, after))


def test_one_case_of_one_run_is_untestable() -> None:
    """A single pair has two arrangements."""
    found = judge(single_leaf([1]), single_leaf([0]))
    assert (found.testable, found.smallest_p) == (False, 0.5)
