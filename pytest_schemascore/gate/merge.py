"""Shards of one run, put together again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from pytest_schemascore.errors import BaselineError
from pytest_schemascore.report.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_schemascore.report.results import SuiteResult


def merge_reports(reports: Sequence[Report]) -> Report:
    """Return the one report that *reports*, shards of one run, make up together; a single one stays as it is.

    Suites, files and cases are sorted as those of a whole run are, whatever the order of the shards. Settings
    are those of the first shard; a verdict of a shard is dropped.

    Raises:
        BaselineError: shards overlap, some are missing, or they are not of one run; names cases and suites.
    """
    if not reports:
        msg = "there are no reports to merge; name at least one"
        raise BaselineError(msg)
    first, *others = reports
    if not others:
        return first
    shards: dict[str, list[SuiteResult]] = {}
    for report in reports:
        for key, suite in report.suites.items():
            shards.setdefault(key, []).append(suite)
    return Report(
        {key: _merge_suite(key, parts) for key, parts in sorted(shards.items())},
        files=tuple(sorted({file for report in reports for file in report.files})),
        deleted=tuple(sorted({file for report in reports for file in report.deleted})),
        interrupted=any(report.interrupted for report in reports),
        settings=first.settings,
    )


def _merge_suite(key: str, shards: Iterable[SuiteResult]) -> SuiteResult:
    parts = sorted(shards, key=lambda part: min((case.id for case in part.cases), default=""))
    first = parts[0]
    for part in parts[1:]:
        if (part.of, part.rules) != (first.of, first.rules):
            msg = f"suite {key!r}: the reports are not shards of one run, its data set or its rules differ"
            raise BaselineError(msg)
    times = Counter(case.id for part in parts for case in part.cases)
    twice = sorted(case_id for case_id, count in times.items() if count > 1)
    if twice:
        listed = ", ".join(map(repr, twice))
        msg = f"suite {key!r}: the reports overlap in the cases {listed}; name each shard once"
        raise BaselineError(msg)
    skipped = {i: why for part in parts for i, why in part.skipped.items() if i not in times}
    missing = first.of - len(times) - len(skipped)
    if missing > 0:
        msg = f"suite {key!r}: {missing} of its {first.of} cases are in none of the reports; name every shard"
        raise BaselineError(msg)
    return replace(
        first,
        cases=tuple(sorted((case for part in parts for case in part.cases), key=attrgetter("id"))),
        skipped=dict(sorted(skipped.items())),
        field_rules={name: rule for part in parts for name, rule in part.field_rules.items()},
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )
