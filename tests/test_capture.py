"""Each case gets its own prints and log records, however many run at once."""

from __future__ import annotations

import contextlib
import contextvars
import copy
import gc
import io
import logging
import pickle
import subprocess
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, cast

import anyio
import pytest

from pytest_schemascore.running.capture import CaptureRouter, CaseOutput, capture_into
from pytest_schemascore.running.engine import Engine
from pytest_schemascore.running.job import Finished, Job, JobKey
from pytest_schemascore.running.portal import Portal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOG = logging.getLogger("tests.capture")


@pytest.fixture(params=["asyncio", "trio"])
def portal(request: pytest.FixtureRequest) -> Iterator[Portal]:
    """Give a portal on each backend."""
    portal = Portal(request.param)
    yield portal
    portal.close()


def run(portal: Portal, bodies: list[Callable[[], object]], is_async: bool = False) -> list[Finished]:
    """Run *bodies* at once and return their outcomes in their order."""
    jobs = [Job(JobKey("s", str(n), 0), body, is_async, 5) for n, body in enumerate(bodies)]
    outcomes: list[Finished] = []
    Engine(portal, 8).run(jobs, outcomes.append)
    return sorted(outcomes, key=lambda outcome: int(outcome.key.case))


def _say(number: int) -> None:
    print(f"out {number}")
    print(f"err {number}", file=sys.stderr)
    LOG.warning("log %d", number)


async def _say_in_loop(number: int) -> None:
    _say(number)
    await anyio.sleep(0.001 * (number % 3))
    _say(number)
    await anyio.to_thread.run_sync(_say, number)


def _say_in_thread(number: int) -> None:
    for _ in range(3):
        _say(number)


