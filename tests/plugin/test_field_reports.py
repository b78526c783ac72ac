"""Faults that users of other tools reported, as far as a plugin can have them; named after the symptom."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.plugin.project import XDIST, Project, assert_outcomes, told

ANSWERS = """
@schemascore.case("cases.jsonl")
def test_read(case):
    note(case.id)
    return outputs()[case.id]
"""
COMPARE = ("--schemascore-baseline=base.json",)
UPDATE = (*COMPARE, "--schemascore-update")


@pytest.fixture
def recorded(project: Project) -> Project:
    """Give a project with a baseline of three cases."""
    labels = {name: {"total": name} for name in "abc"}
    project.cases(labels)
    project.outputs(labels)
    project.test_file(ANSWERS)
    assert_outcomes(project.run(*UPDATE), passed=3)
    return project


def test_entries_of_skipped_cases_are_neither_unused_nor_deleted(recorded: Project) -> None:
    """A skipped case keeps its line and is shown as not run."""
    before = (recorded.folder / "base.json").read_text()
    lines = (recorded.folder / "cases.jsonl").read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "skip": True})
    (recorded.folder / "cases.jsonl").write_text("\n".join(lines))
    for options in (COMPARE, UPDATE):
        result = recorded.run(*options)
        assert_outcomes(result, passed=2, skipped=1)
        assert result.ret == pytest.ExitCode.OK
    assert (recorded.folder / "base.json").read_text() == before
    assert "1 case not run: b" in told(recorded.run(*COMPARE))


def test_a_fix_run_rewrites_nothing_that_did_not_change(recorded: Project) -> None:
    """A baseline that was edited by hand keeps its other lines as they are, line ends of Windows too."""
    path = recorded.folder / "base.json"
    path.write_text(path.read_text().replace('"a": {"label"', '"a":   {"label"'))
    recorded.outputs({"a": {"total": "a"}, "b": {"total": "b"}, "c": {"total": "other"}})
    before = path.read_text().splitlines()
    assert_outcomes(recorded.run(*UPDATE), passed=3)
    after = path.read_text().splitlines()
    assert [new[:4] for old, new in zip(before, after, strict=True) if old != new] == ['"met', '"c":']
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (recorded.folder / "cases.jsonl").write_bytes(
        (recorded.folder / "cases.jsonl").read_bytes().replace(b"\n", b"\r\n")
    )
    result = recorded.run(*COMPARE)
    assert_outcomes(result, passed=3)
    assert "3 cases compared" in told(result)


def test_inputs_and_outputs_are_not_copied_into_the_baseline(project: Project) -> None:
    """However long they are: the file stays small and their text is nowhere in it."""
    text = "pineapple " * 100_000
    project.write("cases.jsonl", json.dumps({"id": "a", "input": text, "expected": {"total": text}}))
    project.test_file(
        '\n@schemascore.case("cases.jsonl")\ndef test_read(case):\n    return {"total": case.input}\n'
    )
    assert_outcomes(project.run(*UPDATE), passed=1)
    baseline = (project.folder / "base.json").read_text()
    assert len(baseline) < 1_000
    assert "pineapple" not in baseline


def test_an_average_over_the_survivors_is_not_taken_for_the_whole(recorded: Project) -> None:
    """Cases that raise stay in every denominator, and the run fails."""
    recorded.test_file(
        ANSWERS.replace("return", "assert_ok(case)\n    return")
        + """
def assert_ok(case):
    if case.id != "a":
        raise TimeoutError("429 too many requests")
