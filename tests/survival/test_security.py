"""What is read is never executed, and what is written tells no secrets and stays where it belongs."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest_schemascore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.survival.project import Project

EXECUTING: Final = frozenset({"eval", "exec", "compile", "__import__", "input"})
"""Builtins that turn text into code."""

DANGEROUS: Final = frozenset(
    {
        "pickle",
        "cPickle",
        "dill",
        "cloudpickle",
        "marshal",
        "shelve",
        "yaml",
        "subprocess",
        "ctypes",
        "joblib",
    }
)
"""Modules whose reading or calling executes what it is given."""


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """Yield every file of the package, parsed."""
    package = Path(pytest_schemascore.__file__).parent
    for path in sorted(package.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def called(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the functions that are called: ``eval``, ``os.system``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                yield f"{node.func.value.id}.{node.func.attr}"


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the top-level names of the modules that are imported, anywhere in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_nothing_in_the_package_can_execute_what_it_reads() -> None:
    """No eval, no pickle, no YAML, no shell, in any file."""
    found = [
        f"{path.name}: {name}"
        for path, tree in sources()
        for name in (*called(tree), *imported(tree))
        if name in EXECUTING | DANGEROUS or name in {"os.system", "os.popen", "jsonpickle.decode"}
    ]

    assert found == []


KEY = "sk-proj-" + "Abc123" * 6
BEARER = "tok3n" * 6

LEAKING = f"""
CASES = [
    {{"id": name, "input": name, "expected": {{"total": 1}}}}
    for name in (
        "../../outside",
        "/etc/outside",
        "nul\\0byte",
        "line\\nfeed",
        "C:\\\\outside",
        "x" * 3000,
        "\\u2028\\u202e",
        "<script>alert(1)</script>",
        "=cmd|' /C calc'!A0",
    )
]

TEXTS = [
    "401 with Authorization: Bearer {BEARER}",
    "Incorrect API key provided: {KEY}",
    "GET https://user:hunter2secret@api.example.com/v1 failed",
]


@schemascore.case(CASES, concurrency=1)
def test_ids(case):
    return {{"total": 1}}


@schemascore.case([{{"id": str(n), "input": n, "expected": 1}} for n in range(3)])
def test_errors(case):
    answer = TEXTS[case.input]
    try:
        raise ValueError(answer)
    except ValueError as error:
        raise RuntimeError(answer) from error
"""


def test_ids_write_nowhere_else_and_secrets_are_masked(project: Project) -> None:
    """Hostile ids go through to the reports; secrets in exceptions are masked wherever we write."""
    inside = project.folder / "inside"
    inside.mkdir()
    (inside / "pytest.ini").write_text("[pytest]\n")
    project.test_file("inside/test_leaking.py", LEAKING)
    before = set(project.folder.rglob("*"))
    reports = [f"--schemascore-report=inside/out/report.{suffix}" for suffix in ("json", "html", "md", "csv")]
    run = project.run(
        "inside",
        *reports,
        "--schemascore-baseline=inside/out/base.json",
        "--schemascore-update-all",
        "--junit-xml=inside/out/junit.xml",
        "--showlocals",
        MY_SERVICE_PASSWORD="environment-secret",
    )

    assert run.code == 1, run.text
    new = {path for path in project.folder.rglob("*") if path.is_file()} - before
    places = {path.relative_to(inside).parts[0] for path in new}
    assert places <= {"out", ".pytest_cache", "__pycache__"}
    report = json.loads((inside / "out" / "report.json").read_text(encoding="utf-8"))
    suite = next(suite for key, suite in report["suites"].items() if "test_ids" in key)
    ids = {case["id"] for case in suite["cases"]}
    assert {"../../outside", "/etc/outside", "nul\0byte", "line\nfeed"} <= ids
    assert len(ids) == 9
    texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in new}
    written = {name: text for name, text in texts.items() if not name.endswith(".pyc")}
    for name, text in {**written, "terminal": run.text}.items():
        assert KEY not in text, name
        assert BEARER not in text, name
        assert "hunter2secret" not in text, name
        assert "environment-secret" not in text, name
    assert "Incorrect API key provided: ***" in texts["report.json"]
    assert "<script>alert(1)" not in texts["report.html"]
    assert all(not line.startswith(("=", "@")) for line in texts["report.csv"].split("\n"))
    assert not any('"=cmd' in line or ",=cmd" in line for line in texts["report.csv"].split("\n"))
