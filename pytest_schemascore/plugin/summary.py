"""The summary at the end of pytest's output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.reporting.terminal import summary_lines

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.plugin.finishing import Conclusion
    from pytest_schemascore.plugin.options import Options


def print_summary(reporter: pytest.TerminalReporter, conclusion: Conclusion, options: Options) -> None:
    """Print the report's summary, what an update did, and what could not be written."""
    reporter.write_sep("=", "schemascore")
    lines = summary_lines(
        conclusion.report,
        conclusion.diff,
        verbosity=reporter.verbosity,
        width=reporter._tw.fullwidth,
        update_hint="" if options.updates else _update_hint(options),
        encoding=getattr(reporter._tw._file, "encoding", None) or "utf-8",
    )
    for line in lines:
        for segment in line.segments:
            reporter.write(segment.text, **dict.fromkeys(segment.markup, True))
        reporter.line("")
    for text in conclusion.lines:
        reporter.line(text)
    for text in conclusion.errors:
        reporter.line(text, red=True)


def _update_hint(options: Options) -> str:
    return f"pytest --schemascore-baseline {options.baseline_text or 'baseline.json'} --schemascore-update"
