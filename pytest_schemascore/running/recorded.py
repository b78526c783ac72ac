"""Reads what the journals of one run hold."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.running import locks
from pytest_schemascore.running.entries import (
    AnswerEntry,
    Entry,
    MarkEntry,
    OutputEntry,
    from_line,
    is_header,
)
from pytest_schemascore.running.journal import JOURNAL_SUFFIX, LOCK_SUFFIX, RUN_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_schemascore.running.job import JobKey


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What the journal of one run holds.

    Attributes:
        id: the run's; folder: where its files are.
        oldest: id of the oldest run that outputs are from: the same, unless several are read together.
        outputs: the last entry of each call; answers: likewise, by call, judge and question.
        died_in: of each process that is gone, the calls that it had begun and that were never over.
    """

    id: str
    folder: Path
    oldest: str
    outputs: Mapping[JobKey, OutputEntry] = field(default_factory=dict)
    answers: Mapping[tuple[JobKey, str, str], AnswerEntry] = field(default_factory=dict)
    died_in: tuple[frozenset[JobKey], ...] = ()

    def output(self, key: JobKey, input_hash: str) -> OutputEntry | None:
        """Return the entry of a call, if there is one and the case's input is still the same (R5)."""
        entry = self.outputs.get(key)
        return entry if entry is not None and entry.input_hash == input_hash else None

    def answer(self, key: JobKey, judge: str, question_hash: str) -> AnswerEntry | None:
        """Return what a judge answered to the same question."""
        return self.answers.get((key, judge, question_hash))


def read_run(folder: Path, run_id: str) -> RecordedRun:
    """Read all files of the run *run_id* below *folder*; one that is still being written, too."""
    run = folder / f"{RUN_PREFIX}{run_id}"
    outputs: dict[JobKey, OutputEntry] = {}
    answers: dict[tuple[JobKey, str, str], AnswerEntry] = {}
    died_in: list[frozenset[JobKey]] = []
    for path in sorted(run.glob(f"*{JOURNAL_SUFFIX}")):
        open_calls: set[JobKey] = set()
        # Before reading, since a process may begin and end while its file is read.
        alive = locks.is_held(path.with_suffix(LOCK_SUFFIX))
        for entry in _entries(path):
            if isinstance(entry, AnswerEntry):
                answers[entry.key, entry.judge, entry.question_hash] = entry
            elif isinstance(entry, MarkEntry) and entry.began:
                open_calls.add(entry.key)
            else:
                open_calls.discard(entry.key)
                if isinstance(entry, OutputEntry):
                    outputs[entry.key] = entry
        if open_calls and not alive:
            died_in.append(frozenset(open_calls))
    return RecordedRun(run_id, run, run_id, outputs, answers, tuple(died_in))


def _entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a file, passing over lines that can't be read: their calls are made again."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    if not is_header(lines[0]):
        # Nothing but a half-written header, or the journal of a version that isn't known here.
        return
    for line in lines[1:]:
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            yield from_line(line)
