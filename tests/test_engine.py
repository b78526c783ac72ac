"""The engine, its event loop and its threads."""

from __future__ import annotations

import _thread
import asyncio
import contextvars
import gc
import sys
import threading
import time
import types
from concurrent.futures import Future
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest import mock

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from pytest_schemascore.errors import UsageError
from pytest_schemascore.running.engine import Engine
from pytest_schemascore.running.job import Finished, Job, JobKey
from pytest_schemascore.running.portal import LoopStoppedError, Portal
from pytest_schemascore.running.tasks import CallCancelledError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(params=["asyncio", "trio"])
def portal(request: pytest.FixtureRequest) -> Iterator[Portal]:
    """Give a portal on each backend."""
    with_backend = Portal(request.param)
    yield with_backend
    with_backend.close()


@pytest.fixture
def asyncio_portal() -> Iterator[Portal]:
    """Give a portal on asyncio."""
    portal = Portal("asyncio")
    yield portal
    portal.close()


def job(
    number: int, call: Callable[[], object], *, is_async: bool = False, timeout: float | None = None
) -> Job:
    """Make a job whose case is called by its number."""
    return Job(JobKey("suite", str(number), 0), call, is_async, timeout)


def run(portal: Portal, jobs: list[Job], limit: int = 4, **callbacks: Any) -> dict[str, Finished]:
    """Run *jobs* and return their outcomes by case."""
    outcomes: list[Finished] = []
    Engine(portal, limit).run(jobs, outcomes.append, **callbacks)
    assert len({outcome.key for outcome in outcomes}) == len(outcomes)
    return {outcome.key.case: outcome for outcome in outcomes}


class Gauge:
    """Counts how many bodies are inside at once, and the most there ever were.

    `full` is set once as many as *limit* are; where they wait for it, the peak can't be missed by luck.
    """

    def __init__(self, limit: int = 1) -> None:
        self.lock = threading.Lock()
        self.full = threading.Event()
        self.limit = limit
        self.inside = self.peak = self.calls = 0

    def enter(self) -> None:
        """Count one in."""
        with self.lock:
            self.calls += 1
            self.inside += 1
            self.peak = max(self.peak, self.inside)
            if self.inside == self.limit:
                self.full.set()

    def leave(self) -> None:
        """Count one out."""
        with self.lock:
            self.inside -= 1


async def _double(number: int, gauge: Gauge) -> int:
    gauge.enter()
    with anyio.move_on_after(5):
        while not gauge.full.is_set():
            await anyio.sleep(0.001)
    await anyio.sleep(0.001 * (number * 7 % 5))
    gauge.leave()
    return number * 2


def _double_in_thread(number: int, gauge: Gauge) -> int:
    gauge.enter()
    gauge.full.wait(5)
    time.sleep(0.001 * (number * 7 % 5))
    gauge.leave()
    return number * 2


@pytest.mark.parametrize("is_async", [True, False])
def test_each_case_gets_its_own_value_and_the_peak_is_the_limit(portal: Portal, is_async: bool) -> None:
    """With delays that shuffle the order of arrival, value i belongs to case i, and exactly 7 run at once."""
    gauge = Gauge(limit=7)
    body: Callable[..., object] = _double if is_async else _double_in_thread

    outcomes = run(portal, [job(n, partial(body, n, gauge), is_async=is_async) for n in range(100)], limit=7)

    assert {case: outcome.value for case, outcome in outcomes.items()} == {str(n): 2 * n for n in range(100)}
    assert gauge.peak == 7
    assert gauge.calls == 100


@pytest.mark.parametrize("is_async", [True, False])
def test_no_more_bodies_run_than_there_are_jobs(portal: Portal, is_async: bool) -> None:
    """A limit above the number of jobs, and no jobs at all, are fine."""
    body: Callable[..., object] = _double if is_async else _double_in_thread

    assert run(portal, [], limit=50) == {}
    assert run(portal, [job(1, partial(body, 1, Gauge()), is_async=is_async)], limit=50)["1"].value == 2


def test_a_limit_below_one_is_refused(portal: Portal) -> None:
    """Nothing could ever run."""
    with pytest.raises(UsageError, match="concurrency is 0"):
        Engine(portal, 0)


def test_async_bodies_share_one_loop_over_batches(portal: Portal) -> None:
    """A client made in one batch can be used in the next."""

    async def token() -> object:
        return anyio.lowlevel.current_token()

    first = run(portal, [job(n, token, is_async=True) for n in range(3)])
    second = run(portal, [job(n, token, is_async=True) for n in range(3)])

    assert len({outcome.value for outcome in (*first.values(), *second.values())}) == 1
    assert portal.call(token) == first["0"].value


