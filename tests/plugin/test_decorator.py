"""``@schemascore.case``: where cases come from, and what a newcomer gets wrong."""

from __future__ import annotations

import sys

import pytest

from tests.plugin.project import Project, assert_outcomes, told

SOURCES = """
import functools

shared = functools.partial(schemascore.case, schema=None, concurrency=2)

def made():
    return [{"id": "made", "input": 1, "expected": {"n": 1}}]

@shared("cases.jsonl")
def test_file(case):
    return {"n": case.input}

@shared(HERE / "cases.json")
def test_list_file(case):
    return {"n": case.input}

@schemascore.case([
    {"input": 1, "expected": {"n": 1}},
    schemascore.Case("own", 1, {"n": 1}),
    pytest.param({"input": 1, "expected": {"n": 1}}, id="named"),
    pytest.param({"id": "skipped", "input": 1, "expected": {"n": 1}}, marks=pytest.mark.skip),
    pytest.param({"id": "fails", "input": 2, "expected": {"n": 1}}, marks=pytest.mark.xfail(strict=True)),
], min_score=1)
def test_list(case):
    return {"n": case.input}

@shared(made)
async def test_callable(case):
    return {"n": case.input}
"""


def test_cases_come_from_files_lists_params_and_functions(project: Project) -> None:
    """A shared partial of the decorator, ids and marks of `pytest.param`, strict markers."""
    project.write("cases.jsonl", '{"id": "ä→b", "input": 1, "expected": {"n": 1}}\n')
    project.write("cases.json", '[{"id": "x y", "input": 1, "expected": {"n": 1}}]')
    project.test_file(SOURCES)
    result = project.run(
        "--strict-markers", "--schemascore-min-overall=0.7", "--schemascore-report=r.json", "-v"
    )
    assert_outcomes(result, passed=6, skipped=1, xfailed=1)
    assert {"ä→b", "x y", "own", "named", "fails", "made"} < project.measured("r.json").keys()
    result.stdout.fnmatch_lines(["*test_file[[]\\xe4\\u2192b[]] PASSED*", "*test_list[[]named[]] PASSED*"])
    assert "test_it.py::test_file" in project.report("r.json")["suites"]


def test_the_suite_is_named_as_asked(project: Project) -> None:
    """``name=`` is the key in reports and baselines; of two functions with one name the second is refused."""
    body = """
@schemascore.case([{"id": "a", "input": 1, "expected": {}}], name="invoices")
def test_read(case):
    return {}
"""
    project.test_file(body)
    assert_outcomes(project.run("--schemascore-report=r.json"), passed=1)
    assert list(project.report("r.json")["suites"]) == ["invoices"]
    project.test_file(body, "test_other.py")
    result = project.run()
    assert_outcomes(result, errors=1)
    assert "test_other.py::test_read: name='invoices' is the name of test_it.py::test_read already" in told(
        result
    )


MISTAKES = [
    ("@pytest.mark.schemascore\ndef test_it(case): ...", "alone does nothing; write @schemascore.case(...)"),
    ("@schemascore.case\ndef test_it(case): ...", "schemascore.case needs its cases"),
    ("@{case}\ndef test_it(): ...", "test_it has no argument 'case': write def test_it(case, ...)"),
    ("@{case}\ndef test_it(case):\n    yield 1", "test_it yields; an extractor returns its output"),
    ("@{case}\nclass TestIt: ...", "put it on the method"),
    ("@{list}([], tiemout=1)\ndef test_it(case): ...", "did you mean 'timeout'?"),
    ("@{case}\n@{case}\ndef test_it(case): ...", "has schemascore.case twice"),
    ("@{case}\ndef test_it(case): ...", "c.jsonl"),
    ("@{list}([])\ndef test_it(case): ...", "no cases"),
    ("@{list}([pytest.param(1, 2)])\ndef test_it(case): ...", "has 2 values; a case is one value"),
    ("@{list}([{{'input': 1}}])\ndef test_it(case): ...", "expected"),
    ("@{list}([{{'input': 1, 'expectd': 1}}])\ndef test_it(case): ...", "did you mean 'expected'?"),
    ("@{list}([{{'id': 'a', 'expected': 1}}] * 2)\ndef test_it(case): ...", "'a'"),
]


@pytest.mark.parametrize(("body", "message"), MISTAKES)
def test_a_newcomers_mistake_is_one_clear_collection_error(project: Project, body: str, message: str) -> None:
    """It says what happened and what to type next, and shows the user's line and none of ours."""
    project.test_file(body.format(case="schemascore.case('c.jsonl')", list="schemascore.case"))
    result = project.run("-W", "ignore::pytest.PytestCollectionWarning")
    assert_outcomes(result, errors=1)
    assert message in told(result)
    assert "plugin/mark.py" not in told(result)


def test_cases_are_found_beside_the_file_after_the_project_was_moved(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under pytest 8 compiled test files remember the folder that they were compiled in."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    project.cases({"a": {}}, "old/cases.jsonl")
    project.test_file(
        '@schemascore.case("cases.jsonl")\ndef test_read(case):\n    return {}\n', "old/test_it.py"
    )
    assert_outcomes(project.run("old"), passed=1)
    (project.folder / "old").rename(project.folder / "new")
    assert_outcomes(project.run("new"), passed=1)


VALUES = [
    ("'x'", "cases[1]: a case is an object, not a text"),
    ("1", "cases[1]: a case is an object, not a number"),
    ("None", "cases[1]: a case is an object, not null"),
    ("[{'input': 1, 'expected': {}}]", "cases[1]: a case is an object, not a list"),
    ("object()", "cases[1]: a case is an object, not object"),
    ("Row('x')", "cases[1]: a case is an object, not Row"),
    ("schemascore.Case", "cases[1]: a case is an object, not type"),
    ("{'input': 1}", "cases[1]: there is no 'expected'"),
]


@pytest.mark.parametrize("param", ["{}", "pytest.param({})", "pytest.param({}, id='a')"])
@pytest.mark.parametrize(("value", "message"), VALUES)
def test_what_is_no_case_is_told_in_a_param_too(
    project: Project, value: str, message: str, param: str
) -> None:
    """In the words for any other list, and with the place in it."""
    project.test_file(
        "from dataclasses import dataclass\n@dataclass\nclass Row:\n    id: str\n"
        "@schemascore.case([{'input': 0, 'expected': {}}, " + param.format(value) + "])\n"
        "def test_it(case): ..."
    )
    result = project.run()
    assert_outcomes(result, errors=1)
    assert message in told(result)


def test_any_mapping_is_a_case(project: Project) -> None:
    """With the id of its param."""
    project.test_file(
        "from types import MappingProxyType as View\n"
        "@schemascore.case([pytest.param(View({'input': 1, 'expected': {'n': 1}}), id='view'),\n"
        "    pytest.param(schemascore.Case('own', 1, {'n': 1}), id='renamed')])\n"
        "def test_it(case):\n    return {'n': case.input}"
    )
    assert_outcomes(project.run("--schemascore-report=r.json"), passed=2)
    assert project.measured("r.json").keys() == {"view", "renamed"}
