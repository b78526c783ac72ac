"""Runs that know their total, since many metrics ask for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_schemascore.report.measured import RunCounts
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from pytest_schemascore.report.measured import CaseCounts


@dataclass(frozen=True, slots=True)
class TalliedRun(RunCounts):
    """A run whose fields were added up once."""

    total: Counts = field(default=Counts())

    @property
    def counts(self) -> Counts:
        """The counts of all fields together."""
        return self.total


def tallied(case: CaseCounts) -> CaseCounts:
    """Return *case* with the fields of each run added up."""
    return replace(case, runs=tuple(map(_tallied_run, case.runs)))


def _tallied_run(run: RunCounts) -> TalliedRun:
    return TalliedRun(run.failure, run.fields, run.measures, Counts.total(run.fields.values()))
