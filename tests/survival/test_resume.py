"""Killed runs: resumed, they call nothing twice; complete ones are scored again without a call (R5)."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests.survival.project import finish

if TYPE_CHECKING:
    from tests.survival.project import Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

KILLED = """
@schemascore.case("cases.jsonl", concurrency=4)
async def test_read(case):
    note(f"call {case.id}")
    await asyncio.sleep(0)
    if case.id == os.environ.get("KILLER"):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    return {"total": case.input}
"""

INPUTS = {f"c{number:02}": number for number in range(40)}


def killed_project(project: Project) -> None:
    """Write a suite of 40 cases of which ``$KILLER`` kills everything."""
    project.cases("cases.jsonl", INPUTS)
    project.test_file("test_read.py", KILLED)


@pytest.mark.parametrize(
    "arguments",
    [(), ("-p", "xdist", "-n2", "--dist", "loadfile"), ("-p", "xdist", "-n2", "--dist", "load")],
    ids=["one process", "loadfile", "load"],
)
def test_a_killed_run_is_resumed_and_calls_nothing_twice(
    project: Project, arguments: tuple[str, ...]
) -> None:
    """Only what was under way, or whose input has changed, is called again; the run says what it took."""
    killed_project(project)
    killed = project.run(*arguments, KILLER="c30")
    first = project.noted()
    assert killed.code == -signal.SIGKILL
    # A kill may come in the middle of a line.
    with project.journals()[0].open("a") as journal:
        journal.write('{"suite": "test_read.py::test_read", "case": "c3')
    project.cases("cases.jsonl", INPUTS | {"c03": -3})
    resumed = project.run(*arguments, "--schemascore-resume", "--schemascore-report", "report.json")

    assert resumed.code == 0, resumed.text
    again = {case for case, count in project.noted().items() if count > 1}
    under_way = {case for case in first if case in again} - {"c03"}
    assert "c30" in under_way
    assert len(under_way) <= 4
    assert project.noted()["c03"] == (2 if "c03" in first else 1)
    taken = len(first) - len(under_way) - ("c03" in first)
    assert f"took {taken} of 40 outputs from the run recorded" in resumed.text
    measured = project.measured()
    assert {case: runs["score"] for case, runs in measured.items()} == dict.fromkeys(INPUTS, 1)


def test_a_resumed_run_that_is_killed_too_loses_nothing(project: Project) -> None:
    """It holds what it took over, so the third run calls only the rest."""
    killed_project(project)
    assert project.run(KILLER="c10").code == -signal.SIGKILL
    assert project.run("--schemascore-resume", KILLER="c30").code == -signal.SIGKILL
    resumed = project.run("--schemascore-resume")

    assert resumed.code == 0, resumed.text
    again = {case for case, count in project.noted().items() if count > 1}
    assert {"c10", "c30"} <= again
    assert len(again) <= 8
    assert set(project.noted()) == set(INPUTS)


@pytest.mark.parametrize(
    "arguments", [(), ("-p", "xdist", "-n2", "--dist", "loadfile")], ids=["one process", "loadfile"]
)
def test_resuming_a_selection_leaves_the_rest_to_be_resumed(
    project: Project, arguments: tuple[str, ...]
) -> None:
    """What ``-k`` leaves out is still paid for; a case that is gone from a whole run is not waited for."""
    killed_project(project)
    project.test_file("test_other.py", KILLED.replace("test_read", "test_other").replace("cases", "others"))
    project.cases("others.jsonl", {"o1": 1, "o2": 2})
    assert project.run(*arguments, KILLER="c30").code == -signal.SIGKILL
    first = project.noted()
    selected = project.run(*arguments, "--schemascore-resume", "-k", "c01 or o1")
    assert selected.code == 0, selected.text
    others = set(first) - {"c01", "o1"}
    assert "more of them, of cases that were not selected" in selected.text
    project.cases("cases.jsonl", {case: value for case, value in INPUTS.items() if case != "c02"})
    resumed = project.run(*arguments, "--schemascore-resume")

    assert resumed.code == 0, resumed.text
    assert "not selected" not in resumed.text
    again = {case for case in others if project.noted()[case] > 1}
    # Beside what was under way when it was killed.
    assert len(again) <= 4
    assert {"c30"} <= again
    # Now it is complete, and nothing is left.
    assert project.run("--schemascore-rescore").code == 0
    assert "no unfinished run" in project.run("--schemascore-resume", "-k", "c01").text


def test_two_runs_at_once_do_not_mix(project: Project) -> None:
    """One is killed while the other goes on; what is resumed is the killed one, not the one that lives."""
    killed_project(project)
    project.test_file(
        "test_slow.py",
        """
