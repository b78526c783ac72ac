"""What a journal holds, and how a line of it is written and read."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.running.job import JobKey

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT: Final = "schemascore-journal/1"
HEADER: Final = json.dumps({"format": FORMAT})
"""The first line of a journal file."""


class OutputEntry(NamedTuple):
    """A call of the extractor that was over.

    Attributes:
        key: which call.
        input_hash: of the case's input; the entry is good only for a case that has the same.
        value: what the body returned, as the caller encoded it; `ABSENT` where it raised, was timed out, or
            returned something that has no JSON form.
        error: class name of what it raised, ``ValueError``; empty where it raised nothing.
        message: of that exception, secrets masked.
        timed_out: whether its time limit was up.
        started: seconds since the epoch; duration: seconds.
        cost, tokens, metadata: what it attached.
        unfit: why what it returned has no JSON form; empty where it has one.
    """

    key: JobKey
    input_hash: str
    value: Json | Absent = ABSENT
    error: str = ""
    message: str = ""
    timed_out: bool = False
    started: float = 0.0
    duration: float = 0.0
    cost: float | None = None
    tokens: int | None = None
    metadata: Json = None
    unfit: str = ""


class AnswerEntry(NamedTuple):
    """What a judge answered about one case.

    Attributes:
        key: the call whose output was judged.
        judge: name of the judge.
        question_hash: of everything it was asked; the entry is good only for the same question.
        scores: one per item, in the order asked; None is "no verdict".
    """

    key: JobKey
    judge: str
    question_hash: str
    scores: tuple[float | None, ...]


class MarkEntry(NamedTuple):
    """That a call began, or that it ended and left no output: shows what a process that died was doing."""

    key: JobKey
    began: bool


_DEFAULTS: Final[Mapping[str, object]] = MappingProxyType(
    {
        "error": "",
        "message": "",
        "timed_out": False,
        "started": 0.0,
        "duration": 0.0,
        "cost": None,
        "tokens": None,
        "metadata": None,
        "unfit": "",
    }
)
"""What a line leaves out."""

Entry: TypeAlias = OutputEntry | AnswerEntry | MarkEntry


def is_header(line: str) -> bool:
    """Say whether *line* begins a journal file of this format."""
    try:
        header = json.loads(line)
    except ValueError:
        return False
    return isinstance(header, dict) and header.get("format") == FORMAT


def to_line(entry: Entry) -> str:
    """Return *entry* as one line of JSON, pure ASCII: lone surrogates and line separators can't break it.

    Raises:
        TypeError, ValueError, RecursionError: a value that isn't JSON, has too many digits or is too deep.
    """
    data: dict[str, Any] = {"suite": entry.key.suite, "case": entry.key.case, "run": entry.key.run}
    if isinstance(entry, AnswerEntry):
        data |= {"judge": entry.judge, "question": entry.question_hash, "scores": list(entry.scores)}
        return json.dumps(data)
    if isinstance(entry, MarkEntry):
        return json.dumps(data | {"began": entry.began})
    data["input"] = entry.input_hash
    if entry.value is not ABSENT:
        data["value"] = entry.value
    for name, default in _DEFAULTS.items():
        value = getattr(entry, name)
        if value is not default and value != default:
            data[name] = value
    return json.dumps(data)


def from_line(line: str) -> Entry:
    """Read what `to_line` wrote.

    Raises:
        ValueError, KeyError, TypeError, RecursionError: it isn't that.
    """
    data: Mapping[str, Any] = json.loads(line)
    key = JobKey(str(data["suite"]), str(data["case"]), int(data["run"]))
    if "judge" in data:
        return AnswerEntry(key, str(data["judge"]), str(data["question"]), tuple(data["scores"]))
    if "began" in data:
        return MarkEntry(key, bool(data["began"]))
    return OutputEntry(
        key,
        input_hash=str(data["input"]),
        value=data.get("value", ABSENT),
        error=str(data.get("error", "")),
        message=str(data.get("message", "")),
        timed_out=bool(data.get("timed_out", False)),
        started=float(data.get("started", 0.0)),
        duration=float(data.get("duration", 0.0)),
        cost=data.get("cost"),
        tokens=data.get("tokens"),
        metadata=data.get("metadata"),
        unfit=str(data.get("unfit", "")),
    )
