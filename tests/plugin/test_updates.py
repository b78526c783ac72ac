"""What an update writes, drops and refuses to write (G7)."""

from __future__ import annotations

import json

import pytest

from tests.plugin.project import Project, assert_outcomes, told

COMPARE = ("--schemascore-baseline=base.json",)
UPDATE = (*COMPARE, "--schemascore-update")
LABELS = {name: {"vendor": "Acme Limited"} for name in "abc"}

EXTRACTOR = """
@schemascore.case("cases.jsonl", comparators={"vendor": schemascore.RULE()}, timeout=3)
async def test_read(case):
    output = outputs()[case.id]
    if output == "raise":
        raise RuntimeError("no answer")
    if output == "hang":
        await anyio.sleep(30)
    if output == "skip":
        pytest.skip("not today")
    return output
"""


def lines_of(project: Project, name: str = "test_it.py::test_read") -> dict[str, object]:
    """Return the recorded fields of each case's first run."""
    suite = json.loads((project.folder / "base.json").read_text())["suites"][name]
    return {key: line["runs"][0]["fields"] for key, line in suite["cases"].items()}


def unwrapped(result: pytest.RunResult) -> str:
    """Return everything a run printed, on one line."""
    return " ".join(told(result).split())


@pytest.fixture
def graded(project: Project) -> Project:
    """Give a project whose baseline scores a spelling by likeness, and whose rule is another one by now."""
    project.cases(LABELS)
    project.outputs({**LABELS, "c": {"vendor": "Acme Limitid"}})
    project.test_file(EXTRACTOR.replace("RULE", "levenshtein"))
    assert project.run(*UPDATE).ret == 0
    assert lines_of(project)["c"] == {"vendor": [0.916667, 1]}  # one edit of twelve
    project.test_file(EXTRACTOR.replace("RULE", "exact"))
    return project


@pytest.mark.parametrize("trouble", ["raise", "hang"])
def test_an_update_with_changed_rules_is_refused_while_a_case_has_no_answer(
    graded: Project, trouble: str
) -> None:
    """Its line would keep the old rule's score; the run names it, and the next good run records all."""
    before = (graded.folder / "base.json").read_text()
    answers = {**LABELS, "c": {"vendor": "Acme Limitid"}}
    graded.outputs({**answers, "c": trouble})
    result = graded.run(*UPDATE)
    assert_outcomes(result, passed=3, failed=1)
    assert "vendor: levenshtein() -> exact()" in told(result)
    assert "the extractor raised or timed out for c; run again" in unwrapped(result)
    assert (graded.folder / "base.json").read_text() == before
    graded.outputs(answers)
    assert_outcomes(graded.run(*UPDATE), passed=3)
    assert lines_of(graded)["c"] == {"vendor": [0, 1]}
    assert_outcomes(graded.run(*COMPARE), passed=3)


def test_an_update_with_changed_rules_can_record_failures_as_such(graded: Project) -> None:
    """--schemascore-update-all scores them by the new rules: nothing was right."""
    graded.outputs({**LABELS, "c": "raise"})
    assert_outcomes(graded.run(*COMPARE, "--schemascore-update-all"), passed=3)
    assert lines_of(graded)["c"] == {"vendor": [0, 1, 0, 1]}
    assert_outcomes(graded.run(*COMPARE), passed=3)


@pytest.mark.parametrize("place", ["file", "body"])
def test_an_update_with_changed_rules_drops_the_lines_of_skipped_cases(graded: Project, place: str) -> None:
    """They wait for nothing, so they must not keep rules from changing; each is named, and new later on."""
    if place == "file":
        graded.cases(LABELS)
        cases = (graded.folder / "cases.jsonl").read_text().splitlines()
        cases[2] = json.dumps({**json.loads(cases[2]), "skip": "broken scan"})
        graded.write("cases.jsonl", "\n".join(cases) + "\n")
    else:
        graded.outputs({**LABELS, "c": "skip"})
    result = graded.run(*UPDATE)
    assert_outcomes(result, passed=2, skipped=1)
    assert "test_it.py::test_read: 1 removed (c): skipped, and recorded under the old rules" in unwrapped(
        result
    )
    assert lines_of(graded).keys() == {"a", "b"}
    graded.cases(LABELS)
    graded.outputs({**LABELS, "c": {"vendor": "Acme Limitid"}})
    assert_outcomes(graded.run(*COMPARE), passed=3)


def test_an_update_with_changed_rules_is_refused_where_cases_were_left_out(graded: Project) -> None:
    """As with --deselect; without a change of rules only what ran is rewritten."""
    before = (graded.folder / "base.json").read_text()
    result = graded.run(*UPDATE, "--deselect", "test_it.py::test_read[c]")
    assert_outcomes(result, passed=2, deselected=1, failed=1)
    assert "only 2 of 3 were run; run them all" in unwrapped(result)
    assert (graded.folder / "base.json").read_text() == before


def test_a_skipped_case_keeps_its_line_while_the_rules_stay(graded: Project) -> None:
    """It holds still what the case got when it last ran."""
    graded.test_file(EXTRACTOR.replace("RULE", "levenshtein"))
    graded.outputs({**LABELS, "a": {"vendor": "Acme"}, "c": "skip"})
    assert_outcomes(graded.run(*UPDATE), passed=2, skipped=1)
    assert lines_of(graded)["c"] == {"vendor": [0.916667, 1]}


