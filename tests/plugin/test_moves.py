"""Suites that moved, are gone, or were merely left out of a run (G1, G7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.plugin.project import XDIST, Project, assert_outcomes, told

if TYPE_CHECKING:
    from pathlib import Path

COMPARE = ("--schemascore-baseline=base.json",)
UPDATE = (*COMPARE, "--schemascore-update")
LABELS = {name: {"total": number} for number, name in enumerate("abc")}
WRONG = {name: {"total": -1} for name in LABELS}

VARIANTS = """
@pytest.mark.parametrize("model", MODELS)
@schemascore.case("cases.jsonl")
def test_v(case, model):
    output = outputs()[model][case.id]
    if output == "raise":
        raise RuntimeError("no answer")
    return output
"""
ONE = """
@schemascore.case(HERE.parent / "cases.jsonl")
def test_b(case):
    return json.loads((HERE.parent / "outputs.json").read_text())[case.id]
"""


def suites(project: Project) -> dict[str, set[str]]:
    """Return the baseline's suites with their cases."""
    recorded = json.loads((project.folder / "base.json").read_text())["suites"]
    return {key: set(suite["cases"]) for key, suite in recorded.items()}


@pytest.fixture
def variants(project: Project) -> Project:
    """Give a project whose baseline has one variant, and whose function has another one too by now."""
    project.cases(LABELS)
    project.outputs({"m1": LABELS, "m2": WRONG})
    project.test_file(VARIANTS.replace("MODELS", '["m1"]'))
    assert_outcomes(project.run(*UPDATE), passed=3)
    project.test_file(VARIANTS.replace("MODELS", '["m1", "m2"]'))
    return project


@pytest.fixture
def folders(project: Project) -> Project:
    """Give a project with a baseline of two files in folders of their own."""
    project.cases(LABELS)
    project.outputs(LABELS)
    project.test_file(ONE, "sub/test_b.py")
    project.test_file(ONE.replace("test_b", "test_o").replace('"cases', '"others'), "other/test_o.py")
    project.cases({**LABELS, "d": {"total": 3}}, "others.jsonl")
    project.outputs({**LABELS, "d": {"total": 3}})
    assert_outcomes(project.run(*UPDATE), passed=7)
    return project


MOVED = "moved: the baseline has it as"

SELECTIONS: list[tuple[str, ...]] = [
    ("-k", "m2"),
    ("--deselect=test_it.py::test_v[m1-a]", "--deselect=test_it.py::test_v[m1-b]", "-k", "not m1-c"),
    tuple(f"test_it.py::test_v[m2-{case}]" for case in LABELS),
    (*XDIST, "-n", "1", "-k", "m2"),
]


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_variant_that_was_not_selected_is_not_the_one_that_moved(
    variants: Project, selection: tuple[str, ...]
) -> None:
    """The other is new, so there is nothing to compare; an update adds it and leaves the first alone."""
    result = variants.run(*COMPARE, *selection)
    assert result.ret == 0, told(result)
    assert MOVED not in told(result)
    before = (variants.folder / "base.json").read_text()
    result = variants.run(*UPDATE, *selection)
    assert result.ret == 0, told(result)
    assert " was " not in told(result)
    assert suites(variants) == {"test_it.py::test_v[m1]": set("abc"), "test_it.py::test_v[m2]": set("abc")}
    after = (variants.folder / "base.json").read_text()
    assert set(before.splitlines()) <= set(after.splitlines())


def test_a_new_variant_inherits_no_line_of_one_that_was_not_selected(variants: Project) -> None:
    """A case without an answer gets none; and as nothing else would notice it, its item fails."""
    variants.outputs({"m1": LABELS, "m2": {**LABELS, "b": "raise"}})
    assert_outcomes(variants.run(*COMPARE, "-k", "m2"), passed=2, failed=1, deselected=3)
    variants.run(*UPDATE, "-k", "m2")
    assert suites(variants)["test_it.py::test_v[m2]"] == {"a", "c"}


def test_a_file_that_was_not_named_did_not_move_to_one_with_the_same_cases(folders: Project) -> None:
    """The first one still exists, so the second is new."""
    folders.test_file(ONE, "sub/test_new.py")
    folders.outputs({**LABELS, "a": {"total": -1}, "d": {"total": 3}})
    result = folders.run(*COMPARE, "sub/test_new.py")
    assert result.ret == 0, told(result)
    assert MOVED not in told(result)
    folders.run(*UPDATE, "sub/test_new.py")
    assert suites(folders).keys() == {
        "sub/test_b.py::test_b",
        "sub/test_new.py::test_b",
        "other/test_o.py::test_o",
    }


