"""Ctrl-C once: the run ends at once, says what it had, and leaves nothing half-closed."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.survival.project import finish

if TYPE_CHECKING:
    from tests.survival.project import Done, Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for one process")

INPUTS = {f"c{number:02}": number for number in range(12)}

ASYNC = """
@pytest.fixture(scope="module")
async def client():
    yield "client"
    note("fixture closed")


@schemascore.case("cases.jsonl", concurrency=16)
async def test_read(case, client):
    if case.id < "c05":
        note(f"done {case.id}")
        return {"total": case.input}
    note(f"hangs {case.id}")
    try:
        await asyncio.sleep(3600)
    finally:
        note(f"cancelled {case.id}")
"""

SYNC = """
@schemascore.case("cases.jsonl", concurrency=16, timeout=3600)
def test_read(case):
    if case.id < "c05":
        note(f"done {case.id}")
        return {"total": case.input}
    note(f"hangs {case.id}")
    time.sleep(3600)
"""

BLOCKING = """
@pytest.fixture(scope="module")
async def client():
    yield "client"
    note("fixture closed")


@schemascore.case("cases.jsonl", concurrency=16, timeout=3600)
async def test_read(case, client):
    if case.id < "c05":
        note(f"done {case.id}")
        return {"total": case.input}
    note("hangs c05")
    time.sleep(3600)
"""


def interrupted(project: Project, body: str, hanging: int) -> Done:
    """Run *body*, press Ctrl-C once *hanging* cases hang, and check what holds of every interrupted run."""
    project.cases("cases.jsonl", INPUTS)
    project.test_file("test_read.py", body)
    process = project.start(
        "--schemascore-report=report.json", "--schemascore-baseline=baseline.json", "--schemascore-update"
    )
    while len(project.noted("hangs")) < hanging:
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    # Far below the hour that the bodies would take, and far above what a busy machine needs.
    done = finish(process)

    assert done.code == pytest.ExitCode.INTERRUPTED, done.text
    assert "interrupted" in done.text
    assert project.report()["interrupted"] is True
    assert {case for case, found in project.measured().items() if found["score"] == 1} == set(
        project.noted("done")
    )
    assert not (project.folder / "baseline.json").exists()
    assert "INTERNALERROR" not in done.text
    return done


def test_async_bodies_are_cancelled_before_fixtures_close(project: Project) -> None:
    """Their own cleaning up still finds the client open."""
    interrupted(project, ASYNC, hanging=7)

    log = (project.folder / "calls.txt").read_text().splitlines()
    assert log[-1] == "fixture closed"
    assert len(project.noted("cancelled")) == 7


def test_a_body_that_blocks_the_event_loop_does_not_hold_the_process(project: Project) -> None:
    """Not even where an async fixture can't close any more, since its loop never comes back."""
    interrupted(project, BLOCKING, hanging=1)


def test_blocking_bodies_do_not_hold_the_process_and_the_run_can_be_resumed(project: Project) -> None:
    """Threads can't be cancelled; they are left, at the end of the process too."""
    interrupted(project, SYNC, hanging=7)
    project.test_file("test_read.py", SYNC.replace("time.sleep(3600)", 'return {"total": case.input}'))
    resumed = project.run("--schemascore-resume", "--schemascore-report=report.json")

    assert resumed.code == 0, resumed.text
    assert set(project.noted("done").values()) == {1}
    assert len(project.measured()) == len(INPUTS)