@pytest.mark.parametrize("is_async", [True, False])
def test_context_comes_from_the_caller_and_never_from_another_case(portal: Portal, is_async: bool) -> None:
    """A variable set by a session fixture is seen by each body; one set by a case stays in it."""
    variable = contextvars.ContextVar("variable", default="unset")
    variable.set("fixture's")

    def in_thread(number: int) -> str:
        seen = variable.get()
        variable.set(f"case {number}'s")
        return seen

    async def in_loop(number: int) -> str:
        return in_thread(number)

    body: Callable[..., object] = in_loop if is_async else in_thread
    outcomes = run(portal, [job(n, partial(body, n), is_async=is_async) for n in range(20)], limit=3)

    assert {outcome.value for outcome in outcomes.values()} == {"fixture's"}
    assert variable.get() == "fixture's"


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize(
    "error",
    [
        ValueError("x"),
        KeyboardInterrupt(),
        SystemExit(3),
        GeneratorExit(),
        StopIteration(1),
        StopAsyncIteration(),
        asyncio.CancelledError(),
        TimeoutError("the client's own"),
        ExceptionGroup("several", [ValueError("y")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_body_raises_is_its_own_outcome(
    portal: Portal, is_async: bool, error: BaseException
) -> None:
    """The other cases go on, and the caller decides what to raise again."""

    def in_thread() -> None:
        raise error

    async def in_loop() -> None:
        raise error

    body: Callable[[], object] = in_loop if is_async else in_thread
    outcomes = run(
        portal,
        [job(0, body, is_async=is_async), job(1, partial(_double, 1, Gauge()), is_async=True)],
    )

    raised = outcomes["0"].error
    # PEP 479: a coroutine can't raise StopIteration. A cancellation nobody asked for says where it came from.
    assert raised is error or (raised is not None and raised.__cause__ is error)
    assert not outcomes["0"].timed_out
    assert outcomes["0"].value is None
    assert outcomes["1"].value == 2


def test_a_body_that_cancels_its_own_task_fails_alone(asyncio_portal: Portal) -> None:
    """The cancellation isn't taken for the engine's."""

    async def suicidal() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(1)

    async def patient() -> str:
        await asyncio.sleep(0.02)
        return "fine"

    outcomes = run(asyncio_portal, [job(0, suicidal, is_async=True), job(1, patient, is_async=True)])

    assert isinstance(outcomes["0"].error, CallCancelledError)
    assert isinstance(outcomes["0"].error.__cause__, asyncio.CancelledError)
    assert outcomes["1"].value == "fine"


@pytest.mark.parametrize("is_async", [True, False])
def test_a_body_over_its_time_is_timed_out_alone(portal: Portal, is_async: bool) -> None:
    """The others keep their slots, and its own goes to the next job, even where its thread blocks."""
    release = threading.Event()

    async def in_loop() -> None:
        await anyio.sleep(30)

    def in_thread() -> None:
        release.wait(30)

    body: Callable[[], object] = in_loop if is_async else in_thread
    jobs = [job(0, body, is_async=is_async, timeout=0.05)]
    jobs += [job(1, body, is_async=is_async, timeout=0.05)]
    jobs += [job(n, lambda: "fine", timeout=5) for n in (2, 3, 4)]
    outcomes = run(portal, jobs, limit=1)
    release.set()

    assert [case for case, outcome in outcomes.items() if outcome.timed_out] == ["0", "1"]
    assert outcomes["0"].error is None
    assert outcomes["0"].value is None
    assert 0.05 <= outcomes["0"].duration < 5
    assert {outcomes[case].value for case in "234"} == {"fine"}


def test_an_async_body_that_swallows_its_cancellation_is_timed_out_all_the_same(portal: Portal) -> None:
    """What it returns after its time was up is no output."""

    async def stubborn() -> str:
        try:
            await anyio.sleep(30)
        except BaseException:  # noqa: BLE001 - that is what is tried
            return "too late"
        return "never"

    outcome = run(portal, [job(0, stubborn, is_async=True, timeout=0.02)])["0"]

    assert outcome.timed_out
    assert outcome.value is None


@pytest.mark.parametrize("is_async", [True, False])
def test_an_answer_that_comes_too_late_is_none(portal: Portal, is_async: bool) -> None:
    """Also of an async body that blocks the event loop, so that nothing could cancel it."""

    def late() -> str:
        time.sleep(0.05)
        return "too late"

    async def late_in_loop() -> str:
        return late()

    outcome = run(portal, [job(0, late_in_loop if is_async else late, is_async=is_async, timeout=0.02)])["0"]

    assert outcome.timed_out
    assert outcome.value is None


def _note(events: list[str], outcome: Finished) -> None:
    events.append(f"report {outcome.key.case}")


def test_an_outcome_is_reported_before_its_slot_is_used_again(portal: Portal) -> None:
    """With one slot, call and report take turns: what was paid for is safe before more is spent."""
    for is_async in (True, False):
        events: list[str] = []

        def in_thread(number: int, events: list[str] = events) -> None:
            events.append(f"call {number}")

        async def in_loop(number: int, in_thread: Callable[[int], None] = in_thread) -> None:
            in_thread(number)

        body: Callable[..., object] = in_loop if is_async else in_thread
        Engine(portal, 1).run(
            [job(n, partial(body, n), is_async=is_async) for n in range(5)],
            partial(_note, events),
        )

        assert events == [f"{what} {n}" for n in range(5) for what in ("call", "report")]


@pytest.mark.parametrize("is_async", [True, False])
def test_what_the_poll_loads_stays_loaded(
    portal: Portal, monkeypatch: pytest.MonkeyPatch, is_async: bool
) -> None:
    """Also where a body puts the modules back to those that there were when it began."""
    monkeypatch.delitem(sys.modules, "loaded_by_poll", raising=False)
    module = types.ModuleType("loaded_by_poll")
    begun = threading.Event()

    async def replace_and_wait() -> None:
        with mock.patch.dict(sys.modules, {"client": types.ModuleType("client")}):
            begun.set()
            while "loaded_by_poll" not in sys.modules:
                await anyio.sleep(0.01)
            await anyio.sleep(0.05)
        assert "client" not in sys.modules

    def poll(done: int, total: int) -> None:
        del total
        if begun.is_set() and not done:
            sys.modules.setdefault("loaded_by_poll", module)

    body = replace_and_wait if is_async else partial(anyio.run, replace_and_wait)
    outcomes = run(portal, [job(0, body, is_async=is_async, timeout=30)], poll=poll)

    assert outcomes["0"].error is None
    assert sys.modules["loaded_by_poll"] is module


@pytest.mark.parametrize("is_async", [True, False])
def test_reports_never_overlap(portal: Portal, is_async: bool) -> None:
    """Many bodies end at once, and the callback needs no lock."""
    gauge = Gauge()

    def report(outcome: Finished) -> None:
        del outcome
        gauge.enter()
        time.sleep(0.001)
        gauge.leave()

    body: Callable[..., object] = _double if is_async else _double_in_thread
    jobs = [job(n, partial(body, n, Gauge()), is_async=is_async) for n in range(40)]
    Engine(portal, 20).run(jobs, report)

    assert (gauge.calls, gauge.peak) == (40, 1)


@pytest.mark.parametrize("is_async", [True, False])
def test_asked_to_stop_it_starts_no_more_and_waits_for_those_that_run(portal: Portal, is_async: bool) -> None:
    """After the first outcome nothing is started; what runs by then is reported."""
    gauge = Gauge()
    outcomes: list[Finished] = []
    body: Callable[..., object] = _double if is_async else _double_in_thread
    jobs = [job(n, partial(body, n, gauge), is_async=is_async) for n in range(50)]

    Engine(portal, 5).run(jobs, outcomes.append, should_stop=lambda: bool(outcomes))

    assert 1 <= len(outcomes) < 50
    assert gauge.calls == len(outcomes)
    assert gauge.inside == 0


@pytest.mark.parametrize("is_async", [True, False])
def test_poll_hears_how_far_it_is_in_the_calling_thread(portal: Portal, is_async: bool) -> None:
    """It is called while the batch runs, and at the end with all done."""
    heard: list[tuple[int, int, int]] = []

    async def in_loop() -> None:
        await anyio.sleep(0.25)

    def in_thread() -> None:
        time.sleep(0.25)

    body: Callable[[], object] = in_loop if is_async else in_thread
    run(
        portal,
        [job(0, body, is_async=is_async)],
        poll=lambda done, total: heard.append((done, total, threading.get_ident())),
    )

    assert heard[0] == (0, 1, threading.get_ident())
    assert heard[-1] == (1, 1, threading.get_ident())


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("callback", ["on_finished", "should_stop", "poll"])
def test_what_a_callback_raises_ends_the_run(portal: Portal, is_async: bool, callback: str) -> None:
    """A full disk under the journal must not look like a case that failed."""

    def fail(*_: object) -> bool:
        msg = "disk full"
        raise OSError(msg)

    async def in_loop() -> None:
        await anyio.sleep(0.15)

    def in_thread() -> None:
        time.sleep(0.15)

    body: Callable[[], object] = in_loop if is_async else in_thread
    callbacks: dict[str, Any] = {"on_finished": lambda outcome: None, callback: fail}  # noqa: ARG005 - drops it
    with pytest.raises(OSError, match="disk full"):
        Engine(portal, 2).run([job(n, body, is_async=is_async) for n in range(20)], **callbacks)


def test_an_interrupt_cancels_async_bodies_and_lets_them_clean_up(portal: Portal) -> None:
    """Ctrl-C is raised again after the bodies' own clean-up, and they aren't reported."""
    cleaned: list[int] = []
    outcomes: list[Finished] = []

    async def body(number: int) -> None:
        try:
            await anyio.sleep(30)
        finally:
            cleaned.append(number)

    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        Engine(portal, 3).run([job(n, partial(body, n), is_async=True) for n in range(9)], outcomes.append)

    assert sorted(cleaned) == [0, 1, 2]
    assert outcomes == []
    assert run(portal, [job(0, partial(_double, 4, Gauge()), is_async=True)])["0"].value == 8


def test_an_interrupt_while_the_batch_begins_cancels_its_bodies_too(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may come when bodies run already and the thread that started them has not got so far."""
    cleaned: list[int] = []
    running = threading.Event()
    start = portal.start

    async def body(number: int) -> None:
        running.set()
        try:
            await anyio.sleep(30)
        finally:
            cleaned.append(number)

    def interrupted(function: Callable[..., Any], *args: object) -> Future[Any]:
        monkeypatch.undo()
        start(function, *args)
        assert running.wait(10)
        raise KeyboardInterrupt

    monkeypatch.setattr(portal, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Engine(portal, 1).run([job(0, partial(body, 0), is_async=True)], lambda _: None)

    assert cleaned == [0]


def test_an_interrupt_leaves_blocking_threads_behind(portal: Portal) -> None:
    """A thread can't be cancelled, so it is left, its late outcome dropped; it never holds the process."""
    release = threading.Event()
    outcomes: list[Finished] = []

    def body(number: int) -> None:
        if number:
            release.wait(30)

    threading.Timer(0.1, _thread.interrupt_main).start()
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        Engine(portal, 3).run([job(n, partial(body, n)) for n in range(9)], outcomes.append)
    left = [thread for thread in set(threading.enumerate()) - before if thread.name == "schemascore case"]
    release.set()
    for thread in left:
        thread.join(5)

    assert len(left) == 3
    assert all(thread.daemon for thread in left)
    assert [outcome.key.case for outcome in outcomes] == ["0"]


def test_an_extractor_that_stops_the_loop_from_its_task_fails_alone(asyncio_portal: Portal) -> None:
    """The loop refuses, since all cases share it."""

    async def stop() -> None:
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0)

    async def close() -> None:
        asyncio.get_running_loop().close()

    bodies = [stop, close]
    jobs = [job(n, body, is_async=True) for n, body in enumerate(bodies)]
    jobs += [job(n, partial(_double, n, Gauge()), is_async=True) for n in range(2, 10)]
    outcomes = run(asyncio_portal, jobs)

    assert all(isinstance(outcomes[case].error, RuntimeError) for case in "01")
    assert [outcomes[str(n)].value for n in range(2, 10)] == [2 * n for n in range(2, 10)]


def test_a_loop_stopped_behind_its_back_takes_down_only_what_ran(asyncio_portal: Portal) -> None:
    """The cases in flight fail with a clear reason; the others run in a new loop, and nothing hangs."""
    calls: list[int] = []

    async def body(number: int) -> int:
        calls.append(number)
        if number == 5:
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.stop)
            await asyncio.sleep(30)
        return number

    outcomes = run(asyncio_portal, [job(n, partial(body, n), is_async=True) for n in range(20)], limit=2)

    assert isinstance(outcomes["5"].error, CallCancelledError | LoopStoppedError)
    assert "stopped" in str(outcomes["5"].error)
    assert sorted(calls) == list(range(20))
    assert len(outcomes) == 20
    assert sum(outcome.error is None for outcome in outcomes.values()) >= 18


@pytest.mark.parametrize("swallows", [False, True])
def test_a_loop_that_is_stopped_begins_nothing_more(asyncio_portal: Portal, swallows: bool) -> None:
    """What it cancels on its way out makes no room for others, however a body takes that."""
    running: list[asyncio.AbstractEventLoop] = []

    async def body(number: int) -> int:
        running.append(loop := asyncio.get_running_loop())
        if running[0] is loop:
            if len(running) == 4:
                loop.call_soon(loop.stop)
            with suppress(asyncio.CancelledError) if swallows else nullcontext():
                await asyncio.sleep(30)
        return number

    outcomes = run(asyncio_portal, [job(n, partial(body, n), is_async=True) for n in range(20)])

    assert running.count(running[0]) == 4
    assert len(running) == 20
    failed = {case for case, outcome in outcomes.items() if outcome.error is not None}
    assert failed <= set("0123") if swallows else failed == set("0123")
    assert len(outcomes) == 20


def test_tasks_and_threads_left_running_do_not_touch_the_others(asyncio_portal: Portal) -> None:
    """An extractor that walks away from what it started costs nobody anything."""
    release = threading.Event()
    left: list[asyncio.Task[None]] = []

    async def leaving(number: int) -> int:
        left.append(asyncio.create_task(asyncio.sleep(30)))
        threading.Thread(target=release.wait, args=(5,), daemon=True).start()
        return number

    outcomes = run(asyncio_portal, [job(n, partial(leaving, n), is_async=True) for n in range(10)])
    asyncio_portal.close()
    release.set()

    assert [outcomes[str(n)].value for n in range(10)] == list(range(10))
    assert all(task.cancelled() for task in left)


def test_a_coroutine_returned_by_mistake_is_passed_on_without_a_warning(portal: Portal) -> None:
    """The reader rejects it; Python doesn't complain that nobody awaited it."""

    async def forgotten() -> None: ...

    def body() -> object:
        return forgotten()

    outcome = run(portal, [job(0, body)])["0"]
    assert asyncio.iscoroutine(outcome.value)
    del outcome
    gc.collect()


def test_an_async_body_that_gives_nothing_to_await_fails_alone(portal: Portal) -> None:
    """A wrong kind of callable is an error of that case."""
    assert isinstance(run(portal, [job(0, lambda: 1, is_async=True)])["0"].error, TypeError)


def test_async_and_sync_bodies_can_be_mixed(portal: Portal) -> None:
    """Judges of both kinds come in one batch."""
    outcomes = run(portal, [job(0, lambda: "sync"), job(1, partial(_double, 1, Gauge()), is_async=True)])

    assert {case: outcome.value for case, outcome in outcomes.items()} == {"0": "sync", "1": 2}


def test_times_are_the_bodys_own(portal: Portal) -> None:
    """The duration is about what the body slept, in seconds, and the epoch times enclose it."""
    before = time.time()
    outcome = run(portal, [job(0, partial(time.sleep, 0.05))])["0"]

    assert outcome.duration >= 0.05
    assert before <= outcome.started <= outcome.stopped <= time.time()


def test_a_queued_job_takes_less_than_a_kilobyte(portal: Portal) -> None:
    """Ten thousand waiting jobs cost their job objects only."""
    gauge = Gauge()
    jobs = [job(n, partial(_double, n, gauge), is_async=True) for n in range(1000)]

    assert sum(map(sys.getsizeof, jobs)) / len(jobs) < 200
    assert len(run(portal, jobs, limit=50)) == 1000


def test_the_portal_enters_and_leaves_async_context_managers_in_one_task(portal: Portal) -> None:
    """A task group inside an async fixture works, and what it is given is the same for all cases."""

    @asynccontextmanager
    async def fixture() -> Any:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.sleep_forever)
            yield "client"
            tasks.cancel_scope.cancel()

    with portal.wrap_async_context_manager(fixture()) as client:
        assert client == "client"


@pytest.mark.parametrize("error", [pytest.skip.Exception("why"), SystemExit(3), KeyboardInterrupt()])
@pytest.mark.parametrize("place", ["call", "enter", "leave"])
def test_what_is_no_exception_is_raised_by_the_caller_and_spares_the_loop(
    portal: Portal, error: BaseException, place: str
) -> None:
    """A skip or an exit in one fixture leaves the loop to the others that live in it."""

    @asynccontextmanager
    async def bystander() -> Any:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.sleep_forever)
            yield
            tasks.cancel_scope.cancel()

    @asynccontextmanager
    async def fixture() -> Any:
        if place == "enter":
            raise error
        yield
        if place == "leave":
            raise error

    async def call() -> None:
        if place == "call":
            raise error

    async def token() -> object:
        return anyio.lowlevel.current_token()

    with portal.wrap_async_context_manager(bystander()):
        before = portal.call(token)
        with pytest.raises(type(error)) as raised, portal.wrap_async_context_manager(fixture()):
            portal.call(call)
        assert raised.value is error
        assert portal.call(token) == before


def test_a_context_manager_whose_loop_died_raises_when_it_is_left(asyncio_portal: Portal) -> None:
    """Nothing waits for a task that went down with its loop, though there is a new loop."""
    left: list[str] = []

    @asynccontextmanager
    async def fixture() -> Any:
        try:
            yield
        finally:
            left.append("left")

    async def die() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.stop)

    manager = asyncio_portal.wrap_async_context_manager(fixture())
    manager.__enter__()
    asyncio_portal.call(die)
    asyncio_portal.settle()
    asyncio_portal.call(anyio.sleep, 0)
    with pytest.raises(LoopStoppedError):
        manager.__exit__(None, None, None)
    assert left == ["left"]


