"""Files that the user names and that can't be read: every input words the same trouble in the same way."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_schemascore.cli import main


class Input(NamedTuple):
    """A command whose argument ``FILE`` is read, what messages call that file, and what to do without it."""

    command: str
    kind: str
    if_missing: str = ""


INPUTS = (
    Input("check FILE", "case"),
    Input(
        "diff FILE good.json",
        "baseline",
        "record one with: pytest --schemascore-baseline PATH --schemascore-update",
    ),
    Input("render FILE --to md", "report", "write one with: pytest --schemascore-report PATH.json"),
    Input("compare good.json good.json --schema FILE", "schema"),
    Input("compare good.json good.json --config FILE", "config"),
    Input("compare FILE good.json", "JSON"),
    Input("compare good.json FILE", "JSON"),
)


@pytest.fixture(params=INPUTS, ids=lambda each: each.command)
def reader(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Input:
    """Return each input in turn; the working folder holds two files and a folder."""
    (tmp_path / "good.json").write_text("{}", encoding="utf-8")
    (tmp_path / "many").mkdir()
    for number in range(7):
        (tmp_path / "many" / f"{number}.json").write_text("{}", encoding="utf-8")
    (tmp_path / "many" / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    each: Input = request.param
    return each


def told(reader: Input, file: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command on *file* and return what it says is wrong."""
    assert main([part.replace("FILE", file) for part in reader.command.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.removeprefix("pytest-schemascore: error: ").removesuffix("\n")


@pytest.mark.parametrize(
    ("file", "hint", "or_else"),
    [
        ("godo.json", "; did you mean 'good.json'?", "; name 'good.json' if you mean that, or "),
        ("labels_of_invoices.json", "; there is good.json", "; "),
        ("empty/labels_of_invoices.json", "", "; "),
        ("none/labels_of_invoices.json", ", and no folder none either", "; "),
        ("good.json/labels_of_invoices.json", ", and no folder good.json either", "; "),
    ],
)
def test_a_missing_file(
    reader: Input, file: str, hint: str, or_else: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The nearest name is told, or how to make such a file, or what else there is."""
    instead = f"{or_else}{reader.if_missing}" if reader.if_missing else hint
    assert told(reader, file, capsys) == f"{file}: there is no such {reader.kind} file{instead}"


@pytest.mark.parametrize(
    ("folder", "files"),
    [("many.json", "; there is 0.json, 1.json, 2.json, 3.json, 4.json and 2 more"), ("empty.json", "")],
)
def test_a_folder(reader: Input, folder: str, files: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The files in it that may be meant are named; the name of a folder may end as that of a file."""
    Path(folder).with_suffix("").rename(folder)
    assert told(reader, folder, capsys) == f"{folder}: is a folder; name the {reader.kind} file in it{files}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a":\n "K\xc4RCHER"}', "2: the text is not UTF-8 (byte 0xC4); save it as UTF-8 (column 4)"),
        (b'"\xc3\xa4\xff"', "1: the text is not UTF-8 (byte 0xFF); save it as UTF-8 (column 3)"),
        ('{"a": 1}'.encode("utf-16"), "1: the text is UTF-16, not UTF-8; save it as UTF-8 (column 1)"),
    ],
)
def test_another_encoding(
    reader: Input, data: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With line and column, columns in characters."""
    Path("bad.json").write_bytes(data)
    assert told(reader, "bad.json", capsys) == f"bad.json:{message}"


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.EACCES, f"can't be read: {os.strerror(errno.EACCES)}; allow yourself to read it"),
        (errno.EIO, f"can't be read: {os.strerror(errno.EIO)}"),
    ],
)
def test_a_file_that_can_not_be_opened(
    reader: Input,
    number: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Permissions hold no administrator back, so the refusal is made up."""
    Path("locked.json").touch()
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "locked.json":
            raise OSError(number, os.strerror(number), str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert told(reader, "locked.json", capsys) == f"locked.json: {message}"


@pytest.mark.parametrize("file", ["x" * 300 + ".json", "a\0b.json"])
def test_a_name_that_no_file_can_have(reader: Input, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused like any other, whatever the system makes of it; what can't be shown is escaped."""
    shown = file.replace("\0", "\\x00")
    assert told(reader, file, capsys).startswith(f"{shown}: ")
