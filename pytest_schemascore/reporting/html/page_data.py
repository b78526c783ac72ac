"""The data a page carries for its script: a small index of every case, and the documents that fit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting import visible
from pytest_schemascore.reporting.html.case_list import (
    FAILING,
    INVALID,
    PASSED,
    REGRESSED,
    STATES,
    case_entry,
    link_key,
    moved_cases,
    states_of,
)
from pytest_schemascore.reporting.html.details import detail_of
from pytest_schemascore.reporting.html.embed import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_schemascore.gate.diff import SuiteDiff
    from pytest_schemascore.report.results import CaseResult, SuiteResult
    from pytest_schemascore.reporting.html.details import PageData

DETAILS_LIMIT: Final = 8_000_000
"""Characters of documents that a page carries; together with the index it stays under 20 MB."""
PASSED_LIMIT: Final = 200
"""Passed cases whose documents a page carries; of the others it has the summary."""
_MOST_MISFITS: Final = 20
"""Cases that may turn out too large before the page counts as full: a single large one doesn't fill it."""
_NAME_LIMIT: Final = 300


@dataclass(frozen=True, slots=True)
class Embedded:
    """JSON texts that are safe in a page, and how many cases of each kind are without documents."""

    index: str
    details: str
    failing_left_out: int
    passed_left_out: int


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: str
    case: CaseResult
    states: tuple[str, ...]

    @property
    def urgency(self) -> int:
        """0 comes first: regressed cases, then invalid ones, then whatever isn't right."""
        order = (REGRESSED, INVALID, FAILING)
        return next((i for i, state in enumerate(order) if state in self.states), len(order))


def embed(suites: Sequence[SuiteResult], diffs: Mapping[str, SuiteDiff]) -> Embedded:
    """Return the page's data for *suites*; documents of regressed and failing cases come first."""
    index: list[PageData] = []
    candidates: list[_Candidate] = []
    for number, suite in enumerate(suites):
        entry, found = _suite(number, suite, diffs.get(suite.key))
        index.append(entry)
        candidates += found
    details, failing, passed = _documents(candidates)
    return Embedded(json_text({"states": STATES, "suites": index}), details, failing, passed)


def _suite(number: int, suite: SuiteResult, diff: SuiteDiff | None) -> tuple[PageData, list[_Candidate]]:
    counts = [case.counts() for case in suite.cases]
    fields = _numbered(chain.from_iterable(run.fields for case in counts for run in case.runs))
    tags = _numbered(tag for case in suite.cases for tag in case.tags)
    lost, gained = moved_cases(diff)
    entries: list[PageData] = []
    candidates: list[_Candidate] = []
    for position, (case, count) in enumerate(zip(suite.cases, counts, strict=True)):
        states = states_of(count, lost, gained)
        entries.append(case_entry(case, count, states, fields, tags))
        candidates.append(_Candidate(f"{number}:{position}", case, states))
    return {
        "key": link_key(suite.key),
        "compared": diff is not None,
        "fields": [_name(name) for name in fields],
        "tags": [_name(name) for name in tags],
        "cases": entries,
    }, candidates


def _documents(candidates: Sequence[_Candidate]) -> tuple[str, int, int]:
    """Return the details that fit, as one JSON object, and how many failing and passed cases don't."""
    parts: list[str] = []
    length = passed = misfits = 0
    left_out = {True: 0, False: 0}
    for candidate in sorted(candidates, key=lambda c: c.urgency):
        is_passed = PASSED in candidate.states
        passed += is_passed
        if misfits == _MOST_MISFITS or (is_passed and passed > PASSED_LIMIT):
            left_out[is_passed] += 1
            continue
        text = f'"{candidate.key}":{json_text(detail_of(candidate.case))}'
        if length + len(text) > DETAILS_LIMIT:
            misfits += 1
            left_out[is_passed] += 1
            continue
        parts.append(text)
        length += len(text)
    return "{" + ",\n".join(parts) + "}", left_out[False], left_out[True]


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _name(name: str) -> list[str]:
    """Return a field's or tag's name as links and as readers have it."""
    return [link_key(name), visible.plain(name, _NAME_LIMIT)]
