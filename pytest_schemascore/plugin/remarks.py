"""What the summary says of how a run was run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.plugin.runs import when
from pytest_schemascore.plugin.workers import SINGLE_CASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.plugin.findings import Findings
    from pytest_schemascore.plugin.runs import Run
    from pytest_schemascore.plugin.workers import Place
    from pytest_schemascore.report.results import SuiteResult


def remarks(suites: Iterable[SuiteResult], findings: Findings, run: Run, place: Place) -> Iterator[str]:
    """Yield, a line each: which outputs were taken or not recorded, and which ``--dist`` would be faster."""
    yield from sorted(findings.troubles)
    if run.note:
        yield run.note
    if run.source:
        runs = f"the run recorded {when(run.source)}"
        if run.oldest != run.source:
            runs = f"the runs recorded from {when(run.oldest)} to {when(run.source)}"
        took = f"took {findings.taken} of {findings.asked} outputs from {runs}"
        if findings.failed:
            option = "resume" if run.resumes else "rescore"
            took += (
                f", {findings.failed} of which had raised or timed out;"
                f" without --schemascore-{option} they are called again"
            )
        yield took
    if findings.left:
        yield (
            f"left {findings.left} more of them, of cases that were not selected,"
            " for another --schemascore-resume"
        )
    if place.dist in SINGLE_CASES and any(len(suite.cases) > 1 for suite in suites):
        yield (
            f"under --dist {place.dist} each worker runs one case at a time;"
            " --dist loadfile is faster: it runs the cases of a suite at once"
        )
