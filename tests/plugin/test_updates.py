"""What an update writes, drops and refuses to write (G7)."""

from __future__ import annotations

import json

import pytest

from tests.plugin.project import Project, assert_outcomes, told

COMPARE = ("--schemascore-baseline=base.json",)
UPDATE = (*COMPARE, "--schemascore-update")
LABELS = {name: {"vendor": "Acme Limited"} for name in "abc"}

EXTRACTOR = """
@schemascore.case("cases.jsonl", comparators={"vendor": schemascore.RULE()}, timeout=1)
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
