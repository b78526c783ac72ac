"""The live counter."""

from __future__ import annotations

import io
import os
import re

import pytest

from pytest_schemascore.running.progress import Progress


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def shown(stream: io.StringIO) -> list[str]:
    """Return the texts drawn, without the cursor movements."""
    return re.findall(r"\x1b\[K(.*?)\x1b8", stream.getvalue())


def test_a_terminal_shows_the_count_ten_times_a_second_and_is_clean_at_the_end() -> None:
    """The first figure comes at once, others not before 0.1 s, and the last drawing erases it."""
    clock, stream = Clock(), io.StringIO()
    progress = Progress("test_invoices", stream, is_terminal=True, clock=clock)

    for step in range(1, 8):
        progress.update(step, 40)
        clock.now += 0.05
    progress.update(40, 40)
    progress.clear()

    assert shown(stream) == [*(f"test_invoices: {n}/40" for n in (1, 3, 5, 7)), ""]
    assert "\n" not in stream.getvalue()


def test_the_line_of_the_cursor_is_left_alone() -> None:
    """The test runner has written half a line there; every drawing returns to where it began."""
    stream = io.StringIO()
    Progress("x", stream, is_terminal=True).update(1, 2)

    assert stream.getvalue() == "\x1bD\x1b[A\x1b7\x1b[B\r\x1b[Kx: 1/2\x1b8"


def test_a_log_gets_a_line_a_minute() -> None:
    """A batch of under a minute writes nothing; one that lasts 150 s writes two lines, plain ones."""
    clock, stream = Clock(), io.StringIO()
    progress = Progress("test_invoices", stream, is_terminal=False, clock=clock)

    for second in range(151):
        clock.now = 100.0 + second
        progress.update(second, 400)
    progress.update(400, 400)

    assert stream.getvalue() == "test_invoices: 60/400\ntest_invoices: 120/400\n"


@pytest.mark.parametrize(("columns", "used"), [(30, 29), (5, 7), (0, 79)])
def test_a_long_name_is_cut_to_the_terminal(columns: int, used: int) -> None:
    """A line that wraps could not be erased; the count stays whole; 80 columns if unknown."""
    termios = pytest.importorskip("termios")
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    with os.fdopen(slave, "w") as terminal, os.fdopen(master, "rb", buffering=0) as screen:
        Progress("x" * 200, terminal, is_terminal=True).update(24, 40)
        text = screen.read(1_000).decode()

    (drawn,) = re.findall(r"\x1b\[K(.*?)\x1b8", text)
    assert drawn == "x" * (used - 7) + ": 24/40"


def test_a_stream_without_a_terminal_has_80_columns() -> None:
    """A log isn't as wide as the terminal that the run was started in."""
    stream = io.StringIO()
    Progress("x" * 200, stream, is_terminal=True).update(24, 40)

    (text,) = shown(stream)
    assert len(text) == 79


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_closed_stream_is_no_reason_to_fail(is_terminal: bool) -> None:
    """The counter is a courtesy."""
    clock, stream = Clock(), io.StringIO()
    stream.close()
    progress = Progress("x", stream, is_terminal=is_terminal, clock=clock)
    clock.now += 100

    progress.update(1, 2)
    progress.clear()
