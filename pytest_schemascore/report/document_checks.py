"""What a saved report must look like, checked before anything is made of it."""

from __future__ import annotations

from typing import Any, Final

from pytest_schemascore.report import checking as c
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.scoring.outcomes import Outcome

_ASKED: Final = c.or_null(c.MEASURE)
SETTINGS: Final = c.object_of(
    {},
    {
        "max_drop": _ASKED,
        "alpha": _ASKED,
        "floors": c.map_of(c.MEASURE),
        "min_overall": _ASKED,
        "min_validity": _ASKED,
    },
)
"""What was asked of the gate; what is left out was not."""

_OUTCOMES: Final = {outcome.value: outcome for outcome in Outcome}
_FAILURES: Final = {failure.value: failure for failure in Failure}

_NUMBERS: Final = frozenset({int, float})
_LEAF: Final = c.object_of(
    {
        "path": c.TEXT,
        "field": c.TEXT,
        "outcome": c.one_of(_OUTCOMES),
        "score": c.or_null(c.SHARE),
        "rule": c.TEXT,
    },
    {"actual_path": c.TEXT},
)


def _leaf(value: Any) -> None:
    """Check a leaf, of which a report may have millions, in one look; only a misfit is looked at closely."""
    try:
        score = value["score"]
        if (
            type(value["path"]) is type(value["field"]) is type(value["rule"]) is str
            and (score is None or (type(score) in _NUMBERS and 0 <= score <= 1))
            and value["outcome"] in _OUTCOMES
            and "actual_path" not in value
        ):
            return
    except (KeyError, TypeError, IndexError):
        pass
    _LEAF.look(value)


_ENTRY: Final = c.object_of(
    {
        "id": c.TEXT,
        "label": c.TEXT,
        "input": c.TEXT,
        "tags": c.TEXTS,
        "error": c.or_null(c.object_of({"kind": c.one_of(_FAILURES), "message": c.TEXT})),
        "leaves": c.list_of(c.Check(_leaf)),
    },
    {
        "duration": c.or_null(c.MEASURE),
        "cost": c.or_null(c.NUMBER),
        "tokens": c.or_null(c.NUMBER),
        "notes": c.TEXTS,
        "repaired": c.FLAG,
        "defaults": c.COUNT,
        "judge_errors": c.TEXTS,
        "measures": c.map_of(c.MEASURE),
    },
)
_FIGURES: Final = c.object_of({})
_RULE: Final = c.object_of({"rule": c.TEXT, "why": c.TEXT})


def _field(value: Any) -> None:
    """Check the entry of a field: its figures are not read, and one without a rule has no reason for it."""
    (_RULE if isinstance(value, dict) and "rule" in value else _FIGURES).look(value)


_SUITE: Final = c.object_of(
    {
        "test": c.TEXT,
        "line": c.COUNT,
        "of": c.COUNT,
        "rules": c.map_of(c.TEXT),
        "fields": c.map_of(c.Check(_field)),
        "cases": c.list_of(_ENTRY),
        "gates": c.map_of(c.object_of({"max_drop": _ASKED, "min": _ASKED})),
        "weights": c.map_of(c.MEASURE),
        "skipped": c.map_of(c.TEXT),
        "notes": c.TEXTS,
    }
)

DOCUMENT: Final = c.object_of(
    {
        "suites": c.map_of(_SUITE),
        "files": c.TEXTS,
        "interrupted": c.FLAG,
        "settings": SETTINGS,
        "gate": c.or_null(c.object_of({})),
    },
    {"deleted": c.TEXTS},
)
