"""Six real extraction systems, ten runs each over the same documents, measured (shared data ner_fields)."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pytest_schemascore.report.measured import CaseCounts, RunCounts
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.counting import count_by_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Run = dict[str, RunCounts]
"""One run over the suite: case id -> counts."""


def load(folder: Path) -> dict[str, list[Run]]:
    """Return each system's runs; *folder* holds ``cases.jsonl`` and ``outputs-SYSTEM-all-runs.jsonl``."""
    labels = {case["id"]: case["expected"] for case in _lines(folder / "cases.jsonl")}
    scorer = compile_scorer(labels.values()).scorer
    systems: dict[str, list[Run]] = {}
    for path in sorted(folder.glob("outputs-*-all-runs.jsonl")):
        runs: dict[int, Run] = defaultdict(dict)
        for line in _lines(path):
            scored = scorer.score(labels[line["id"]], line["output"])
            runs[line["run"]][line["id"]] = RunCounts(None, count_by_field(scored.leaves))
        systems[path.name.split("-")[1]] = [runs[number] for number in sorted(runs)]
    return systems


def paired(before: Sequence[Run], after: Sequence[Run]) -> tuple[list[CaseCounts], list[CaseCounts]]:
    """Return both sides' cases; those absent from any of the runs are left out."""
    ids = sorted(set.intersection(*(set(run) for run in (*before, *after))))
    return _side(before, ids), _side(after, ids)


def _side(runs: Sequence[Run], ids: list[str]) -> list[CaseCounts]:
    return [CaseCounts(case, "", "", (), tuple(run[case] for run in runs)) for case in ids]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
