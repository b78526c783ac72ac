"""`evaluate`: labelled cases to a report without pytest, in a script or a notebook.

Not named after its function: importing a module ``evaluate`` would hide ``pytest_schemascore.evaluate``.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_schemascore._awaiting import as_async
from pytest_schemascore._checks import check_callable, check_count, check_seconds
from pytest_schemascore.cases import load_cases
from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.pipeline import A_TICK, Evaluations
from pytest_schemascore.report.report import Report
from pytest_schemascore.running.engine import Engine
from pytest_schemascore.running.job import Job, JobKey
from pytest_schemascore.running.portal import Portal
from pytest_schemascore.scoring.comparators.naming import named
from pytest_schemascore.spec import SuiteSpec, check_scoring
from pytest_schemascore.suite import Suite
from pytest_schemascore.suite.evaluating import case_result, suite_result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_schemascore.cases import Case, Cases
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.job import Finished

WANTS_CASE: Final = "case"
"""The name of an argument that gets the whole case."""


def evaluate(
    schema: object,
    cases: Cases | Callable[[], Cases],
    target: Callable[[Any], object],
    comparators: Mapping[str, object] | None = None,
    *,
    default: object = None,
    gates: Mapping[str, object] | None = None,
    weights: Mapping[str, float] | None = None,
    extra: Literal["ignore", "count"] = "ignore",
    select: str | None = None,
    parse: Literal["strict", "lenient"] = "strict",
    metrics: Sequence[str] = (),
    name: str | None = None,
    concurrency: int = 16,
    timeout: float | None = 60.0,
    repeat: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
    on_metrics: Callable[[set[str]], object] | None = None,
) -> Report:
    """Call *target* for every case, score what it gives, and return the report.

    It blocks until all is done, and works where an event loop is running (in a notebook), since async targets
    run in a loop of their own. Cases with ``skip`` are not run.

    Args:
        schema, comparators, default, gates, weights, extra, select, parse: as of ``schemascore.case``.
        cases: the path of a file, a list of cases, or a function that returns one; see `load_cases`.
        target: sync or async; gets a case's input, or the whole `Case` where its argument is called ``case``.
            What it raises makes that case invalid and no other.
        metrics: further metrics of whole documents: ``"distance"``, ``"similarity"``.
        name: the suite's key in the report; by default the target's ``module:qualname``.
        concurrency: how many calls run at once. timeout: seconds a call may take, None for no limit.
        repeat: how often each case is run.
        on_progress: gets the number of finished and of all calls, about ten times a second.
        on_metrics: gets the names of all metrics that the suite has, before anything is called.

    Raises:
        CaseError, SchemaError, PathError, RuleError, UsageError: found before anything is called.
        ComparatorError: a comparator failed; a bug in the evaluation, not a miss.
    """
    check_callable("target", target, "a function of a case's input")
    check_count("concurrency", concurrency)
    check_count("repeat", repeat)
    if timeout is not None:
        check_seconds("timeout", timeout)
    scoring = {
        "schema": schema,
        "comparators": comparators,
        "default": default,
        "gates": gates,
        "weights": weights,
        "extra": extra,
        "select": select,
        "parse": parse,
        "metrics": metrics,
    }
    spec = SuiteSpec(name or named(target).name, **check_scoring(scoring))
    suite = Suite.build(spec, load_cases(cases))
    if on_metrics is not None:
        on_metrics(suite.metric_names)
    skipped = {case.id: _reason(case) for case in suite.cases.values() if case.skip}
    jobs = [
        _job(suite, target, case, run, timeout)
        for case in suite.cases.values()
        if not case.skip
        for run in range(repeat)
    ]
    runs = _run(suite, jobs, concurrency, timeout, on_progress)
    results = [case_result(suite, case, found) for case, found in runs.items()]
    return Report({spec.key: suite_result(suite, results, skipped)})


def _run(
    suite: Suite,
    jobs: Sequence[Job],
    concurrency: int,
    timeout: float | None,
    on_progress: Callable[[int, int], object] | None,
) -> dict[str, list[RunResult]]:
    """Return the runs of each case, in the order of *jobs*."""
    calls: dict[JobKey, Finished] = {}
    evaluations = Evaluations(suite)
    portal = Portal()
    engine = Engine(portal, concurrency)

    interrupts: list[KeyboardInterrupt] = []

    def keep(call: Finished) -> None:
        calls[call.key] = call
        if isinstance(call.error, KeyboardInterrupt):
            interrupts.append(call.error)

    def poll(done: int, total: int) -> None:
        evaluations.take(list(calls.values()), seconds=A_TICK)
        if on_progress is not None:
            on_progress(done, total)

    try:
        engine.run(jobs, keep, lambda: bool(interrupts), poll)
        if interrupts:
            raise interrupts[0]
        evaluations.take(calls.values())
        found = evaluations.settle(engine, judge_timeout=timeout)
    finally:
        portal.close()
    runs: dict[str, list[RunResult]] = {}
    for job in jobs:
        result = found[job.key]
        if isinstance(result, ComparatorError):
            raise result
        runs.setdefault(job.key.case, []).append(result)
    return runs


def _job(suite: Suite, target: Callable[[Any], object], case: Case, run: int, timeout: float | None) -> Job:
    wants_case, awaited = _wants_case(target), as_async(target)

    def call() -> object:
        own = case.for_call()
        return (awaited or target)(own if wants_case else own.input)

    key = JobKey(suite.spec.key, case.id, run)
    return Job(key, call, awaited is not None, timeout, case.input_hash)


def _wants_case(target: Callable[..., object]) -> bool:
    try:
        names = list(inspect.signature(target).parameters)
    except (TypeError, ValueError):  # some built-ins have no signature
        return False
    return names[:1] == [WANTS_CASE]


def _reason(case: Case) -> str:
    return case.skip if isinstance(case.skip, str) else "skip in the case"
