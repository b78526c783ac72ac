"""The files that tests of the command work on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_LABEL: Final = {"name": "Jane Doe", "age": 26, "hobbies": [{"name": "hiking"}, {"name": "swimming"}]}
_OUTPUT: Final = {"name": "Jane Roe", "age": 26, "hobbies": [{"name": "swimming"}]}
_MODULE: Final = """
import pytest_schemascore as schemascore
from pydantic import BaseModel

class Record(BaseModel):
    n: int
    name: str

RULES = {"name": schemascore.fuzzy(0.8)}
NOT_RULES = [1]

def extract(number):
    return {"n": number, "name": f"case {number}"}

def extract_badly(number):
    return {"n": 0, "name": f"case {number}"}
"""

RUN: Final = ("run", "--schema", "records:Record", "--cases", "cases.jsonl", "--target")
"""The beginning of a command that runs an extractor of the module."""


def write_files(folder: Path) -> None:
    """Write two JSON files, a module, and cases with a byte order mark and Windows newlines."""
    (folder / "label.json").write_text(json.dumps(_LABEL), encoding="utf-8")
    (folder / "output.json").write_text(json.dumps(_OUTPUT), encoding="utf-8")
    (folder / "records.py").write_text(_MODULE, encoding="utf-8")
    cases = [{"id": f"c{n}", "input": n, "expected": {"n": n, "name": f"case {n}"}} for n in range(4)]
    lines = "\r\n".join(json.dumps(case) for case in cases)
    (folder / "cases.jsonl").write_bytes(b"\xef\xbb\xbf" + lines.encode())
