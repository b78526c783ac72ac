"""The pytest plugin: hooks, which call and don't think.

Nothing heavy is imported before a marked function is collected (R7).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore.plugin.screen import open_screen
from pytest_schemascore.plugin.settings import add_options, is_anything_asked

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_schemascore.plugin.findings import Findings
    from pytest_schemascore.plugin.judging import BaselineFile
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.plugin.runs import Run
    from pytest_schemascore.plugin.screen import Screen
    from pytest_schemascore.plugin.session import Session

MARK_HELP = "schemascore: an extractor whose outputs are scored; made by @schemascore.case(...)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark, and register what the session's hooks hang on."""
    config.addinivalue_line("markers", MARK_HELP)
    config.pluginmanager.register(Hooks(config), "schemascore-hooks")


class Hooks:
    """The hooks that need the session's state.

    Attributes:
        config: pytest's.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        # Wrong values are told at once, even where no mark is collected; without any, nothing is loaded.
        self._header = self._read_header() if is_anything_asked(config) else None
        self._session: Session | None = None
        self._screen: Screen | None = None
        self._died: list[str] = []
        self._stopped = False

    @cached_property
    def options(self) -> Options:
        """What the user asked for."""
        from pytest_schemascore.plugin.options import read_options

        return read_options(self.config)

    def _read_header(self) -> str | None:
        from pytest_schemascore.plugin.options import header

        return header(self.options)

    @cached_property
    def findings(self) -> Findings:
        """What was collected, here or by workers."""
        from pytest_schemascore.plugin.findings import Findings

        return Findings()

    @cached_property
    def baseline(self) -> BaselineFile:
        """The baseline, which is read when it is needed."""
        from pytest_schemascore.plugin.judging import BaselineFile

        return BaselineFile(self.options)

    @cached_property
    def run(self) -> Run:
        """Which run this is."""
        from pytest_schemascore.plugin.runs import run_of

        return run_of(self.config, self.options)

    @property
    def session(self) -> Session:
        """The session's state, made on first use."""
        if self._session is None:
            from pytest_schemascore.plugin.case_hooks import CaseHooks
            from pytest_schemascore.plugin.session import Session

            self._session = Session(
                self.config, self.options, self.run, self.baseline, self.findings, self._screen
            )
            self.config.pluginmanager.register(CaseHooks(self._session), "schemascore-case-hooks")
        return self._session

    def pytest_sessionstart(self) -> None:
        """Keep a way to the terminal, which pytest is about to capture."""
        self._screen = open_screen(self.config)

    @pytest.hookimpl(trylast=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one item a case."""
        if metafunc.definition.get_closest_marker("schemascore") is not None:
            self.session.collector.parametrize(metafunc)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note which case an item is."""
        if item.get_closest_marker("schemascore") is not None and isinstance(item, pytest.Function):
            self.session.collector.adopt(item)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note which test files were collected without an error."""
        # Without a result the file holds no test any more, or --lf passed over it.
        holds = report.result or not self.config.getoption("lf", False)
        if report.passed and holds and report.nodeid.endswith(".py"):
            self.findings.files.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in results, a worker's too."""
        if hasattr(report, "schemascore"):
            self.session.receive(report)

    def pytest_keyboard_interrupt(self) -> None:
        """Note that the run ended early; `pytest.exit` may give it any exit code, that of success too."""
        self._stopped = True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Report, compare, update; when pytest has noted what failed, let ``--lf`` rerun the lost cases."""
        if self._session is not None or self._died:
            self.session.finish(session, died=self._died, stopped=self._stopped)
        if hasattr(self.config, "workeroutput"):
            from pytest_schemascore.plugin.workers import tell

            tell(self.config, self.findings.to_json())
        result = yield
        if self._session is not None:
            self._session.remember_lost()
        return result

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the summary."""
        if self._session is not None:
            self._session.summarize(terminalreporter)

    def pytest_report_header(self) -> str | None:
        """Say what is compared or updated, where that was asked for."""
        return self._header

    def pytest_unconfigure(self) -> None:
        """End the event loop, whatever happened."""
        if self._session is not None:
            self._session.close()
        if self._screen is not None:
            self._screen.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker what only the controller knows."""
        from pytest_schemascore.plugin.briefing import brief

        brief(node, self.config, self.baseline, self.run)
        if self.options.resume and self._session is None:
            self.session.take_over()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take in what a worker found."""
        if error:
            self._died.append(node.gateway.id)
        from pytest_schemascore.plugin.workers import told_by

        told = told_by(node)
        if told is not None:
            self.findings.add(told)
