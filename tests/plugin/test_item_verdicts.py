"""What fails an item of its own, and what is left to the gate (R8)."""

from __future__ import annotations

import json

import pytest

from tests.plugin.project import Project, assert_outcomes, told

CASES = [
    {"id": "right", "input": 1, "expected": {"total": 1}},
    {"id": "wrong", "input": 2, "expected": {"total": 1}},
    {"id": "skipped", "input": 1, "expected": {"total": 1}, "skip": "not yet"},
    {"id": "expected to fail", "input": 3, "expected": {"total": 1}, "xfail": "known"},
    {"id": "passes after all", "input": 1, "expected": {"total": 1}, "xfail": True},
    {"id": "skips", "input": "skip", "expected": {"total": 1}},
    {"id": "asserts", "input": "assert", "expected": {"total": 1}},
    {"id": "fails", "input": "fail", "expected": {"total": 1}},
    {"id": "xfails", "input": "xfail", "expected": {"total": 1}},
]

EVERYTHING = """
@schemascore.case("cases.jsonl", min_score=0.5)
def test_read(case):
    note(case.id)
    if case.input == "skip":
        pytest.skip("no network")
    if case.input == "fail":
        pytest.fail("not good")
    if case.input == "xfail":
        pytest.xfail("flaky model")
    assert case.input != "assert"
    return {"total": case.input}
"""


def test_each_way_of_ending_has_its_own_verdict(project: Project) -> None:
    """Skipped is not run, xfail changes the item only, min_score and assertions fail it; all others count."""
    project.write("cases.jsonl", "".join(f"{json.dumps(case)}\n" for case in CASES))
    project.test_file(EVERYTHING)
    result = project.run("--schemascore-report=report.json", "-rA", "--junitxml=junit.xml")
    assert_outcomes(result, passed=1, failed=3, skipped=2, xfailed=2, xpassed=1)
    result.stdout.fnmatch_lines_random(
        [
            "PASSED test_it.py::test_read[[]right[]]",
            "FAILED test_it.py::test_read[[]wrong[]] - *score 0.000 is below min_score=0.5*",
            "XPASS test_it.py::test_read[[]passes after all[]]*",
        ]
    )
    (suite,) = project.report()["suites"].values()
    assert suite["of"] == 9
    assert suite["skipped"] == {"skipped": "not yet", "skips": "no network"}
    scores = {case["id"]: case["score"] for case in suite["cases"]}
    assert scores == {
        "right": 1,
        "wrong": 0,
        "expected to fail": 0,
        "passes after all": 1,
        "asserts": 0,
        "fails": 0,
        "xfails": 0,
    }
    assert "skipped" not in project.calls()
    properties = {
        entry.attrib["name"]: entry.attrib["value"]
        for entry in project.junit()["test_read[wrong]"].iter("property")
    }
    assert properties == {"schemascore.score": "0.0000", "schemascore.failed_fields": "total"}


RAISES = """
@schemascore.case("cases.jsonl", timeout=0.5)
async def test_read(case):
    if case.id == "raises":
        raise ConnectionError("no route")
    if case.id == "slow":
        await anyio.sleep(30)
    return None if case.id == "nothing" else {"total": 1}
"""


def test_a_failed_call_fails_its_item_where_no_gate_would_notice(project: Project) -> None:
    """With a baseline of the suite, or a floor, the gate judges; the case stays in every denominator."""
    project.cases({name: {"total": 1} for name in ("raises", "slow", "nothing", "right")})
    project.test_file(RAISES)
    result = project.run("--schemascore-report=report.json")
    assert_outcomes(result, failed=2, passed=2)
    result.stdout.fnmatch_lines_random(
        [
            "FAILED test_it.py::test_read[[]raises[]] - ConnectionError: no route",
            "FAILED test_it.py::test_read[[]slow[]] - *no answer within 0.5 s",
        ]
    )
    (suite,) = project.report()["suites"].values()
    assert suite["invalid"] == {"raised": 1, "timed out": 1, "not JSON": 1}
    assert suite["metrics"]["validity"] == 0.25
    assert suite["metrics"]["overall"] == 0.25

    assert "None" in project.measured()["nothing"]["error"]["message"]

    assert_outcomes(project.run("--schemascore-min-overall=0.2"), passed=4)
    result = project.run("--schemascore-min-validity=0.6")
    assert_outcomes(result, passed=4, failed=1)
    result.stdout.fnmatch_lines(
        ["FAILED test_it.py::test_read::gate - *validity* 25.0 % below its floor of 60.0 %"]
    )

    baseline = "--schemascore-baseline=base.json"
    result = project.run(baseline, "--schemascore-update")
    assert_outcomes(result, passed=2, failed=3)
    assert_outcomes(project.run(baseline, "--schemascore-update-all"), passed=4)
    assert_outcomes(project.run(baseline), passed=4)


def test_a_comparator_that_raises_fails_its_case_whatever_the_gate_says(project: Project) -> None:
    """A bug of the evaluation is no miss: path and comparator are named (S7)."""
    project.cases({"a": {"total": 1}, "b": {"total": 2}})
    project.test_file("""
def broken(expected, actual):
    if expected == 2:
        raise ZeroDivisionError("oh")
    return True

@schemascore.case("cases.jsonl", comparators={"total": broken})
def test_read(case):
    return {"total": 0}
""")
    result = project.run("--schemascore-min-overall=0", "--schemascore-report=report.json")
    assert_outcomes(result, passed=1, failed=1)
    assert "total" in told(result)
    assert "broken" in told(result)
    assert "ZeroDivisionError" in told(result)


@pytest.mark.parametrize(
    ("statement", "status"),
    [("pytest.exit('enough', returncode=7)", 7), ("raise KeyboardInterrupt", pytest.ExitCode.INTERRUPTED)],
)
def test_what_ends_a_run_inside_a_body_ends_it(project: Project, statement: str, status: int) -> None:
    """The exit status is pytest's own, nothing is compared and nothing is written but the partial report."""
    project.cases({name: {} for name in "abc"})
    project.test_file(f"""
@schemascore.case("cases.jsonl", concurrency=1)
def test_read(case):
    if case.id == "b":
        {statement}
    return {{}}
""")
    update = ("--schemascore-baseline=base.json", "--schemascore-update")
    result = project.run("--schemascore-report=report.json", *update)
    assert result.ret == status, told(result)
    assert project.report()["interrupted"] is True
    assert "a" in project.measured()
    assert not (project.folder / "base.json").exists()


def test_a_status_that_is_bad_already_is_never_made_better(project: Project) -> None:
    """No test collected stays 5; a failing plain test and a passing gate stay 1."""
    project.cases({"a": {}})
    project.test_file(EVERYTHING + "\ndef test_plain():\n    assert 0\n")
    assert project.run("-k", "nothing_has_this_name").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result = project.run("--schemascore-min-overall=0", "--schemascore-max-drop=1")
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_failing_item_shows_what_went_wrong(project: Project) -> None:
    """A table of the leaves that aren't right stands with the failure."""
    project.cases({"a": {"total": 7, "vendor": "Acme"}})
    project.test_file("""
@schemascore.case("cases.jsonl", min_score=1)
def test_read(case):
    return {"total": 8, "vendor": "acme"}
""")
    result = project.run()
    assert_outcomes(result, failed=1)
    result.stdout.fnmatch_lines(["*- schemascore -*", "*total*7*8*"])
