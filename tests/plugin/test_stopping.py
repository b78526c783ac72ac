"""Which bodies a batch calls, and when it stops: marks, ``-x``, ``--maxfail``, and what ends a run."""

from __future__ import annotations

import pytest

from tests.plugin.project import Project, assert_outcomes, told

NINE = {f"c{number}": {"total": 1} for number in range(9)}

ONE_BY_ONE = """
@schemascore.case("cases.jsonl", concurrency=1)
def test_read(case):
    note(case.id)
    if case.id == "c2":
        RAISES
    return {"total": 1}
"""

FLOOR = ("--schemascore-min-overall", "0.1")


@pytest.mark.parametrize(
    ("raises", "options"),
    [
        ("assert 0", ()),
        ("assert 0", FLOOR),
        ("raise ValueError('broken')", ()),
        ("pytest.fail('no')", ()),
    ],
)
def test_x_makes_no_calls_after_the_item_that_fails(
    project: Project, raises: str, options: tuple[str, ...]
) -> None:
    """Whatever fails an item stops the batch, and only that."""
    project.cases(NINE)
    project.test_file(ONE_BY_ONE.replace("RAISES", raises))
    result = project.run("-x", *options)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert set(project.calls()) == {"c0", "c1", "c2"}
    assert result.parseoutcomes()["failed"] == 1


@pytest.mark.parametrize(
    ("raises", "options"),
    [("raise ValueError('broken')", FLOOR), ("pytest.skip('not here')", ()), ("pytest.xfail('known')", ())],
)
def test_x_goes_on_where_no_item_fails(project: Project, raises: str, options: tuple[str, ...]) -> None:
    """An error that the gate notices, a skip and an expected failure are none of its business."""
    project.cases(NINE)
    project.test_file(ONE_BY_ONE.replace("RAISES", raises))
    result = project.run("-x", *options)
    assert result.ret == pytest.ExitCode.OK, told(result)
    assert set(project.calls()) == NINE.keys()


def test_an_expected_failure_does_not_stop_a_run_with_x(project: Project) -> None:
    """The others are called, and the gate sees what they lost."""
    project.test_file(
        """
@schemascore.case(
    [{"id": f"c{i}", "input": i, "expected": {"a": i}, "xfail": i == 0} for i in range(4)], concurrency=1
)
def test_read(case):
    assert case.input != 0
    return {"a": 9 if (HERE / "bad").exists() else case.input}
"""
    )
    gate = ("--schemascore-baseline", "base.json")
    assert project.run(*gate, "--schemascore-update-all").ret == pytest.ExitCode.OK
    assert project.run(*gate, "-x").ret == pytest.ExitCode.OK
    project.write("bad", "")
    result = project.run(*gate, "-x")
    assert result.ret == pytest.ExitCode.TESTS_FAILED, told(result)
    assert_outcomes(result, passed=3, xfailed=1, failed=1)


def test_maxfail_counts_each_failure_once(project: Project) -> None:
    """One failure of one suite and none of the next are one; the second failure stops."""
    project.cases(NINE)
    project.test_file(ONE_BY_ONE.replace("RAISES", "assert 0"), "test_a.py")
    project.test_file(ONE_BY_ONE.replace("c2", "none").replace("RAISES", "pass"), "test_b.py")
    assert_outcomes(project.run("--maxfail=2"), passed=17, failed=1)
    project.test_file(ONE_BY_ONE.replace("RAISES", "assert 0"), "test_b.py")
    project.forget_calls()
    result = project.run("--maxfail=2")
    assert result.parseoutcomes()["failed"] == 2
    assert sum(project.calls().values()) == 9 + 3


@pytest.mark.parametrize("raises", ["pytest.exit('quota', returncode=9)", "raise KeyboardInterrupt"])
def test_nothing_is_called_once_a_body_ends_the_run(project: Project, raises: str) -> None:
    """The calls to come would be paid for and thrown away."""
    project.cases(NINE)
    project.test_file(ONE_BY_ONE.replace("RAISES", raises))
    result = project.run()
    assert result.ret in (9, pytest.ExitCode.INTERRUPTED)
    assert set(project.calls()) == {"c0", "c1", "c2"}


MARKED = """
CASES = [{"id": f"c{i}", "input": i, "expected": {"total": 1}} for i in range(3)]


MARK
@schemascore.case([*CASES[:1], pytest.param(CASES[1], marks=[PARAM]), *CASES[2:]], concurrency=3)
async def test_read(case):
    note(f"begin {case.id}")
    for _ in range(500):
        if len((HERE / "calls.txt").read_text().splitlines()) == TOGETHER:
            break
        await asyncio.sleep(0.01)
    else:
        raise AssertionError("the others never began")
    return {"total": 1}
"""


