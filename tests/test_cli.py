"""The command ``pytest-schemascore``, command by command: what it prints, and its exit codes."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

from pytest_schemascore.cli import main
from pytest_schemascore.cli.output import in_own_words
from tests.cli_files import RUN, write_files

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("folder")


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: bytes
    stderr: bytes


class Cli(Protocol):
    """Runs the command in this process."""

    def __call__(self, *arguments: str) -> Done: ...


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with two JSON files, cases and a module."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "records", raising=False)
    return tmp_path


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes]) -> Cli:
    """Return the command."""

    def run(*arguments: str) -> Done:
        code = main(arguments)
        captured = capsysbinary.readouterr()
        return Done(code, captured.out, captured.err)

    return run


def test_compare_prints_figures_and_the_tree(cli: Cli) -> None:
    """Of three values given, name is right by a third: precision (1/3 + 1 + 1) / 3, recall a quarter less."""
    done = cli("compare", "label.json", "output.json")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "precision 77.8 %   recall 58.3 %   F1 66.7 %" in text
    assert "distance 3, similarity" in text
    assert "[1] = [0]" in text
    assert "\x1b" not in text


def test_compare_writes_one_html_page(cli: Cli) -> None:
    """To standard output."""
    done = cli("compare", "label.json", "output.json", "--report", "html")
    assert done.stdout.startswith(b"<!doctype html>")


def test_compare_takes_schema_config_rules_and_selection(folder: Path, cli: Cli) -> None:
    """All of them at once."""
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "t": {"type": "string"}},
        "additionalProperties": True,
    }
    (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    (folder / "config.json").write_text('{"string_evaluation_type": "binary"}', encoding="utf-8")
    (folder / "a.json").write_text('{"calls": [{"n": 1, "t": "a b", "x": 1}]}', encoding="utf-8")
    (folder / "b.json").write_text('{"calls": [{"n": 1, "t": "a c"}]}', encoding="utf-8")
    done = cli(
        "compare", "a.json", "b.json", "--schema", "schema.json", "--config", "config.json",
        "--select", "calls[0]", "--report", "json")  # fmt: skip
    assert json.loads(done.stdout)["precision"] == 0.5


def test_run_gates_on_floors_alone(cli: Cli) -> None:
    """Five of eight leaves are right."""
    assert cli(*RUN, "records:extract_badly", "--min-overall", "0.6").returncode == 0
    failed = cli(*RUN, "records:extract_badly", "--min", "n=0.5")
    assert failed.returncode == 1


def test_an_update_below_a_floor_is_written_and_fails(folder: Path, cli: Cli) -> None:
    """Five of eight leaves are right; what the old baseline holds makes no difference."""
    update = (*RUN, "records:extract_badly", "--name", "s", "--baseline", "base.json", "--update")
    cli(*RUN, "records:extract", "--name", "s", "--baseline", "base.json", "--update")
    done = cli(*update, "--min-overall", "0.7")
    assert done.returncode == 1
    assert b"below floor" in done.stdout
    assert json.loads((folder / "base.json").read_text())["suites"]["s"]["metrics"]["overall"] == 0.625
    assert cli(*update, "--min-overall", "0.6").returncode == 0


def test_an_update_names_what_it_left_out_once_and_how_to_record_it(folder: Path, cli: Cli) -> None:
    """By the command's own options, which do what they are said to do."""
    (folder / "failing.py").write_text("def extract(x):\n    raise ValueError('down')\n", encoding="utf-8")
    update = (*RUN, "failing:extract", "--name", "s", "--baseline", "base.json")
    done = cli(*update, "--update")
    assert done.returncode == 1
    assert done.stdout.count(b"not recorded, as the extractor raised") == 1
    assert b"(--update-all records them too)" in done.stdout
    assert b"not compared, since this run updates the baseline" in done.stdout
    assert b"schemascore-" not in done.stdout
    assert cli(*update, "--update-all").returncode == 0
    assert json.loads((folder / "base.json").read_text())["suites"]["s"]["metrics"]["overall"] == 0.0


@pytest.mark.parametrize("name", ["m", "tag:none", "<f1>", "<overal>", "n <extras>"])
def test_run_refuses_a_floor_that_names_nothing_before_any_call(folder: Path, cli: Cli, name: str) -> None:
    """It would never be enforced, and calls cost money."""
    (folder / "noting.py").write_text(
        "def extract(x):\n    open('called', 'w')\n    return {}\n", encoding="utf-8"
    )
    done = cli("run", "--cases", "cases.jsonl", "--target", "noting:extract", "--min", f"{name}=0.5")
    assert done.returncode == 2
    assert f"--min {name}: no suite has such a field, tag or metric".encode() in done.stderr
    assert not (folder / "called").exists()


def test_diff_gates_again_without_calling(folder: Path, cli: Cli) -> None:
    """A report against a baseline or another report; suites by name; max-drop as an option."""
    for target, out in (("records:extract", "good.json"), ("records:extract_badly", "bad.json")):
        cli(*RUN, target, "--out", out)
    same = cli("diff", "good.json", "good.json")
    assert same.returncode == 0
    suites = ("--suite", "records:extract=records:extract_badly")
    worse = cli("diff", "good.json", "bad.json", *suites, "--out", "diff.html")
    assert worse.returncode == 1
    assert b"n " in worse.stdout
    assert (folder / "diff.html").read_bytes().startswith(b"<!doctype html>")
    tolerated = cli("diff", "good.json", "bad.json", *suites, "--max-drop", "0.9")
    assert tolerated.returncode == 0


def test_diff_merges_shards(folder: Path, cli: Cli) -> None:
    """Several reports are one run in parts; a part alone that names itself twice is an error."""
    cli(*RUN, "records:extract", "--out", "whole.json")
    whole = json.loads((folder / "whole.json").read_bytes())
    for name, part in (("one.json", slice(0, 2)), ("two.json", slice(2, 4))):
        shard = json.loads(json.dumps(whole))
        suite = shard["suites"]["records:extract"]
        suite["cases"] = suite["cases"][part]
        (folder / name).write_text(json.dumps(shard), encoding="utf-8")
    assert cli("diff", "whole.json", "one.json", "two.json").returncode == 0
    assert cli("diff", "whole.json", "one.json", "one.json").returncode == 2


def test_render_makes_other_forms(folder: Path, cli: Cli) -> None:
    """On standard output or in a file."""
    cli(*RUN, "records:extract_badly", "--min-overall", "0.9", "--out", "r.json")
    markdown = cli("render", "r.json", "--to", "md")
    assert markdown.stdout.startswith(b"## ")
    assert "below floor" in markdown.stdout.decode("utf-8")
    assert cli("render", "r.json", "--to", "csv").stdout.count(b"\n") == 9
    done = cli("render", "r.json", "--to", "html", "--out", "page.html")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (folder / "page.html").read_bytes().startswith(b"<!doctype html>")


def test_check_looks_at_labels_only(folder: Path, cli: Cli) -> None:
    """It names each field's rule; a wrong label is named with file, line and path."""
    done = cli("check", "cases.jsonl", "--schema", "records:Record", "--comparators", "records:RULES")
    assert done.returncode == 0
    assert b"4 cases, 8 labelled leaves, 2 fields: fine" in done.stdout
    assert b"comparators['name']" in done.stdout
    (folder / "wrong.jsonl").write_text(
        '{"input": 1, "expected": {"n": 1}}\n{"input": 2, "expected": {"n": "x"}}\n'
    )
    wrong = cli("check", "wrong.jsonl", "--schema", "records:Record")
    assert wrong.returncode == 2
    assert b"wrong.jsonl:2: n:" in wrong.stderr


