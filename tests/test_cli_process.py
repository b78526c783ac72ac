"""The command as a process: pipes, encodings, Windows newlines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli_files import write_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def command(
    *arguments: str, cwd: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in *cwd*."""
    return subprocess.run(
        [sys.executable, "-m", "pytest_schemascore", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two JSON files, cases and a module."""
    write_files(tmp_path)
    return tmp_path


def test_compare_reads_standard_input_and_writes_json(folder: Path) -> None:
    """In place of one of the files; the JSON is UTF-8 whatever the locale."""
    stdin = json.dumps({"name": "Zoë"}, ensure_ascii=False).encode()
    done = command(
        "compare", "label.json", "-", "--report", "json", "--beta", "2",
        cwd=folder, stdin=stdin, env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0
    data = json.loads(done.stdout.decode("utf-8"))
    assert data["beta"] == 2
    assert data["root"]["children"][0]["actual"] == "Zoë"


def test_text_fits_any_encoding(folder: Path) -> None:
    """What a console can't show is escaped instead of raising."""
    (folder / "a.json").write_text('{"名": "猫 → 犬"}', encoding="utf-8")
    done = command("compare", "a.json", "a.json", cwd=folder, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert b"\\u540d" in done.stdout
    assert b"Traceback" not in done.stderr


def test_nobody_reading_is_no_error(folder: Path) -> None:
    """As with ``| head``: quiet, and the exit code is the command's own."""
    many = json.dumps([{"n": n} for n in range(1000)])
    (folder / "many.json").write_text(many, encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest_schemascore", "compare", "many.json", "many.json"],
        cwd=folder,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, b"")


def test_help_is_quick_because_nothing_heavy_is_imported() -> None:
    """Numbers, schemas and templates are loaded by the command that needs them."""
    heavy = ("numpy", "scipy", "pydantic", "rapidfuzz", "jinja2", "orjson", "anyio", "pytest")
    code = (
        "import sys\n"
        "from pytest_schemascore.cli import main\n"
        "try:\n    main(['compare', '--help'])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {heavy!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"
