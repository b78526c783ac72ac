"""A project of a user's in a folder of its own, whose pytest runs are processes that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]

PREAMBLE: Final = '''\
import asyncio
import os
import signal
import sys
import threading
import time

import pytest

import pytest_schemascore as schemascore


def note(text):
    """Append a line to the log of calls; one write, so that processes don't mix."""
    with open(os.environ["CALLS"], "ab", buffering=0) as log:
        log.write(f"{text}\\n".encode())

'''
"""What every test file begins with."""

LIMIT: Final = 120
"""Seconds after which a run counts as one that hangs."""


@dataclass(frozen=True, slots=True)
class Done:
    """A run that is over: its exit code (negative: the signal that killed it) and all it printed."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Project:
    """The project in *folder*."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file, and its folder where that is missing."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return path

    def test_file(self, name: str, body: str) -> Path:
        """Write a test file that begins with `PREAMBLE`."""
        return self.write(name, PREAMBLE + body)

    def cases(self, name: str, inputs: dict[str, Any]) -> Path:
        """Write a case file; each case's label is ``{"total": input}``."""
        lines = [{"id": i, "input": value, "expected": {"total": value}} for i, value in inputs.items()]
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start pytest, with only our plugin and those in *arguments*, in a process group of its own."""
        command = [sys.executable, "-m", "pytest", "-p", "pytest_schemascore.plugin"]
        return subprocess.Popen(
            [*command, *arguments],
            cwd=self.folder,
            env=self._environment(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def run(self, *arguments: str, **environment: str) -> Done:
        """Run pytest to its end; see `start`."""
        return finish(self.start(*arguments, **environment))

    def noted(self, what: str = "call") -> Counter[str]:
        """Return how often each case has noted *what*."""
        log = self.folder / "calls.txt"
        lines = log.read_text().splitlines() if log.exists() else []
        return Counter(line.removeprefix(f"{what} ") for line in lines if line.startswith(f"{what} "))

    def report(self, name: str = "report.json") -> dict[str, Any]:
        """Return the one suite of a report, and what is said of the run."""
        data: dict[str, Any] = json.loads((self.folder / name).read_text())
        return data

    def measured(self, name: str = "report.json") -> dict[str, dict[str, Any]]:
        """Return the cases of all suites of a report, by id."""
        suites = self.report(name)["suites"].values()
        return {case["id"]: case for suite in suites for case in suite["cases"]}

    def journals(self) -> list[Path]:
        """Return the journal files, oldest run first."""
        return sorted((self.folder / ".pytest_cache" / "d" / "schemascore").glob("run-*/*.jsonl"))

    def _environment(self, more: dict[str, str]) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "GITHUB_"))
        }
        path = os.pathsep.join([str(ROOT), kept.get("PYTHONPATH", "")]).strip(os.pathsep)
        ours = {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": path,
            "CALLS": str(self.folder / "calls.txt"),
        }
        return kept | ours | more


def finish(process: subprocess.Popen[str]) -> Done:
    """Wait for the end of a run.

    Raises:
        subprocess.TimeoutExpired: it hangs; its process is killed.
    """
    try:
        text, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Done(process.returncode, text)
