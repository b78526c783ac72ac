"""The journal of a session: what was paid for is on disk, and can be taken again (R5)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pytest

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.output import Output
from pytest_schemascore.documents.python_values import dumped
from pytest_schemascore.errors import RecordedError
from pytest_schemascore.plugin.verdicts import ENDING, NOT_RUN
from pytest_schemascore.plugin.workers import WHOLE_SUITES
from pytest_schemascore.running.entries import AnswerEntry
from pytest_schemascore.running.job import Finished, Job
from pytest_schemascore.running.journal import Encoded, Journal, new_run_id
from pytest_schemascore.running.recorded import latest_complete, latest_unfinished, prune, read_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.plugin.workers import Place
    from pytest_schemascore.running.asking import Answer, Request
    from pytest_schemascore.running.entries import OutputEntry
    from pytest_schemascore.running.job import JobKey
    from pytest_schemascore.running.recorded import RecordedRun
    from pytest_schemascore.suite import Suite

FOLDER: Final = "schemascore"
"""Name of our folder below pytest's cache."""

ASSERTIONS: Final = ("AssertionError", "Failed")


class RecordedFailure(RecordedError, AssertionError):
    """An assertion that a recorded call had failed."""


@dataclass(slots=True)
class Recording:
    """Writes one process's journal, and reads those of this run and of the one that is taken up.

    Attributes:
        folder: where journals are; None where pytest has no cache, and then nothing is recorded.
        run_id: of this run, the same in all its workers.
        worker: name of this process in the run.
        source: id of the run whose outputs are taken; empty for none.
        resumes: whether that run was unfinished, so that this one takes over all it holds.
        survey: whether other workers of this run may have left outputs that are ours to take.
    """

    folder: Path | None
    run_id: str
    worker: str
    source: str = ""
    resumes: bool = False
    survey: bool = False
    taken: int = 0
    _journal: Journal | None = None
    _earlier: RecordedRun | None = None
    _current: RecordedRun | None = None
    _asked: set[JobKey] = field(default_factory=set)
    _broken: bool = False

    def record(self, finished: Finished) -> None:
        """Write down a finished call; what ends the run or skips the case is no output."""
        if isinstance(finished.error, (*ENDING, *NOT_RUN)):
            return
        journal = self._open()
        if journal is not None:
            self._guarded(lambda: journal.record(finished))

    def record_answer(self, answer: Answer) -> None:
        """Write down what a judge said; a failed one is asked again."""
        journal = self._open()
        if journal is not None and not answer.error:
            request = answer.request
            entry = AnswerEntry(request.key, request.judge.name, request.question_hash, answer.scores)
            self._guarded(lambda: journal.add(entry))

    def recall(self, job: Job) -> Finished | None:
        """Return what is recorded of *job*, once; None where it has to be called."""
        if job.key in self._asked:
            return None
        self._asked.add(job.key)
        for run in (self._earlier_run(), self._current_run()):
            entry = run.output(job.key, job.input_hash) if run is not None else None
            if entry is not None:
                self.taken += 1
                return _finished(job, entry)
        return None

    def recall_answer(self, request: Request) -> tuple[float | None, ...] | None:
        """Return what a judge is recorded to have said to the same question."""
        for run in (self._earlier_run(), self._current_run()):
            if run is not None:
                entry = run.answer(request.key, request.judge.name, request.question_hash)
                if entry is not None:
                    return entry.scores
        return None

    def left_behind(self, suite: Suite) -> list[Finished]:
        """Return the calls of *suite* that other processes of this run recorded."""
        run = self._current_run()
        entries = run.outputs.values() if run else ()
        return [
            _finished(Job(entry.key, _not_called, is_async=False), entry)
            for entry in entries
            if entry.key.suite == suite.spec.key
            and entry.key.case in suite.cases
            and entry.input_hash == suite.cases[entry.key.case].input_hash
        ]

    def begin_batch(self) -> None:
        """Look again at what other workers have recorded, where that may matter."""
        if self.survey:
            self._current = None

    def finish(self, *, done: bool) -> None:
        """Close the journal; *done* says that the whole run came to its end."""
        if self._journal is not None:
            self._journal.close(done=done)
            self._journal = None
        if done and self.folder is not None:
            prune(self.folder)

    def take_over(self) -> None:
        """Copy what a resumed run holds into this run's journal, so that it can be resumed again."""
        earlier = self._earlier_run() if self.resumes else None
        journal = self._open() if earlier is not None else None
        if journal is not None and earlier is not None:
            self._guarded(lambda: journal.take_over(earlier))

    def _open(self) -> Journal | None:
        if self._journal is None and self.folder is not None and not self._broken:
            folder = self.folder
            self._guarded(lambda: self._begin(folder))
        return self._journal

    def _begin(self, folder: Path) -> None:
        self._journal = Journal.open_new(folder, self.run_id, encode=encoded, worker=self.worker)

    def _guarded(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            self._broken = True
            self._journal = None
            warnings.warn(f"outputs are not recorded: {error}", stacklevel=2)

    def _earlier_run(self) -> RecordedRun | None:
        if self._earlier is None and self.source and self.folder is not None:
            self._earlier = read_run(self.folder, self.source)
        return self._earlier

    def _current_run(self) -> RecordedRun | None:
        if not self.survey or self.folder is None:
            return None
        if self._current is None:
            self._current = read_run(self.folder, self.run_id)
        return self._current


def source_of(folder: Path | None, *, resume: bool, rescore: bool) -> tuple[str, str]:
    """Return the id of the run to take outputs from, and what to say where there is none.

    Resuming where nothing is unfinished starts afresh and says so; rescoring needs a complete run.
    """
    if resume:
        run = latest_unfinished(folder) if folder else None
        return (run.id, "") if run else ("", "")
    if rescore:
        run = latest_complete(folder) if folder else None
        problem = "--schemascore-rescore: no complete run is recorded in pytest's cache; run once without it"
        return (run.id, "") if run else ("", problem)
    return "", ""


def encoded(value: object) -> Encoded:
    """Return an output as the journal keeps it."""
    if isinstance(value, Output):
        return Encoded(_plain(value.value), value.cost, value.tokens, dumped(value.metadata))
    return Encoded(_plain(value))


def _plain(value: object) -> Json:
    return value.decode("utf-8") if isinstance(value, bytes) else dumped(value)


def _not_called() -> None:
    """Stand for the body of a call that is over."""


def _finished(job: Job, entry: OutputEntry) -> Finished:
    value: object = None
    error: Exception | None = None
    if entry.error:
        kind = RecordedFailure if entry.error in ASSERTIONS else RecordedError
        error = kind(f"{entry.error}: {entry.message}" if entry.message else entry.error)
    elif entry.value is not ABSENT:
        value = Output(entry.value, cost=entry.cost, tokens=entry.tokens, metadata=entry.metadata)
    stopped = entry.started + entry.duration
    return Finished(job, value, error, entry.timed_out, entry.started, stopped, entry.duration)


RUN = pytest.StashKey[tuple[str, str, str]]()


def shared_run(config: pytest.Config, options: Options) -> tuple[str, str, str]:
    """Return the id of this run, that of the run whose outputs it takes, and what to say where it can't."""
    if RUN not in config.stash:
        source, problem = source_of(cache_folder(config), resume=options.resume, rescore=options.rescore)
        config.stash[RUN] = (new_run_id(), source, problem)
    return config.stash[RUN]


def recording_of(config: pytest.Config, options: Options, place: Place) -> tuple[Recording, str]:
    """Return this process's journal, and what to say where there is nothing to take outputs from."""
    if place.worker:
        run_id, source, problem = place.given["run_id"], place.given["source"], ""
    else:
        run_id, source, problem = shared_run(config, options)
    recording = Recording(
        cache_folder(config),
        run_id,
        place.worker or "main",
        source=source,
        resumes=options.resume,
        survey=place.restarted or place.dist in WHOLE_SUITES,
    )
    return recording, problem


def cache_folder(config: pytest.Config) -> Path | None:
    """Return the folder for journals below pytest's cache; None where the cache is switched off."""
    cache = getattr(config, "cache", None)
    return cache.mkdir(FOLDER) if cache is not None else None
