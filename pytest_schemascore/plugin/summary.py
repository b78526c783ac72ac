"""The summary at the end of pytest's output."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from pytest_schemascore.reporting.terminal import summary_lines

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.plugin.concluding import Conclusion
    from pytest_schemascore.plugin.options import Options


def print_summary(
    reporter: pytest.TerminalReporter, config: pytest.Config, conclusion: Conclusion, options: Options
) -> None:
    """Print the report's summary, and what else there is to say."""
    reporter.write_sep("=", "schemascore")
    lines = summary_lines(
        conclusion.report,
        conclusion.diff,
        verbosity=reporter.verbosity,
        width=config.get_terminal_writer().fullwidth,
        update_hint="" if options.updates else _update_hint(options),
        encoding=sys.stdout.encoding or "utf-8",
        remarks=conclusion.losses if reporter.verbosity < 0 else conclusion.lines,
        last_word=conclusion.last_word,
    )
    for line in lines:
        for segment in line.segments:
            reporter.write(segment.text, **dict.fromkeys(segment.markup, True))
        reporter.line("")


def _update_hint(options: Options) -> str:
    path = shlex.quote(options.baseline_text or "baseline.json")
    return f"pytest --schemascore-baseline {path} --schemascore-update"
