"""A worker that dies takes down nothing that was paid for (R4)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.survival.project import Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

XDIST = ("-p", "xdist", "-n2", "--dist")

CRASHING = """
def finished():
    with open(os.environ["CALLS"]) as log:
        return sum(line.startswith("done") for line in log)


def noted(line):
    with open(os.environ["CALLS"]) as log:
        return log.read().splitlines().count(line)


@schemascore.case("cases.jsonl", concurrency=8)
async def test_crashing(case):
    note(f"call {case.id}")
    if case.id == os.environ.get("HELD") and noted(f"call {case.id}") == 1:
        await asyncio.sleep(60)
    if case.id == os.environ.get("CULPRIT"):
        while finished() < int(os.environ.get("AFTER", 8)):
            await asyncio.sleep(0.01)
        WAY
    await asyncio.sleep(0.3 if case.id > "c12" else 0)
    note(f"done {case.id}")
    return {"total": case.input}
"""

STEADY = """
@schemascore.case("others.jsonl", concurrency=8)
def test_steady(case):
    note(f"call {case.id}")
    return {"total": case.input}
"""

INPUTS = {f"c{number:02}": number for number in range(20)}
OTHERS = {f"s{number:02}": number for number in range(10)}


def crashing_project(project: Project, way: str) -> None:
    """Write two files, of which one has a case, ``$CULPRIT``, that ends its process by *way*."""
    project.cases("cases.jsonl", INPUTS)
    project.cases("others.jsonl", OTHERS)
    project.test_file("test_a.py", CRASHING.replace("WAY", way))
    project.test_file("test_b.py", STEADY)


UPDATE = ("--schemascore-baseline", "baseline.json", "--schemascore-update")
REPORT = ("--schemascore-report=report.json",)


@pytest.mark.parametrize(
    ("around", "again"),
    [({"HELD": "c06"}, {"c05", "c06"}), ({"AFTER": "19"}, set())],
    ids=["one of several", "the only one"],
)
def test_what_a_dead_worker_had_finished_is_kept_and_the_culprit_fails(
    project: Project, around: dict[str, str], again: set[str]
) -> None:
    """Each case counts once; those that were over are not called again; nothing is recorded.

    A culprit among several calls under way is found by a second call; the only one needs none.
    """
    crashing_project(project, "os.kill(os.getpid(), signal.SIGKILL)")
    run = project.run(*XDIST, "loadfile", *UPDATE, *REPORT, CULPRIT="c05", **around)

    assert run.code == pytest.ExitCode.TESTS_FAILED, run.text
    calls = project.noted()
    called_again = {case for case, count in calls.items() if count > 1}
    assert set(calls) == INPUTS.keys() | OTHERS.keys()
    # Beside the culprit and the one held with it, only what shared the limit with them.
    assert again <= called_again
    assert len(called_again) <= (4 if again else 0)
    assert max(calls.values()) <= 2
    assert project.noted("done").keys() == INPUTS.keys() - {"c05"}
    assert set(project.noted("done").values()) == {1}
    measured = project.measured()
    right = {case for case, found in measured.items() if found["score"] == 1}
    assert right == (INPUTS.keys() | OTHERS.keys()) - {"c05"}
    assert "died while this case ran" in run.text
    assert not (project.folder / "baseline.json").exists()
    assert "a worker crashed" in run.text


def test_a_worker_that_stands_in_for_a_dead_one_clears_no_cache(project: Project) -> None:
    """It is given --cache-clear too, and would clear what this run has paid for."""
    crashing_project(project, "os._exit(3)")
    run = project.run(*XDIST, "loadfile", "--cache-clear", *REPORT, CULPRIT="c05", AFTER="19")

    assert run.code == pytest.ExitCode.TESTS_FAILED, run.text
    assert project.noted() == dict.fromkeys(INPUTS.keys() | OTHERS.keys(), 1)
    measured = project.measured()
    right = {case for case, found in measured.items() if found["score"] == 1}
    assert right == (INPUTS.keys() | OTHERS.keys()) - {"c05"}


def test_without_restarts_the_controller_takes_what_is_recorded(project: Project) -> None:
    """No worker is there to score it, and still what was paid for is in the report; the rest can resume."""
    crashing_project(project, "os._exit(3)")
    run = project.run(*XDIST, "loadfile", "--max-worker-restart=0", *UPDATE, *REPORT, CULPRIT="c05")

    assert run.code == pytest.ExitCode.TESTS_FAILED, run.text
    done = set(project.noted("done"))
    assert done
    measured = project.measured()
    assert {case for case, found in measured.items() if found["score"] == 1} >= done | OTHERS.keys()
    assert project.noted()["c05"] <= 2
    assert not (project.folder / "baseline.json").exists()
    before = project.noted()
    resumed = project.run("--schemascore-resume", *UPDATE, *REPORT)
    assert resumed.code == 0, resumed.text
    assert {case for case in done | OTHERS.keys() if project.noted()[case] != before[case]} == set()
    assert {found["score"] for found in project.measured().values()} == {1}
    assert (project.folder / "baseline.json").exists()


def test_under_load_only_the_culprit_is_lost(project: Project) -> None:
    """Workers that run cases singly lose the one they died in, which fails and is called once."""
    crashing_project(project, "os._exit(3)")
    run = project.run(*XDIST, "load", *UPDATE, *REPORT, CULPRIT="c11")

    assert run.code == pytest.ExitCode.TESTS_FAILED, run.text
    assert project.noted() == dict.fromkeys(INPUTS.keys() | OTHERS.keys(), 1)
    measured = project.measured()
    assert {case for case, found in measured.items() if found["score"] == 1} == (
        INPUTS.keys() | OTHERS.keys()
    ) - {"c11"}
    assert not (project.folder / "baseline.json").exists()


def test_where_folders_are_not_shared_the_run_says_what_is_lost(project: Project) -> None:
    """Workers in folders of their own: results arrive; of a crash only the running batch may be lost."""
    crashing_project(project, "os._exit(3)")
    workers = []
    for name in ("one", "two"):
        place = project.folder / name
        place.mkdir()
        for file in ("pytest.ini", "cases.jsonl", "others.jsonl", "test_a.py", "test_b.py"):
            (place / file).write_text((project.folder / file).read_text())
        workers += ["--tx", f"popen//python={sys.executable}//chdir={place}"]
    arguments = ("-p", "xdist", "--dist", "loadfile", *workers, *REPORT)
    run = project.run(*arguments)
    assert run.code == 0, run.text
    assert project.noted() == dict.fromkeys(INPUTS.keys() | OTHERS.keys(), 1)
    assert {found["score"] for found in project.measured().values()} == {1}
    crashed = project.run(*arguments, "--max-worker-restart=0", CULPRIT="c05")

    assert crashed.code == pytest.ExitCode.TESTS_FAILED, crashed.text
    measured = project.measured()
    assert {case for case, found in measured.items() if found["score"] == 1} >= OTHERS.keys()
    assert "left no journal" in crashed.text
