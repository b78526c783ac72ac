"""Other plugins beside ours, and pytest's own ways of running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from _pytest.config import default_plugins, essential_plugins

from tests.plugin.project import XDIST, Project, assert_outcomes, told

EXTRACTOR = """
@pytest.fixture(scope="module")
async def client():
    yield asyncio.get_running_loop()

@schemascore.case("cases.jsonl", concurrency=4)
async def test_read(case, client):
    assert asyncio.get_running_loop() is client
    note(case.id)
    await anyio.sleep(0.005)
    return {"total": case.input}
"""

OTHERS = """
async def test_other():
    await asyncio.sleep(0)

def test_plain():
    asyncio.run(asyncio.sleep(0))
"""


ASYNCIO = ("-p", "pytest_asyncio.plugin", "-o", "asyncio_default_fixture_loop_scope=function")
ANYIO = ("-p", "anyio.pytest_plugin")


@pytest.mark.parametrize(
    ("options", "others"),
    [
        ((*ASYNCIO, "-o", "asyncio_mode=auto"), OTHERS),
        ((*ASYNCIO, "-o", "asyncio_mode=strict"), ""),
        ((*ANYIO, "-o", "anyio_mode=auto"), ""),
        ((*ANYIO, *ASYNCIO, "-o", "asyncio_mode=auto"), OTHERS),
    ],
    ids=["asyncio auto", "asyncio strict", "anyio auto", "anyio and asyncio auto"],
)
def test_async_plugins_neither_take_our_cases_nor_lose_their_own(
    project: Project, options: tuple[str, ...], others: str
) -> None:
    """Each case runs once, in our loop, and theirs in theirs, also after another test has used up a loop."""
    project.cases({f"c{number}": {"total": f"c{number}"} for number in range(10)})
    project.test_file(others + EXTRACTOR)
    ini = ("-W", "ignore::pytest.PytestDeprecationWarning", "-W", "ignore:.*:DeprecationWarning")
    result = project.run(*options, *ini, "--schemascore-min-overall=1")
    assert_outcomes(result, passed=12 if others else 10)
    assert project.calls() == {f"c{number}": 1 for number in range(10)}


@pytest.mark.parametrize(
    ("plugins", "mark"), [(ASYNCIO, "asyncio"), (ANYIO, "anyio"), ((*ASYNCIO, *ANYIO), "asyncio")]
)
@pytest.mark.parametrize("where", ["pytestmark = {}\n", "class TestIt:\n    pytestmark = {}\n", "@{}\n"])
def test_a_mark_of_an_async_plugin_on_cases_does_nothing(
    project: Project, plugins: tuple[str, ...], mark: str, where: str
) -> None:
    """It may be a whole module's; no warning, and ``-m`` still finds the cases by it."""
    project.cases({"a": {}, "b": {}})
    marked = where.format(f"pytest.mark.{mark}")
    method = marked.startswith("class")
    body = f"""
@schemascore.case("cases.jsonl")
async def test_read({"self, " * method}case):
    await anyio.sleep(0.001)
    return {{}}
"""
    project.test_file(marked + (body.replace("\n", "\n    ") if method else body.lstrip()))
    assert_outcomes(project.run(*plugins, "-m", mark), passed=2)


def test_other_tests_of_a_module_keep_its_asyncio_mark(project: Project) -> None:
    """Async ones run by it, a sync one is warned of, and so is what a body itself warns of."""
    project.cases({"a": {}, "b": {}})
    project.test_file("""
import warnings

pytestmark = pytest.mark.asyncio

@schemascore.case("cases.jsonl")
async def test_read(case):
    warnings.warn("from the body")
    return {}

async def test_other():
    await asyncio.sleep(0)

def test_plain():
    pass
""")
    result = project.run(*ASYNCIO, "-W", "default")
    assert_outcomes(result, passed=4)
    text = told(result)
    assert "from the body" in text
    assert "<Function test_plain> is marked with '@pytest.mark.asyncio'" in text
    assert "<Function test_read" not in text


@pytest.mark.parametrize("func_only", ["false", "true"])
@pytest.mark.parametrize("method", ["signal", "thread"])
def test_the_limit_of_pytest_timeout_is_one_of_each_case(
    project: Project, method: str, func_only: str
) -> None:
    """Ten cases that take longer together pass, and exactly the slow ones fail."""
    project.cases({f"c{number}": {} for number in range(10)})
    project.test_file("""
@schemascore.case("cases.jsonl", concurrency=2)
async def test_read(case):
    await anyio.sleep(30 if case.id in ("c3", "c7") else 0.15)
    return {}
""")
    limit = ("--timeout=0.6", f"--timeout-method={method}", "-o", f"timeout_func_only={func_only}")
    result = project.run("-p", "pytest_timeout", *limit)
    assert_outcomes(result, passed=8, failed=2)
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_read[[]c3[]] - *no answer within 0.6 s"])


HANGING = """
@pytest.fixture(scope="module")
{fixture}

@schemascore.case("cases.jsonl")
def test_read(case, hanging):
    note("called")
    return {{}}
"""

