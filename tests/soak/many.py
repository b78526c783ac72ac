"""Thousands of cases with random delays, failures and timeouts: each is counted once, as what it was."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from tests.soak.figures import Figures
from tests.survival.project import Project

SUITES: Final = """
import random

SEED = {seed}


class Gauge:
    inside = peak = 0


def fate(case):
    draw = random.Random(f"{{SEED}} {{case.id}}").random()
    return "raised" if draw < 0.05 else "timed out" if draw < 0.07 else "not JSON" if draw < 0.1 else "right"


def end(case):
    if fate(case) == "raised":
        raise ValueError(case.id)
    return "no JSON" if fate(case) == "not JSON" else {{"total": case.input}}


def delay(case):
    return 3600 if fate(case) == "timed out" else random.Random(case.id).uniform(0, 0.05)


def cases(letter):
    return [{{"id": f"{{letter}}{{n}}", "input": n, "expected": {{"total": n}}}} for n in range({count})]


@schemascore.case(cases("a"), concurrency={limit}, timeout=3)
async def test_async(case):
    note(f"call {{case.id}}")
    Gauge.inside += 1
    Gauge.peak = max(Gauge.peak, Gauge.inside)
    try:
        await asyncio.sleep(delay(case))
        return end(case)
    finally:
        Gauge.inside -= 1


@schemascore.case(cases("s"), concurrency={limit}, timeout=3)
def test_sync(case):
    note(f"call {{case.id}}")
    time.sleep(delay(case))
    return end(case)


def test_gauge():
    note(f"peak {{Gauge.peak}}")
"""


def fate_of(seed: int, case: str) -> str:
    """Return what becomes of a case, as the suite draws it."""
    draw = random.Random(f"{seed} {case}").random()
    return "raised" if draw < 0.05 else "timed out" if draw < 0.07 else "not JSON" if draw < 0.1 else "right"


def run_many(count: int, limit: int, seed: int = 1) -> Figures:
    """Run *count* cases, half of them async, *limit* at once."""
    folder = Path(tempfile.mkdtemp(prefix="soak-many-"))
    try:
        return _run_in(Project(folder), count // 2, limit, seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run_in(project: Project, half: int, limit: int, seed: int) -> Figures:
    project.write("pytest.ini", "[pytest]\n")
    project.test_file("test_many.py", SUITES.format(seed=seed, count=half, limit=limit))
    done = project.run("-q", "--schemascore-report=report.json", "--schemascore-min-overall=0")
    expected = {f"{letter}{n}": fate_of(seed, f"{letter}{n}") for letter in "as" for n in range(half)}
    problems: list[str] = []
    if done.code != 0:
        problems.append(f"ended with {done.code}: {done.text[-2_000:]}")
    found = [case for suite in project.report()["suites"].values() for case in suite["cases"]]
    fates = {case["id"]: case["error"]["kind"] if case["error"] else "right" for case in found}
    wrong = {case for case in expected if fates.get(case) != expected[case]}
    if wrong:
        problems.append(f"{len(wrong)} cases counted wrongly, such as {sorted(wrong)[:5]}")
    if Counter(project.noted()) != Counter(dict.fromkeys(expected, 1)):
        problems.append("not every case was called exactly once")
    peak = max(map(int, project.noted("peak")))
    if peak > limit:
        problems.append(f"{peak} bodies ran at once, beyond the limit of {limit}")
    faults = sum(fate != "right" for fate in expected.values())
    lost = len(wrong) + abs(len(found) - len(expected))
    return Figures("many", faults, faults - len(wrong & _faulty(expected)), lost, tuple(problems))


def _faulty(expected: dict[str, str]) -> set[str]:
    return {case for case, fate in expected.items() if fate != "right"}
