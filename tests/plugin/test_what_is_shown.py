"""What a run shows: each case's own output, and a summary as long as was asked for."""

from __future__ import annotations

import pytest

from tests.plugin.project import Project, assert_outcomes, told

NOISY = """
import logging

@schemascore.case("cases.jsonl", concurrency=3)
async def test_read(case):
    print(f"out-{case.id}")
    await anyio.sleep(random.uniform(0, 0.01))
    import sys
    print(f"err-{case.id}", file=sys.stderr)
    logging.getLogger("extractor").warning("log-%s", case.id)
    if case.id == "c":
        await anyio.sleep(0.2)
    assert False
"""


def sections(result: pytest.RunResult) -> dict[str, str]:
    """Return what stands below each failing test's headline."""
    _, *parts = (
        result.stdout.str().partition("= FAILURES =")[2].partition("schemascore ==")[0].split("___ test_")
    )
    return {part.split("[")[1][0]: part for part in parts}


@pytest.mark.parametrize("capture", ["fd", "sys", "no"])
def test_each_case_has_its_own_output_log_and_duration(project: Project, capture: str) -> None:
    """Also with -s, where output goes straight out, once, and the log is still each case's own."""
    project.cases({name: {} for name in "abc"})
    project.test_file(NOISY)
    result = project.run(f"--capture={capture}", "--junitxml=junit.xml")
    assert_outcomes(result, failed=3)
    found = sections(result)
    for name in "abc":
        kinds = ("log",) if capture == "no" else ("out", "err", "log")
        expected = {f"{kind}-{name}": int(kind in kinds) for kind in ("out", "err", "log")}
        assert {text: found[name].count(text) for text in expected} == expected
        others = [f"{kind}-{other}" for kind in ("out", "err", "log") for other in "abc" if other != name]
        assert not [text for text in others if text in found[name]]
    assert told(result).count("out-a") == 1
    durations = {name[-2]: float(entry.attrib["time"]) for name, entry in project.junit().items()}
    assert durations["c"] >= 0.2
    assert max(durations["a"], durations["b"]) < 0.2


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ('logging.warning("took %d ms", "12")', "TypeError"),
        ('print("\\ud800")', "UnicodeEncodeError"),
    ],
)
def test_what_cannot_be_shown_fails_its_item_and_costs_no_result(
    project: Project, statement: str, error: str
) -> None:
    """As in any other test; the output was paid for, is valid, and is recorded."""
    project.cases({name: {"total": name} for name in "ab"})
    project.test_file(f"""
import logging

@schemascore.case("cases.jsonl")
def test_read(case):
    if case.id == "b":
        {statement}
    print("shown", case.id)
    return {{"total": case.input}}
""")
    result = project.run(
        "--capture=sys",
        "--schemascore-report=report.json",
        "--schemascore-baseline=b.json",
        "--schemascore-update",
    )
    assert_outcomes(result, passed=1, failed=1)
    assert error in told(result)
    assert {name: case["score"] for name, case in project.measured().items()} == {"a": 1, "b": 1}
    assert '"b":' in (project.folder / "b.json").read_text()


def test_a_handler_of_the_users_gets_each_record_once(project: Project) -> None:
    """What was logged is given to pytest again for its report, and to nobody else."""
    project.cases({name: {} for name in "ab"})
    project.write(
        "conftest.py",
        """
import logging
from pathlib import Path
logging.getLogger().addHandler(logging.FileHandler(Path(__file__).parent / "log.txt", delay=True))
""",
    )
    project.test_file(NOISY)
    result = project.run_apart()
    assert_outcomes(result, failed=2)
    assert sorted((project.folder / "log.txt").read_text().split("\n")) == ["", "log-a", "log-b"]


def test_the_summary_is_as_long_as_was_asked_for(project: Project) -> None:
    """-q the verdict only, -v every field; without a baseline it says that nothing was compared."""
    project.cases({name: {"total": 1, "vendor": "x"} for name in "abc"})
    project.outputs({"a": {"total": 1, "vendor": "x"}, "b": {"total": 1, "vendor": "x"}, "c": {"total": 2}})
    project.test_file("""
@schemascore.case("cases.jsonl")
def test_read(case):
    return outputs()[case.id]
""")
    quiet = project.run("-q").stdout.str()
    assert "schemascore: not compared, no baseline was named" in quiet
    assert "validity" not in quiet
    plain = project.run().stdout.str()
    assert "3 cases  validity 100.0 %  overall 66.7 %" in plain
    assert "vendor" not in plain
    verbose = project.run("-v").stdout.str()
    assert "vendor" in verbose
    assert "exact()" in verbose
    assert len(project.run("-vv").stdout.lines) >= len(verbose.splitlines())
    result = project.run("-p", "no:terminal", "--schemascore-min-overall=0.9")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert told(result).strip() == ""


