"""The public API as a user's typed code meets it; checked by mypy and pyright, never run."""

from __future__ import annotations

import functools
from typing import Annotated, assert_type

from pydantic import BaseModel

import pytest_schemascore as schemascore


class Invoice(BaseModel):
    """Rules may stand in a model."""

    vendor: Annotated[str, schemascore.fuzzy(0.85)]
    total: Annotated[float, schemascore.numeric(abs_tol=0.01)]
    items: Annotated[list[str], schemascore.by_content()]


def close(expected: object, actual: object) -> bool | None:
    """A comparator of a user's own."""
    return expected == actual or None


@schemascore.judge
async def same_meaning(items: list[schemascore.JudgeItem]) -> list[bool]:
    """A judge of a user's own."""
    return [item.expected == item.actual for item in items]


@schemascore.case(
    "cases.jsonl",
    schema=Invoice,
    comparators={
        "vendor": schemascore.exact(normalize=False),
        "items": schemascore.by_key("sku"),
        "note": close,
    },
    default={"string": schemascore.fuzzy()},
    gates={"total": {"max_drop": 0.0, "min": 0.95}},
    weights={"total": 5},
    extra="count",
    parse="lenient",
    timeout=30,
    repeat=3,
)
async def test_invoices(case: schemascore.Case, client: str) -> schemascore.Output:
    """The decorator keeps the function's type."""
    assert_type(case.id, str)
    assert_type(case.tags, tuple[str, ...])
    return schemascore.Output(f"{client}{case.input}", cost=0.01, tokens=12, metadata={"model": "small"})


house_case = functools.partial(schemascore.case, schema=Invoice, concurrency=4)


@house_case([{"input": "", "expected": {}}])
def test_more(case: schemascore.Case) -> dict[str, int]:
    """Shared defaults by partial."""
    return {"length": len(case.input)}


def use_the_library() -> None:
    """The same without pytest."""
    cases = schemascore.load_cases("cases.jsonl")
    assert_type(cases, tuple[schemascore.Case, ...])
    report = schemascore.evaluate(Invoice, cases, len, {"total": schemascore.relative()}, concurrency=2)
    assert_type(report, schemascore.Report)
    assert_type(report.overall, float | None)
    assert_type(report.fields["total"].counts.wrong, int)
    diff = report.compare("baseline.json", max_drop=0.02, alpha=0.05)
    assert_type(diff.ok, bool)
    assert_type(diff.regressions, dict[str, float | None])
    comparison = schemascore.compare({"a": 1}, {"a": 2}, comparators={"a": schemascore.threshold(2, 1)})
    assert_type(comparison.precision, float)
    assert_type(comparison.to_html(), str)
    assert_type(schemascore.json_distance({"a": 1}, '{"a": 2}').score, float | None)
    assert_type(schemascore.json_similarity([1], [1]).passed, bool)
