"""The soak programs, briefly; `python -m tests.soak` runs them at length."""

from __future__ import annotations

import sys

import pytest

from tests.soak.fuzz import TARGETS, fuzz
from tests.soak.kill import kill_runs
from tests.soak.many import run_many


@pytest.mark.parametrize("target", TARGETS)
def test_hostile_input_has_one_kind_of_error(target: str) -> None:
    """Whatever is read or scored."""
    found = fuzz(target, 150)

    assert found.problems == ()
    assert found.survived == found.injected >= 100


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_run_killed_at_random_moments_loses_nothing() -> None:
    """The baseline is the old one or the new one, and no call that had finished is made again."""
    found = kill_runs(2)

    assert found.problems == ()
    assert found.lost == 0
    assert found.injected >= 2


def test_many_cases_with_random_faults_are_each_counted_once() -> None:
    """As what they were, and never more at once than was asked for."""
    found = run_many(200, 50)

    assert found.problems == ()
    assert found.injected == found.survived > 10
