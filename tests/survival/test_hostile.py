"""Whatever an extractor does or returns, one case is invalid and the run goes on."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.survival.project import Project

HOSTILE = '''
import collections
import io
import pydantic

BIG = 5_000_000


class Raising(dict):
    def items(self):
        raise RuntimeError("items")


class Unspeakable:
    def __repr__(self):
        raise RuntimeError("repr")


class Liar:
    @property
    def __class__(self):
        raise RuntimeError("class")


class Undumpable(pydantic.BaseModel):
    total: int

    @pydantic.model_serializer
    def dump(self):
        raise RuntimeError("dump")


class SilentError(Exception):
    def __str__(self):
        raise RuntimeError("str")


class OwnBase(BaseException):
    """An exception that is none."""


def deep(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def cyclic():
    value = {"total": 1}
    value["total"] = value
    return value


def yielding():
    yield {"total": 1}


async def coroutine():
    return {"total": 1}


async def agen():
    yield 1


def raises(error):
    raise error


def change_folder():
    os.makedirs("elsewhere", exist_ok=True)
    os.chdir("elsewhere")
    return {"total": 1}


def replace_stdout():
    sys.stdout = io.StringIO()
    print("into nowhere")
    return {"total": 1}


def close_stdout():
    sys.stdout.close()
    return {"total": 1}


def leave_thread():
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return {"total": 1}


def interpreter_limits():
    sys.setrecursionlimit(250)
    return {"total": 1}


SYNC = {
    "good": lambda: {"total": 1},
    "bad deep text": lambda: "[" * 1000 + "]" * 1000,
    "bad very deep text": lambda: "[" * 100_000,
    "bad deep value": lambda: {"total": deep(1000)},
    "bad deeper value": lambda: {"total": deep(100_000)},
    "ok large": lambda: json_text({"total": 1, "rest": "x" * BIG}),
    "bad large": lambda: "x" * BIG,
    "ok many": lambda: {"total": 1, "rest": list(range(100_000))},
    "bad many": lambda: {"total": list(range(100_000))},
    "ok surrogates": lambda: {"total": 1, "rest": "\\ud800"},
    "bad surrogates": lambda: "\\ud800",
    "ok nul": lambda: '{"total": 1, "rest": "\\\\u0000"}',
    "bad nul": lambda: "\\0",
    "bad digits": lambda: '{"total": ' + "9" * 100_000 + "}",
    "bad integer": lambda: {"total": 10**100_000},
    "bad nan": lambda: {"total": float("nan")},
    "bad cyclic": cyclic,
    "bad object": object,
    "bad function": lambda: print,
    "bad module": lambda: os,
    "bad class": lambda: Undumpable,
    "bad set": lambda: {1, 2},
    "bad keys": lambda: {1: 2},
    "bad unspeakable": Unspeakable,
    "bad unspeakable key": lambda: {Unspeakable(): 1},
    "bad nested unspeakable": lambda: {"total": Unspeakable()},
    "bad raising mapping": lambda: Raising(total=1),
    "bad liar": Liar,
    "bad undumpable": lambda: Undumpable(total=1),
    "bad undumpable list": lambda: {"total": [Undumpable(total=1)]},
    "bad generator": yielding,
    "bad coroutine": coroutine,
    "bad nested coroutine": lambda: {"total": coroutine()},
    "bad async generator": agen,
    "bad none": lambda: None,
    "bad bytes": lambda: b"\\xff\\xfe",
    "bad exit": lambda: sys.exit(3),
    "bad quit": lambda: raises(SystemExit),
    "bad generator exit": lambda: raises(GeneratorExit),
    "bad own base": lambda: raises(OwnBase("own")),
    "bad stop iteration": lambda: raises(StopIteration("stop")),
    "bad silent": lambda: raises(SilentError()),
    "bad group": lambda: raises(BaseExceptionGroup("group", [SystemExit(1), ValueError("one")])),
    "bad recursion": lambda: raises(RecursionError("deep")),
    "bad memory": lambda: raises(MemoryError()),
    "ok folder": change_folder,
    "ok replaces stdout": replace_stdout,
    "ok closes stdout": close_stdout,
    "ok leaves thread": leave_thread,
    "bad long message": lambda: raises(ValueError("x" * 1_000_000)),
    "ok odd metadata": lambda: schemascore.Output({"total": 1}, metadata={"a": object()}),
    "bad timeout": lambda: time.sleep(3600),
}


def json_text(value):
    import json

    return json.dumps(value)


async def stop_loop():
    asyncio.get_running_loop().stop()
    return {"total": 1}


async def close_loop():
    asyncio.get_running_loop().close()
    return {"total": 1}


async def leave_task():
    asyncio.get_running_loop().create_task(asyncio.sleep(3600))
    return {"total": 1}


async def cancel_itself():
    asyncio.current_task().cancel()
    await asyncio.sleep(0)
    return {"total": 1}


async def cancel_others():
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task():
            task.cancel()
    await asyncio.sleep(0.05)
    return {"total": 1}


async def exit_it():
    sys.exit(4)


async def raise_own():
    raise OwnBase


async def hang():
    await asyncio.sleep(3600)


async def good():
    return {"total": 1}


async def nested():
    return coroutine()


ASYNC = {
    "good": good,
    "bad stops the loop": stop_loop,
    "bad closes the loop": close_loop,
    "ok leaves a task": leave_task,
    "bad cancels itself": cancel_itself,
    "bad exits": exit_it,
    "bad own base": raise_own,
    "bad hangs": hang,
    "bad returns a coroutine": nested,
}


def cases(bodies):
    return [{"id": name, "input": name, "expected": {"total": 1}} for name in bodies]


@schemascore.case(cases(SYNC), concurrency=8, timeout=20)
def test_sync(case):
    note(f"call {case.id}")
    return SYNC[case.input]()


@schemascore.case(cases(ASYNC), concurrency=8, timeout=20)
async def test_async(case):
    note(f"call async {case.id}")
    return await ASYNC[case.input]()


# In a suite of its own: no other case has put a stream of its own there before.
@schemascore.case([{"id": "ok z", "input": 1, "expected": {"total": 1}}], timeout=20)
def test_closes_streams(case):
    return close_stdout()


# This one takes others' tasks, and the loop's own, with it: alone in its suite.
@schemascore.case([{"id": "bad x", "input": 1, "expected": {"total": 1}}], timeout=20)
async def test_cancels_others(case):
    return await cancel_others()


@schemascore.case([{"id": "y", "input": 1, "expected": {"total": 1}}], timeout=20)
async def test_goes_on(case):
    return {"total": 1}
'''

OPTIONS = (
    *(f"--schemascore-report=out/report.{suffix}" for suffix in ("json", "html", "md", "csv")),
    "--schemascore-min-overall=0",
    "--schemascore-timeout=3",
)


def check_report(path: Path) -> None:
    """Check that each case is in the report, and that its name says what came of it."""
    report = json.loads(path.read_text(encoding="utf-8"))
    for suite in report["suites"].values():
        assert len(suite["cases"]) == suite["of"]
        assert all(len(case["error"]["message"]) < 5_000 for case in suite["cases"] if case["error"])
        for case in suite["cases"]:
            right = case["score"] == 1
            assert right == (not case["id"].startswith("bad")), case


def test_each_hostile_case_is_invalid_and_the_run_goes_on(project: Project) -> None:
    """All are counted, all reports are written where they were asked for, and nothing is called twice."""
    project.test_file("test_hostile.py", HOSTILE)
    run = project.run(*OPTIONS)

    assert run.code == 0, run.text[-5_000:]
    assert "INTERNALERROR" not in run.text
    assert max(project.noted().values()) == 1
    check_report(project.folder / "out" / "report.json")
    for suffix in ("html", "md"):
        assert "test_goes_on" in (project.folder / f"out/report.{suffix}").read_text(encoding="utf-8")
    with (project.folder / "out" / "report.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) > 40
    before = project.noted()
    (project.folder / "out" / "report.json").unlink()
    rescored = project.run(*OPTIONS, "--schemascore-rescore")

    assert rescored.code == 0, rescored.text[-5_000:]
    assert project.noted() == before
    check_report(project.folder / "out" / "report.json")


ENDING = """
@schemascore.case([{"id": name, "input": name, "expected": 1} for name in "abc"], concurrency=1)
def test_read(case):
    note(f"call {case.id}")
    if case.id == "b":
        RAISE
    return 1
"""


def test_what_ends_a_run_ends_it_and_records_nothing(project: Project) -> None:
    """`pytest.exit` keeps its meaning, and its run isn't complete, even with the exit code of success."""
    project.test_file("test_read.py", ENDING.replace("RAISE", "pytest.exit('enough', returncode=0)"))
    run = project.run(
        "--schemascore-baseline=b.json", "--schemascore-update", "--schemascore-report=report.json"
    )

    assert run.code == 0, run.text
    assert not (project.folder / "b.json").exists()
    assert project.report()["interrupted"] is True
