"""Cases and runs as JSON and back: what reports store and what workers send (R4).

Nothing is rounded and nothing is lost but the difference between no metadata and metadata of null.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.results import CaseResult, RunError, RunResult
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.documents.json_types import Json

# What has been read from JSON and not been looked at yet; a wrong type raises where it is used.
Raw = Any

_OUTCOMES: Final = {outcome.value: outcome for outcome in Outcome}
_FAILURES: Final = {failure.value: failure for failure in Failure}


def leaf_to_json(leaf: Leaf) -> dict[str, Json]:
    """Return *leaf* as a JSON object; a value that is absent has no key."""
    data: dict[str, Json] = {
        "path": leaf.path,
        "field": leaf.field,
        "outcome": leaf.outcome.value,
        "score": leaf.score,
    }
    if leaf.expected is not ABSENT:
        data["expected"] = leaf.expected
    if leaf.actual is not ABSENT:
        data["actual"] = leaf.actual
    data["rule"] = leaf.rule
    if leaf.actual_path != leaf.path:
        data["actual_path"] = leaf.actual_path
    return data


def leaf_from_json(data: Mapping[str, Raw]) -> Leaf:
    """Return the leaf that `leaf_to_json` wrote."""
    path = data["path"]
    return Leaf(
        path,
        data["field"],
        _OUTCOMES[data["outcome"]],
        data["score"],
        data.get("expected", ABSENT),
        data.get("actual", ABSENT),
        data["rule"],
        data.get("actual_path", path),
    )


def run_to_json(run: RunResult) -> dict[str, Json]:
    """Return *run* as a JSON object; what it doesn't have has no key, but for its verdict and its score."""
    data: dict[str, Json] = {
        "valid": run.valid,
        "error": {"kind": run.error.kind.value, "message": run.error.message} if run.error else None,
        "score": run.score,
        "duration": run.duration,
        "cost": run.cost,
        "tokens": run.tokens,
    }
    if run.metadata is not None:
        data["metadata"] = run.metadata
    optional: dict[str, Json] = {
        "notes": list(run.notes),
        "repaired": run.repaired,
        "defaults": run.defaults,
        "judge_errors": list(run.judge_errors),
        "measures": dict(run.measures),
    }
    data |= {name: value for name, value in optional.items() if value}
    data["leaves"] = [leaf_to_json(leaf) for leaf in run.leaves]
    if run.output is not ABSENT:
        data["output"] = run.output
    return data


def run_from_json(data: Mapping[str, Raw]) -> RunResult:
    """Return the run that `run_to_json` wrote.

    Raises:
        KeyError, TypeError, ValueError: *data* is something else.
    """
    error = data["error"]
    return RunResult(
        leaves=tuple(map(leaf_from_json, data["leaves"])),
        error=RunError(_FAILURES[error["kind"]], error["message"]) if error else None,
        output=data.get("output", ABSENT),
        duration=data.get("duration"),
        cost=data.get("cost"),
        tokens=data.get("tokens"),
        metadata=data.get("metadata"),
        notes=tuple(data.get("notes", ())),
        repaired=data.get("repaired", False),
        defaults=data.get("defaults", 0),
        judge_errors=tuple(data.get("judge_errors", ())),
        measures=data.get("measures", {}),
    )


def case_to_json(case: CaseResult) -> list[dict[str, Json]]:
    """Return one entry for every run of *case*; label and input stand in the first one only."""
    entries: list[dict[str, Json]] = []
    for number, run in enumerate(case.runs):
        head: dict[str, Json] = {
            "id": case.id,
            "label": case.label,
            "input": case.input,
            "tags": list(case.tags),
        }
        if len(case.runs) > 1:
            head["run"] = number
        documents: dict[str, Json] = {} if number else {"expected": case.expected, "document": case.document}
        entries.append(head | run_to_json(run) | documents)
    return entries


def cases_from_json(entries: Iterable[Mapping[str, Raw]]) -> tuple[CaseResult, ...]:
    """Return the cases that `case_to_json` wrote; entries of one case stand behind one another.

    Raises:
        KeyError, TypeError, ValueError: an entry is something else.
    """
    cases = []
    for case_id, group in groupby(entries, key=lambda entry: entry["id"]):
        runs = list(group)
        first = runs[0]
        cases.append(
            CaseResult(
                id=case_id,
                label=first["label"],
                input=first["input"],
                tags=tuple(first["tags"]),
                runs=tuple(map(run_from_json, runs)),
                expected=first.get("expected"),
                document=first.get("document"),
            )
        )
    return tuple(cases)
