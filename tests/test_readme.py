"""What the pages say is so: their code runs, and their tables name all there is, with its arguments."""

from __future__ import annotations

import inspect
import itertools
import json
import math
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import pytest_schemascore as schemascore
from pytest_schemascore.cli.parser import COMMANDS
from pytest_schemascore.documents.label_directives import DIRECTIVES
from pytest_schemascore.plugin import SETTINGS, key_of
from pytest_schemascore.plugin.mark import CaseMark
from pytest_schemascore.scoring.pairing.base import Pairing

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
LINKING = [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md"]

FUNCTIONS = {"case", "compare", "evaluate", "json_distance", "json_similarity", "load_cases"}
"""Public names in lower case that are no rules."""


class Block(NamedTuple):
    """A fenced block: its language, the comment in the line above, and its text."""

    language: str
    comment: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of *page*."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"(?:<!-- ([^>]+) -->\n)?```(\w+)\n(.*?)```\n", text, re.DOTALL):
        yield Block(found[2], found[1] or "", found[3])


def table(heading: str) -> dict[str, list[str]]:
    """Return the rows of the README's table below the header that begins with *heading*, by first cell."""
    lines = README.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
    return {first: rest for first, *rest in cells}


def called(name: str) -> str:
    """Return ``name(arguments)`` as its signature has them."""
    parts = []
    for parameter in inspect.signature(getattr(schemascore, name)).parameters.values():
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parts.append(f"{star}{parameter.name}{default}")
    return f"{name}({', '.join(parts)})"


def rules(*, pairings: bool) -> set[str]:
    """Return the calls that make all public comparators, or all public pairings."""
    names = {name for name in schemascore.__all__ if name[0].islower()} - FUNCTIONS
    objects = {name: getattr(schemascore, name) for name in names}
    kind = {name for name, value in objects.items() if isinstance(value, type) and issubclass(value, Pairing)}
    return {f"`{called(name)}`" for name in (kind if pairings else names - kind)}


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with *command* in *folder*."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "GITHUB_"))}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=clean, capture_output=True, text=True, check=False
    )


def write_files(page: Path, folder: Path) -> None:
    """Write the blocks of *page* that are files."""
    for block in blocks(page):
        if block.comment.startswith("file: "):
            (folder / block.comment.removeprefix("file: ")).write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_each_page_runs(page: Path, tmp_path: Path) -> None:
    """The blocks of a page run one after the other, as a reader would type them."""
    write_files(page, tmp_path)
    code = [b.text for b in blocks(page) if b.language == "python" and not b.comment.startswith("file: ")]
    if not code:
        return
    (tmp_path / "page.py").write_text("\n\n".join(code), encoding="utf-8")
    done = run(tmp_path, "-W", "error", "page.py")
    assert done.returncode == 0, done.stderr


def test_the_quickstart(tmp_path: Path) -> None:
    """It records a baseline, passes against it, and fails once the extractor is worse."""
    write_files(README, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    code = (tmp_path / "test_invoices.py").read_text(encoding="utf-8")
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    gate = ["-m", "pytest", "-p", "no:cacheprovider", "--schemascore-baseline", "baseline.json"]
    recorded = run(tmp_path, *gate, "--schemascore-update")
    assert recorded.returncode == 0, recorded.stdout
    assert "overall 100.0 %" in recorded.stdout
    passed = run(tmp_path, *gate)
    assert passed.returncode == 0, passed.stdout
    worse = code.replace('case.input.split(",")[0]', '"Acme Ltd"')
    (tmp_path / "test_invoices.py").write_text(worse, encoding="utf-8")
    failed = run(tmp_path, *gate)
    assert failed.returncode == 1, failed.stdout
    assert re.search(r"vendor +100\.0 → 50\.0", failed.stdout), failed.stdout


def test_every_comparator_and_pairing_is_in_its_table() -> None:
    """With the arguments and defaults that it has."""
    assert set(table("comparator")) == rules(pairings=False)
    assert set(table("pairing")) == rules(pairings=True)


def test_every_option_is_in_the_table() -> None:
    """With what it takes, and its ini twin."""
    expected = {
        f"`--schemascore-{name}{' ' if metavar else ''}{metavar}`": f"`{key_of(name)}`" if ini else "none"
        for name, _, metavar, ini in SETTINGS
    }
    assert {option: cells[0] for option, cells in table("option").items()} == expected


def test_every_argument_of_the_decorator_is_in_the_table() -> None:
    """No argument is undocumented, and none is made up."""
    known = {field.name for field in fields(CaseMark)} - {"source", "folder", "line", "is_async"}
    named = {name.strip("` ") for cell in table("argument") for name in cell.split(",")}
    assert named == known


def test_every_command_is_in_the_table() -> None:
    """The subcommands that the program has."""
    assert set(table("command")) == {f"`pytest-schemascore {name}`" for name in COMMANDS}


def test_every_label_directive_is_in_the_table() -> None:
    """Each example is JSON, and has the directive for its only key."""
    examples = [json.loads(cell.strip("`")) for cell in table("in a label")]
    assert sorted(key for example in examples for key in example) == sorted(DIRECTIVES)


def test_the_numbers_of_cases_follow_from_the_formula() -> None:
    """Connor (1987): n = ((1.645 √(f + d) + 0.84 √(f + d − d²)) / d)², for flip rate f and drop d."""

    def cases(f: float, d: float) -> int:
        return round(((1.645 * math.sqrt(f + d) + 0.84 * math.sqrt(f + d - d * d)) / d) ** 2)

    rows = table("share of cases that flip between two unchanged runs")
    assert rows
    for flips, cells in rows.items():
        share = float(flips.removesuffix(" %")) / 100
        numbers = [int(cell.replace(",", "")) for cell in cells]
        assert numbers == [cases(share, drop) for drop in (0.1, 0.05, 0.03)]


@pytest.mark.parametrize("page", LINKING, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_link_leads_somewhere(page: Path) -> None:
    """Links to files of the project, and to headings in them."""
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    for target in targets:
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [heading.lower().replace(" ", "-") for heading in headings], target


def test_the_readme_has_its_two_commands() -> None:
    """One runs the main job, one passes the tests; each does all of its set-up itself."""
    marked = {
        block.comment: block.text for block in blocks(README) if block.language == "bash" and block.comment
    }
    assert set(marked) == {"main job", "tests"}
    assert all(text.count("\n") == 1 and "python3 -m venv" in text for text in marked.values())
