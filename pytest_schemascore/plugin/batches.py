"""Running a suite's cases as one batch, held by its first item (R2)."""

from __future__ import annotations

import faulthandler
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pytest_schemascore.pipeline import A_TICK, Evaluations
from pytest_schemascore.plugin.ahead import load_ahead, locate_ahead
from pytest_schemascore.plugin.body_request import request_in_body
from pytest_schemascore.plugin.collecting import CASE_ITEM, CaseItem, case_of
from pytest_schemascore.plugin.compat import is_captured, own_arguments, pytest_log_handlers, will_not_run
from pytest_schemascore.plugin.mark import ARGUMENT
from pytest_schemascore.plugin.recorded_calls import ended_its_worker
from pytest_schemascore.plugin.stopping import Stopping
from pytest_schemascore.running.capture import CaptureRouter
from pytest_schemascore.running.engine import Engine
from pytest_schemascore.running.job import Finished, Job, JobKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_schemascore.errors import ComparatorError
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.plugin.recording import Recording
    from pytest_schemascore.plugin.screen import Screen
    from pytest_schemascore.plugin.workers import Place
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.portal import Portal
    from pytest_schemascore.running.progress import Progress


class Run(NamedTuple):
    """One run of a case: the call, and what came of it."""

    call: Finished
    result: RunResult | ComparatorError


