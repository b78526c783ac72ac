"""Which cases run, and that a run judges no more than it ran."""

from __future__ import annotations

import json

import pytest

from pytest_schemascore.plugin.naming import group_name, without_group
from tests.plugin.project import Project, assert_outcomes, told

TWO = """
@schemascore.case("cases.jsonl")
def test_one(case):
    note(f"one {case.id}")
    return outputs()[case.id]

@schemascore.case("cases.jsonl")
def test_two(case):
    note(f"two {case.id}")
    return outputs()[case.id]

def test_plain():
    pass
"""
UPDATE = ("--schemascore-baseline=base.json", "--schemascore-update")
COMPARE = UPDATE[:1]


@pytest.fixture
def recorded(project: Project) -> Project:
    """Give a project of two suites with a baseline."""
    labels = {name: {"total": name} for name in "abc"}
    project.cases(labels)
    project.outputs(labels)
    project.test_file(TWO)
    assert_outcomes(project.run(*UPDATE), passed=7)
    project.forget_calls()
    return project


@pytest.mark.parametrize(
    ("selection", "calls"),
    [
        (("-k", "test_one"), {"one a": 1, "one b": 1, "one c": 1}),
        (("test_it.py::test_two",), {"two a": 1, "two b": 1, "two c": 1}),
        (("test_it.py::test_two[b]",), {"two b": 1}),
        (("--deselect", "test_it.py::test_one"), {"two a": 1, "two b": 1, "two c": 1}),
        (("-k", "b"), {"one b": 1, "two b": 1}),
        (("-m", "schemascore"), {f"{suite} {case}": 1 for suite in ("one", "two") for case in "abc"}),
    ],
)
def test_a_selection_neither_judges_nor_rewrites_what_it_left_out(
    recorded: Project, selection: tuple[str, ...], calls: dict[str, int]
) -> None:
    """The gate passes, floors wait for a complete suite, and an update leaves the rest byte for byte."""
    before = (recorded.folder / "base.json").read_text()
    result = recorded.run(*COMPARE, *selection)
    assert result.ret == pytest.ExitCode.OK, told(result)
    assert recorded.calls() == calls
    recorded.outputs({name: {"total": "other"} for name in "abc"})
    assert recorded.run(*UPDATE, *selection).ret == pytest.ExitCode.OK
    after = (recorded.folder / "base.json").read_text()
    assert len(after.splitlines()) == len(before.splitlines())
    changed = [new for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new]
    assert len([line for line in changed if not line.startswith('"metrics"')]) == len(calls)


def test_after_a_failure_elsewhere_lf_does_not_make_suites_gone(recorded: Project) -> None:
    """--lf collects a part of a file, and no file that had no failure."""
    recorded.test_file(TWO.replace("pass", "assert 0"))
    recorded.test_file("def test_other():\n    assert 0\n", "test_other.py")
    recorded.run(*COMPARE)
    recorded.forget_calls()
    result = recorded.run(*COMPARE, "--lf")
    assert_outcomes(result, failed=2)
    result = recorded.run(*UPDATE, "--lf")
    assert_outcomes(result, failed=2)
    assert not recorded.calls()
    assert len(json.loads((recorded.folder / "base.json").read_text())["suites"]) == 2


def test_a_suite_whose_function_is_gone_is_removed_by_an_update_of_its_whole_file(recorded: Project) -> None:
    """Its file was collected whole without it."""
    recorded.test_file(TWO.replace("test_two", "helper"))
    result = recorded.run(*COMPARE)
    assert "gone" in told(result)
    result = recorded.run(*UPDATE)
    assert result.ret == pytest.ExitCode.OK
    assert "test_it.py::test_two: removed, its test is gone" in told(result)
    assert list(json.loads((recorded.folder / "base.json").read_text())["suites"]) == ["test_it.py::test_one"]


