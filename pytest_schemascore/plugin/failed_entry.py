"""A failure of the whole run that shows wherever a failed test shows, so that no reporter can miss it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Writer(Protocol):
        """What pytest hands to a representation of a failure."""

        def line(self, s: str = "", **markup: bool) -> None:
            """Write one line."""


@dataclass(frozen=True, slots=True)
class FailedEntry:
    """A failure that is shown as that of a test.

    Attributes:
        node_id: under which it is shown; no item has it.
        location: file, line (from 0) and name, as pytest has them.
        reason: one line.
        text: all there is to say.
        lost: the cases to look at, suite and id.
    """

    node_id: str
    location: tuple[str, int | None, str]
    reason: str
    text: str
    lost: Sequence[tuple[str, str]] = ()


class Crash(NamedTuple):
    """Where something failed and why; pytest's short summary and JUnit show the message."""

    path: str
    lineno: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}" if self.path else self.message


@dataclass(frozen=True, slots=True)
class Explanation:
    """What pytest shows of a failure: a text, and a line of it for summaries."""

    reprcrash: Crash
    text: str

    def toterminal(self, tw: Writer) -> None:
        """Write the text."""
        for line in self.text.split("\n"):
            tw.line(line)

    def __str__(self) -> str:
        return self.text


def show_as_failed_test(entry: FailedEntry, session: pytest.Session) -> None:
    """Send the reports of a failed test through pytest, so that every reporter shows *entry*."""
    hook = session.config.hook
    file, line, _ = entry.location
    explanation = Explanation(Crash(file, (line or 0) + 1, entry.reason), entry.text)
    # Counted as one more test, or the progress would end beyond 100 %.
    session.testscollected += 1
    hook.pytest_runtest_logstart(nodeid=entry.node_id, location=entry.location)
    phases: tuple[Literal["call", "teardown"], ...] = ("call", "teardown")
    for when in phases:
        failed = when == "call"
        report = pytest.TestReport(
            nodeid=entry.node_id,
            location=entry.location,
            keywords={},
            outcome="failed" if failed else "passed",
            longrepr=explanation if failed else None,  # type: ignore[arg-type]  # pytest's own class isn't public
            when=when,
        )
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=entry.node_id, location=entry.location)
    if session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
