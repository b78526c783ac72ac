"""Distance and similarity as metrics of a suite's documents (S9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.errors import UsageError
from pytest_schemascore.similarity.json_distance import json_distance
from pytest_schemascore.similarity.json_similarity import json_similarity
from pytest_schemascore.similarity.resolving import resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.documents.json_types import Absent, Json

METRICS: Final = ("distance", "similarity")
"""The names that `measure` knows."""


def measure(metrics: Sequence[str], label: Json, value: Json | Absent) -> dict[str, float]:
    """Return the asked *metrics* of one output in JSON form against its label; no output is null.

    Directives in the label (S11) stand for whatever they accept of the output.

    Raises:
        UsageError: a metric has an unknown name.
    """
    if not metrics:
        return {}
    wanted = resolved(label, value)
    expected = None if wanted is ABSENT else wanted
    actual = None if value is ABSENT else value
    scores: dict[str, float] = {}
    for name in metrics:
        match name:
            case "distance":
                result = json_distance(expected, actual, parse_strings=False)
            case "similarity":
                result = json_similarity(expected, actual, parse_strings=False)
            case _:
                msg = f"unknown metric {name!r}{did_you_mean(name, METRICS)} (known: {', '.join(METRICS)})"
                raise UsageError(msg)
        if result.score is not None:
            scores[name] = result.score
    return scores