@pytest.mark.parametrize(
    ("mark", "param", "outcomes"),
    [
        ("@pytest.mark.skipif(False, reason='x')", "", {"passed": 3}),
        ("@pytest.mark.skipif('not True', reason='x')", "", {"passed": 3}),
        ("@pytest.mark.xfail(False, reason='x', run=False)", "", {"passed": 3}),
        ("", "pytest.mark.skipif(True, reason='x')", {"passed": 2, "skipped": 1}),
        ("", "pytest.mark.xfail(run=False)", {"passed": 2, "xfailed": 1}),
    ],
)
def test_marks_decide_who_is_in_the_batch(
    project: Project, mark: str, param: str, outcomes: dict[str, int]
) -> None:
    """Whom no mark keeps from running runs at once with the others, and nobody else is called."""
    body = MARKED.replace("MARK", mark).replace("PARAM", param)
    project.test_file(body.replace("TOGETHER", str(outcomes["passed"])))
    assert_outcomes(project.run(), **outcomes)
    assert sum(project.calls().values()) == outcomes["passed"]


def test_with_runxfail_there_are_no_expected_failures(project: Project) -> None:
    """The body is called, as pytest does then."""
    project.test_file(
        MARKED.replace("MARK", "").replace("PARAM", "pytest.mark.xfail(run=False)").replace("TOGETHER", "3")
    )
    assert_outcomes(project.run("--runxfail"), passed=3)


@pytest.mark.parametrize("options", [(), FLOOR])
def test_a_strictly_expected_error_is_met_whoever_else_notices(
    project: Project, options: tuple[str, ...]
) -> None:
    """The gate counts the failed call, and the item is as its mark expects it."""
    project.test_file(
        """
CASES = [{"id": f"c{i}", "input": i, "expected": {"total": 1}} for i in range(3)]
EXPECTED = pytest.mark.xfail(strict=True, raises=ValueError)

@schemascore.case([*CASES[:2], pytest.param(CASES[2], marks=EXPECTED)])
def test_read(case):
    if case.input == 2:
        raise ValueError("known")
    return {"total": 1}
"""
    )
    result = project.run(*options)
    assert result.ret == pytest.ExitCode.OK, told(result)
    assert_outcomes(result, passed=2, xfailed=1)


@pytest.mark.parametrize("which", ["c0", "c1"])
@pytest.mark.parametrize("xdist", [(), ("-p", "xdist", "-n1")], ids=["alone", "worker"])
def test_any_case_may_be_rerun(project: Project, which: str, xdist: tuple[str, ...]) -> None:
    """Also the first one, whose report would tell what its suite is."""
    project.cases({"c0": {"total": 1}, "c1": {"total": 1}})
    project.test_file(
        f"""
@schemascore.case("cases.jsonl")
def test_read(case):
    if case.id == "{which}" and not (HERE / "once").exists():
        (HERE / "once").touch()
        assert 0
    return {{"total": 1}}
"""
    )
    run = project.run_apart if xdist else project.run
    result = run("-p", "rerunfailures", "--reruns=2", "-x", *xdist, "--schemascore-report=report.json")
    assert_outcomes(result, passed=2, rerun=1)
    assert {case["score"] for case in project.measured().values()} == {1}


def test_tracing_is_refused_with_the_way_out(project: Project) -> None:
    """pytest's tracing would lose what the bodies return."""
    project.cases(NINE)
    project.test_file(ONE_BY_ONE.replace("RAISES", "pass"))
    result = project.run("--trace")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "breakpoint()" in told(result)
    assert not project.calls()


@pytest.mark.parametrize(("mark", "options"), [("", ("--forked",)), ("pytest.mark.forked", ())])
def test_a_process_for_each_test_is_refused_with_the_way_out(
    project: Project, mark: str, options: tuple[str, ...]
) -> None:
    """As pytest-forked's: each process would call every case of the suite anew, and most would fail."""
    project.cases(NINE)
    project.write(
        "conftest.py",
        """
def pytest_addoption(parser):  # as pytest-forked's is
    parser.addoption("--forked", dest="forked", action="store_true", default=False)

def pytest_configure(config):
    config.addinivalue_line("markers", "forked: in a process of its own")
""",
    )
    project.test_file(f"pytestmark = [{mark}]\n{ONE_BY_ONE.replace('RAISES', 'pass')}")
    result = project.run(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--dist loadfile" in told(result)
    assert not project.calls()


def test_debugging_has_no_time_limit(project: Project) -> None:
    """Under --pdb a body may take longer than its timeout, since somebody may be looking at it."""
    project.cases({"c0": {"total": 1}})
    project.test_file(
        """
@schemascore.case("cases.jsonl", timeout=0.05)
async def test_read(case):
    await asyncio.sleep(0.3)
    return {"total": 1}
"""
    )
    assert_outcomes(project.run("--pdb", "--schemascore-min-overall=1"), passed=1)
