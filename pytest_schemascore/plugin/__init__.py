"""The plugin as every run of pytest loads it: options, a mark, and a lookout for the first case.

Everything else, the other hooks too, is loaded when a marked function is collected (R7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.plugin.settings import add_options, is_anything_asked

if TYPE_CHECKING:
    from pytest_schemascore.plugin.hooks import Hooks

MARK_HELP = "schemascore: an extractor whose outputs are scored; made by @schemascore.case(...)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark, and begin to look out for it."""
    config.addinivalue_line("markers", MARK_HELP)
    lookout = Lookout(config)
    config.pluginmanager.register(lookout, "schemascore-lookout")
    if is_anything_asked(config) or is_one_of_several(config):
        lookout.begin()


def is_one_of_several(config: pytest.Config) -> bool:
    """Say whether other processes run tests too, so that cases may turn up that aren't collected here."""
    return hasattr(config, "workerinput") or config.getoption("dist", "no") != "no"


class Lookout:
    """Waits for the first case, and keeps what was to be seen before it.

    Attributes:
        files: node ids of the test files that were collected without an error.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.files: set[str] = set()
        self._config = config
        self._hooks: Hooks | None = None

    def begin(self) -> Hooks:
        """Return the other hooks, which from the first call on are registered."""
        if self._hooks is None:
            from pytest_schemascore.plugin.hooks import Hooks

            self._hooks = Hooks(self._config, self.files)
            self._config.pluginmanager.register(self._hooks, "schemascore-hooks")
        return self._hooks

    @pytest.hookimpl(trylast=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one item a case."""
        if metafunc.definition.get_closest_marker("schemascore") is not None:
            self.begin().session.collector.parametrize(metafunc)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note which case an item is."""
        if item.get_closest_marker("schemascore") is not None and isinstance(item, pytest.Function):
            self.begin().session.collector.adopt(item)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note which test files were collected without an error."""
        # Without a result the file may have been left out, as --lf does.
        if report.passed and report.result and report.nodeid.endswith(".py"):
            self.files.add(report.nodeid)
