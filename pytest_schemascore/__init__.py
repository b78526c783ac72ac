"""Score structured output against labelled cases, and fail the run when a field got worse.

The public names load on first use, so that a project which only has the plugin installed pays nothing (R7).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_schemascore.cases import Case, load_cases
    from pytest_schemascore.comparison import Comparison, compare
    from pytest_schemascore.documents.output import Output
    from pytest_schemascore.evaluation import evaluate
    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.plugin.mark import case
    from pytest_schemascore.report.report import Report
    from pytest_schemascore.running.judges import JudgeItem, judge
    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.comparators.contains import contains
    from pytest_schemascore.scoring.comparators.cosine import cosine
    from pytest_schemascore.scoring.comparators.date import date
    from pytest_schemascore.scoring.comparators.duration import duration
    from pytest_schemascore.scoring.comparators.exact import exact
    from pytest_schemascore.scoring.comparators.fuzzy import fuzzy
    from pytest_schemascore.scoring.comparators.ignore import ignore
    from pytest_schemascore.scoring.comparators.jaccard import jaccard
    from pytest_schemascore.scoring.comparators.levenshtein import levenshtein
    from pytest_schemascore.scoring.comparators.numeric import numeric
    from pytest_schemascore.scoring.comparators.one_of import one_of
    from pytest_schemascore.scoring.comparators.regex import regex
    from pytest_schemascore.scoring.comparators.relative import relative
    from pytest_schemascore.scoring.comparators.threshold import threshold
    from pytest_schemascore.scoring.comparators.token_ratio import token_ratio
    from pytest_schemascore.scoring.comparators.url import url
    from pytest_schemascore.scoring.pairing.by_content import by_content
    from pytest_schemascore.scoring.pairing.by_key import by_key
    from pytest_schemascore.scoring.pairing.by_position import by_position
    from pytest_schemascore.scoring.pairing.in_order import in_order
    from pytest_schemascore.similarity import DocumentScore, json_distance, json_similarity

__all__ = [
    "Case",
    "Comparator",
    "Comparison",
    "Diff",
    "DocumentScore",
    "JudgeItem",
    "Output",
    "Report",
    "by_content",
    "by_key",
    "by_position",
    "case",
    "compare",
    "contains",
    "cosine",
    "date",
    "duration",
    "evaluate",
    "exact",
    "fuzzy",
    "ignore",
    "in_order",
    "jaccard",
    "json_distance",
    "json_similarity",
    "judge",
    "levenshtein",
    "load_cases",
    "numeric",
    "one_of",
    "regex",
    "relative",
    "threshold",
    "token_ratio",
    "url",
]

_COMPARATORS = "scoring.comparators"
_PAIRING = "scoring.pairing"

_HOMES = {
    "Case": "cases",
    "Comparator": f"{_COMPARATORS}.base",
    "Output": "documents.output",
    "Report": "report.report",
    "Comparison": "comparison",
    "Diff": "gate.diff",
    "DocumentScore": "similarity",
    "JudgeItem": "running.judges",
    "case": "plugin.mark",
    "compare": "comparison",
    "evaluate": "evaluation",
    "json_distance": "similarity",
    "json_similarity": "similarity",
    "judge": "running.judges",
    "load_cases": "cases",
}


def _home(name: str) -> str:
    """Return the module of a public name; a comparator or pairing has one of its own name."""
    rules = _PAIRING if name.startswith(("by_", "in_")) else _COMPARATORS
    return _HOMES.get(name, f"{rules}.{name}")


def __getattr__(name: str) -> object:
    if name not in __all__:
        from pytest_schemascore._suggest import did_you_mean

        msg = f"module {__name__!r} has no attribute {name!r}{did_you_mean(name, __all__)}"
        raise AttributeError(msg)
    value = getattr(importlib.import_module(f"{__name__}.{_home(name)}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
