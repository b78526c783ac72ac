"""What repeated runs say: flaky fields, whether anything varies, a spread of whole runs (G5)."""

from __future__ import annotations

import random

import pytest

from pytest_schemascore.gate.diff import Flaky
from pytest_schemascore.gate.repeats import flaky_fields, run_spread_note, varies
from pytest_schemascore.report.measured import RunCounts
from pytest_schemascore.scoring.outcomes import Counts
from tests.gate_cases import case_of, run_of, single_leaf


def test_flip_rate_is_the_share_of_pairs_of_runs_that_differ() -> None:
    """Three runs 1, 1, 0 have two differing pairs of three; a case of two equal runs adds one pair."""
    assert flaky_fields(single_leaf([[1, 1, 0], [1, 1]])) == (Flaky("total", 2 / 4),)


def test_steady_fields_are_not_flaky() -> None:
    """A field whose runs agree is not named, and single runs say nothing."""
    assert flaky_fields(single_leaf([[1, 1], [0, 0]])) == ()
    assert flaky_fields(single_leaf([1, 0, 1])) == ()


def test_extras_that_come_and_go_have_no_flip_rate() -> None:
    """Nothing is labelled there, so there is no score that could flip."""
    extra = RunCounts(None, {"total": Counts(1.0, 1, 1), "z": Counts(extra=1)})
    assert flaky_fields([case_of("x", [extra, run_of(1, 1)])]) == ()


def test_a_leaf_that_is_not_always_judged_is_flaky() -> None:
    """One run of two has no verdict on it."""
    judged, not_judged = Counts(1.0, 1, 1), Counts(not_judged=1)
    runs = [RunCounts(None, {"a": judged}), RunCounts(None, {"a": not_judged})]
    assert flaky_fields([case_of("x", runs)]) == (Flaky("a", 1.0),)


def test_flakiest_field_comes_first() -> None:
    """Fields go by falling flip rate."""
    right, wrong = Counts(1.0, 1, 1), Counts(0.0, 1)
    runs = [
        RunCounts(None, {"a": right, "b": right}),
        RunCounts(None, {"a": right, "b": wrong}),
        RunCounts(None, {"a": wrong, "b": right}),
        RunCounts(None, {"a": right, "b": wrong}),
    ]
    assert flaky_fields([case_of("x", runs)]) == (Flaky("b", 4 / 6), Flaky("a", 3 / 6))


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([run_of(1, 1), run_of(1, 1)], False),
        ([run_of(1, 1)], False),
        ([run_of(1, 1), run_of(0, 1)], True),
        ([run_of(1, 1), run_of(1, 1, extra=1)], True),
        ([run_of(0, 1, missing=1, valid=False), run_of(0, 1, missing=1)], True),
    ],
)
def test_varies_sees_any_recorded_difference(runs: list[RunCounts], expected: bool) -> None:
    """A score, an extra or a failure that differs between runs shows that the extractor varies."""
    assert varies([case_of("x", runs)]) is expected


def test_spread_of_independent_cases_is_not_pointed_out() -> None:
    """Two hundred cases that flip on their own, five runs: no note."""
    rng = random.Random(2)
    assert (
        run_spread_note(single_leaf([[rng.randint(0, 1) for _ in range(5)] for _ in range(200)]), "x") is None
    )


def test_spread_of_whole_runs_is_pointed_out_with_its_size() -> None:
    """One run of four loses half of the cases at once: far more than independent cases would."""
    rng = random.Random(2)
    cases = [[1.0, 1.0, float(rng.random() < 0.5), 1.0] for _ in range(100)]
    note = run_spread_note(single_leaf(cases), "the baseline")
    lost = sum(1 - runs[2] for runs in cases)
    # Four totals 100, 100, 100 - lost, 100 have variance lost^2 / 4; each lost case has variance 1 / 4.
    assert note is not None
    assert note.startswith("the 4 runs of the baseline spread more")
    assert f"{lost / 2:.1f} points" in note
    assert f"{(lost / 4) ** 0.5:.1f} would" in note


def test_single_runs_and_steady_runs_have_no_spread() -> None:
    """Nothing to compare, nothing to say."""
    assert run_spread_note(single_leaf([1, 0]), "x") is None
    assert run_spread_note(single_leaf([[1, 1], [0, 0]]), "x") is None
    assert run_spread_note([], "x") is None
