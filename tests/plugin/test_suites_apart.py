"""What suites, variants and calls share of each other: nothing."""

from __future__ import annotations

import pytest

from tests.plugin.project import XDIST, Project, told

CLASHES = {
    "ids of parameters": """
@pytest.mark.parametrize("prompt", ["4-short", "short"])
@pytest.mark.parametrize("model", ["gpt", "gpt-4"])
@schemascore.case([{"id": "a", "input": 1, "expected": {}}])
def test_read(case, model, prompt):
    note(case.id)
""",
    "a name": """
@schemascore.case([{"id": "a", "input": 1, "expected": {}}], name="test_it.py::test_read")
def test_other(case):
    note(case.id)

@schemascore.case([{"id": "a", "input": 1, "expected": {}}])
def test_read(case):
    note(case.id)
""",
    "a name like a variant": """
@schemascore.case([{"id": "a", "input": 1, "expected": {}}], name="n[one]")
def test_other(case):
    note(case.id)

@pytest.mark.parametrize("model", ["one"])
@schemascore.case([{"id": "a", "input": 1, "expected": {}}], name="n")
def test_read(case, model):
    note(case.id)
""",
}


@pytest.mark.parametrize(
    ("kind", "options"), [*((kind, ()) for kind in CLASHES), ("a name", (*XDIST, "-n2", "--dist=loadfile"))]
)
def test_two_suites_never_share_a_key(project: Project, kind: str, options: tuple[str, ...]) -> None:
    """One would be scored with the other's labels, or be lost; nothing is called."""
    project.test_file(CLASHES[kind])
    result = project.run_apart(*options) if options else project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "would both be cases of the suite" in told(result)
    assert project.calls() == {}


CHANGES_WHAT_IT_GETS = """
@pytest.mark.parametrize("model", ["m1", "m2"])
@schemascore.case("cases.jsonl", concurrency=1, repeat=2)
DEF test_talk(case, model):
    case.input["messages"].append("a system prompt")
    case.expected["n"] = 99
    return {"n": len(case.input["messages"])}

@schemascore.case("cases.jsonl")
DEF test_other(case):
    return {"n": len(case.input["messages"]) + 1}
"""


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_each_call_has_data_of_its_own(project: Project, kind: str) -> None:
    """Neither the runs of a case nor variants nor other suites see what a body does to its input or label."""
    project.write("cases.jsonl", '{"id": "a", "input": {"messages": ["hello"]}, "expected": {"n": 2}}\n')
    project.test_file(CHANGES_WHAT_IT_GETS.replace("DEF", kind))
    assert project.run("--schemascore-report=r.json", "--schemascore-min-overall=1").ret == 0
    suites = project.report("r.json")["suites"].values()
    found = [[case["output"] for case in suite["cases"]] for suite in suites]
    assert found == [[{"n": 2}], [{"n": 2}, {"n": 2}], [{"n": 2}, {"n": 2}]]


WEIGHTED = """
@schemascore.case("cases.jsonl", MORE)
def test_read(case):
    return outputs()[case.id]
"""


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ('weights={"l[*].p": 5}', 'weights={"l[*].q": 50}', "$weights: l[*].p=5 → l[*].q=50"),
        ("weights=None", 'weights={"l[*].p": 0.5, "n": 2}', "$weights: no rule → l[*].p=0.5, n=2"),
        ("metrics=[]", 'metrics=["similarity", "distance"]', "$metrics: no rule → distance, similarity"),
    ],
)
def test_weights_and_metrics_are_rules_of_the_suite(
    project: Project, before: str, after: str, change: str
) -> None:
    """Weights decide pairings too; a baseline of which some cases lack a metric compares other cases."""
    labels = {name: {"n": 1, "l": [{"p": 1, "q": 2}]} for name in "abc"}
    project.cases(labels)
    project.outputs({**labels, "b": {"n": 1, "l": [{"p": 1, "q": 9}, {"p": 9, "q": 2}]}})
    project.test_file(WEIGHTED.replace("MORE", before))
    update = ("--schemascore-baseline=base.json", "--schemascore-update")
    assert project.run(*update).ret == 0
    project.test_file(WEIGHTED.replace("MORE", after))
    assert change in " ".join(told(project.run(update[0])).split())
    refused = project.run(*update, "test_it.py::test_read[a]")
    assert refused.ret == pytest.ExitCode.TESTS_FAILED
    assert "only 1 of 3 were run; run them all" in " ".join(told(refused).split())
    assert project.run(*update).ret == 0
    assert project.run(update[0]).ret == 0
