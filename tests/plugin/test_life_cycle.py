"""From no baseline to a gated run: the life of a project, with and without xdist."""

from __future__ import annotations

import pytest

from tests.plugin.project import XDIST, Project, assert_outcomes, told

EXTRACTOR = """
@schemascore.case("cases.jsonl")
def test_read(case):
    note(case.id)
    output = outputs()[case.id]
    if output == "raise":
        raise RuntimeError("no answer")
    return output
"""

LABELS = {name: {"total": number, "vendor": "Acme"} for number, name in enumerate("abcde")}
BASELINE = ("--schemascore-baseline", "base.json")


@pytest.mark.parametrize("options", [(), (*XDIST, "-n", "0")], ids=["alone", "-n 0"])
def test_life_cycle(project: Project, options: tuple[str, ...]) -> None:
    """No baseline, update, pass, regress, update, partial update, a raising case: each shows as it should."""
    project.test_file(EXTRACTOR)
    project.cases(LABELS)
    project.outputs(LABELS)
    baseline = project.folder / "base.json"
    options = (*options, *BASELINE)

    result = project.run(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told(result).count("record one with: pytest --schemascore-baseline") == 1
    assert not project.calls()
    assert not baseline.exists()

    result = project.run(*options, "--schemascore-update")
    assert_outcomes(result, passed=5)
    assert result.ret == 0
    assert project.calls() == dict.fromkeys("abcde", 1)
    first = baseline.read_text()

    result = project.run(*options)
    assert_outcomes(result, passed=5)
    result.stdout.fnmatch_lines(["schemascore: gate passed against base.json (5 cases compared)"])
    assert baseline.read_text() == first

    project.outputs({**LABELS, "b": {"total": 99, "vendor": "Acme"}, "d": {"vendor": "Acme"}})
    result = project.run(*options, "--junitxml=junit.xml")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert_outcomes(result, passed=5, failed=1)
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_read::gate - total 100.0 * 60.0 (*40.0 pts)*"])
    failure = project.junit()["gate"].find("failure")
    assert failure is not None
    assert failure.attrib["message"].startswith("total 100.0")
    assert "lost: b, d" in (failure.text or "")
    assert baseline.read_text() == first

    project.forget_calls()
    assert_outcomes(project.run(*options, "--lf"), passed=2, failed=1)
    assert project.calls() == {"b": 1, "d": 1}

    result = project.run(*options, "--schemascore-update")
    assert_outcomes(result, passed=5)
    assert "total gets worse: 1 -> 0.6" in told(result)
    second = baseline.read_text()
    assert changed_lines(first, second) == ["metrics", "b", "d"]
    assert_outcomes(project.run(*options), passed=5)

    project.outputs({name: {"total": -1, "vendor": "Acme"} for name in LABELS})
    assert_outcomes(project.run(*options, "--schemascore-update", "test_it.py::test_read[a]"), passed=1)
    third = baseline.read_text()
    assert changed_lines(second, third) == ["metrics", "a"]

    project.outputs({**LABELS, "c": "raise"})
    assert_outcomes(project.run(*options), passed=5, failed=1)
    result = project.run(*options, "--schemascore-update")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert_outcomes(result, passed=5, failed=1)
    assert "not recorded, as the extractor raised or timed out: c" in told(result)
    fourth = baseline.read_text()
    assert changed_lines(third, fourth) == ["metrics", "a", "b", "d"]
    assert_outcomes(project.run(*options, "--schemascore-update-all"), passed=5)
    assert changed_lines(fourth, baseline.read_text()) == ["metrics", "c"]


def changed_lines(before: str, after: str) -> list[str]:
    """Return what the lines that *before* lacks begin with."""
    old = before.splitlines()
    return [line.split('"')[1] for line in after.splitlines() if line not in old]


def test_life_cycle_with_workers(project: Project) -> None:
    """The controller alone compares and writes; what it writes is what a run without workers writes."""
    project.test_file(EXTRACTOR)
    project.cases(LABELS)
    project.outputs(LABELS)
    baseline = project.folder / "base.json"
    options = (*XDIST, "-n", "2", *BASELINE)

    result = project.run(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told(result).count("record one with: pytest --schemascore-baseline") == 1
    assert not project.calls()

    result = project.run(*options, "--schemascore-update")
    assert_outcomes(result, passed=5)
    assert told(result).count("--dist loadfile is") == 1
    assert project.calls() == dict.fromkeys("abcde", 1)
    with_workers = baseline.read_bytes()
    baseline.unlink()
    assert_outcomes(project.run(*BASELINE, "--schemascore-update"), passed=5)
    assert baseline.read_bytes() == with_workers

    project.outputs({**LABELS, "b": {"total": 99, "vendor": "Acme"}, "d": "raise"})
    result = project.run(*options, "--junitxml=junit.xml")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert_outcomes(result, passed=5, failed=1)
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_read::gate - *", "*1 failed, 5 passed*"])
    assert project.junit()["gate"].find("failure") is not None

    project.forget_calls()
    assert_outcomes(project.run(*options, "--lf", "--dist", "loadgroup"), passed=2, failed=1)
    assert project.calls() == {"b": 1, "d": 1}
