"""What a case says of itself in JUnit XML: two small properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting.evidence import names
from pytest_schemascore.reporting.widths import clip, printable
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from pytest_schemascore.report.results import CaseResult

_FIELDS: Final = 10
_LONGEST: Final = 80


def properties(case: CaseResult) -> list[tuple[str, str]]:
    """Return the case's score (in [0, 1], empty where nothing was judged) and the fields that aren't right.

    At most ten fields are named, in order of appearance, over all runs of the case.
    """
    runs = [run.fields for run in case.runs]
    score = Counts.total(counts for fields in runs for counts in fields.values()).accuracy
    failed = dict.fromkeys(name for fields in runs for name, c in fields.items() if not c.is_perfect)
    return [
        ("schemascore.score", "" if score is None else f"{score:.4f}"),
        ("schemascore.failed_fields", names([clip(printable(name), _LONGEST) for name in failed], _FIELDS)),
    ]
