"""When a batch makes no more calls: the run is over, or ``-x`` and ``--maxfail`` have had enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.plugin.compat import expected_failure
from pytest_schemascore.plugin.raised import ENDING, fails_item

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.running.job import Finished


@dataclass(slots=True)
class Stopping:
    """Watches the calls of one batch, whose items report only when it is over.

    Attributes:
        allowed: how many items may fail before pytest stops; None for any number.
        noticed: whether the gate would notice failed calls, which then don't fail their items (R8).
        failed: ids of the cases whose items will fail.
        is_over: whether a body has ended the run.
    """

    allowed: int | None
    noticed: bool
    failed: set[str] = field(default_factory=set)
    is_over: bool = False

    @classmethod
    def of(cls, session: pytest.Session, *, noticed: bool) -> Stopping:
        """Return the state of a batch that begins now."""
        most = session.config.getoption("maxfail", 0)
        return cls(most - session.testsfailed if most else None, noticed)

    def note(self, finished: Finished, item: pytest.Function) -> None:
        """Take in what came of a call of *item*'s case."""
        self.is_over |= isinstance(finished.error, ENDING)
        if fails_item(finished, noticed=self.noticed) and not _is_excused(item):
            self.failed.add(finished.key.case)

    def is_due(self) -> bool:
        """Say whether no more calls are to be made."""
        return self.is_over or (self.allowed is not None and len(self.failed) >= self.allowed)


def _is_excused(item: pytest.Function) -> bool:
    """Say whether *item* may fail and not count: it is expected to, or pytest-rerunfailures runs it again."""
    reruns = item.config.getoption("reruns", 0) or item.get_closest_marker("flaky") is not None
    return bool(reruns) or expected_failure(item) is not None
