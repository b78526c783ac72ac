"""The hooks around cases, which call and don't think.

Registered with the first case; at once where options are given, so that wrong values are told, and with
workers.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore.plugin.findings import Findings
from pytest_schemascore.plugin.judging import BaselineFile
from pytest_schemascore.plugin.options import header, read_options
from pytest_schemascore.plugin.screen import open_screen

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_schemascore.plugin.runs import Run
    from pytest_schemascore.plugin.session import Session


class Hooks:
    """The hooks that need the session's state.

    Attributes:
        config: pytest's; options: what the user asked for.
        baseline: read when it is needed; findings: what was collected, here or by workers.
    """

    def __init__(self, config: pytest.Config, files: set[str]) -> None:
        self.config = config
        self.options = read_options(config)
        self.baseline = BaselineFile(self.options)
        self.findings = Findings(files)
        self._session: Session | None = None
        self._died: list[str] = []
        self._stopped = False

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

            screen = open_screen(self.config)
            if screen is not None:
                self.config.add_cleanup(screen.close)
            self._session = Session(self.config, self.options, self.run, self.baseline, self.findings, screen)
            self.config.pluginmanager.register(CaseHooks(self._session), "schemascore-case-hooks")
        return self._session

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
        return header(self.options)

    def pytest_unconfigure(self) -> None:
        """End the event loop, whatever happened."""
        if self._session is not None:
            self._session.close()

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