def test_check_infers_a_schema_and_rules(folder: Path, cli: Cli) -> None:
    """The schema holds for the labels, and a list with a unique key gets by_key."""
    rows = [{"sku": f"s{n}", "price": n + 0.25} for n in range(3)]
    case = {"input": 1, "expected": {"items": rows, "day": "2024-01-05", "note": None}}
    (folder / "items.jsonl").write_text(json.dumps(case), encoding="utf-8")
    done = cli("check", "items.jsonl", "--infer")
    assert done.returncode == 0
    text = done.stdout.decode()
    assert "'items': schemascore.by_key('sku')" in text
    assert "'items[*].price': schemascore.numeric(abs_tol=0.005)" in text
    schema = json.loads(text[text.index("{") : text.index("\n\n")])
    (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    assert cli("check", "items.jsonl", "--schema", "schema.json").returncode == 0


def test_run_scores_and_gates(folder: Path, cli: Cli) -> None:
    """Record a baseline, pass against it, and fail with the field named."""
    recorded = cli(*RUN, "records:extract", "--baseline", "base.json", "--update")
    assert recorded.returncode == 0
    passed = cli(*RUN, "records:extract", "--baseline", "base.json", "--out", "r.json")
    assert passed.returncode == 0
    assert b"gate passed" in passed.stdout
    failed = cli(
        *RUN,
        "records:extract_badly",
        "--name",
        "records:extract",
        "--baseline",
        "base.json",
        "--out",
        "bad.json",
        "--out",
        "bad.md",
    )
    assert failed.returncode == 1
    assert json.loads((folder / "bad.json").read_bytes())["gate"]["passed"] is False
    assert "**regressed**" in (folder / "bad.md").read_text(encoding="utf-8")


def test_a_run_without_a_baseline_says_how_to_record_one(cli: Cli) -> None:
    """By the very command that was typed: it records, and then passes."""
    command = (*RUN, "records:extract", "--name", "two words")
    done = cli(*command)
    assert done.returncode == 0
    hint = done.stdout.decode().split("record this run as the baseline with:\n")[1].split("\n")[0]
    program, *arguments = shlex.split(hint)
    assert program == "pytest-schemascore"
    assert arguments == [*command, "--baseline", "baseline.json", "--update"]
    assert cli(*arguments).returncode == 0
    again = cli(*command, "--baseline", "baseline.json")
    assert again.returncode == 0
    assert b"gate passed" in again.stdout
    assert b"record" not in again.stdout


def test_failed_calls_that_nothing_judges_fail_the_run(folder: Path, cli: Cli) -> None:
    """No baseline, or one without this suite: a run whose calls raise is no good run. A floor judges them."""
    (folder / "raising.py").write_text("def extract(n):\n    return {'n': 1 / n}\n", encoding="utf-8")
    command = ("run", "--cases", "cases.jsonl", "--target", "raising:extract")
    done = cli(*command)
    assert done.returncode == 1
    assert b"1 call raised or timed out" in done.stderr
    floor = cli(*command, "--min-validity", "0.75")
    assert (floor.returncode, floor.stderr) == (0, b"")
    (folder / "other.jsonl").write_text('{"input": 9, "expected": {"n": 9}}\n', encoding="utf-8")
    other = ("run", "--cases", "other.jsonl", "--target", "records:extract", "--name", "other")
    assert cli(*other, "--baseline", "base.json", "--update").returncode == 0
    assert cli(*command, "--baseline", "base.json").returncode == 1


@pytest.mark.parametrize(
    ("target", "options", "code"),
    [
        ("extract", (), 2),
        ("extract", ("--baseline", "new.json", "--update"), 2),
        ("extract", ("--min-overall", "1"), 2),
        ("extract_badly", ("--min-overall", "1"), 1),
    ],
)
def test_a_report_that_cannot_be_written_costs_nothing_else(
    folder: Path, cli: Cli, target: str, options: tuple[str, ...], code: int
) -> None:
    """The calls are paid for: the other reports, the summary, the update and the verdict are there."""
    outs = ("--out", "records.py/r.json", "--out", "r.json")
    done = cli(*RUN, f"records:{target}", *outs, *options)
    assert done.returncode == code
    assert done.stderr.startswith(b"pytest-schemascore: error: report records.py/r.json was not written: ")
    assert b"4 cases" in done.stdout
    assert len(json.loads((folder / "r.json").read_text())["suites"]) == 1
    assert (folder / "new.json").exists() == ("--update" in options)

    again = cli("diff", "r.json", "r.json", *outs[:2], "--out", "again.json")
    assert again.returncode == code
    assert b"records.py/r.json was not written" in again.stderr
    assert (folder / "again.json").exists()


def test_what_cases_are_called_steers_no_terminal(folder: Path, cli: Cli) -> None:
    """Nor does it forge an annotation, in an update, in an error or in a summary."""
    cases = [{"id": f"a\x1b[31m{n}\n::error::x", "input": n, "expected": {"n": 9}} for n in range(2)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    told = [
        cli(*RUN, "records:extract", "--baseline", "b.json", "--update", "--out", "r.json"),
        cli(*RUN, "records:extract", "--baseline", "b.json", "-vv"),
        cli("diff", "b.json", "r.json", "r.json"),
    ]
    assert [done.returncode for done in told] == [0, 0, 2]
    for text in (done.stdout + done.stderr for done in told):
        assert text
        assert b"\x1b" not in text
        assert not [line for line in text.splitlines() if line.startswith(b"::")]


def test_options_have_the_names_that_the_command_has() -> None:
    """What it lacks keeps the name that pytest has for it."""
    text = "--schemascore-max-drop or --schemascore-update, --schemascore-update-all and --schemascore-out."
    assert in_own_words(text, {"max_drop": None, "update": False}) == (
        "--max-drop or --update, --schemascore-update-all and --schemascore-out."
    )