HANG = {
    "sync": "def hanging():\n    time.sleep(30)",
    "async": "async def hanging():\n    await anyio.sleep(30)",
    "async generator": "async def hanging():\n    await anyio.sleep(30)\n    yield",
    "teardown": "def hanging():\n    yield\n    time.sleep(30)",
    "async teardown": "async def hanging():\n    yield\n    await anyio.sleep(30)",
}


@pytest.mark.parametrize("fixture", HANG)
def test_fixtures_that_hang_are_ended_by_pytest_timeout(project: Project, fixture: str) -> None:
    """The signal fails the item whose turn it was, with pytest-timeout's own words."""
    project.cases({"a": {}, "b": {}})
    project.test_file(HANGING.format(fixture=HANG[fixture]))
    # Long enough that the signal finds the process waiting, and not at work where Python swallows it.
    result = project.run("-p", "pytest_timeout", "--timeout=1.5", "--timeout-method=signal")
    late = "teardown" in fixture
    assert_outcomes(result, **({"passed": 2, "errors": 1} if late else {"errors": 2}))
    assert "Timeout (>1.5s) from pytest-timeout" in told(result)
    assert project.calls() == ({"called": 2} if late else {})


@pytest.mark.parametrize("fixture", ["sync", "teardown"])
def test_fixtures_that_hang_end_the_process_by_pytest_timeouts_thread(project: Project, fixture: str) -> None:
    """Which is that method's way, so that a build never hangs."""
    project.cases({"a": {}, "b": {}})
    project.test_file(HANGING.format(fixture=HANG[fixture]))
    result = project.run_apart("-p", "pytest_timeout", "--timeout=1", "--timeout-method=thread")
    assert result.ret == 1
    assert "Timeout" in told(result)
    assert "passed" not in told(result)


def test_rerunfailures_calls_only_the_failing_case_again(project: Project) -> None:
    """The last try counts, once."""
    project.cases({name: {"total": 1} for name in "abc"})
    project.test_file("""
@schemascore.case("cases.jsonl")
async def test_read(case):
    note(case.id)
    tries = (HERE / "calls.txt").read_text().split().count(case.id)
    assert case.id != "b" or tries == 3
    return {"total": 1}
""")
    result = project.run(
        "-p", "rerunfailures", "--reruns=3", "--schemascore-report=r.json", "--junitxml=junit.xml"
    )
    assert_outcomes(result, passed=3, rerun=2)
    assert project.calls() == {"a": 1, "b": 3, "c": 1}
    assert {name: case["score"] for name, case in project.measured("r.json").items()} == dict.fromkeys(
        "abc", 1.0
    )
    assert len(list(project.junit()["test_read[b]"].iter("property"))) == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--import-mode=importlib",),
        ("-p", "no:terminal"),
        ("-s",),
        ("-p", "no:cacheprovider"),
        ("-p", "no:logging"),
    ],
)
def test_pytests_own_ways_of_running(project: Project, options: tuple[str, ...]) -> None:
    """The cases run, score and are written as ever."""
    project.cases({name: {"total": name} for name in "abc"}, "deep/cases.jsonl")
    project.test_file(EXTRACTOR.replace("note(case.id)", "").replace("HERE", "None"), "deep/test_it.py")
    result = project.run(*options, "--schemascore-report=r.json", "--schemascore-min-overall=1")
    assert result.ret == pytest.ExitCode.OK, told(result)
    assert len(project.measured("r.json")) == 3


def test_the_debugger_stops_in_the_body(project: Project) -> None:
    """With --pdb cases run one by one, and it shows the frame of the one that failed."""
    project.cases({name: {} for name in "abc"})
    project.test_file("""
RUNNING = []

@schemascore.case("cases.jsonl")
async def test_read(case):
    RUNNING.append(case.id)
    assert len(RUNNING) == 1
    await anyio.sleep(0.001)
    RUNNING.remove(case.id)
    secret = f"value {case.id}"
    assert case.id != "b"
    return {}
""")
    command = [sys.executable, "-m", "pytest", "-p", "pytest_schemascore.plugin", "--pdb"]
    done = subprocess.run(
        command,
        cwd=project.folder,
        input="p secret\nc\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "'value b'" in done.stdout, done.stdout + done.stderr
    assert "1 failed, 2 passed" in done.stdout


def test_an_interrupt_ends_the_run_with_a_partial_report(project: Project) -> None:
    """The signal of Ctrl-C: the report holds what was finished and says so; the baseline stays as it was."""
    project.cases({f"c{number}": {} for number in range(6)})
    project.test_file("""
@schemascore.case("cases.jsonl", concurrency=6)
async def test_read(case):
    if case.id > "c2":
        note("waiting")
        await anyio.sleep(60)
    return {}
""")
    options = ("--schemascore-report=report.json", "--schemascore-baseline=base.json", "--schemascore-update")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "pytest_schemascore.plugin", *options],
        cwd=project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 60
    while sum(project.calls().values()) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    text, _ = process.communicate(timeout=60)
    assert process.returncode == pytest.ExitCode.INTERRUPTED, text
    assert "interrupted: 3 of 6 finished; not compared" in text
    assert "3 outputs are recorded; --schemascore-resume takes what is recorded" in text
    assert sorted(project.measured()) == ["c0", "c1", "c2"]
    assert not (project.folder / "base.json").exists()


