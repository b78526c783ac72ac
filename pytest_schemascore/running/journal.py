"""Writes down every finished output as it arrives, so that nothing that was paid for is lost (R5).

A folder holds one folder a run, ``run-<id>``, and in it one append-only file of JSON lines a process,
``<worker>.jsonl``, with a lock file that tells whether the process lives. ``done`` marks a run that came to
its end and lists the suites that ran whole, ``resumed`` one whose entries a later run has taken over; that
one has them in ``0-taken.jsonl``, a name that sorts before those of its own files, whose entries are newer.
See `pytest_schemascore.running.recorded` for reading, and ``earlier_runs`` beside it for which is read.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from pytest_schemascore._files import write_atomically
from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.running import locks
from pytest_schemascore.running.entries import HEADER, Entry, MarkEntry, OutputEntry, to_line
from pytest_schemascore.running.masking import mask_secrets, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType

    from pytest_schemascore.running.job import Finished, JobKey
    from pytest_schemascore.running.recorded import RecordedRun

RUN_PREFIX: Final = "run-"
DONE: Final = "done"
RESUMED: Final = "resumed"
JOURNAL_SUFFIX: Final = ".jsonl"
LOCK_SUFFIX: Final = ".lock"
TAKEN_BY: Final = "0-taken"
"""Stands for a worker's name where a run has taken over another's entries."""


def new_run_id() -> str:
    """Return an id that no other run has; ids sort by the time they were made."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{os.urandom(4).hex()}"


class Encoded(NamedTuple):
    """An output in JSON form, as the journal keeps it, with what was attached to it."""

    value: Json
    cost: float | None = None
    tokens: int | None = None
    metadata: Json = None


class Journal:
    """The file that one process of one run appends to.

    Attributes:
        run_id: the run's; path: of the file.
    """

    def __init__(self, path: Path, run_id: str, encode: Callable[[object], Encoded]) -> None:
        self.run_id: Final = run_id
        self.path: Final = path
        self._encode = encode
        self._writing = threading.Lock()
        self._lock = locks.hold(path.with_suffix(LOCK_SUFFIX))
        self._file: int | None = None
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except OSError:
            self._lock.close()
            raise

    @classmethod
    def open_new(
        cls,
        folder: Path,
        run_id: str,
        *,
        encode: Callable[[object], Encoded],
        worker: str = "main",
    ) -> Self:
        """Begin the file of *worker* in the run *run_id* below *folder*, which is made if need be.

        Args:
            encode: turns what a body returned into JSON; of what it raises the text is recorded instead.

        Raises:
            OSError: the folder can't be written, or that worker of that run has a file already.
        """
        path = journal_path(folder, run_id, worker)
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = cls(path, run_id, encode)
        journal._append(HEADER)
        return journal

    def record(self, finished: Finished) -> None:
        """Append what came of a call; it survives the death of this process from when this returns.

        Of an output that has no JSON form the reason is written.

        Raises:
            OSError: the disk is full.
        """
        try:
            line = to_line(self._entry(finished))
        except Exception as error:  # noqa: BLE001 - a model's own dump may raise anything
            unfit = mask_secrets(text_of(error)) or type(error).__name__
            entry = OutputEntry(finished.key, finished.job.input_hash, unfit=unfit)
            line = to_line(entry._replace(started=finished.started, duration=finished.duration))
        self._append(line)

    def mark(self, key: JobKey, *, began: bool) -> None:
        """Append that a call is about to be made, or is over and left no output."""
        self._append(to_line(MarkEntry(key, began)))

    def add(self, entry: Entry) -> None:
        """Append an entry that is at hand already, such as a judge's answer."""
        self._append(to_line(entry))

    def close(self, *, done: bool = False, whole: Iterable[str] = ()) -> None:
        """Let go of the file.

        Args:
            done: whether the run came to its end (the controller's to say).
            whole: keys of the suites that ran whole in it.
        """
        if self._file is None:
            return
        if done:
            mark = self.path.parent / DONE
            mark.touch()
            with suppress(OSError):  # empty, it is the mark of a run that ran no suite whole
                mark.write_text(json.dumps(sorted(whole)), encoding="utf-8")
        os.close(self._file)
        self._lock.close()
        self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _entry(self, finished: Finished) -> OutputEntry:
        error = finished.error
        value: Json | Absent = ABSENT
        encoded = Encoded(None)
        if error is None and not finished.timed_out:
            encoded = self._encode(finished.value)
            value = encoded.value
        return OutputEntry(
            finished.key,
            finished.job.input_hash,
            value,
            error="" if error is None else type(error).__name__,
            message="" if error is None else mask_secrets(text_of(error)),
            timed_out=finished.timed_out,
            started=finished.started,
            duration=finished.duration,
            cost=encoded.cost,
            tokens=encoded.tokens,
            metadata=encoded.metadata,
        )

    def _append(self, line: str) -> None:
        with self._writing:
            if self._file is None:
                msg = f"{self.path}: the journal is closed"
                raise ValueError(msg)
            # Straight to the system, which keeps it when this process is killed.
            rest = f"{line}\n".encode("ascii")
            while rest:
                rest = rest[os.write(self._file, rest) :]


def journal_path(folder: Path, run_id: str, worker: str) -> Path:
    """Return where *worker* of the run *run_id* writes."""
    return folder / f"{RUN_PREFIX}{run_id}" / f"{worker}{JOURNAL_SUFFIX}"


def take_over(folder: Path, run_id: str, earlier: RecordedRun) -> None:
    """Give the run *run_id* all that *earlier* holds, and mark that one so that it isn't resumed twice.

    A kill at any moment leaves the entries with the one or the other.

    Raises:
        OSError: the disk is full, or the folder can't be written.
    """
    entries: tuple[Entry, ...] = (*earlier.outputs.values(), *earlier.answers.values())
    lines = [HEADER, *map(to_line, entries)]
    write_atomically(journal_path(folder, run_id, TAKEN_BY), "\n".join([*lines, ""]))
    (earlier.folder / RESUMED).touch()
