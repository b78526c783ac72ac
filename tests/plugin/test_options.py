"""Options: their ini twins, what can't be, and what is only found out after collection."""

from __future__ import annotations

import sys

import pytest

from tests.plugin.project import Project, assert_outcomes, told

EXTRACTOR = """
@schemascore.case("cases.jsonl", {more})
def test_read(case):
    note(case.id)
    return outputs()[case.id]
"""


def write(project: Project, more: str = "", name: str = "test_it.py") -> None:
    """Write two cases, one of which comes out wrong, and an extractor."""
    project.write(
        "cases.jsonl",
        '{"id": "a", "input": 1, "expected": {"total": 1, "vendor": "x"}, "tags": ["scanned"]}\n'
        '{"id": "b", "input": 1, "expected": {"total": 2, "vendor": "x"}}\n',
    )
    project.outputs({"a": {"total": 1, "vendor": "x"}, "b": {"total": 3, "vendor": "x"}})
    project.test_file(EXTRACTOR.format(more=more), name)


IMPOSSIBLE = [
    ("update", "add --schemascore-baseline PATH"),
    ("max-drop=2", "--schemascore-max-drop is 2.0; give a share from 0 to 1"),
    ("alpha=1", "give a level between 0 and 1"),
    ("alpha=x", "invalid float value: 'x'"),
    ("min=total", "--schemascore-min total: give FIELD=F, such as total=0.95"),
    ("min=total=7", "give FIELD=F"),
    ("concurrency=0", "--schemascore-concurrency is 0; give a whole number from 1 to 10,000"),
    ("repeat=10001", "--schemascore-repeat is 10001; give a whole number from 1 to 10,000"),
    ("timeout=nan", "give seconds, more than 0"),
    ("backend=tri", "did you mean 'trio'? (known: asyncio, trio)"),
    ("baseline=", "--schemascore-baseline is empty; give a path, or leave the option out"),
    ("report=", "--schemascore-report is empty; give a path, or leave the option out"),
    ("report=r.jsn", "did you mean '.json'? (known: .json, .html, .md, .csv)"),
    ("rescore --schemascore-resume", "give one of them"),
    ("rescore", "no complete run is recorded"),
    (
        "min=totl=0.5",
        "--schemascore-min totl: no suite has such a field, tag or metric; did you mean 'total'?",
    ),
    ("min=<overal>=0.5", "did you mean '<overall>'?"),
    ("min=tag:scaned=0.5", "did you mean 'tag:scanned'?"),
]


@pytest.mark.parametrize(("option", "message"), IMPOSSIBLE)
def test_an_option_that_cannot_be_is_a_usage_error_before_any_call(
    project: Project, option: str, message: str
) -> None:
    """It names the option, what it wants, and the nearest name where one is unknown."""
    write(project)
    result = project.run(*f"--schemascore-{option}".split())
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in told(result)
    assert not project.calls()


def test_an_event_loop_that_is_not_installed_is_a_usage_error_too(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said once and at once, and not by each case with a traceback."""
    write(project)
    monkeypatch.setitem(sys.modules, "trio", None)
    result = project.run("--schemascore-backend=trio")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "which isn't installed; type: pip install trio" in told(result)
    assert not project.calls()


@pytest.mark.parametrize("header", ["[pytest]", "[tool.pytest]"])
def test_ini_twins(project: Project, header: str) -> None:
    """Typed, also in pyproject's native table; the command line wins."""
    write(project)
    native = header == "[tool.pytest]"
    if native and pytest.version_tuple < (9,):
        pytest.skip("pytest 9 reads [tool.pytest] natively")
    quote = '"' if native else ""
    lists = (
        ('["r.json", "r.md"]', '["total=0.4", "other=1"]') if native else ("\n  r.json\n  r.md", "total=0.4")
    )
    (project.folder / "tox.ini").unlink()
    project.write(
        "pyproject.toml" if native else "pytest.ini",
        f"""{header}
schemascore_baseline = {quote}sub/base.json{quote}
schemascore_report = {lists[0]}
schemascore_max_drop = 0.5
schemascore_min = {lists[1]}
schemascore_min_overall = 0.7
schemascore_concurrency = 3
schemascore_timeout = 5.5
schemascore_repeat = 2
schemascore_backend = {quote}trio{quote}
""",
    )
    result = project.run("--schemascore-update")
    assert_outcomes(result, passed=2)
    assert project.calls() == {"a": 2, "b": 2}
    assert (project.folder / "sub" / "base.json").exists()
    settings = project.report("r.json")["settings"]
    assert settings == {
        "max_drop": 0.5,
        "alpha": None,
        "floors": {"total": 0.4},
        "min_overall": 0.7,
        "min_validity": None,
    }
    if native:
        assert "floor for 'other' not used: no suite of this run has it" in told(result)
    result = project.run("--schemascore-min-overall=0.8", "--schemascore-repeat=1")
    assert_outcomes(result, passed=2, failed=1)
    assert project.calls() == {"a": 3, "b": 3}


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("max_drop", "5%", "a number, such as 0.05"),
        ("repeat", "2.5", "a whole number, such as 4"),
        ("min_overall", "0,9", "a number, such as 0.05"),
    ],
)
def test_an_ini_value_that_cannot_be_is_named_with_its_file(
    project: Project, name: str, value: str, wanted: str
) -> None:
    """In one line, as on the command line, and before any call."""
    write(project)
    ini = project.write("tox.ini", f"[pytest]\nschemascore_{name} = {value}\n")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: {ini}: schemascore_{name} = {value}: give {wanted}" in told(result)
    assert not project.calls()


