"""structeval's cases: `compare` agrees, but where structeval contradicts its own documentation.

Its documentation counts every labelled scalar in recall and every output scalar in precision.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from pytest_schemascore.comparison import Comparison, compare
from pytest_schemascore.errors import SchemaError
from tests.shared_data import read_conformance

RIGHT: Final[dict[str, tuple[float, float, float]]] = {
    # A labelled key that the output lacks costs recall. Precision, recall, F1:
    "missing-key-in-actual": (1.0, 1 / 2, 2 / 3),
    "missing-nested-object": (1.0, 1 / 4, 2 / 5),
    "missing-list": (1.0, 1 / 3, 1 / 2),
    # A root of another type agrees on nothing.
    "root-type-mismatch": (0.0, 0.0, 0.0),
    # null where the schema says integer is a value like any other: 1 for null is wrong.
    "schema-null-value": (0.0, 0.0, 0.0),
    # Every config key works alone.
    "config-no-array-threshold": (1.0, 1.0, 1.0),
}
REFUSED: Final = "schema-additional-forbidden"


def compared(case: dict[str, Any]) -> Comparison:
    """Compare a case with its options."""
    options = case["options"]
    return compare(
        case["expected"], case["actual"], schema=options.get("json_schema"), config=options.get("config")
    )


def test_compare_agrees_with_structeval() -> None:
    """On every case, the exceptions by name."""
    for case in read_conformance("structeval.jsonl", RIGHT.keys()):
        if case["id"] == REFUSED:
            continue
        result = case["result"]
        right = RIGHT.get(case["id"]) or (result["precision"], result["recall"], result["f1"])
        comparison = compared(case)
        found = (comparison.precision, comparison.recall, comparison.f1)
        assert found == pytest.approx(right), case["id"]


def test_a_property_that_the_schema_forbids_is_refused_by_both() -> None:
    """The peer raises a ValidationError; ours names the side and the property."""
    cases = read_conformance("structeval.jsonl", {REFUSED})
    (case,) = [case for case in cases if case["id"] == REFUSED]
    assert case["result"]["raises"] == "ValidationError"
    with pytest.raises(SchemaError, match="actual: zzz is not in the schema"):
        compared(case)


def test_lists_of_lists_are_compared_though_structeval_sees_nothing_in_them() -> None:
    """Three scalars on both sides, and a wrong one counts."""
    assert compare({"l": [[1, 2], [3]]}, {"l": [[1, 2], [3]]}).root.tally.expected == 3
    assert compare({"l": [[1, 2], [3]]}, {"l": [[1, 2], [4]]}).recall == pytest.approx(2 / 3)


def test_an_extra_key_costs_no_recall() -> None:
    """structeval lowers both; all that is labelled was found."""
    comparison = compare({"a": 1}, {"a": 1, "b": 2})
    assert (comparison.precision, comparison.recall) == (0.5, 1.0)
