"""The index of a suite's cases: what the list shows and what its filters look at."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from pytest_schemascore.report.metrics import is_exact
from pytest_schemascore.reporting import numbers, visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_schemascore.gate.diff import SuiteDiff
    from pytest_schemascore.report.measured import CaseCounts
    from pytest_schemascore.report.results import CaseResult
    from pytest_schemascore.reporting.html.details import PageData

REGRESSED: Final = "regressed"
FIXED: Final = "fixed"
FAILING: Final = "failing"
INVALID: Final = "invalid"
PASSED: Final = "passed"
STATES: Final = (REGRESSED, FIXED, FAILING, INVALID, PASSED)

_KEY_LIMIT: Final = 120
_SUMMARY_LIMIT: Final = 200


def link_key(name: str) -> str:
    """Return *name* as links have it: short, and without lone surrogates, which no link can hold."""
    clean = name.encode("utf-8", "backslashreplace").decode()
    if len(clean) <= _KEY_LIMIT:
        return clean
    return f"{clean[:_KEY_LIMIT]}~{hashlib.sha256(clean.encode()).hexdigest()[:8]}"


def link(**parameters: str) -> str:
    """Return the fragment of a view, such as ``#suite=…&case=…``; empty parameters are left out."""
    return "#" + urlencode({name: value for name, value in parameters.items() if value})


def states_of(case: CaseCounts, lost: frozenset[str], gained: frozenset[str]) -> tuple[str, ...]:
    """Return every state that holds for *case*, in the order of `STATES`."""
    perfect = all(map(is_exact, case.runs))
    holds = {
        REGRESSED: case.id in lost,
        FIXED: case.id in gained,
        FAILING: not perfect,
        INVALID: not all(run.valid for run in case.runs),
        PASSED: perfect,
    }
    return tuple(state for state in STATES if holds[state])


def moved_cases(diff: SuiteDiff | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of the cases that got worse, and of those that got better, on any metric."""
    changes = diff.changes if diff else ()
    return (
        frozenset(case for change in changes for case in change.lost),
        frozenset(case for change in changes for case in change.gained),
    )


def case_entry(
    case: CaseResult,
    counts: CaseCounts,
    states: Sequence[str],
    fields: Mapping[str, int],
    tags: Mapping[str, int],
) -> PageData:
    """Return the list's line for *case*; *fields* and *tags* number the names that the page holds once."""
    bad = {name for run in counts.runs for name, total in run.fields.items() if not total.is_perfect}
    scores = [score for run in counts.runs if (score := run.counts.accuracy) is not None]
    durations = [run.duration for run in case.runs if run.duration is not None]
    errors = [run.error for run in case.runs if run.error is not None]
    entry: PageData = {
        "key": link_key(case.id),
        "name": visible.excerpt(case.id, _SUMMARY_LIMIT),
        "states": "".join(str(STATES.index(state)) for state in states),
        "score": numbers.percent(sum(scores) / len(scores)) if scores else "",
    }
    if bad:
        entry["bad"] = sorted(fields[name] for name in bad)
    if case.tags:
        entry["tags"] = [tags[tag] for tag in case.tags]
    if durations:
        entry["time"] = numbers.seconds(sum(durations) / len(durations))
    if errors:
        message = visible.plain(errors[0].message, _SUMMARY_LIMIT)
        entry["error"] = f"{errors[0].kind.value}: {message}"
    if len(case.runs) > 1:
        entry["runs"] = len(case.runs)
    return entry
