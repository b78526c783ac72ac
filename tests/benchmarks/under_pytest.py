"""What the plugin adds to runs of pytest, measured from outside, each run in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PLAIN = """
import pytest

@pytest.mark.parametrize("case", range({count}), ids=[f"c{{i}}" for i in range({count})])
def test_plain(case):
    pass
"""

CASES = """
import asyncio
import pytest_schemascore as schemascore

CASES = [{{"id": f"c{{i}}", "input": i, "expected": {{"n": i}}}} for i in range({count})]

@schemascore.case(CASES, concurrency=50)
async def test_cases(case):
    {body}
    return case.expected
"""

REST = 2.0
"""Seconds before each run: a rented processor is slower after work and faster after waiting."""

NOTHING = "pass"
SLEEP = "await asyncio.sleep(0.05)"

PLUGIN = ("-p", "pytest_schemascore.plugin")
OURS = re.compile(r"import time:\s+(\d+) \|.*\bpytest_schemascore")
INSTRUCTIONS = re.compile(r"Collected : (\d+)")


@dataclass(frozen=True, slots=True)
class PytestRun:
    """One run: wall and processor seconds, and peak memory in MB."""

    wall: float
    cpu: float
    megabytes: float

    def per_item(self, smaller: PytestRun, items: int) -> tuple[float, float]:
        """Return milliseconds and kilobytes for each of the *items* that this run had more than *smaller*."""
        return (
            (self.cpu - smaller.cpu) / items * 1e3,
            (self.megabytes - smaller.megabytes) / items * 1024,
        )


def least(runs: Iterable[PytestRun]) -> PytestRun:
    """Return the run that took the least processor time."""
    return min(runs, key=lambda run: run.cpu)


def run_plain(count: int) -> PytestRun:
    """Run *count* parametrized tests that do nothing, without the plugin."""
    return _run(PLAIN.format(count=count))


def run_cases(count: int, body: str = NOTHING) -> PytestRun:
    """Run *count* cases whose extractor does *body*."""
    return _run(CASES.format(count=count, body=body), *PLUGIN)


def _run(test: str, *options: str) -> PytestRun:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_bench.py").write_text(test)
        environment = _environment() | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
        time.sleep(REST)
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            msg = f"pytest ended with exit code {process.returncode}"
            raise RuntimeError(msg)
        return PytestRun(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


COLLECT_ONLY = ("-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider")
WITHOUT = ("-p", "no:schemascore")


def start_up_milliseconds(tries: int) -> tuple[float, float]:
    """Return the processor time of ``--collect-only`` in an empty folder, with and without the plugin.

    The best of *tries*, taken in turns; both runs load whatever other plugins are installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        for options in ((), WITHOUT):
            _collect(folder, options)  # writes the bytecode
        turns = [(_collect(folder, ()), _collect(folder, WITHOUT)) for _ in range(tries)]
    return min(with_it for with_it, _ in turns), min(without for _, without in turns)


def _collect(folder: str, options: tuple[str, ...]) -> float:
    command = [sys.executable, *COLLECT_ONLY, *options]
    process = subprocess.Popen(command, cwd=folder, env=_environment(), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (used.ru_utime + used.ru_stime) * 1e3


def start_up_instructions(folders: int) -> tuple[int, int] | None:
    """Return the instructions of the same two runs, which no other load changes; None without valgrind.

    The mean over so many *folders*: with each path pytest's own dictionaries fall differently, by up to two
    million instructions.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return None
    counts = [_both_counts(valgrind) for _ in range(folders)]
    with_it, without = (sum(each) // folders for each in zip(*counts, strict=True))
    return with_it, without


def _both_counts(valgrind: str) -> tuple[int, int]:
    with tempfile.TemporaryDirectory() as folder:
        for options in ((), WITHOUT):
            _collect(folder, options)
        return _instructions(valgrind, folder, ()), _instructions(valgrind, folder, WITHOUT)


def _instructions(valgrind: str, folder: str, options: tuple[str, ...]) -> int:
    tool = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*tool, sys.executable, *COLLECT_ONLY, *options]
    environment = _environment() | {"PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    found = INSTRUCTIONS.search(done.stderr)
    return int(found[1]) if found else 0


def import_milliseconds() -> float:
    """Return what ``-X importtime`` says that our own modules take which every run of pytest loads.

    Not in a run of pytest, whose way of loading plugins it does not see.
    """
    command = [sys.executable, "-X", "importtime", "-c", "import pytest, pytest_schemascore.plugin"]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=True)
    return sum(int(found[1]) for found in OURS.finditer(done.stderr)) / 1e3


def _environment() -> dict[str, str]:
    """Return this process's environment with bytecode written, as users have it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