@dataclass(slots=True)
class Batches:
    """Makes the calls of a session, and keeps what came of them until each item asks for its own.

    Attributes:
        options: what the user asked for; place: this process among the workers.
        recording: the journal.
        screen: where a batch shows that it is alive; None for nowhere.
        limits: seconds per case that pytest-timeout would have set, by node id.
        finished: calls that are over and whose suite's batch is not.
    """

    options: Options
    place: Place
    portal: Portal
    recording: Recording
    screen: Screen | None
    limits: dict[str, float] = field(default_factory=dict)
    finished: dict[JobKey, Finished] = field(default_factory=dict)
    _runs: dict[JobKey, Run] = field(default_factory=dict)

    def runs_of(self, item: pytest.Function, *, noticed: bool) -> list[Run]:
        """Return the runs of *item*'s case, running its suite's batch if that is still to be done.

        Fewer than were asked for, where the run was stopped before. *noticed*: whether the gate would notice
        failed calls.
        """
        entry = item.stash[CASE_ITEM]
        keys = [_key(entry, run) for run in range(self._repeat(entry))]
        if not all(key in self._runs for key in keys):
            self._run_batch(item, Stopping.of(item.session, noticed=noticed))
        return [self._runs.pop(key) for key in keys if key in self._runs]

    def limit(self, item: pytest.Item, seconds: float | None) -> None:
        """Note the limit that pytest-timeout would have set for *item*."""
        if seconds:
            self.limits[item.nodeid] = seconds

    def unasked(self) -> dict[str, list[Finished]]:
        """Return the calls, by suite, that are over and whose items have not asked for them."""
        calls: dict[str, list[Finished]] = {}
        for call in (*(run.call for run in self._runs.values()), *self.finished.values()):
            calls.setdefault(call.key.suite, []).append(call)
        return calls

    def _repeat(self, entry: CaseItem) -> int:
        return self.options.repeat or entry.mark.repeat

    def _timeout(self, item: pytest.Function) -> float | None:
        if item.config.getoption("usepdb", False):
            return None  # whoever debugs takes the time that it takes
        own = self.options.timeout or item.stash[CASE_ITEM].mark.timeout
        return min(own, self.limits.get(item.nodeid, own))

    def _run_batch(self, lead: pytest.Function, stopping: Stopping) -> None:
        entry = lead.stash[CASE_ITEM]
        engine = Engine(self.portal, self._concurrency(lead))
        # A timer that pytest's faulthandler started for this item would end the whole batch.
        faulthandler.cancel_dump_traceback_later()
        with self._router(lead.config):
            evaluations = Evaluations(entry.suite)
            self._call(lead, engine, stopping, evaluations)
            evaluations.take(self.finished.values())
            results = evaluations.settle(
                engine,
                judge_timeout=self._timeout(lead),
                on_answer=self.recording.record_answer,
                recall=self.recording.recall_answer,
            )
        self._runs |= {key: Run(self.finished[key], result) for key, result in results.items()}
        self.finished.clear()

    def _call(
        self, lead: pytest.Function, engine: Engine, stopping: Stopping, evaluations: Evaluations
    ) -> None:
        """Call what is not recorded already; *evaluations* scores what is there meanwhile."""
        if self.place.looks_ahead(lead):
            # Where cases come one by one, nobody else has begun one that is this worker's.
            self.recording.begin_batch()
        jobs: list[Job] = []
        items = {_of(item): item for item in self._items(lead)}
        culprits = self.recording.culprits
        for job in self._jobs(items.values(), lead):
            recalled = self.recording.recall(job)
            if recalled is not None:
                self.finished[job.key] = recalled
            elif job.key in culprits:
                self.finished[job.key] = ended_its_worker(job)
            else:
                jobs.append(job)
        if self.options.rescore and jobs:
            names = ", ".join(sorted({job.key.case for job in jobs})[:5])
            pytest.fail(
                f"--schemascore-rescore: no complete run recorded an output of {names}", pytrace=False
            )
        if not jobs:
            return
        name = lead.stash[CASE_ITEM].suite.spec.key
        progress = self.screen.progress(name) if self.screen else None
        try:
            engine.run(
                jobs,
                lambda call: self._keep(call, stopping, items[call.key.suite, call.key.case]),
                stopping.is_due,
                self._while_waiting(items.values(), evaluations, progress),
            )
        finally:
            if progress:
                progress.clear()

    def _while_waiting(
        self, items: Iterable[pytest.Item], evaluations: Evaluations, progress: Progress | None
    ) -> Callable[[int, int], None]:
        """Return what is done about ten times a second while bodies run."""
        ahead = (load_ahead(self.options, reports=not self.place.worker), locate_ahead(items))

        def poll(done: int, total: int) -> None:
            for steps in ahead if done < total else ():
                with suppress(Exception):  # told where it is needed, when no call is at stake any more
                    next(steps, None)
            evaluations.take(list(self.finished.values()), seconds=A_TICK)
            if progress:
                progress.update(done, total)

        return poll

    def _jobs(self, items: Iterable[pytest.Function], lead: pytest.Function) -> list[Job]:
        timeout = self._timeout(lead)
        return [
            self._job(item, lead, run, timeout)
            for item in items
            for run in range(self._repeat(lead.stash[CASE_ITEM]))
            if _key(item.stash[CASE_ITEM], run) not in self._runs
        ]

    def _job(self, item: pytest.Function, lead: pytest.Function, run: int, timeout: float | None) -> Job:
        entry = item.stash[CASE_ITEM]
        key = _key(entry, run)
        _prepare_instance(item, lead)

        def call() -> object:
            self.recording.begin(key)
            return item.obj(**_arguments(item, lead))

        return Job(key, call, entry.mark.is_async, timeout, entry.case.input_hash)

    def _items(self, lead: pytest.Function) -> list[pytest.Function]:
        """Return *lead* and the later items of its suite that nothing skips.

        A case that may have been the end of another worker runs alone, so that it takes none with it.
        """
        alone = {(key.suite, key.case) for key in self.recording.suspects}
        if not self._looks_ahead(lead) or _of(lead) in alone:
            return [lead]
        items = lead.session.items
        suite = lead.stash[CASE_ITEM].suite
        later = [
            item
            for item in items[items.index(lead) + 1 :]
            if isinstance(item, pytest.Function)
            and (entry := item.stash.get(CASE_ITEM, None)) is not None
            and entry.suite is suite
            and not will_not_run(item)
            and _of(item) not in alone
        ]
        return [lead, *later]

    def _looks_ahead(self, lead: pytest.Function) -> bool:
        """Say whether *lead*'s suite may run as one batch.

        A worker that stands in for one that crashed has to see what that one had called, or it would all be
        paid for again.
        """
        return self.place.looks_ahead(lead) and (not self.place.restarted or self.recording.knows_others)

    def _concurrency(self, lead: pytest.Function) -> int:
        if lead.config.getoption("usepdb", False):
            return 1
        whole = self.options.concurrency or lead.stash[CASE_ITEM].mark.concurrency
        return max(1, whole // self.place.count)

    def _keep(self, finished: Finished, stopping: Stopping, item: pytest.Function) -> None:
        self.recording.record(finished)
        self.finished[finished.key] = finished
        stopping.note(finished, item)

    def _router(self, config: pytest.Config) -> CaptureRouter:
        """Return what gives each case its own output and log; with ``-s`` output goes out as well."""
        # pytest's own handlers would give every record to the item that holds the batch.
        return CaptureRouter(tee=not is_captured(config), muted=pytest_log_handlers())


def _key(entry: CaseItem, run: int) -> JobKey:
    return JobKey(entry.suite.spec.key, entry.case.id, run)


def _of(item: pytest.Item) -> tuple[str, str]:
    """Return which case *item* is: its suite's key and its id."""
    entry = item.stash[CASE_ITEM]
    return entry.suite.spec.key, entry.case.id


def _arguments(item: pytest.Function, lead: pytest.Function) -> Mapping[str, Any]:
    """Return the arguments of a call of *item*'s body: its own case, and fixtures that *lead* set up."""
    arguments: dict[str, Any] = {name: lead.funcargs[name] for name in own_arguments(item)}
    arguments[ARGUMENT] = case_of(item).for_call()
    if "request" in arguments:
        arguments["request"] = request_in_body(item, lead, arguments)
    return arguments


def _prepare_instance(item: pytest.Function, lead: pytest.Function) -> None:
    """Give *item*'s own ``self`` what fixtures that its class defines have set on that of *lead*."""
    if item is not lead and hasattr(item.instance, "__dict__"):  # without one, fixtures could set nothing
        vars(item.instance).update(vars(lead.instance))