@pytest.mark.parametrize("is_async", [True, False])
def test_prints_and_logs_are_the_cases_own(
    portal: Portal, is_async: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thirty cases that interleave: each has its three lines of each kind, and nothing leaks out."""
    body: Callable[[int], object] = _say_in_loop if is_async else _say_in_thread
    with CaptureRouter():
        outcomes = run(portal, [partial(body, n) for n in range(30)], is_async)

    for n, outcome in zip(range(30), outcomes, strict=True):
        assert outcome.stdout == f"out {n}\n" * 3
        assert outcome.stderr == f"err {n}\n" * 3
        assert [record.getMessage() for record in outcome.records] == [f"log {n}"] * 3
    assert capsys.readouterr() == ("", "")


def test_what_no_case_prints_goes_where_it_went(portal: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints outside of cases, and all prints after the router is gone, reach the original streams."""
    with CaptureRouter():
        print("waiting")
        outcomes = run(portal, [lambda: print("case")])
    print("after")

    assert outcomes[0].stdout == "case\n"
    assert capsys.readouterr().out == "waiting\nafter\n"


def test_without_a_router_prints_go_straight_out(portal: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    """As with ``-s``."""
    outcomes = run(portal, [lambda: print("case")])

    assert outcomes[0].stdout == ""
    assert capsys.readouterr().out == "case\n"


def test_tee_prints_twice(portal: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    """A case's text is kept and shown."""
    with CaptureRouter(tee=True):
        outcomes = run(portal, [lambda: print("case")])

    assert outcomes[0].stdout == "case\n"
    assert capsys.readouterr().out == "case\n"


def test_a_case_that_prints_nothing_makes_no_buffers() -> None:
    """Ten thousand silent cases cost nothing."""
    output = CaseOutput()

    assert (output._stdout, output._stderr, output._records) == (None, None, None)
    assert output.close() == ("", "", ())


def test_what_is_written_after_the_case_is_over_is_dropped(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    """A thread that outlives its case, and the router, hurts nobody."""
    release, written = threading.Event(), threading.Event()

    def late() -> None:
        release.wait(5)
        print("late")
        LOG.warning("late")
        written.set()

    def body() -> None:
        print("in time")
        # Unlike a bare thread, one that is given the context is the case's own.
        threading.Thread(target=contextvars_run(late), daemon=True).start()

    with CaptureRouter():
        outcomes = run(portal, [body])
        release.set()
        assert written.wait(5)

    assert outcomes[0].stdout == "in time\n"
    assert outcomes[0].records == ()
    assert capsys.readouterr().out == ""


def contextvars_run(function: Callable[[], None]) -> Callable[[], None]:
    """Bind *function* to the context of now."""
    return partial(contextvars.copy_context().run, function)


def test_the_originals_come_back_even_if_an_extractor_replaced_the_streams(portal: Portal) -> None:
    """An extractor that sets ``sys.stdout`` and forgets it, or closes it, does no lasting harm."""
    originals = sys.stdout, sys.stderr

    def replace() -> None:
        sys.stdout = io.StringIO()
        sys.stderr = io.StringIO()
        sys.stderr.close()

    def redirect() -> str:
        with contextlib.redirect_stdout(io.StringIO()) as own:
            print("redirected")
        return own.getvalue()

    with CaptureRouter():
        redirected = run(portal, [redirect])
        run(portal, [replace])

    assert redirected[0].value == "redirected\n"
    assert redirected[0].stdout == ""
    assert (sys.stdout, sys.stderr) == originals


def _close() -> None:
    print("text")
    sys.stdout.close()
    sys.stderr.close()


def _leave_a_with_block() -> None:
    with sys.stdout as stream:
        print("text", file=stream)


def _wrap_the_buffer() -> None:
    with io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8") as stream:
        print("text", file=stream)


def _forget_a_wrapper() -> None:
    print("text", file=io.TextIOWrapper(cast("io.TextIOWrapper", sys.stdout).detach(), encoding="utf-8"))


def _write_bytes() -> None:
    sys.stdout.buffer.write(b"text\n")
    sys.stdout.buffer.close()


@pytest.mark.parametrize(
    "body", [_close, _leave_a_with_block, _wrap_the_buffer, _forget_a_wrapper, _write_bytes]
)
def test_a_case_that_closes_its_streams_closes_nobody_elses(
    body: Callable[[], None], portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its text is still its own, later cases print, and so does everything after the batch."""
    with CaptureRouter():
        outcomes = run(portal, [body]) + run(portal, [lambda: print("later")])
        gc.collect()
        print("waiting")
    print("after")

    assert [(outcome.stdout, outcome.error) for outcome in outcomes] == [("text\n", None), ("later\n", None)]
    assert capsys.readouterr().out == "waiting\nafter\n"


@pytest.mark.parametrize("tee", [False, True])
def test_bytes_may_come_in_any_pieces(
    portal: Portal, capfdbinary: pytest.CaptureFixture[bytes], tee: bool
) -> None:
    """A case has whole characters, and the terminal the bytes as they are."""
    data = "é€\n".encode() + b"\xff"

    def body() -> None:
        print("before")
        for k in range(len(data)):
            sys.stdout.buffer.write(data[k : k + 1])

    with CaptureRouter(tee=tee):
        outcomes = run(portal, [body])
        sys.stdout.flush()

    assert outcomes[0].stdout == "before\né€\n\ufffd"
    assert capfdbinary.readouterr().out == (b"before\n" + data if tee else b"")


def test_the_stand_in_of_the_bytes_is_like_the_stream_it_stands_for(
    portal: Portal, capfd: pytest.CaptureFixture[str]
) -> None:
    """Processes can be given it, and what is no bytes is refused."""

    def body() -> int:
        with pytest.raises(TypeError):
            sys.stdout.buffer.write(5)  # type: ignore[call-overload]  # the mistake under test
        subprocess.run([sys.executable, "-c", "print('child')"], stdout=sys.stdout.buffer, check=True)
        return sys.stdout.buffer.fileno()

    with CaptureRouter():
        outcomes = run(portal, [body])

    assert outcomes[0].error is None
    assert outcomes[0].value == sys.stdout.fileno()
    assert capfd.readouterr().out.strip() == "child"


def test_a_stream_without_bytes_has_none_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries ask, and write text then."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with CaptureRouter():
        assert not hasattr(sys.stdout, "buffer")


def test_bytes_that_no_case_writes_go_where_they_went(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """As they are: they need not be text."""
    with CaptureRouter():
        sys.stdout.buffer.write(b"\xff\x00")
        sys.stdout.flush()

    assert capfdbinary.readouterr().out == b"\xff\x00"


def test_a_handler_made_in_a_case_can_be_used_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the stand-in of the stream, which works after the batch, and after the stream is closed."""
    original = io.StringIO()
    monkeypatch.setattr(sys, "stdout", original)
    with CaptureRouter():
        handler = logging.StreamHandler(sys.stdout)
    handler.emit(logging.LogRecord("x", logging.INFO, "f", 1, "hello", None, None))
    assert original.getvalue() == "hello\n"
    original.close()

    handler.emit(logging.LogRecord("x", logging.INFO, "f", 1, "nobody hears", None, None))
    handler.flush()


def test_the_stand_in_is_like_the_stream_it_stands_for() -> None:
    """Libraries ask for the encoding, whether it is a terminal, and write lists of lines."""
    original = sys.stdout
    with CaptureRouter():
        assert sys.stdout is not original
        assert sys.stdout.encoding == original.encoding
        assert sys.stdout.isatty() == original.isatty()
        output = CaseOutput()

        def body() -> None:
            capture_into(output)
            sys.stdout.writelines(["a", "b"])
            sys.stdout.flush()

        contextvars_run(body)()

    assert output.close()[0] == "ab"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_the_stand_in_is_copied_no_more_than_the_stream(copied: Callable[[object], object]) -> None:
    """Whoever copies a logger's handlers gets the error that a stream gives."""
    with pytest.raises(TypeError, match=r"TextIOWrapper|EncodedFile"):
        copied(sys.stdout)
    with CaptureRouter(), pytest.raises(TypeError, match=r"TextIOWrapper|EncodedFile"):
        copied(sys.stdout)


def test_a_process_without_streams_has_none_in_a_batch_either(
    monkeypatch: pytest.MonkeyPatch, portal: Portal
) -> None:
    """As a program without a console: what is printed goes nowhere, and nothing breaks."""
    monkeypatch.setattr(sys, "stdout", None)
    with CaptureRouter():
        (outcome,) = run(portal, [partial(_say, 1)])
        print("of no case")
    assert outcome.error is None
    assert (outcome.stdout, outcome.stderr) == ("", "err 1\n")
    assert sys.stdout is None


def test_muted_handlers_do_not_get_a_cases_records(portal: Portal) -> None:
    """The test runner's own handlers would give them all to the item that waits; others still get them."""

    class Collect(logging.Handler):
        def __init__(self) -> None:
            super().__init__()
            self.messages: list[str] = []

        def emit(self, record: logging.LogRecord) -> None:
            self.messages.append(record.getMessage())

    muted, other = Collect(), Collect()
    root = logging.getLogger()
    before = list(root.handlers)
    root.addHandler(muted)
    root.addHandler(other)
    try:
        with CaptureRouter(muted=[muted]):
            LOG.warning("waiting")
            outcomes = run(portal, [lambda: LOG.warning("case")])
        LOG.warning("after")
    finally:
        root.removeHandler(muted)
        root.removeHandler(other)

    assert muted.messages == ["waiting", "after"]
    assert other.messages == ["waiting", "case", "after"]
    assert [record.getMessage() for record in outcomes[0].records] == ["case"]
    assert root.handlers == before