RENAMES = [("sub/test_b.py", "sub/test_bb.py"), ("sub/test_b.py", "sub_b/test_b.py"), ("sub", "renamed")]


def rename(project: Project, old: str, new: str) -> None:
    """Rename a file or folder."""
    target = project.folder / new
    target.parent.mkdir(exist_ok=True)
    (project.folder / old).rename(target)


def new_file(project: Project) -> Path:
    """Return the file that has the function now."""
    return next(path for path in project.folder.rglob("test_b*.py"))


@pytest.mark.parametrize(
    ("old", "new", "options"), [*((*names, ()) for names in RENAMES), (*RENAMES[0], (*XDIST, "-n", "1"))]
)
def test_a_suite_whose_file_was_renamed_moved(
    folders: Project, old: str, new: str, options: tuple[str, ...]
) -> None:
    """It is compared in a run of all and of the new place alone; its old key goes when the new is written."""
    rename(folders, old, new)
    file = str(new_file(folders).relative_to(folders.folder))
    folders.outputs({**LABELS, "c": {"total": -1}, "d": {"total": 3}})
    for place in (".", file):
        result = folders.run(*COMPARE, *options, place)
        assert f"{MOVED} sub/test_b.py::test_b" in told(result)
        assert f"FAILED {file}::test_b::gate - total 100.0" in told(result)
    result = folders.run(*UPDATE, *options)
    assert f"{file}::test_b: was sub/test_b.py::test_b" in told(result)
    assert suites(folders) == {f"{file}::test_b": set("abc"), "other/test_o.py::test_o": set("abcd")}
    assert folders.run(*COMPARE, *options).ret == 0


def test_variants_in_a_renamed_file_are_each_found_again(variants: Project) -> None:
    """They share their cases, and their names tell which is which."""
    assert variants.run(*UPDATE).ret == 0
    rename(variants, "test_it.py", "test_that.py")
    assert variants.run(*COMPARE).ret == 0
    assert told(variants.run(*UPDATE)).count(": was test_it.py::test_v[") == 2
    assert suites(variants).keys() == {"test_that.py::test_v[m1]", "test_that.py::test_v[m2]"}


@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_a_suite_without_its_file_is_gone_where_the_run_looked_for_it(folders: Project, how: str) -> None:
    """A run of the whole prunes it, also where the file is still there and holds no test any more."""
    if how == "deleted":
        (folders.folder / "sub" / "test_b.py").unlink()
    else:
        folders.write("sub/test_b.py", "")
    assert "gone" in told(folders.run(*COMPARE))
    result = folders.run(*UPDATE)
    assert result.ret == 0
    assert "sub/test_b.py::test_b: removed, its test is gone" in told(result)
    assert suites(folders).keys() == {"other/test_o.py::test_o"}


@pytest.mark.parametrize(
    "selection",
    [
        ("other",),
        ("other/test_o.py",),
        ("--ignore=sub",),
        ("--ignore-glob=s*",),
        ("--deselect=other/test_n.py",),
        ("--lf",),
    ],
)
def test_a_suite_without_its_file_is_not_run_where_the_run_did_not_look(
    folders: Project, selection: tuple[str, ...]
) -> None:
    """Nothing fails for it, and an update keeps it."""
    folders.test_file("def test_plain():\n    pass\n\ndef test_fails():\n    assert 0\n", "other/test_p.py")
    if "--lf" in selection:
        folders.run()
    if selection[0].startswith("--deselect"):
        folders.test_file(ONE.replace("test_b", "test_n").replace('"cases', '"others'), "other/test_n.py")
    (folders.folder / "sub" / "test_b.py").unlink()
    result = folders.run(*COMPARE, *selection)
    assert "gone" not in told(result)
    assert "::gate" not in told(result)
    folders.run(*UPDATE, *selection)
    assert "sub/test_b.py::test_b" in suites(folders)


def test_most_of_a_baseline_gone_with_its_file_fails(folders: Project) -> None:
    """As with functions that are gone: a deleted file must not switch the gate off."""
    (folders.folder / "other" / "test_o.py").unlink()
    result = folders.run(*COMPARE)
    assert_outcomes(result, passed=3, failed=1)
    assert "suites of the baseline are gone, and 4 of its 7 cases with them" in told(result)


def test_a_partial_run_of_a_renamed_file_takes_nothing_away(folders: Project) -> None:
    """One case can't tell that it is the suite from before, and the others would be lost."""
    rename(folders, "sub", "renamed")
    assert folders.run(*COMPARE, "renamed/test_b.py::test_b[a]").ret == 0
    assert folders.run(*UPDATE, *(f"--deselect=renamed/test_b.py::test_b[{case}]" for case in "bc")).ret == 0
    assert suites(folders)["sub/test_b.py::test_b"] == set("abc")
