"""Reading the text of case files: one JSON object a line, or one JSON list."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.cases.records import CaseSource, Record
from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import ParsedJson, read_json, read_json_at
from pytest_schemascore.documents.text_files import FileError, read_text
from pytest_schemascore.errors import CaseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_SUFFIXES: Final = (".json", ".jsonl")
_JSON_SPACE: Final = " \t\r\n"
_SEPARATOR: Final = re.compile(r"[ \t\r\n,]*")


def read_file(path: Path) -> tuple[CaseSource, list[Record]]:
    """Return what stands in the file at *path*, item by item, with line numbers.

    Raises:
        CaseError: there is no such file, it can't be opened, it isn't UTF-8, or it isn't JSON at all.
    """
    source = CaseSource(_short(path), is_file=True)
    try:
        text = read_text(path, "case", name=source.name, suffixes=_SUFFIXES)
    except FileError as error:
        raise CaseError(str(error)) from None
    if path.suffix.lower() == ".json":
        return source, _items(text, source)
    return source, list(_lines(text))


def _lines(text: str) -> Iterator[Record]:
    # Only LF ends a line: U+2028 and its like may stand in JSON strings, and CR is white space to JSON.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip(_JSON_SPACE):
            continue
        try:
            parsed = read_json(line)
        except JsonError as error:
            hint = "; a file that is one list is named .json" if line.strip(_JSON_SPACE) == "[" else ""
            yield Record(number, None, (f"not JSON: {error.message} (column {error.column}){hint}",))
        else:
            yield Record(number, parsed.value, _duplicates(parsed.duplicates))


def _items(text: str, source: CaseSource) -> list[Record]:
    if not text.strip(_JSON_SPACE):
        return []
    try:
        parsed = read_json(text)
    except JsonError as error:
        hint = "; a file of one case a line is named .jsonl" if error.message == "Extra data" else ""
        msg = f"{source.place(error.line)}: not JSON: {error.message} (column {error.column}){hint}"
        raise CaseError(msg) from None
    if not isinstance(parsed.value, list):
        msg = f"{source.place(1)}: a .json file of cases holds one list; one case a line is .jsonl"
        raise CaseError(msg)
    return list(_numbered(text, parsed))


def _numbered(text: str, parsed: ParsedJson) -> Iterator[Record]:
    """Give each item of the list in *text* the line on which it begins."""
    items: Any = parsed.value
    position = text.index("[") + 1
    line = 1 + text.count("\n", 0, position)
    for index, item in enumerate(items):
        separator = _SEPARATOR.match(text, position)
        start = separator.end() if separator else position
        line += text.count("\n", position, start)
        prefix = f"$[{index}]"
        own = [path.removeprefix(prefix) for path in parsed.duplicates if path.startswith(prefix)]
        yield Record(line, item, _duplicates(path.removeprefix(".") for path in own))
        _, position = read_json_at(text, start)
        line += text.count("\n", start, position)


def _duplicates(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"duplicate key {path}; keep one of them" for path in paths)


def _short(path: Path) -> str:
    """Return *path* relative to the working folder where it lies below it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive, on Windows
        return str(path)
    return str(path) if relative.startswith("..") else relative
