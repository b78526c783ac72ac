"""What the disk does wrong is a clear error, and no file is worse off for it."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

# Runs in this process drop what they import, and extension modules can't be loaded twice: loaded here first.
import pytest_schemascore.plugin.session  # noqa: F401
from pytest_schemascore._files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.survival.project import Project

    Run = Callable[..., pytest.RunResult]

TEST = """
import pytest_schemascore as schemascore

CASES = [{"id": name, "input": name, "expected": {"total": 1}} for name in "abc"]

@schemascore.case(CASES)
def test_read(case):
    with open("calls.txt", "a") as log:
        log.write(case.id)
    return {"total": 1}
"""

GOOD: dict[str, Any] = {"format": "schemascore-baseline/1", "suites": {}}

CONFLICT = """{
"format": "schemascore-baseline/1",
<<<<<<< HEAD
"suites": {}
=======
"suites": {"a": {}}
>>>>>>> other
}
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Give a function that runs three cases in this process, with no plugin but ours."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(test_read=TEST)
    pytester.makeini("[pytest]\n")

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "pytest_schemascore.plugin", *arguments)

    return run


@pytest.mark.parametrize("update", [(), ("--schemascore-update",)], ids=["compare", "update"])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (json.dumps(GOOD)[:-5], "baseline.json"),
        (json.dumps(GOOD | {"format": "schemascore-baseline/99"}), "newer"),
        (CONFLICT, "conflict"),
        ("", "baseline.json"),
        ("\0" * 100, "baseline.json"),
    ],
    ids=["truncated", "newer format", "conflict markers", "empty", "zeros"],
)
def test_a_baseline_that_cannot_be_read_is_a_usage_error_before_any_call(
    run: Run,
    pytester: pytest.Pytester,
    text: str,
    why: str,
    update: tuple[str, ...],
) -> None:
    """The message names the file; the file stays as it is, also where it was about to be written."""
    path = pytester.path / "baseline.json"
    path.write_text(text)
    result = run("--schemascore-baseline", "baseline.json", *update)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = "\n".join(result.errlines)
    assert "baseline.json" in message
    assert why in message
    assert path.read_text() == text
    assert not (pytester.path / "calls.txt").exists()


@pytest.mark.parametrize("update", [(), ("--schemascore-update",)], ids=["compare", "update"])
def test_a_baseline_that_is_a_folder_is_a_usage_error(
    run: Run, pytester: pytest.Pytester, update: tuple[str, ...]
) -> None:
    """Before any call, too."""
    (pytester.path / "baseline.json").mkdir()
    result = run("--schemascore-baseline", "baseline.json", *update)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "baseline.json" in "\n".join(result.errlines)
    assert not (pytester.path / "calls.txt").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no devices in the file system")
@pytest.mark.parametrize("update", [(), ("--schemascore-update",)], ids=["compare", "update"])
@pytest.mark.parametrize("name", ["/dev/null", "/dev/full", "link"])
def test_a_baseline_that_is_a_device_is_a_usage_error(
    run: Run, pytester: pytest.Pytester, name: str, update: tuple[str, ...]
) -> None:
    """Reading one may never end; so with a link to one."""
    (pytester.path / "link").symlink_to("/dev/zero")
    result = run("--schemascore-baseline", name, *update)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"{name}: is a device; name the baseline file" in "\n".join(result.errlines)
    assert not (pytester.path / "calls.txt").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in the file system")
def test_a_baseline_can_come_from_a_link_or_a_pipe(run: Run, pytester: pytest.Pytester) -> None:
    """As a shell's ``<(git show main:baseline.json)`` makes one."""
    assert run("--schemascore-baseline", "baseline.json", "--schemascore-update").ret == 0
    text = (pytester.path / "baseline.json").read_text()
    (pytester.path / "link").symlink_to("baseline.json")
    assert run("--schemascore-baseline", "link").ret == 0
    os.mkfifo(pytester.path / "pipe")
    writer = threading.Thread(target=(pytester.path / "pipe").write_text, args=(text,))
    writer.start()
    assert run("--schemascore-baseline", "pipe").ret == 0
    writer.join()


def test_missing_parents_are_made(run: Run, pytester: pytest.Pytester) -> None:
    """A new project has no folder for baselines yet."""
    result = run(
        "--schemascore-baseline=new/base/line.json", "--schemascore-update", "--schemascore-report=out/r.md"
    )

    assert result.ret == 0
    assert (pytester.path / "new/base/line.json").is_file()
    assert (pytester.path / "out/r.md").is_file()


