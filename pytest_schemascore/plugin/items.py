"""Which items are cases, and what each does when it is its turn."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pytest_schemascore.plugin.collecting import CASE_ITEM, case_of
from pytest_schemascore.plugin.fixture_checks import is_async_fixture
from pytest_schemascore.plugin.fixtures import in_portal
from pytest_schemascore.plugin.judging import Judged
from pytest_schemascore.plugin.mark import ARGUMENT

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import pytest

    from pytest_schemascore.plugin.batches import Batches
    from pytest_schemascore.plugin.turns import Turns
    from pytest_schemascore.plugin.workers import Place
    from pytest_schemascore.running.portal import Portal
    from pytest_schemascore.suite import Suite


class Items:
    """Gives each item its turn.

    Args:
        is_described: says of a suite's key whether the process that reports knows the suite.

    Attributes:
        judged: what the gate will notice, or why nothing can be run; known after collection.
        current: the item that is running now.
        async_fixtures: those that run in the cases' event loop whichever item asks for them.
    """

    def __init__(
        self, place: Place, portal: Portal, batches: Batches, is_described: Callable[[str], bool]
    ) -> None:
        self.judged = Judged()
        self.current: pytest.Item | None = None
        self.async_fixtures: frozenset[pytest.FixtureDef[Any]] = frozenset()
        self._place = place
        self._portal = portal
        self._batches = batches
        self._is_described = is_described
        self._noticed: dict[str, bool] = {}

    @cached_property
    def _turns(self) -> Turns:
        """What says what came of each; a batch loads it while it waits."""
        from pytest_schemascore.plugin.turns import Turns

        return Turns(as_text=bool(self._place.worker), is_described=self._is_described)

    @staticmethod
    def owns(item: pytest.Item) -> bool:
        """Say whether *item* is a case."""
        return CASE_ITEM in item.stash

    @staticmethod
    def give_case(item: pytest.Function) -> None:
        """Give *item* its case as the argument that pytest would set up a fixture for.

        That is a seventh of what an item takes, and nothing is to be set up.
        """
        item.funcargs[ARGUMENT] = case_of(item)

    def runs_in_portal(self, definition: pytest.FixtureDef[Any]) -> bool:
        """Say whether *definition* is an async fixture that runs in the cases' event loop now."""
        if self.current is None and definition not in self.async_fixtures:
            return False
        return is_async_fixture(definition)

    def in_portal(self, definition: pytest.FixtureDef[Any], request: Any) -> AbstractContextManager[None]:
        """Return a context in which an async fixture of a case runs in the cases' event loop."""
        return in_portal(definition, self._portal, request)

    def call(self, item: pytest.Function) -> None:
        """Run *item*'s body, or take what its suite's batch made of it, and give the item its verdict."""
        if self.judged.problem:
            self._turns.refuse(item, self.judged.problem)
        began = time.time()
        noticed = self._notices(item.stash[CASE_ITEM].suite)
        runs = self._batches.runs_of(item, noticed=noticed)
        self._turns.conclude(item, runs, began=began, noticed=noticed)

    def _notices(self, suite: Suite) -> bool:
        key = suite.spec.key
        if key not in self._noticed:
            self._noticed[key] = self.judged.notices(suite)
        return self._noticed[key]

    def attach(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Put what came of *item* on its report, where that is the one to carry it."""
        if report.when == "call" or not report.passed:
            self._turns.attach(item, report)
