"""Kills runs at random moments and checks what each leaves behind (R5, G7)."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.soak.figures import Figures
from tests.survival.project import Project, finish

if TYPE_CHECKING:
    import subprocess

CASES: Final = 60
CONCURRENCY: Final = 8

SUITE: Final = f"""
import random

@schemascore.case("cases.jsonl", concurrency={CONCURRENCY})
async def test_read(case):
    note(f"call {{case.id}} {{os.getpid()}}")
    await asyncio.sleep(random.Random(case.id).uniform(0, 0.06))
    note(f"done {{case.id}} {{os.getpid()}}")
    return {{"total": case.input}}
"""

ARGUMENTS: Final = ("-q", "--schemascore-baseline=base.json", "--schemascore-update")
WORKERS: Final = ("-p", "xdist", "-n2", "--dist", "loadfile")


class Killer:
    """One project whose runs are killed over and over."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.project = Project(folder)
        self.random = random.Random(seed)
        self.problems: list[str] = []
        self.lost = 0
        self.kills = 0
        self.project.write("pytest.ini", "[pytest]\n")
        self.project.cases("cases.jsonl", {f"c{n:03}": n for n in range(CASES)})
        self.project.test_file("test_read.py", SUITE)
        self.project.run(*ARGUMENTS)
        self.baseline = folder / "base.json"
        self.new = self.baseline.read_text()
        self.old = self.new.replace("[1, 1]", "[0, 1]")

    def round(self, number: int) -> bool:
        """Kill one run, and perhaps those that resume it, then let one resume to its end; say if all held."""
        self.baseline.write_text(self.old)
        self._log().unlink(missing_ok=True)
        before = len(self.problems)
        workers = WORKERS if number % 5 == 4 else ()
        self._kill(number, self.project.start(*ARGUMENTS, *workers))
        while not self._is_done() and self.random.random() < 0.3:
            self._kill(number, self.project.start(*ARGUMENTS, *workers, "--schemascore-resume"))
        if not self._is_done():
            done = finish(self.project.start(*ARGUMENTS, *workers, "--schemascore-resume"))
            if done.code != 0:
                self._problem(number, f"the resumed run ended with {done.code}: {done.text[-2_000:]}")
        if self.baseline.read_text() != self.new:
            self._problem(number, "the baseline is not what a whole run makes it")
        again = self._called_again()
        if again:
            self.lost += len(again)
            self._problem(number, f"called again though they had finished: {sorted(again)}")
        return len(self.problems) == before

    def _is_done(self) -> bool:
        """Say whether the newest run had come to its end before it was killed."""
        runs = sorted((self.project.folder / ".pytest_cache" / "d" / "schemascore").glob("run-*"))
        return bool(runs) and (runs[-1] / "done").exists() and bool(self._entries())

    def _kill(self, number: int, process: subprocess.Popen[str]) -> None:
        """Kill at a random moment: anywhere from the start, or once the first calls are made."""
        calls = len(self._lines("call"))
        if self.random.random() < 0.8:
            while process.poll() is None and len(self._lines("call")) == calls:
                time.sleep(0.005)
        # Beyond the end of the calls at times: reports and baseline are written then.
        time.sleep(self.random.uniform(0, 1.0))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.kills += 1
        if self.baseline.read_text() not in (self.old, self.new):
            self._problem(number, "the baseline is neither the old one nor the new one")

    def _called_again(self) -> set[str]:
        """Return the cases that were called after a call of theirs had finished.

        In each process the very last call that noted its end may have been killed before it handed its output
        in: one event loop runs one body at a time.
        """
        last: dict[str, str] = {}
        finished: Counter[str] = Counter()
        again: list[str] = []
        for what, case, process in self._entries():
            if what == "done":
                finished[case] += 1
                last[process] = case
            elif finished[case]:
                again.append(case)
        allowed = Counter(last.values())
        return {case for case, count in Counter(again).items() if count > allowed[case]}

    def _entries(self) -> list[tuple[str, str, str]]:
        lines = self._log().read_text().splitlines() if self._log().exists() else []
        return [(words[0], words[1], words[2]) for line in lines if len(words := line.split()) == 3]

    def _lines(self, what: str) -> list[str]:
        return [case for name, case, _ in self._entries() if name == what]

    def _log(self) -> Path:
        return self.project.folder / "calls.txt"

    def _problem(self, number: int, text: str) -> None:
        self.problems.append(f"round {number}: {text}")


def kill_runs(rounds: int, seed: int = 1) -> Figures:
    """Kill *rounds* runs."""
    folder = Path(tempfile.mkdtemp(prefix="soak-kill-"))
    try:
        killer = Killer(folder, seed)
        held = sum(killer.round(number) for number in range(rounds))
        failed = rounds - held
        return Figures("kill", killer.kills, killer.kills - failed, killer.lost, tuple(killer.problems))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
