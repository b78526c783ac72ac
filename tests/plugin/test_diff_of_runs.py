"""The command ``diff`` on what pytest runs wrote: variants, floors and shards."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from typing import Any

    from tests.plugin.project import Project

VARIANTS = """
@pytest.mark.parametrize("model", ["m1", "m2", "m3"])
@schemascore.case("cases.jsonl")
def test_v(case, model):
    return outputs()[model][case.id]
"""
LABELS = {name: {"total": number, "vendor": "Acme"} for number, name in enumerate("abcd")}
ONE_WRONG = {**LABELS, "b": {"total": -1, "vendor": "Acme"}}
TWO_WRONG = {**ONE_WRONG, "c": {"total": -1, "vendor": "Acme"}}
KEYS = {model: f"test_it.py::test_v[{model}]" for model in ("m1", "m2", "m3")}


@pytest.fixture
def runs(project: Project) -> Project:
    """Give a project with a report of three variants: all right, one case wrong, two wrong."""
    project.cases(LABELS, tags=["scanned"])
    project.outputs({"m1": LABELS, "m2": ONE_WRONG, "m3": TWO_WRONG})
    project.test_file(VARIANTS)
    baseline = ("--schemascore-baseline=base.json", "--schemascore-update")
    assert project.run(*baseline, "--schemascore-report=r.json").ret == 0
    return project


def diff(project: Project, *arguments: str) -> tuple[int, str]:
    """Run the command; return its exit code and what it printed, on one line."""
    command = [sys.executable, "-m", "pytest_schemascore", "diff", *arguments]
    done = subprocess.run(
        command, cwd=project.folder, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def pairs(*names: str) -> list[str]:
    """Return the options that name pairs of variants, each as ``m1=m2``."""
    halves = [name.split("=") for name in names]
    return [text for old, new in halves for text in ("--suite", f"{KEYS[old]}={KEYS[new]}")]


def compared(project: Project, name: str = "out.json") -> dict[str, Any]:
    """Return the suites of a report's verdict."""
    suites: dict[str, Any] = project.report(name)["gate"]["suites"]
    return suites


@pytest.mark.parametrize("names", [("m1=m3", "m1=m1"), ("m1=m1", "m1=m3"), ("m1=m1", "m1=m2", "m1=m3")])
def test_one_variant_is_held_against_several(runs: Project, names: tuple[str, ...]) -> None:
    """Every pair that was asked for is compared, in whatever order they were named."""
    code, told = diff(runs, "base.json", "r.json", *pairs(*names), "--out", "out.json")
    assert code == 1, told
    assert compared(runs).keys() == {KEYS[name.split("=")[1]] for name in names}
    third = compared(runs)[KEYS["m3"]]
    found = {change["metric"]: (change["before"], change["after"]) for change in third["changes"]}
    assert found["total"] == (1.0, 0.5)


def test_a_variant_can_not_be_held_against_two_in_one_report(runs: Project) -> None:
    """A report shows one comparison a suite; the message says what to do."""
    code, told = diff(runs, "base.json", "r.json", *pairs("m1=m3", "m2=m3"))
    assert code == 2
    assert f"can't be compared with both '{KEYS['m1']}' and '{KEYS['m2']}' in one report" in told


def test_a_pair_named_twice_is_compared_once(runs: Project) -> None:
    """There is nothing wrong with it."""
    code, _ = diff(runs, "base.json", "r.json", *pairs("m1=m2", "m1=m2"), "--out", "out.json")
    assert code == 1
    assert list(compared(runs)) == [KEYS["m2"]]


def test_a_report_of_a_selection_moved_nothing(runs: Project) -> None:
    """The report knows what was collected, and the command goes by that: m1 was left out."""
    data = json.loads((runs.folder / "base.json").read_text())
    data["suites"] = {KEYS["m1"]: data["suites"][KEYS["m1"]]}
    runs.write("one.json", json.dumps(data))
    assert runs.run("-k", "m3", "--schemascore-report=m3.json").ret == 0
    code, told = diff(runs, "one.json", "m3.json", "--out", "out.json")
    assert code == 0, told
    gate = runs.report("out.json")["gate"]
    assert (gate["new_suites"], gate["not_run_suites"]) == ([KEYS["m3"]], [KEYS["m1"]])


