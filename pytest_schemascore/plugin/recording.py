"""The journal of a session: what was paid for is on disk, and can be taken again (R5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_schemascore.plugin.raised import ENDING, NOT_RUN
from pytest_schemascore.plugin.recorded_calls import encoded, finished_of
from pytest_schemascore.running.entries import AnswerEntry
from pytest_schemascore.running.job import Finished, Job, JobKey
from pytest_schemascore.running.journal import RUN_PREFIX, TAKEN_BY, Journal, journal_path, take_over

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

    from pytest_schemascore.running.asking import Answer, Request
    from pytest_schemascore.running.entries import OutputEntry
    from pytest_schemascore.running.recorded import RecordedRun
    from pytest_schemascore.suite import Suite


NOT_RECORDED: Final = "outputs were not recorded, so --schemascore-resume can't take them: {}"


@dataclass(slots=True)
class Recording:
    """Writes one process's journal, and reads those of this run and of the one that is taken up.

    Attributes:
        folder: where journals are; None where pytest has no cache, and then nothing is recorded.
        run_id: of this run, the same in all its workers.
        worker: name of this process in the run.
        source: id of the run whose outputs are taken; empty for none.
        resumes: whether that run was unfinished, so that this one takes over all it holds; else the complete
            runs up to that one are scored again.
        survey: whether other workers of this run may have left outputs that are ours to take.
        asked: how many outputs were needed; taken: how many of them came from the earlier run.
        failed: how many of the latter had raised or timed out.
        trouble: why outputs are no longer recorded; empty where they are.
    """

    folder: Path | None
    run_id: str
    worker: str
    source: str = ""
    resumes: bool = False
    survey: bool = False
    asked: int = 0
    taken: int = 0
    failed: int = 0
    trouble: str = ""
    _journal: Journal | None = None
    _earlier: RecordedRun | None = None
    _current: RecordedRun | None = None
    _known: set[JobKey] = field(default_factory=set)

    # Writing

    def begin(self, key: JobKey) -> None:
        """Write down that a call is about to be made, where another worker may have to know."""
        if self.survey:
            self._write(lambda journal: journal.mark(key, began=True))

    def record(self, finished: Finished) -> None:
        """Write down a finished call; what ends the run or skips the case is no output."""
        if not isinstance(finished.error, (*ENDING, *NOT_RUN)):
            self._write(lambda journal: journal.record(finished))
        elif self.survey:
            self._write(lambda journal: journal.mark(finished.key, began=False))

    def record_answer(self, answer: Answer) -> None:
        """Write down what a judge said; a failed one is asked again."""
        if not answer.error:
            request = answer.request
            entry = AnswerEntry(request.key, request.judge.name, request.question_hash, answer.scores)
            self._write(lambda journal: journal.add(entry))

    def finish(self, *, done: bool, whole: Iterable[str] = ()) -> None:
        """Close the journal.

        Args:
            done: whether the run is complete, which only the process that reports can say.
            whole: keys of the suites that ran whole.
        """
        if done and self._has_entries():
            self._open()
        if self._journal is not None:
            # The outputs of a suite that is scored again stay where they were.
            self._journal.close(done=done, whole=() if self._rescores else whole)
            self._journal = None
        if done and self.folder is not None:
            from pytest_schemascore.running.earlier_runs import prune  # as in _read

            prune(self.folder)
        self._known.clear()  # plugins live on, see Session.close

    def take_over(self) -> None:
        """Copy what a resumed run holds into this run's journal, so that it can be resumed again.

        To be called before anything of this run is recorded; harmless twice.
        """
        if not self.resumes or self.folder is None or self.has_journal_of(TAKEN_BY):
            return
        folder, earlier = self.folder, self._earlier_run()
        if earlier is not None:
            self._guarded(lambda: take_over(folder, self.run_id, earlier))

    # Reading

    def begin_batch(self) -> None:
        """Look again at what other workers have recorded, where that may matter."""
        if self.survey:
            self._current = None
            self._open()

    def recall(self, job: Job) -> Finished | None:
        """Return what is recorded of *job*, once; None where it has to be called."""
        if job.key in self._known and not self._rescores:
            return None  # It runs again, as a flaky test does: what is recorded has failed.
        taken = self._entry(self._earlier_run(), job)
        if job.key not in self._known:
            self.asked += 1
            self.taken += taken is not None
            self.failed += taken is not None and bool(taken.error or taken.timed_out)
            self._known.add(job.key)
        entry = taken or self._entry(self._current_run(), job)
        return finished_of(job, entry) if entry is not None else None

    @property
    def taken_over(self) -> Collection[JobKey]:
        """The calls of a resumed run whose outputs this one holds."""
        earlier = self._earlier_run() if self.resumes else None
        return earlier.outputs.keys() if earlier is not None else ()

    def recorded(self) -> list[JobKey]:
        """Return the calls that the processes of this run have recorded here up to now."""
        run = self._read(self.run_id)
        return list(run.outputs) if run is not None else []

    def left_behind(self, suite: Suite) -> list[Finished]:
        """Return those of *suite*, as far as the cases' inputs are the same."""
        run = self._read(self.run_id)
        return [
            finished_of(Job(entry.key, _not_called, is_async=False), entry)
            for entry in (run.outputs.values() if run else ())
            if entry.key.suite == suite.spec.key
            and entry.key.case in suite.cases
            and entry.input_hash == suite.cases[entry.key.case].input_hash
        ]

    def recall_answer(self, request: Request) -> tuple[float | None, ...] | None:
        """Return what a judge is recorded to have said to the same question."""
        for run in (self._earlier_run(), self._current_run()):
            if run is not None:
                entry = run.answer(request.key, request.judge.name, request.question_hash)
                if entry is not None:
                    return entry.scores
        return None

    def has_journal_of(self, worker: str) -> bool:
        """Say whether *worker* has begun a journal of this run here."""
        return self.folder is not None and journal_path(self.folder, self.run_id, worker).exists()

    @property
    def knows_others(self) -> bool:
        """Whether other workers of this run have left anything here: that which folder they share shows."""
        run = self._current_run()
        return run is not None and bool(run.outputs or run.died_in)

    @property
    def suspects(self) -> frozenset[JobKey]:
        """The calls that were under way when a worker of this run died: one of them was the end of it."""
        run = self._current_run()
        return frozenset[JobKey]().union(*run.died_in) - run.outputs.keys() if run else frozenset()

    @property
    def culprits(self) -> frozenset[JobKey]:
        """The calls that were alone under way when a worker of this run died."""
        run = self._current_run()
        alone = [calls for calls in run.died_in if len(calls) == 1] if run else []
        return frozenset[JobKey]().union(*alone)

    @property
    def _rescores(self) -> bool:
        return bool(self.source) and not self.resumes

    def _has_entries(self) -> bool:
        """Say whether any process of this run has recorded something."""
        return self.folder is not None and (self.folder / f"{RUN_PREFIX}{self.run_id}").is_dir()

    def _write(self, write: Callable[[Journal], object]) -> None:
        journal = self._open()
        if journal is not None:
            self._guarded(lambda: write(journal))

    def _open(self) -> Journal | None:
        if self._journal is None and self.folder is not None and not self.trouble:
            folder = self.folder
            self._guarded(lambda: self._begin(folder))
        return self._journal

    def _begin(self, folder: Path) -> None:
        self._journal = Journal.open_new(folder, self.run_id, encode=encoded, worker=self.worker)

    def _guarded(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            # The run goes on without; a warning here would end it where warnings are errors.
            self.trouble = NOT_RECORDED.format(error)
            self._journal = None

    def _earlier_run(self) -> RecordedRun | None:
        if self._earlier is None and self.source:
            self._earlier = self._read(self.source) if self.resumes else self._complete()
        return self._earlier

    def _current_run(self) -> RecordedRun | None:
        if self._current is None and self.survey:
            self._current = self._read(self.run_id)
        return self._current

    def _complete(self) -> RecordedRun | None:
        from pytest_schemascore.running.earlier_runs import complete_runs  # as in _read

        return complete_runs(self.folder, self.source) if self.folder is not None else None

    def _read(self, run_id: str) -> RecordedRun | None:
        if self.folder is None:
            return None
        from pytest_schemascore.running.recorded import read_run  # most runs read no journal

        return read_run(self.folder, run_id)

    @staticmethod
    def _entry(run: RecordedRun | None, job: Job) -> OutputEntry | None:
        return run.output(job.key, job.input_hash) if run is not None else None


def _not_called() -> None:
    """Stand for the body of a call that is over."""