def test_an_interrupt_while_a_context_manager_is_entered_cancels_it(
    asyncio_portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a limit of pytest-timeout, which comes as a signal: the fixture doesn't go on by itself."""
    waiting, over = threading.Event(), threading.Event()
    wait = asyncio_portal.wait

    def seen_waiting(future: Future[Any]) -> bool:
        waiting.set()
        return wait(future)

    monkeypatch.setattr(asyncio_portal, "wait", seen_waiting)

    @asynccontextmanager
    async def fixture() -> Any:
        try:
            while not waiting.is_set():
                await anyio.sleep(0.01)
            _thread.interrupt_main()
            await anyio.sleep(30)
            yield
        finally:
            over.set()

    with pytest.raises(KeyboardInterrupt), asyncio_portal.wrap_async_context_manager(fixture()):
        pass
    assert over.wait(5)


def test_a_portal_that_was_closed_starts_again(portal: Portal) -> None:
    """Closing is harmless twice, before the first call and between calls."""
    portal.close()

    async def answer() -> int:
        return 42

    seen = [portal.alive, portal.call(answer), portal.alive]
    portal.close()
    portal.close()
    seen += [portal.alive, portal.call(answer)]

    assert seen == [False, 42, True, False, 42]


def test_a_call_into_a_loop_that_dies_raises(asyncio_portal: Portal) -> None:
    """Whoever waits for a dead loop hears of it."""

    async def die() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.stop)
        await asyncio.sleep(30)

    with pytest.raises(LoopStoppedError, match="stopped"):
        asyncio_portal.call(die)