UNKNOWN = [
    ("tag:scaned", "did you mean 'tag:scanned'?"),
    ("totl", "did you mean 'total'?"),
    ("<overal>", "did you mean '<overall>'?"),
    ("<exact_match>", ""),
    ("<f1>", ""),
]


@pytest.mark.parametrize(("name", "near"), UNKNOWN)
def test_a_floor_that_names_nothing_is_a_usage_error(runs: Project, name: str, near: str) -> None:
    """The command refuses it in the words of the plugin, and neither judges anything."""
    words = f"{name}: no suite has such a field, tag or metric{'; ' if near else ''}{near}"
    code, told = diff(runs, "base.json", "r.json", "--min", f"{name}=0.9")
    assert (code, f"--min {words}" in told) == (2, True), told
    result = runs.run(f"--schemascore-min={name}=0.9")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"--schemascore-min {words}" in result.stderr.str()


@pytest.mark.parametrize("name", ["tag:scanned", "total", "<precision>", "<overall>"])
def test_a_floor_of_any_kind_is_enforced(runs: Project, name: str) -> None:
    """Two of the four totals of the third variant are right, six of its eight leaves."""
    assert diff(runs, "base.json", "r.json", *pairs("m3=m3"), "--min", f"{name}=0.5")[0] == 0
    code, told = diff(runs, "base.json", "r.json", *pairs("m3=m3"), "--min", f"{name}=0.8")
    assert code == 1
    assert "below floor" in told


def test_a_floor_of_the_run_is_for_the_suites_that_have_it(project: Project) -> None:
    """The report keeps the run's floors; a suite compared alone needn't have the fields of the others."""
    project.cases({"a": {"x": 1}}, "x.jsonl")
    project.cases({"a": {"y": 1}}, "y.jsonl")
    project.test_file("""
@schemascore.case("x.jsonl")
def test_x(case):
    return {"x": 1}

@schemascore.case("y.jsonl")
def test_y(case):
    return {"y": 1}
""")
    assert project.run("--schemascore-min=x=0.9", "--schemascore-report=r.json").ret == 0
    code, told = diff(project, "r.json", "r.json", "--suite", "test_it.py::test_y=test_it.py::test_y")
    assert code == 0, told


def test_shards_in_any_order_read_as_the_whole_run(project: Project) -> None:
    """Suites, fields and cases of a matrix's reports come in the order of one run of all."""
    labels: dict[str, Any] = {"a": {"x": 1}, "b": {"y": 1}, "c": {"x": 1, "z": 1}, "d": {"w": 1}}
    project.cases(labels)
    project.outputs({"m1": labels, "m2": labels, "m3": {**labels, "a": {}, "b": {}}})
    project.test_file(VARIANTS)
    assert project.run("--schemascore-report=whole.json").ret == 0
    for number, chosen in enumerate(("ad", "bc")):
        ids = [f"test_it.py::test_v[{model}-{case}]" for model in ("m3", "m1", "m2") for case in chosen]
        assert project.run(*ids, f"--schemascore-report=s{number}.json").ret == 0
    whole = diff(project, "whole.json", "whole.json", "-vv", "--out", "whole-out.json")
    of_all = project.report("whole-out.json")["suites"]
    assert len(of_all) == 3
    for shards in (("s0.json", "s1.json"), ("s1.json", "s0.json")):
        assert diff(project, "whole.json", *shards, "--out", "out.json")[0] == whole[0] == 0
        for key, suite in of_all.items():
            merged = project.report("out.json")["suites"][key]
            assert list(merged["fields"]) == list(suite["fields"])
            assert [case["id"] for case in merged["cases"]] == [case["id"] for case in suite["cases"]]
        assert list(compared(project)) == list(compared(project, "whole-out.json"))
