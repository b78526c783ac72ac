"""What a saved verdict must look like, checked before anything is made of it."""

from __future__ import annotations

from typing import Final

from pytest_schemascore.gate.status import Status
from pytest_schemascore.report import checking as c
from pytest_schemascore.report.document_checks import SETTINGS

_STATUSES: Final = {status.value: status for status in Status}
_NUMBER: Final = c.or_null(c.NUMBER)
_TWO_TEXTS: Final = c.list_of(c.TEXT, 2)
_CHANGE: Final = c.object_of(
    {
        "suite": c.TEXT,
        "metric": c.TEXT,
        "status": c.one_of(_STATUSES),
        "before": _NUMBER,
        "after": _NUMBER,
        "lost": c.TEXTS,
        "gained": c.TEXTS,
        # An end that is infinite is saved as null.
        "interval": c.or_null(c.list_of(_NUMBER, 2)),
        "p_value": _NUMBER,
        "p_adjusted": _NUMBER,
        "max_drop": c.NUMBER,
        "floor": _NUMBER,
        "reason": c.TEXT,
    }
)
_POWER: Final = c.object_of(
    {
        "smallest_drop": _NUMBER,
        "cases": c.COUNT,
        "more_cases": c.or_null(c.COUNT),
        "supposed_alpha": _NUMBER,
    }
)
_SUITE: Final = c.object_of(
    {
        "moved_from": c.or_null(c.TEXT),
        "compared": c.COUNT,
        "of": c.COUNT,
        "alpha": _NUMBER,
        "changes": c.list_of(_CHANGE),
        "new": c.TEXTS,
        "gone": c.TEXTS,
        "relabelled": c.TEXTS,
        "not_run": c.TEXTS,
        "changed_rules": c.map_of(_TWO_TEXTS),
        "problems": c.TEXTS,
        "notes": c.TEXTS,
        "flaky": c.map_of(c.NUMBER),
        "power": c.or_null(_POWER),
    }
)
VERDICT: Final = c.object_of(
    {
        "baseline": c.or_null(c.TEXT),
        "problems": c.TEXTS,
        "new_suites": c.TEXTS,
        "gone_suites": c.TEXTS,
        "not_run_suites": c.TEXTS,
        "settings": SETTINGS,
        "suites": c.map_of(_SUITE),
    }
)