def test_a_failed_gate_is_one_more_test_and_the_progress_ends_at_100_percent(project: Project) -> None:
    """In every reporter: the dots, the short summary, the last line."""
    project.cases({"a": {"total": 1}})
    project.test_file("""
@schemascore.case("cases.jsonl")
def test_read(case):
    return {}
""")
    result = project.run("-q", "--schemascore-min=total=1", "--tb=line")
    result.stdout.fnmatch_lines(
        ["*[[]100%]*", "FAILED test_it.py::test_read::gate - total 0.0 % below*", "1 failed, 1 passed*"]
    )
    assert "[200%]" not in told(result)


def test_reports_are_written_by_suffix(project: Project) -> None:
    """Several at once, missing folders made; what can't be written fails the run and is named."""
    project.cases({"a": {"total": 1}})
    project.test_file("""
@schemascore.case("cases.jsonl")
def test_read(case):
    return {"total": 1}
""")
    names = ["out/r.json", "out/r.html", "out/r.md", "out/r.csv"]
    result = project.run(*(f"--schemascore-report={name}" for name in names))
    assert_outcomes(result, passed=1)
    starts = [(project.folder / name).read_text()[:15].lower() for name in names]
    assert starts[0].startswith('{"format"')
    assert starts[1].startswith("<!doctype html>")
    assert "test_it.py" in (project.folder / "out/r.md").read_text()
    assert "total" in (project.folder / "out/r.csv").read_text()

    project.write("file", "")
    result = project.run("--schemascore-report=file/r.json")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert_outcomes(result, passed=1, failed=1)
    assert "file/r.json was not written" in told(result)


def test_github_gets_annotations_and_a_step_summary(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One error a regressed metric at the function's line, and the Markdown report."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.folder / "summary.md"))
    project.cases({"a": {"total": 1}})
    path = project.test_file("""
@schemascore.case("cases.jsonl")
def test_read(case):
    return {}
""")
    line = path.read_text().splitlines().index('@schemascore.case("cases.jsonl")') + 1
    result = project.run("--schemascore-min=total=1")
    assert f"::error file=test_it.py,line={line},title=schemascore%3A total below floor::total" in told(
        result
    )
    assert "total" in (project.folder / "summary.md").read_text()


IDS = ["m2", "x-y", "a::b", "p[0]", "q]", "v.1"]


def test_the_gate_of_a_variant_has_a_name_that_pytest_reads(project: Project) -> None:
    """In the short summary, in JUnit and for --lf, whatever is in the variant's id; plain ones as before."""
    project.cases({"a": {"t": 1}, "b": {"t": 1}})
    body = """
class TestIt:
    @pytest.mark.parametrize("model", IDS)
    @schemascore.case("cases.jsonl")
    def test_v(self, case, model):
        note(f"{model} {case.id}")
        return {"t": 2 if case.id == "b" and BROKEN else 1}
"""
    project.test_file(body.replace("IDS", repr(IDS)).replace("BROKEN", "False"))
    baseline = "--schemascore-baseline=base.json"
    assert project.run(baseline, "--schemascore-update").ret == 0
    project.test_file(body.replace("IDS", repr(IDS)).replace("BROKEN", "True"))
    project.forget_calls()
    result = project.run(baseline, "--junitxml=junit.xml")
    shown = [line.split(" - ")[0] for line in result.outlines if line.startswith("FAILED ")]
    assert sorted(shown) == sorted(f"FAILED test_it.py::TestIt::test_v::gate[{name}]" for name in IDS)
    entries = project.junit()
    for name in IDS:
        assert entries[f"gate[{name}]"].attrib["classname"] == "test_it.TestIt.test_v"
        assert entries[f"gate[{name}]"].find("failure") is not None
    project.forget_calls()
    again = project.run(baseline, "--lf")
    assert_outcomes(again, passed=len(IDS), failed=len(IDS), deselected=len(IDS))
    assert project.calls() == {f"{name} b": 1 for name in IDS}
