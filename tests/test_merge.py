"""Shards put together (issue of CI matrices), and verdicts saved in reports."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations

import pytest

from pytest_schemascore.errors import BaselineError
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.diff import Diff, Flaky, Power
from pytest_schemascore.gate.merge import merge_reports
from pytest_schemascore.gate.settings import GateSettings
from pytest_schemascore.gate.verdict_json import verdict_from_json, verdict_to_json
from tests.measured import KEY, case, report, right, run, suite, wrong


def test_shards_make_up_the_report_of_the_whole_run() -> None:
    """Suites that only one shard has come along; files are joined."""
    whole = merge_reports(
        [
            report(
                suite(wrong("b"), of=3, skipped={"c": "why"}), suite(right("z"), key="o"), files=("t.py",)
            ),
            report(suite(right("a"), of=3), files=("o.py",)),
        ]
    )
    assert whole == report(
        suite(right("z"), key="o"),
        suite(right("a"), wrong("b"), skipped={"c": "why"}),
        files=("o.py", "t.py"),
    )


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_the_shards_does_not_matter(order: tuple[int, ...]) -> None:
    """Fields and cases come as in the whole run, which has its cases sorted."""
    cases = [case(name, run(failure=None, **{name: 1.0, "total": 1.0})) for name in "abcdef"]
    shards = [report(suite(cases[at], cases[5 - at], of=6)) for at in range(3)]
    merged = merge_reports([shards[at] for at in order])
    assert merged == report(suite(*cases))
    assert list(merged.fields) == ["a", "total", "b", "c", "d", "e", "f"]


def test_one_report_stays_as_it_is_however_little_ran() -> None:
    """It is no shard."""
    alone = report(suite(right("a"), of=9))
    assert merge_reports([alone]) is alone


def test_overlapping_missing_and_foreign_shards_are_errors() -> None:
    """Each names the suite and what is wrong."""
    one, two = report(suite(right("a"), of=3)), report(suite(right("b"), of=3))
    with pytest.raises(BaselineError, match="overlap in the cases 'a';"):
        merge_reports([one, one])
    with pytest.raises(BaselineError, match=f"suite '{KEY}': 1 of its 3 cases are in none"):
        merge_reports([one, two])
    with pytest.raises(BaselineError, match="not shards of one run"):
        merge_reports([one, report(suite(right("b"), of=4))])
    with pytest.raises(BaselineError, match="no reports"):
        merge_reports([])


def test_a_verdict_survives_being_saved_in_a_report() -> None:
    """Evidence, repeats and power too; the regressions stand apart for who reads only those."""
    before = report(suite(case("a", run(total=1, vendor=1), run(total=1, vendor=0)), right("b")))
    after = report(suite(case("a", run(total=0, vendor=1)), right("b"), right("c")))
    diff = compare(after, before, GateSettings(alpha=0.05, floors={"total": 0.1}), baseline_name="b.json")
    first = replace(
        diff.suites[0], power=Power(0.2, 2, 40, supposed_alpha=0.05), flaky=(Flaky("vendor", 1.0),)
    )
    diff = replace(diff, suites=(first,), not_run_suites=("other",))
    data = json.loads(json.dumps(verdict_to_json(diff), allow_nan=False))
    assert verdict_from_json(data) == diff
    assert data["passed"] is False
    assert data["baseline"] == "b.json"
    found = next(entry for entry in data["regressions"] if entry["metric"] == "total")
    assert (found["suite"], found["before"], found["after"], found["change"]) == (KEY, 1.0, 0.5, -0.5)
    assert (found["lost"], found["gained"], "p_value" in found) == (["a"], [], True)


def test_an_empty_verdict_survives_too() -> None:
    """Nothing was gated."""
    assert verdict_from_json(verdict_to_json(Diff(()))) == Diff(())