def test_what_cannot_be_written_fails_the_run_and_is_named(run: Run, pytester: pytest.Pytester) -> None:
    """A parent that is a file, a report that is a folder; the report that can be written is."""
    (pytester.path / "file").write_text("kept")
    (pytester.path / "folder.md").mkdir()
    result = run(
        "--schemascore-baseline=file/base.json",
        "--schemascore-update",
        "--schemascore-report=folder.md",
        "--schemascore-report=good.json",
    )

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    text = result.stdout.str()
    assert "file/base.json" in text
    assert "folder.md was not written" in text
    assert (pytester.path / "file").read_text() == "kept"
    assert json.loads((pytester.path / "good.json").read_text())["format"] == "schemascore-report/1"
    assert list((pytester.path / "folder.md").iterdir()) == []


def test_where_the_cache_cannot_be_written_the_run_goes_on(run: Run, pytester: pytest.Pytester) -> None:
    """Nothing is recorded, which the run says; even where warnings are errors."""
    (pytester.path / "cache" / "d").mkdir(parents=True)
    (pytester.path / "cache" / "d" / "schemascore").write_text("a file")
    # The older pytest is, the more it has to say of a plugin that is named twice.
    warnings = ("-W", "error::UserWarning", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    result = run("-o", "cache_dir=cache", *warnings, "--schemascore-report=r.json")

    assert result.ret == 0
    assert "outputs were not recorded" in result.stdout.str()
    assert (pytester.path / "calls.txt").read_text().count("a") == 1
    assert len(json.loads((pytester.path / "r.json").read_text())["suites"]) == 1


LIMITED = """
import resource
import os
import sys
import tempfile
import threading

import pytest_schemascore as schemascore

# What is loaded from here on would be cut off in its bytecode too, for all later runs.
sys.dont_write_bytecode = True
# No file may grow beyond this, which is what a full disk looks like to whoever writes one.
resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))

# Few cases and many fields: older versions of pytest stumble themselves where their list of tests is long.
FIELDS = [f"field_number_{n}" for n in range(10)]
CASES = [{"id": f"c{n:03}", "input": n, "expected": dict.fromkeys(FIELDS, n)} for n in range(20)]

@schemascore.case(CASES)
def test_read(case):
    return dict(case.expected)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files")
def test_on_a_full_disk_old_files_stay_and_the_run_fails(project: Project) -> None:
    """Baseline, report and journal: each is named, none is half-written, no temporary file is left."""
    test = project.write("test_read.py", LIMITED.replace("BYTES", "2000"))
    old = json.dumps(GOOD, indent=1)
    project.write("baseline.json", old)
    project.write("report.json", "old report")
    done = project.run(
        "--schemascore-baseline=baseline.json", "--schemascore-update", "--schemascore-report=report.json"
    )

    assert done.code == pytest.ExitCode.TESTS_FAILED, done.text
    assert "baseline.json was not written" in done.text
    assert "report.json was not written" in done.text
    assert "outputs were not recorded" in done.text
    assert (project.folder / "baseline.json").read_text() == old
    assert (project.folder / "report.json").read_text() == "old report"
    known = {"pytest.ini", test.name, "baseline.json", "report.json", ".pytest_cache", "__pycache__"}
    assert {path.name for path in project.folder.iterdir()} <= known


@pytest.mark.skipif(sys.platform == "win32", reason="there are no devices in the file system")
@pytest.mark.parametrize("name", ["/dev/null", "/dev/full"])
def test_a_device_is_not_replaced_by_a_file(name: str) -> None:
    """An administrator who writes to the null device keeps it."""
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(Path(name), "text")


def test_a_folder_in_place_of_a_file_is_an_error_before_anything_is_written(tmp_path: Path) -> None:
    """No temporary file beside it."""
    (tmp_path / "folder").mkdir()

    with pytest.raises(IsADirectoryError, match="folder"):
        write_atomically(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("step", ["fsync", "mkstemp", "mkdir"])
def test_what_cannot_be_written_is_named_and_not_its_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """A full disk names no file at all, a folder that can't be written to one that nobody knows."""
    place = {"fsync": os, "mkstemp": tempfile, "mkdir": Path}[step]

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(place, step, fail)
    with pytest.raises(OSError, match="No space left on device") as raised:
        write_atomically(tmp_path / "folder" / "report.json", "{}")
    assert (raised.value.errno, raised.value.filename) == (
        errno.ENOSPC,
        str(tmp_path / "folder" / "report.json"),
    )
    monkeypatch.undo()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
