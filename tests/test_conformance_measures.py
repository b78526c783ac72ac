"""Three peers' measures of whole documents: ours agree, but for the kinds of case where the peer is wrong.

Each exception is named with what is right. The cases lie in the shared conformance folder.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from pytest_schemascore.scoring.selection import parse_selection, select
from pytest_schemascore.similarity import json_distance, json_similarity
from tests.shared_data import read_conformance

PHOENIX: Final[dict[str, float | None]] = {
    # Equal numbers of either type are equal, as its documentation says.
    "int-vs-float-equal-costs-1": 0.0,
    "int-vs-float-text": 0.0,
}
UIPATH: Final[dict[str, float]] = {
    # NaN and Infinity are not JSON.
    "nan": 0.0,
    "inf": 0.0,
    "nan-actual": 0.0,
    "inf-expected": 0.0,
}
AUTOEVALS: Final[dict[str, float]] = {
    # Infinity is not JSON, and a score is in [0, 1].
    "inf": 0.0,
    # true is not 1.
    "bool-vs-int": 0.0,
}


def test_json_distance_agrees_with_phoenix() -> None:
    """On every case, its two exceptions by name."""
    for case in read_conformance("phoenix_json_distance.jsonl", PHOENIX.keys()):
        right = PHOENIX.get(case["id"], case["result"]["score"])
        result = json_distance(case["expected"], case["actual"], **case["options"])
        assert result.score == right, case["id"]


def test_json_similarity_agrees_with_uipath() -> None:
    """With keys="expected" and mean="leaves", on every case."""
    for case in read_conformance("uipath_json_similarity.jsonl", UIPATH.keys()):
        if "error_result" in case["result"]:
            continue  # a path that leads nowhere, in the peer's own notation
        right = UIPATH.get(case["id"], case["result"]["score"])
        expected, actual = (_part(case[side], case["options"].get("key")) for side in ("expected", "actual"))
        result = json_similarity(expected, actual, keys="expected", mean="leaves")
        assert result.score == pytest.approx(right, abs=1e-9), case["id"]


def test_integers_beyond_two_to_the_53_differ_where_uipath_has_them_equal() -> None:
    """One apart is not the same, however near."""
    result = json_similarity(2**53, 2**53 + 1, keys="expected", mean="leaves")
    assert result.score is not None
    assert 0.999 < result.score < 1


def test_json_similarity_agrees_with_autoevals() -> None:
    """With numbers="symmetric", on every case; its scorers and options by our arguments."""
    for case in read_conformance("autoevals_jsondiff.jsonl", AUTOEVALS.keys()):
        right = AUTOEVALS.get(case["id"], case["result"]["score"])
        result = json_similarity(case["expected"], case["actual"], **_arguments(case["options"]))
        assert result.score == pytest.approx(right, abs=1e-9), case["id"]


def _part(document: Any, key: str | list[str] | None) -> Any:
    if key is None:
        return document
    if isinstance(key, list):
        return {name: document[name] for name in key}
    return select(document, parse_selection(key))


def _arguments(options: dict[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {"numbers": "symmetric"}
    if options.get("number_scorer") == "exact":
        arguments["numbers"] = "exact"
    if options.get("preserve_strings"):
        arguments["parse_strings"] = False
    return arguments