def test_a_blocked_loop_does_not_hold_the_process() -> None:
    """Closing gives up on a loop that a body blocks, and the next call gets a new one."""
    portal = Portal()
    release = threading.Event()

    async def block() -> None:
        release.wait(10)

    portal.start(block)
    portal.close()
    release.set()

    async def answer() -> int:
        return 42

    assert portal.call(answer) == 42
    portal.close()


def test_a_backend_that_is_not_installed_says_what_to_type() -> None:
    """The extra is named by the backend."""

    async def answer() -> int:
        return 42

    with pytest.raises(UsageError, match="pip install curio"):
        Portal("curio").call(answer)  # type: ignore[arg-type]  # that is what is tried


def test_waiting_for_a_loop_that_is_gone_raises(portal: Portal) -> None:
    """A future that nobody is left to resolve isn't waited for."""

    async def answer() -> int:
        return 42

    portal.call(answer)
    portal.close()

    with pytest.raises(LoopStoppedError, match="ended before"):
        portal.wait(Future(), 0.01)


def test_a_loop_that_never_runs_anything_is_an_error_not_a_loop_of_its_own() -> None:
    """Where every new event loop dies at once, the run ends."""

    class Stillborn(Portal):
        def start(self, function: Any, *args: object) -> Future[Any]:
            del function, args
            future: Future[Any] = Future()
            future.cancel()
            return future

    with pytest.raises(LoopStoppedError, match="no case can be called"):
        run(Stillborn(), [job(0, partial(_double, 1, Gauge()), is_async=True)])
