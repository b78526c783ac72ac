"""Everything one run measured, over all its suites: saved, loaded, summed up and compared."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_schemascore._files import write_atomically
from pytest_schemascore.report.metrics import cases_metrics, field_metrics, known_sum, latency

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.measured import CaseCounts
    from pytest_schemascore.report.metrics import FieldMetrics
    from pytest_schemascore.report.results import RunResult, SuiteResult


@dataclass(frozen=True, slots=True)
class Report:
    """What a run measured.

    Attributes:
        suites: by key.
        files: node-id prefixes (a file or a folder) of which every test was collected, so that a suite which
            is not there is gone and not merely not run (G1, G7).
        deleted: test files of the baseline's suites that don't exist any more, wherever the run looked.
        interrupted: whether the run was stopped before its end.
        settings: what the run's options asked of the gate, by option name.
        gate: the verdict as JSON, where one was reached.
    """

    suites: Mapping[str, SuiteResult]
    files: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    interrupted: bool = False
    settings: Mapping[str, Json] = field(default_factory=dict)
    gate: Json = None

    @property
    def overall(self) -> float | None:
        """Sum of scores over labelled leaves of all suites, in [0, 1]; None where nothing is labelled."""
        return cases_metrics(self._counts())["overall"]

    @property
    def validity(self) -> float | None:
        """Share of valid outputs over all suites, in [0, 1]; None where nothing was run."""
        return cases_metrics(self._counts())["validity"]

    @property
    def fields(self) -> dict[str, FieldMetrics]:
        """Field -> its figures; the suite's key and ``::`` in front where there are several suites."""
        several = len(self.suites) > 1
        return {
            f"{key}::{name}" if several else name: metrics
            for key, suite in self.suites.items()
            for name, metrics in field_metrics(suite).items()
        }

    def cost(self) -> float | None:
        """Sum of the costs that outputs told, in the user's own unit; None where none did."""
        return known_sum(run.cost for run in self._runs())

    def tokens(self) -> int | None:
        """Sum of the token counts that outputs told; None where none did."""
        return known_sum(run.tokens for run in self._runs())

    def latency(self, share: float = 0.5) -> float | None:
        """Seconds that *share* of the extractor calls didn't exceed (0.95 for p95); None where unknown."""
        return latency((run.duration for run in self._runs()), share)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report as JSON to *path*, all of it or nothing.

        Raises:
            OSError: *path* can't be written.
        """
        # Only who saves needs a JSON writer.
        from pytest_schemascore.documents.json_text import dump_json
        from pytest_schemascore.report.document import report_to_json

        write_atomically(Path(path), dump_json(report_to_json(self)) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Report:
        """Read a report that `save` wrote.

        Raises:
            BaselineError: there is no such file, or it is not a report of this format.
        """
        # It builds reports, so it imports this module.
        from pytest_schemascore.report.loading import load_report

        return load_report(Path(path))

    def summary(self) -> str:
        """Return the report in a few lines: each suite, then its fields."""
        from pytest_schemascore.report.summary import summary_of

        return summary_of(self)

    def to_rows(self) -> list[dict[str, Json]]:
        """Return one row for every leaf of every run, as data frames and spreadsheets want them."""
        from pytest_schemascore.report.rows import rows_of

        return rows_of(self)

    def compare(
        self,
        baseline: Baseline | Report | str | os.PathLike[str],
        *,
        max_drop: float | None = None,
        alpha: float | None = None,
        floors: Mapping[str, float] | None = None,
        min_overall: float | None = None,
        min_validity: float | None = None,
    ) -> Diff:
        """Hold this report against *baseline*: a baseline, another report, or the path of either.

        Arguments are shares in [0, 1], see `pytest_schemascore.gate.settings.GateSettings`.

        Raises:
            BaselineError: *baseline* can't be read.
            UsageError: an argument is no share.
        """
        # The gate is a later room; only this convenience of the public API reaches for it.
        from pytest_schemascore.gate.compare import compare
        from pytest_schemascore.gate.settings import GateSettings, check_settings
        from pytest_schemascore.gate.sides import read_side

        settings = GateSettings(max_drop, alpha, floors or {}, min_overall, min_validity)
        check_settings(settings)
        if isinstance(baseline, (str, os.PathLike)):
            baseline = read_side(Path(baseline))
        return compare(self, baseline, settings)

    def _runs(self) -> Iterator[RunResult]:
        return (run for suite in self.suites.values() for case in suite.cases for run in case.runs)

    def _counts(self) -> list[CaseCounts]:
        return [case.counts() for suite in self.suites.values() for case in suite.cases]
