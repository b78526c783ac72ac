"""Reads the journals of earlier runs, and removes old ones."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_schemascore.running import locks
from pytest_schemascore.running.entries import AnswerEntry, Entry, OutputEntry, from_line, is_header
from pytest_schemascore.running.journal import DONE, JOURNAL_SUFFIX, LOCK_SUFFIX, RESUMED, RUN_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_schemascore.running.job import JobKey

_KEEP: Final = 5


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What the journal of one run holds.

    Attributes:
        id: the run's; folder: where its files are.
        outputs: the last entry of each call; answers: likewise, by call, judge and question.
        corrupt: lines that could not be read; a half-written last one, as a kill leaves it, isn't counted.
    """

    id: str
    folder: Path
    outputs: Mapping[JobKey, OutputEntry] = field(default_factory=dict)
    answers: Mapping[tuple[JobKey, str, str], AnswerEntry] = field(default_factory=dict)
    corrupt: int = 0

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
    corrupt = 0
    for path in sorted(run.glob(f"*{JOURNAL_SUFFIX}")):
        for entry in _entries(path):
            if entry is None:
                corrupt += 1
            elif isinstance(entry, AnswerEntry):
                answers[entry.key, entry.judge, entry.question_hash] = entry
            else:
                outputs[entry.key] = entry
    return RecordedRun(run_id, run, outputs, answers, corrupt)


def latest_unfinished(folder: Path) -> RecordedRun | None:
    """Return the newest run that never came to its end, whose processes are gone and which none resumed.

    Only one that is newer than every run that came to its end: older ones have been given up.
    """
    for run in _runs(folder):
        if (run / DONE).exists():
            return None
        if not (run / RESUMED).exists() and not _is_alive(run):
            return read_run(folder, _id(run))
    return None


def latest_complete(folder: Path) -> RecordedRun | None:
    """Return the newest run that came to its end."""
    return next((read_run(folder, _id(run)) for run in _runs(folder) if (run / DONE).exists()), None)


def prune(folder: Path, keep: int = _KEEP) -> None:
    """Remove all but the newest *keep* runs, the newest complete one and those that still run."""
    runs = list(_runs(folder))
    complete = next((run for run in runs if (run / DONE).exists()), None)
    for run in runs[keep:]:
        if run != complete and not _is_alive(run):
            shutil.rmtree(run, ignore_errors=True)


def _entries(path: Path) -> Iterator[Entry | None]:
    """Yield the entries of a file, None for each line that can't be read."""
    *lines, rest = path.read_bytes().decode("utf-8", "replace").split("\n")
    if not lines or not is_header(lines[0]):
        # Nothing but a half-written header, or the journal of a version that isn't known here.
        return
    for line in lines[1:]:
        yield _read(line)
    if rest and (entry := _read(rest)) is not None:
        yield entry


def _read(line: str) -> Entry | None:
    try:
        return from_line(line)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _runs(folder: Path) -> Iterator[Path]:
    """Yield the runs' folders, newest first."""
    if folder.is_dir():
        yield from sorted(
            (path for path in folder.iterdir() if path.is_dir() and path.name.startswith(RUN_PREFIX)),
            reverse=True,
        )


def _id(run: Path) -> str:
    return run.name.removeprefix(RUN_PREFIX)


def _is_alive(run: Path) -> bool:
    return any(locks.is_held(path) for path in run.glob(f"*{LOCK_SUFFIX}"))
