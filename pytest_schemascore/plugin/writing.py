"""Writing what a run came to where it was asked for: report files, step summary, annotations."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_schemascore._files import write_atomically
from pytest_schemascore.reporting.render import render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_schemascore.plugin.concluding import Conclusion


def write_reports(conclusion: Conclusion, paths: Iterable[Path]) -> None:
    """Write the reports that were asked for, and the step summary where GitHub wants one."""
    for path in paths:
        try:
            write_atomically(path, render(conclusion.report, conclusion.diff, path.suffix))
        except OSError as error:
            conclusion.fail("report", f"report {path} was not written: {error}")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        from pytest_schemascore.reporting.markdown import append_step_summary  # only on GitHub

        try:
            append_step_summary(Path(summary), render(conclusion.report, conclusion.diff, ".md"))
        except OSError as error:
            conclusion.fail("report", f"the step summary was not written: {error}")


def annotate(conclusion: Conclusion, rootdir: Path) -> None:
    """Print annotations where GitHub reads them."""
    if os.environ.get("GITHUB_ACTIONS") == "true" and conclusion.diff is not None:
        from pytest_schemascore.reporting.github import error_commands  # as above

        root = os.environ.get("GITHUB_WORKSPACE")
        inside = os.path.relpath(rootdir, root) if root else ""
        for text in error_commands(conclusion.diff, conclusion.report, root=inside):
            print(text, file=sys.stderr)
