"""The hooks that only cases need: registered with the first of them, so that other tests don't pay (R7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore.plugin.time_limits import keeps_timer, timer_off

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_schemascore.plugin.session import Session


class CaseHooks:
    """Gives the items of *session* that are cases their turn."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._items = session.items

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Give each suite its group, for ``--dist loadgroup``."""
        self._session.group(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Check baseline and fixtures before anything is called."""
        self._session.finish_collection(session.items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Remember which case is running."""
        if not self._items.owns(item):
            return (yield)
        self._items.current = item
        try:
            return (yield)
        finally:
            self._items.current = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Give a case's item its argument."""
        if isinstance(item, pytest.Function) and self._items.owns(item):
            self._items.give_case(item)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Run async fixtures of cases in the cases' event loop."""
        if not self._items.runs_in_portal(fixturedef):
            return (yield)
        with self._items.in_portal(fixturedef, request):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a case, or take what its suite's batch made of it."""
        if not self._items.owns(pyfuncitem):
            return None
        with timer_off(pyfuncitem):
            self._items.call(pyfuncitem)
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Put the result on the report."""
        report = yield
        if self._items.owns(item):
            self._items.attach(item, report)
        return report

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> bool | None:
        """Make pytest-timeout's limit of bodies one of each case, not of the batch that an item holds."""
        if not self._items.owns(item):
            return None
        self._session.batches.limit(item, settings.timeout)
        return None if keeps_timer(item, settings) else True
