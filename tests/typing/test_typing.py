"""The public API has types that help: right code passes a strict check, and mistakes don't."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from mypy import api

HERE = Path(__file__).parent
USAGE = HERE / "usage.py"
MISTAKES = HERE / "mistakes.py"


@pytest.fixture(scope="module")
def found_by_mypy() -> list[str]:
    """What a strict mypy says of both files, one line a finding."""
    options = ["--strict", "--no-error-summary", "--config-file=", "--no-warn-unused-ignores"]
    return api.run([*options, str(USAGE), str(MISTAKES)])[0].splitlines()


def lines_marked(path: Path) -> set[int]:
    """Return the numbers of the lines marked as errors."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, start=1) if line.endswith("# error")}


def test_right_code_passes(found_by_mypy: list[str]) -> None:
    """mypy has nothing to say of code that uses the public API as meant."""
    assert [line for line in found_by_mypy if USAGE.name in line] == []


def test_mistakes_are_found(found_by_mypy: list[str]) -> None:
    """mypy finds each marked mistake, and nothing else in that file."""
    found = [re.search(rf"{MISTAKES.name}:(\d+): error", line) for line in found_by_mypy]
    assert {int(match[1]) for match in found if match} == lines_marked(MISTAKES)


@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is in the extra dev")
def test_pyright_agrees() -> None:
    """pyright says the same of both files."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pyright",
            "--outputjson",
            "--pythonpath",
            sys.executable,
            str(USAGE),
            str(MISTAKES),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    findings = json.loads(done.stdout)["generalDiagnostics"]
    errors = {
        (Path(f["file"]).name, f["range"]["start"]["line"] + 1) for f in findings if f["severity"] == "error"
    }
    assert errors == {(MISTAKES.name, line) for line in lines_marked(MISTAKES)}