FLOORED = """
@schemascore.case("cases.jsonl"GATES)
def test_read(case):
    return outputs()[case.id]
"""


@pytest.fixture
def two_of_three(project: Project) -> Project:
    """Give a project of which two cases of three are right."""
    project.cases(LABELS)
    project.outputs({**LABELS, "c": {"vendor": "Umbrella"}})
    project.test_file(FLOORED.replace("GATES", ""))
    return project


@pytest.mark.parametrize(
    ("options", "gates"),
    [
        (("--schemascore-min-overall=0.9",), ""),
        (("--schemascore-min=vendor=0.9",), ""),
        (("-o", "schemascore_min_overall=0.9"), ""),
        ((), ', gates={"vendor": {"min": 0.9}}'),
        (("--schemascore-update-all",), ', gates={"vendor": {"min": 0.9}}'),
    ],
)
def test_an_update_below_a_floor_is_written_and_fails(
    two_of_three: Project, options: tuple[str, ...], gates: str
) -> None:
    """The flag is explicit, and a floor holds whatever the baseline is."""
    two_of_three.test_file(FLOORED.replace("GATES", gates))
    more = ("--schemascore-report=r.json", "--junitxml=junit.xml")
    result = two_of_three.run(*UPDATE, *options, *more)
    assert_outcomes(result, passed=3, failed=1)
    assert "schemascore: updated base.json, with 1 value below its floor" in unwrapped(result)
    assert "66.7 % below its floor of 90.0 %" in unwrapped(result)
    assert lines_of(two_of_three)["c"] == {"vendor": [0, 1]}
    assert two_of_three.junit()["gate"].find("failure") is not None
    gate = two_of_three.report("r.json")["gate"]
    assert (gate["passed"], gate["baseline"]) == (False, None)
    again = two_of_three.run(*UPDATE, *options)
    assert_outcomes(again, passed=3, failed=1)
    assert "nothing to update in base.json, with 1 value below its floor" in unwrapped(again)


def test_an_update_that_meets_its_floors_passes(two_of_three: Project) -> None:
    """A loss against the old baseline is what an update is for."""
    two_of_three.outputs(LABELS)
    assert two_of_three.run(*UPDATE).ret == 0
    two_of_three.outputs({**LABELS, "c": {"vendor": "Umbrella"}})
    result = two_of_three.run(*UPDATE, "--schemascore-min-overall=0.6")
    assert_outcomes(result, passed=3)
    assert "vendor gets worse" in told(result)


def test_what_an_update_lowers_is_said_with_q_too(two_of_three: Project) -> None:
    """And that an extractor seems broken; all else is left out."""
    two_of_three.outputs(LABELS)
    assert two_of_three.run(*UPDATE).ret == 0
    two_of_three.outputs({**LABELS, "c": {"vendor": "Umbrella"}})
    lowered = told(two_of_three.run(*UPDATE, "-q"))
    assert "vendor gets worse: 1 -> 0.666667" in lowered
    assert "1 updated (c)" not in lowered
    two_of_three.outputs(dict.fromkeys("abc", "no JSON"))
    assert "not one output was valid; is the extractor broken?" in told(two_of_three.run(*UPDATE, "-q"))


def test_floors_wait_for_a_complete_suite_in_an_update_too(two_of_three: Project) -> None:
    """And the output says so."""
    result = two_of_three.run(*UPDATE, "--schemascore-min-overall=0.9", "test_it.py::test_read[c]")
    assert_outcomes(result, passed=1)
    assert "floors were not checked: 1 of 3 cases were run" in unwrapped(result)


def test_a_class_that_fails_to_collect_keeps_its_suites(project: Project) -> None:
    """Its file was not collected whole, though the file's own collection passed (G7)."""
    project.cases({"a": {"total": 1}})
    project.test_file(
        """
class TestRead:
    @schemascore.case("cases.jsonl")
    def test_read(self, case):
        return {"total": 1}

@schemascore.case([{"id": "b", "input": 1, "expected": {"total": 1}}])
def test_other(case):
    return {"total": 1}
"""
    )
    update = ("--schemascore-baseline=base.json", "--schemascore-update")
    assert project.run(*update).ret == pytest.ExitCode.OK
    before = (project.folder / "base.json").read_text()
    (project.folder / "cases.jsonl").rename(project.folder / "moved.jsonl")
    project.run(*update, "--continue-on-collection-errors")
    assert (project.folder / "base.json").read_text() == before


def test_a_file_that_doctest_collects_too_and_that_fails_keeps_its_suites(project: Project) -> None:
    """With --doctest-modules a file is collected twice under one node id, and one of them may pass (G7)."""
    project.cases({"a": {"total": 1}})
    for name in ("test_it.py", "test_other.py"):
        project.test_file(
            f"""
@schemascore.case({'"cases.jsonl"' if name == "test_it.py" else [{"id": "b", "expected": {}, "input": 1}]})
def test_read(case):
    return {{"total": 1}}
""",
            name,
        )
    update = ("--schemascore-baseline=base.json", "--schemascore-update", "--doctest-modules")
    assert project.run(*update).ret == pytest.ExitCode.OK
    before = (project.folder / "base.json").read_text()
    (project.folder / "cases.jsonl").write_text("no JSON\n")
    assert_outcomes(project.run(*update, "--continue-on-collection-errors"), passed=1, errors=1)
    assert (project.folder / "base.json").read_text() == before
