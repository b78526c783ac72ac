"""The report as one HTML file that opens from disk: no network, nothing in it runs but its own script."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.report import Report


def render_html(report: Report, diff: Diff | None = None) -> str:
    """Return *report* as a whole HTML page; *diff* puts the verdict and the regressions on top.

    The page holds what failed with its documents, and of passed cases mostly the summary, so that it stays
    below 20 MB for 10,000 cases; what was cut says so where it was.
    """
    # The template engine, which nobody needs who only wants this folder's way with invisible characters.
    from pytest_schemascore.reporting.html.page import page

    return page(report.suites, interrupted=report.interrupted, diff=diff)