def test_an_empty_ini_value_says_nothing(project: Project) -> None:
    """As if its line were not there."""
    write(project)
    names = ("baseline", "report", "max_drop", "repeat", "backend")
    project.write("tox.ini", "[pytest]\n" + "".join(f"schemascore_{name} =\n" for name in names))
    assert_outcomes(project.run(), passed=2)


def test_paths_are_relative_to_where_they_are_written(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the command line to the working folder, in the decorator to the test file."""
    write(project)
    (project.folder / "deep").mkdir()
    for name in ("cases.jsonl", "outputs.json", "test_it.py"):
        (project.folder / name).rename(project.folder / "deep" / name)
    (project.folder / "elsewhere").mkdir()
    monkeypatch.chdir(project.folder / "elsewhere")
    result = project.run(
        "../deep", "--schemascore-report=r.json", "--schemascore-baseline=b.json", "--schemascore-update"
    )
    assert_outcomes(result, passed=2)
    assert sorted(path.name for path in (project.folder / "elsewhere").iterdir()) == ["b.json", "r.json"]


REFUSED = [
    ('gates={"totl": {"min": 1}}', "gates['totl']: this suite has no such field"),
    ('gates={"tag:scanend": {"min": 1}}', "did you mean 'tag:scanned'?"),
    ('gates={"<validty>": {"min": 1}}', "did you mean '<validity>'?"),
    ('gates={"total": {"mn": 1}}', "has no key 'mn'; did you mean 'min'?"),
    ('comparators={"totl": schemascore.exact()}', "in any label; did you mean 'total'?"),
    ("comparator={}", "schemascore.case() has no argument 'comparator'; did you mean 'comparators'?"),
    ('extra="cuont"', "did you mean 'count'?"),
    ("concurrency=0", "concurrency=0: give a whole number from 1 to 10,000"),
    ("timeout=-1", "timeout=-1: give seconds, more than 0"),
    ("min_score=2", "min_score=2: give a number from 0 to 1"),
    ("weights=5", "weights=5: give a mapping path -> value"),
    ("schema=int", "label"),
]


@pytest.mark.parametrize(("more", "message"), REFUSED)
def test_a_decorator_that_cannot_be_is_one_collection_error(
    project: Project, more: str, message: str
) -> None:
    """It names what is wrong and the nearest known name, and nothing is called."""
    write(project, more)
    result = project.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert_outcomes(result, errors=1)
    assert message in told(result)
    assert not project.calls()


def test_gates_hold_for_one_metric_each(project: Project) -> None:
    """A field, a tag and a suite metric each have their own floor."""
    gates = '{"total": {"min": 0.6}, "tag:scanned": {"min": 1.0}, "<validity>": {"min": 1.0}}'
    write(project, f"gates={gates}")
    result = project.run()
    assert_outcomes(result, passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["FAILED test_it.py::test_read::gate - total 50.0 % below its floor of 60.0 %"]
    )


def test_the_header_says_what_is_compared_or_updated(project: Project) -> None:
    """And nothing where nothing was asked for."""
    write(project)
    assert "schemascore: updates b.json" in told(
        project.run("--schemascore-baseline=b.json", "--schemascore-update")
    )
    assert "schemascore: baseline b.json" in told(project.run("--schemascore-baseline=b.json"))
    assert "schemascore" not in told(project.run("--collect-only", "-q")).replace("test_it", "")