@schemascore.case("cases.jsonl", concurrency=40)
async def test_slow(case):
    note(f"slow {case.id}")
    while not os.path.exists("go"):
        await asyncio.sleep(0.05)
    return {"total": case.input}
""",
    )
    other = project.start("test_slow.py")
    while len(project.noted("slow")) < len(INPUTS):
        assert other.poll() is None, other.communicate()[0]
    killed = project.run("test_read.py", KILLER="c30")
    resumed = project.run("test_read.py", "--schemascore-resume")
    project.write("go", "")
    complete = finish(other)

    assert (killed.code, resumed.code, complete.code) == (-signal.SIGKILL, 0, 0), resumed.text
    assert "outputs from the run recorded" in resumed.text
    assert set(project.noted("slow").values()) == {1}
    assert max(project.noted().values()) == 2


FAILING = """
@schemascore.case("cases.jsonl", concurrency=1, timeout=1)
async def test_read(case):
    note(f"call {case.id}")
    if case.id == "c03" and "KILLER" in os.environ:
        raise ConnectionError("the network is down")
    if case.id == "c05" and "KILLER" in os.environ:
        await asyncio.sleep(30)
    if case.id == os.environ.get("KILLER"):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    return {"total": case.input}
"""


@pytest.mark.parametrize(
    "arguments", [(), ("-p", "xdist", "-n2", "--dist", "loadfile")], ids=["one process", "loadfile"]
)
def test_a_resumed_run_says_which_of_its_outputs_are_failures(
    project: Project, arguments: tuple[str, ...]
) -> None:
    """They were finished and may have been paid for, so that they are not called again unless asked for."""
    project.cases("cases.jsonl", INPUTS)
    project.test_file("test_read.py", FAILING)
    assert project.run(*arguments, KILLER="c10").code == -signal.SIGKILL
    resumed = project.run(*arguments, "--schemascore-resume")

    said = " ".join(resumed.text.split())
    assert "took 10 of 40 outputs from the run recorded" in said
    assert "2 of which had raised or timed out; without --schemascore-resume they are called again" in said
    assert {case for case, count in project.noted().items() if count > 1} == {"c10"}
    assert resumed.code == pytest.ExitCode.TESTS_FAILED


FORKING = """
import multiprocessing


@pytest.fixture(scope="module")
def helper():
    process = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
    yield process
    process.kill()


@schemascore.case("cases.jsonl", concurrency=1)
def test_read(case, helper):
    note(f"call {case.id}")
    if case.id == "c10" and "KILLER" in os.environ:
        helper.start()
        note(f"helper {helper.pid}")
        os.kill(os.getpid(), signal.SIGKILL)
    return {"total": case.input}
"""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forking beside threads
def test_processes_that_a_killed_run_has_forked_do_not_keep_it_alive(project: Project) -> None:
    """They outlive it, as those of a pool do; it is resumed all the same."""
    project.cases("cases.jsonl", INPUTS)
    project.test_file("test_read.py", FORKING)
    process = project.start(KILLER="1")
    assert process.wait(60) == -signal.SIGKILL
    (helper,) = project.noted("helper")
    try:
        resumed = project.run("--schemascore-resume")
    finally:
        os.kill(int(helper), signal.SIGKILL)
        process.communicate()

    assert "took 10 of 40 outputs from the run recorded" in resumed.text
    assert {case for case, count in project.noted().items() if count > 1} == {"c10"}


def test_a_complete_run_is_scored_again_without_a_call(project: Project) -> None:
    """Other rules, the same outputs; a case that has none is an error that names it."""
    project.cases("cases.jsonl", INPUTS)
    text = """
@schemascore.case("cases.jsonl", default=RULE)
def test_read(case):
    note(f"call {case.id}")
    return {"total": case.input + 1}
"""
    rescore = ("--schemascore-rescore", "--schemascore-report", "report.json")
    project.test_file("test_read.py", text.replace("RULE", "schemascore.exact()"))
    assert "no complete run" in project.run(*rescore).text
    assert project.noted().total() == 0
    assert project.run("-p", "xdist", "-n2", *rescore).code == pytest.ExitCode.USAGE_ERROR
    assert project.noted().total() == 0
    assert project.run().code == 0
    project.test_file("test_read.py", text.replace("RULE", "schemascore.numeric(abs_tol=1)"))
    rescored = project.run(*rescore)
    assert rescored.code == 0, rescored.text
    assert {case["score"] for case in project.measured().values()} == {1}
    project.cases("cases.jsonl", INPUTS | {"new": 100})
    lacking = project.run(*rescore)

    assert lacking.code == pytest.ExitCode.TESTS_FAILED
    assert "recorded an output of new" in lacking.text
    assert project.noted() == dict.fromkeys(INPUTS, 1)