def test_a_batch_outlives_the_timer_of_faulthandler(project: Project) -> None:
    """Which may be told to end the process when one test takes too long: the first item holds the batch."""
    project.cases({f"c{number}": {} for number in range(4)})
    project.test_file("""
@schemascore.case("cases.jsonl", concurrency=1)
async def test_read(case):
    await anyio.sleep(0.4)
    return {}
""")
    result = project.run_apart("-o", "faulthandler_timeout=1", "-o", "faulthandler_exit_on_timeout=true")
    assert_outcomes(result, passed=4)


@pytest.mark.parametrize("name", sorted({*default_plugins} - {*essential_plugins, "python"}))
def test_no_plugin_of_pytest_is_needed(project: Project, name: str) -> None:
    """Each that ``-p no:NAME`` can leave out."""
    project.cases({name: {"total": name} for name in "ab"})
    project.test_file("""
@schemascore.case("cases.jsonl")
async def test_read(case):
    print("said")
    return {"total": case.input}

@schemascore.case("cases.jsonl")
def test_plain(case):
    return {"total": case.input}
""")
    result = project.run("-p", f"no:{name}", "--schemascore-report=report.json")
    assert result.ret == 0, told(result)
    assert {case["score"] for case in project.measured().values()} == {1}


def test_resuming_says_what_it_took(project: Project) -> None:
    """Where nothing is unfinished all is run; with workers too a complete run can be scored again."""
    project.cases({name: {"total": name} for name in "abcd"})
    project.test_file(EXTRACTOR)
    result = project.run(*XDIST, "-n2", "--dist=loadfile", "--schemascore-resume")
    assert_outcomes(result, passed=4)
    assert "no unfinished run is recorded, so --schemascore-resume ran everything" in told(result)
    project.forget_calls()
    result = project.run("--schemascore-rescore", "--schemascore-min-overall=1")
    assert_outcomes(result, passed=4)
    assert "took 4 of 4 outputs from the run recorded" in told(result)
    assert not project.calls()


@pytest.mark.parametrize("workers", [(), (*XDIST, "-n2", "--dist=loadfile")], ids=["one process", "workers"])
def test_selected_cases_that_ran_since_leave_the_others_to_be_scored_again(
    project: Project, workers: tuple[str, ...]
) -> None:
    """Of each case the newest output counts, also of several files; a look at a few prunes none."""
    project.cases({name: {"total": name} for name in "abcd"})
    project.test_file(EXTRACTOR)
    project.test_file(EXTRACTOR, "test_more.py")
    for file in ("test_it.py", "test_more.py"):
        assert project.run(*workers, file).ret == 0
    for _ in range(6):
        assert project.run("test_it.py", "-k", "test_read[b]").ret == 0
    project.forget_calls()
    for _ in range(2):
        result = project.run(*workers, "--schemascore-rescore", "-k", "test_read")
        assert_outcomes(result, passed=8)
        assert "took 8 of 8 outputs from the runs recorded from" in told(result)
    assert not project.calls()


TWICE = {
    "the items": """
def pytest_collection_modifyitems(items):
    items[:] = items * 2
""",
    "the protocol": """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    runtestprotocol(item, nextitem=nextitem, log=False)
    runtestprotocol(item, nextitem=nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
""",
}


@pytest.mark.parametrize(
    ("how", "workers"), [("the items", ()), ("the protocol", ()), ("the protocol", (*XDIST, "-n1"))]
)
def test_a_conftest_that_runs_tests_twice_runs_cases_twice(
    project: Project, how: str, workers: tuple[str, ...]
) -> None:
    """Each try calls the body, one that is never reported too, and the last counts."""
    project.cases({name: {"total": name} for name in "ab"})
    project.write("conftest.py", TWICE[how])
    project.test_file("""
@schemascore.case("cases.jsonl")
def test_read(case, request):
    assert request.node.callspec.id == case.id
    note(case.id)
    return {"total": case.id}

@schemascore.case("cases.jsonl", concurrency=1)
async def test_last(case):
    note(f"last {case.id}")
    return {"total": (HERE / "calls.txt").read_text().count(f"last {case.id}") == 2 and case.id}
""")
    result = project.run(*workers, "--schemascore-report=r.json", "--schemascore-min-overall=1")
    assert_outcomes(result, passed=8 if how == "the items" else 4)
    assert project.calls() == {"a": 2, "b": 2, "last a": 2, "last b": 2}
    scores = [c["score"] for s in project.report("r.json")["suites"].values() for c in s["cases"]]
    assert scores == [1] * 4
