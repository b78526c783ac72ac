"""Cases run at once, and each result is its own case's."""

from __future__ import annotations

import random

import pytest

from tests.plugin.project import XDIST, Project, assert_outcomes, told

ASYNC = """
RUNNING = []

@schemascore.case("cases.jsonl", concurrency=7)
async def test_read(case):
    RUNNING.append(case.id)
    note(f"running {len(RUNNING)}")
    await anyio.sleep(random.uniform(0, 0.02))
    RUNNING.remove(case.id)
    return {"total": case.input, "echo": case.id}
"""

SYNC = """
RUNNING = []
LOCK = threading.Lock()

@schemascore.case("cases.jsonl", concurrency=7)
def test_read(case):
    with LOCK:
        RUNNING.append(case.id)
        note(f"running {len(RUNNING)}")
    time.sleep(random.uniform(0, 0.02))
    with LOCK:
        RUNNING.remove(case.id)
    return {"total": case.input, "echo": case.id}
"""


WAITING = """
SCORED = []

def compared(expected, actual):
    SCORED.append(actual)
    return expected == actual

@schemascore.case("cases.jsonl", comparators={"name": compared}, timeout=20)
async def test_read(case):
    while case.id == "second" and "first" not in SCORED:
        WAIT
    return {"name": case.id}
"""


def write_cases(project: Project) -> list[str]:
    """Write forty cases whose label names them, half of them in another order than that of their ids."""
    names = [f"c{number:02}" for number in range(40)]
    random.Random(3).shuffle(names)
    project.cases({name: {"total": name, "echo": name if name < "c20" else "?"} for name in names})
    return names


@pytest.mark.parametrize(
    ("body", "backend"),
    [(ASYNC, "asyncio"), (ASYNC, "trio"), (SYNC, "asyncio")],
    ids=["asyncio", "trio", "threads"],
)
def test_each_result_is_its_own_cases_and_the_limit_is_reached_and_kept(
    project: Project, body: str, backend: str
) -> None:
    """With random delays, result i belongs to case i; as many run at once as allowed and never more."""
    names = write_cases(project)
    project.test_file(body)
    result = project.run("--schemascore-report", "report.json", f"--schemascore-backend={backend}")
    assert_outcomes(result, passed=40)
    measured = project.measured()
    assert {name: case["leaves"][0]["actual"] for name, case in measured.items()} == {n: n for n in names}
    assert {name: case["score"] for name, case in measured.items()} == {
        name: 1.0 if name < "c20" else 0.5 for name in names
    }
    assert max(int(line.split()[1]) for line in project.calls()) == 7


def test_baselines_are_the_same_bytes_however_the_cases_ran(project: Project) -> None:
    """Singly or at once, here or in workers, in whatever order they finish."""
    write_cases(project)
    project.test_file(ASYNC)
    update = ("--schemascore-baseline=base.json", "--schemascore-update")
    written = set()
    for options in ((), ("--schemascore-concurrency=1",), (*XDIST, "-n2", "--dist=loadfile")):
        result = project.run(*update, *options)
        assert_outcomes(result, passed=40)
        written.add((project.folder / "base.json").read_bytes())
        (project.folder / "base.json").unlink()
    assert len(written) == 1


def test_workers_share_the_limit(project: Project) -> None:
    """Two workers with a suite each and a limit of four run at most two cases each."""
    for name in ("test_one.py", "test_two.py"):
        project.test_file(ASYNC.replace('note(f"', f'note(f"{name} '), name)
    project.cases({f"c{number}": {"total": f"c{number}"} for number in range(8)})
    result = project.run(*XDIST, "-n2", "--dist=loadscope", "--schemascore-concurrency=4")
    assert_outcomes(result, passed=16)
    most = {
        name: max(int(n.split()[2]) for n in project.calls() if n.startswith(name))
        for name in ("test_one", "test_two")
    }
    assert most == {"test_one": 2, "test_two": 2}


@pytest.mark.parametrize("dist", ["worksteal", "loadgroup"])
def test_every_way_of_distributing_runs_each_case_once(project: Project, dist: str) -> None:
    """One report, one result a case; where cases come singly the run says once what is faster."""
    project.cases({f"c{number}": {"total": f"c{number}"} for number in range(6)})
    project.test_file(ASYNC.replace("note(", "note(case.id) or note("))
    result = project.run(*XDIST, "-n2", f"--dist={dist}", "--schemascore-report=report.json")
    assert_outcomes(result, passed=6)
    assert {name: n for name, n in project.calls().items() if name.startswith("c")} == {
        f"c{n}": 1 for n in range(6)
    }
    assert len(project.measured()) == 6
    assert told(result).count("--dist loadfile is") == (dist == "worksteal")


def test_each_is_refused_before_any_call(project: Project) -> None:
    """It would pay for every case as often as there are workers."""
    project.cases({"a": {}, "b": {}})
    project.test_file(ASYNC)
    result = project.run(*XDIST, "-n2", "--dist=each")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told(result).count("--dist each runs every case on every worker") == 1
    assert not project.calls()


@pytest.mark.parametrize("function", ["async def", "def"], ids=["asyncio", "threads"])
def test_what_is_there_is_scored_while_other_cases_run(project: Project, function: str) -> None:
    """A case that waits for another one's output to be scored gets what it waits for."""
    wait = "await anyio.sleep(0.01)" if function == "async def" else "time.sleep(0.01)"
    project.cases({name: {"name": name} for name in ("first", "second")})
    project.test_file(WAITING.replace("WAIT", wait).replace("async def test_read", f"{function} test_read"))
    assert_outcomes(project.run(), passed=2)


REUSED = """
ANSWER = {}

@schemascore.case("cases.jsonl", concurrency=1)
KIND test_read(case):
    ANSWER["name"] = case.id
    ANSWER["tags"] = [case.id]
    return RETURNED
"""


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("returned", ["ANSWER", "schemascore.Output(ANSWER, cost=1)"])
def test_an_answer_is_what_it_was_when_it_was_returned(project: Project, kind: str, returned: str) -> None:
    """An extractor may return one and the same object for every case, and change it in between."""
    names = [f"c{number}" for number in range(9)]
    project.cases({name: {"name": name, "tags": [name]} for name in names})
    project.test_file(REUSED.replace("KIND", kind).replace("RETURNED", returned))
    result = project.run("--schemascore-report", "report.json", "--schemascore-min-overall", "1")
    assert_outcomes(result, passed=9)


WRAPPED = """
import functools

def handed_on(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper

def run_itself(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return asyncio.run(function(*args, **kwargs))
    return wrapper

@schemascore.case([{"id": "a", "input": 1, "expected": {"n": 1}}], min_score=1)
@WRAPPER
async def test_read(case):
    await asyncio.sleep(0)
    print("said in the body")
    return {"n": case.input}
"""


@pytest.mark.parametrize("wrapper", ["handed_on", "run_itself"])
def test_a_plain_function_around_a_coroutine_function_is_awaited(project: Project, wrapper: str) -> None:
    """Whether it hands the coroutine on or runs it; what it prints is its case's own."""
    project.test_file(WRAPPED.replace("WRAPPER", wrapper))
    result = project.run("-rP")
    assert_outcomes(result, passed=1)
    result.stdout.fnmatch_lines(["*Captured stdout call*", "said in the body"])