"""
    )
    result = recorded.run(*COMPARE, "--schemascore-report=r.json")
    assert_outcomes(result, passed=3, failed=1)
    (suite,) = recorded.report("r.json")["suites"].values()
    assert suite["metrics"]["overall"] == pytest.approx(1 / 3)
    assert suite["invalid"] == {"raised": 2}
    assert recorded.report("r.json")["gate"]["passed"] is False


def test_a_filter_on_a_case_that_does_not_exist_is_no_success(recorded: Project) -> None:
    """Pytest's own statuses stay: 4 for a node id, 5 where nothing is left."""
    assert recorded.run("test_it.py::test_read[nobody]").ret == pytest.ExitCode.USAGE_ERROR
    assert recorded.run("-k", "nobody", *COMPARE).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_an_aborted_run_is_not_turned_into_a_success(recorded: Project) -> None:
    """A collection error elsewhere keeps its status, and nothing is written."""
    before = (recorded.folder / "base.json").read_bytes()
    recorded.write("test_broken.py", "import nothing_of_this_name\n")
    recorded.outputs({name: {} for name in "abc"})
    assert recorded.run(*UPDATE).ret == pytest.ExitCode.INTERRUPTED
    assert (recorded.folder / "base.json").read_bytes() == before
    assert recorded.run(*UPDATE, "--continue-on-collection-errors").ret == pytest.ExitCode.TESTS_FAILED


def test_many_cases_in_one_baseline_all_arrive_from_many_workers(project: Project) -> None:
    """One writer; an entry for each, whichever worker had it."""
    labels = {f"case {number}": {"total": number} for number in range(200)}
    project.cases(labels)
    project.outputs(labels)
    project.test_file(ANSWERS)
    assert_outcomes(project.run(*XDIST, "-n2", *UPDATE), passed=200)
    (suite,) = json.loads((project.folder / "base.json").read_text())["suites"].values()
    assert suite["cases"].keys() == labels.keys()
    assert project.calls() == dict.fromkeys(labels, 1)


def test_a_failed_case_keeps_its_own_row_and_shifts_nobody(project: Project) -> None:
    """Results are joined by id, whatever finishes first or fails."""
    project.cases({name: {"total": name} for name in "abc"})
    project.test_file("""
@schemascore.case("cases.jsonl")
async def test_read(case):
    await anyio.sleep({"a": 0.03, "b": 0.01, "c": 0}[case.id])
    if case.id == "b":
        raise RuntimeError("no")
    return {"total": case.id}
""")
    project.run("--schemascore-report=r.json", "--schemascore-min-overall=0.5")
    measured = project.measured("r.json")
    assert {name: case["score"] for name, case in measured.items()} == {"a": 1.0, "b": 0.0, "c": 1.0}
    assert "RuntimeError: no" in measured["b"]["error"]["message"]


def test_files_are_utf_8_and_an_ascii_console_is_no_crash(project: Project) -> None:
    """Whatever the platform's encoding is."""
    project.write("cases.jsonl", '{"id": "ä", "input": 1, "expected": {"größe": "株式会社 Kärcher"}}\n')
    project.test_file("""
@schemascore.case("cases.jsonl", min_score=1)
def test_read(case):
    return {"größe": "株式会社"}
""")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "pytest_schemascore.plugin",
            "-v",
            "--schemascore-report=r.json",
        ],
        cwd=project.folder,
        env={
            **os.environ,
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONIOENCODING": "ascii",
        },
        capture_output=True,
        check=False,
    )
    text = (done.stdout + done.stderr).decode("ascii")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, text
    assert "INTERNALERROR" not in text
    assert "schemascore: not compared" in text
    assert project.measured("r.json")["ä"]["leaves"][0]["expected"] == "株式会社 Kärcher"


def test_one_rule_one_verdict(recorded: Project) -> None:
    """What the last line says is what the exit status says, and the report."""
    recorded.outputs({"a": {"total": "a"}, "b": {"total": "b"}, "c": {}})
    result = recorded.run(*COMPARE, "--schemascore-max-drop=0.4", "--schemascore-report=r.json")
    assert result.ret == pytest.ExitCode.OK
    assert "schemascore: gate passed against base.json (3 cases compared, 2 drops within" in told(result)
    assert recorded.report("r.json")["gate"]["passed"] is True
    result = recorded.run(*COMPARE, "--schemascore-max-drop=0.3", "--schemascore-report=r.json")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "regressions against base.json" in told(result)
    assert "gate passed" not in told(result)
    assert recorded.report("r.json")["gate"]["passed"] is False
