"""What a user gets wrong on the command line: exit code 2, one line that helps, never a traceback."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pytest_schemascore.cli import main
from pytest_schemascore.cli.parser import COMMANDS

RUN = ("run", "--cases", "cases.jsonl", "--target")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with files that are right and files that are wrong."""
    (tmp_path / "good.json").write_text('{"a": 1}', encoding="utf-8")
    (tmp_path / "bad.json").write_text('{"a": 1,\n "b": }', encoding="utf-8")
    (tmp_path / "config.json").write_text('{"string_evaluation_tipe": "binary"}', encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text('{"input": 1, "expected": {"a": 1}}\n', encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text('{"input": 1, "expected": {"a": 1}}\n{"input"\n', encoding="utf-8")
    (tmp_path / "cli_target.py").write_text("def extract(x):\n    return {'a': x}\n", encoding="utf-8")
    (tmp_path / "cli_broken.py").write_text("import math\nmath.nothing\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("compare", "godo.json", "good.json"),
            "godo.json: there is no such JSON file; did you mean 'good.json'",
        ),
        (("compare", "good.json", "bad.json"), "bad.json: not JSON: Expecting value at line 2, column 7"),
        (("compare", "good.json", "."), ".: is a folder; name the JSON file in it"),
        (("compare", "-", "-"), "can't both be standard input"),
        (
            ("compare", "good.json", "good.json", "--config", "config.json"),
            "did you mean 'string_evaluation_type'",
        ),
        (("compare", "good.json", "good.json", "--select", "b.c"), "neither side has anything there"),
        (("compare", "good.json", "good.json", "--select", "a["), "can't be read from column"),
        (("compare", "good.json", "good.json", "--schema", "godo.json"), "did you mean 'good.json'?"),
        (("compare", "good.json", "good.json", "--config", "confg.json"), "did you mean 'config.json'?"),
        (("compare", "good.json", "no/such.json"), "no/such.json: there is no such JSON file"),
        ((*RUN, "cli_target"), "write the module and the name in it, such as cli_target:NAME"),
        ((*RUN, "cli_target.extract"), "such as cli_target:extract"),
        ((*RUN, "pack/cli_target.py:extract"), "such as pack.cli_target:extract"),
        ((*RUN, "pack/cli_target.py"), "such as pack.cli_target:NAME"),
        ((*RUN, "cli_target.py:extract"), "such as cli_target:extract"),
        ((*RUN, "cli_target:extrakt"), "cli_target has no 'extrakt'; did you mean 'extract'"),
        ((*RUN, "cli_nowhere:extract"), "there is no module 'cli_nowhere' here"),
        ((*RUN, "cli_broken:extract"), "importing it raised AttributeError"),
        ((*RUN, "cli_target:__name__"), "can't be called"),
        (
            (*RUN, "cli_target:extract", "--comparators", "cli_target:extract"),
            "it must be a dict path -> rule",
        ),
        ((*RUN, "cli_target:extract", "--baseline", "none.json"), "record one by adding --update"),
        ((*RUN, "cli_target:extract", "--update"), "--update needs --baseline"),
        ((*RUN, "cli_target:extract", "--out", "r.htm"), "did you mean '.html'"),
        (("run", "--target", "cli_target:extract", "--cases", "none.jsonl"), "there is no such case file"),
        (("run", "--target", "cli_target:extract", "--cases", "broken.jsonl"), "broken.jsonl:2: not JSON"),
        (("diff", "none.json", "good.json"), "there is no such baseline"),
        (("diff", "good.json", "good.json"), "good.json"),
        (("diff", "godo.json", "good.json"), "there is no such baseline file; name 'good.json' if"),
        (("render", "none.json", "--to", "md"), "there is no such report"),
        (("check", "broken.jsonl"), "broken.jsonl:2: not JSON"),
    ],
)
def test_mistakes_are_told_in_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, with what to type instead."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("pytest-schemascore: error: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "required: COMMAND"),
        (("comapre", "a", "b"), "there is no command 'comapre'; did you mean 'compare'"),
        (("compare", "a", "b", "--conifg", "c"), "unknown argument '--conifg'; did you mean '--config'"),
        (("compare", "a"), "required: ACTUAL"),
        (("compare", "a", "b", "--beta", "0"), "give a number above 0"),
        ((*RUN, "m:f", "--max-drop", "2"), "a number from 0 to 1"),
        ((*RUN, "m:f", "--alpha", "1"), "give a level between 0 and 1"),
        ((*RUN, "m:f", "--concurrency", "0"), "give a whole number from 1 to 10,000"),
        *(
            ((*RUN, "m:f", option, number), "give a whole number from 1 to 10,000")
            for option in ("--concurrency", "--repeat")
            for number in ("10001", "9" * 20, "9" * 5000, "-1", "1.5")
        ),
        *(
            ((*RUN, "m:f", option, ""), f"{option}: it is empty")
            for option in ("--baseline", "--out", "--schema")
        ),
        (("run", "--target", "m:f", "--cases", ""), "--cases: it is empty"),
        (("diff", "", "r.json"), "BASELINE: it is empty"),
        (("render", "", "--to", "md"), "REPORT: it is empty"),
        (("check", ""), "CASES: it is empty"),
        ((*RUN, "m:f", "--min", "0.5"), "give FIELD=F"),
        (("render", "r.json", "--to", "pdf"), "invalid choice: 'pdf'"),
    ],
)
def test_arguments_that_cannot_be_parsed_are_told_in_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the nearest known word and where to read on."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    errors = capsys.readouterr().err
    assert ended.value.code == 2
    assert message in errors
    assert "--help" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And the example names the command."""
    with pytest.raises(SystemExit) as ended:
        main((command, "--help"))
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert f"example:\n  pytest-schemascore {command} " in text


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    """As it stands in pyproject.toml."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    with pytest.raises(SystemExit) as ended:
        main(("--version",))
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"pytest-schemascore {project['project']['version']}\n"


def test_a_suite_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With the nearest key and all there are, in either file."""
    assert main((*RUN, "cli_target:extract", "--out", "r.json", "--name", "small")) == 0
    capsys.readouterr()
    for suites, message in (
        ("smal=small", "baseline has no suite 'smal'"),
        ("small=smal", "report has no suite"),
    ):
        assert main(("diff", "r.json", "r.json", "--suite", suites)) == 2
        errors = capsys.readouterr().err
        assert message in errors
        assert "did you mean 'small'? (known: small)" in errors