def test_tags_are_keywords(project: Project) -> None:
    """-k selects by tag."""
    project.write(
        "cases.jsonl",
        '{"id": "a", "input": 1, "expected": {}, "tags": ["scanned"]}\n'
        '{"id": "b", "input": 1, "expected": {}}\n',
    )
    project.test_file(TWO.replace("outputs()[case.id]", "{}"))
    assert_outcomes(project.run("-k", "scanned"), passed=2, deselected=3)
    assert project.calls() == {"one a": 1, "two a": 1}


def test_each_variant_of_a_function_is_a_suite(project: Project) -> None:
    """Stacked parametrize, above and below, and a parametrized fixture: results and baselines don't mix."""
    project.cases({name: {"total": name} for name in "ab"})
    project.test_file("""
@pytest.fixture(scope="module", params=["x", "y-z"])
def model(request):
    return request.param

@pytest.mark.parametrize("lower", [1, 2])
@schemascore.case("cases.jsonl")
@pytest.mark.parametrize("upper", ["p[0]"])
async def test_read(case, model, lower, upper):
    note(f"{case.id} {model} {lower} {upper}")
    return {"total": case.input if (model, lower) == ("y-z", 2) else None}
""")
    result = project.run("--schemascore-report=report.json", *UPDATE)
    assert_outcomes(result, passed=8)
    assert project.calls() == {f"{c} {m} {n} p[0]": 1 for c in "ab" for m in ("x", "y-z") for n in (1, 2)}
    suites = project.report()["suites"]
    assert len(suites) == 4
    right = [key for key, suite in suites.items() if suite["metrics"]["overall"] == 1.0]
    assert len(right) == 1
    assert "y-z" in right[0]
    assert "2" in right[0]
    assert_outcomes(project.run(*COMPARE, "-k", "y-z"), passed=4, deselected=4)


@pytest.mark.parametrize("maxfail", [("-x",), ("--maxfail=2",)])
def test_a_run_that_stops_early_judges_nothing(project: Project, maxfail: tuple[str, ...]) -> None:
    """With -x no more cases are started once enough have failed, and the partial report says so."""
    project.cases({f"c{number:02}": {} for number in range(30)})
    project.test_file("""
@schemascore.case("cases.jsonl", concurrency=2)
async def test_read(case):
    note(case.id)
    await anyio.sleep(0.001)
    assert case.id < "c03" or case.id > "c08"
    return {}
""")
    result = project.run(*maxfail, "--schemascore-report=report.json", *UPDATE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.parseoutcomes()["failed"] == (1 if "-x" in maxfail else 2)
    assert len(project.calls()) < 10
    assert max(project.calls().values()) == 1
    assert "interrupted" in told(result)
    assert "of 30 finished" in told(result)
    assert not (project.folder / "base.json").exists()
    assert project.report()["interrupted"] is True


def test_collecting_only_calls_and_writes_nothing(project: Project) -> None:
    """Nor does it mind a baseline that isn't there yet."""
    project.cases({"a": {}, "b": {}})
    project.test_file(TWO)
    for option in ("--collect-only", "--fixtures", "--setup-plan"):
        result = project.run(option, "--schemascore-baseline=base.json", "--schemascore-report=report.json")
        if option != "--setup-plan":
            assert result.ret == pytest.ExitCode.OK, told(result)
    assert not project.calls()
    assert not list(project.folder.glob("*.json"))
    assert_outcomes(project.run("--schemascore-baseline=base.json", "-k", "plain"), passed=1, deselected=4)


@pytest.mark.parametrize("key", ["test_it.py::test_read", "test_it.py::test_read[en]", "invoices [v2]@next"])
def test_an_xdist_group_is_known_from_the_cases_id(key: str) -> None:
    """xdist looks for the group behind the last bracket, and so do we, to give ``--lf`` the case's own id."""
    node_id = "test_it.py::test_read[en-c@1]"
    marked = f"{node_id}@{group_name(key)}"
    # As xdist's LoadGroupScheduling does it.
    assert marked.rfind("@") > marked.rfind("]")
    assert marked.split("@")[-1] == group_name(key)
    assert without_group(marked) == node_id
