"""A user's project in a folder of its own, and what its pytest runs came to."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pytest

PREAMBLE: Final = '''\
import asyncio
import json
import os
import random
import threading
import time
from pathlib import Path

import anyio
import pytest

import pytest_schemascore as schemascore

HERE = Path(__file__).parent


def note(text):
    """Append a line to the log of calls; one write, so that threads and processes don't mix."""
    with open(HERE / "calls.txt", "ab", buffering=0) as log:
        log.write(f"{text}\\\\n".encode())


def outputs():
    """Return what the extractor is to answer, by case."""
    return json.loads((HERE / "outputs.json").read_text())

'''.replace("\\\\", "\\")

XDIST: Final = ("-p", "xdist")
"""Loads xdist in a run whose plugins are named."""


@dataclass(frozen=True, slots=True)
class Project:
    """The project in pytester's folder.

    A run that `run` makes is in this process; `run_apart` starts one of its own, which xdist needs.
    """

    pytester: pytest.Pytester

    @property
    def folder(self) -> Path:
        """The project's root."""
        return self.pytester.path

    def write(self, name: str, text: str) -> Path:
        """Write a file, and its folder where that is missing."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def test_file(self, body: str, name: str = "test_it.py") -> Path:
        """Write a test file that begins with `PREAMBLE`."""
        return self.write(name, PREAMBLE + body)

    def cases(self, labels: Mapping[str, Any], name: str = "cases.jsonl", **more: Any) -> Path:
        """Write a case file: id -> label; the input is the id. *more* are further keys of every line."""
        lines = [{"id": i, "input": i, "expected": label, **more} for i, label in labels.items()]
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def outputs(self, outputs: Mapping[str, Any]) -> None:
        """Write what the extractor is to answer, which its `outputs()` reads."""
        self.write("outputs.json", json.dumps(outputs))

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process, with warnings as errors."""
        return self.pytester.runpytest_inprocess(*_plugins(arguments), no_reraise_ctrlc=True)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in a process of its own, with warnings as errors."""
        return self.pytester.runpytest_subprocess(*_plugins(arguments), timeout=120)

    def calls(self) -> Counter[str]:
        """Return how often each line was noted."""
        path = self.folder / "calls.txt"
        return Counter(path.read_text().splitlines()) if path.exists() else Counter()

    def forget_calls(self) -> None:
        """Empty the log of calls."""
        (self.folder / "calls.txt").unlink(missing_ok=True)

    def report(self, name: str = "report.json") -> dict[str, Any]:
        """Return a report that a run wrote."""
        data: dict[str, Any] = json.loads((self.folder / name).read_text())
        return data

    def measured(self, name: str = "report.json") -> dict[str, dict[str, Any]]:
        """Return the cases of all suites of a report, by id."""
        suites = self.report(name)["suites"].values()
        return {case["id"]: case for suite in suites for case in suite["cases"]}

    def junit(self, name: str = "junit.xml") -> dict[str, ET.Element]:
        """Return the entries of a JUnit file by name."""
        tree = ET.parse(self.folder / name)  # noqa: S314 - this run wrote it
        return {case.attrib["name"]: case for case in tree.iter("testcase")}


def _plugins(arguments: Iterable[str]) -> list[str]:
    # In this process the plugin is imported already, of which pytest 8 warns.
    warnings = ("-W", "error", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    return ["-p", "pytest_schemascore.plugin", *warnings, *arguments]


def assert_outcomes(result: pytest.RunResult, **counts: int) -> None:
    """Assert how many tests passed, failed, ... and show the output where it differs."""
    found = {name: number for name, number in result.parseoutcomes().items() if name != "warnings"}
    assert found == counts, result.stdout.str() + result.stderr.str()


def told(result: pytest.RunResult) -> str:
    """Return everything a run printed."""
    return f"{result.stdout.str()}\n{result.stderr.str()}"
