"""Two prompts, here two regular expressions, on the same cases: one suite each, side by side in one report.

``pytest-schemascore diff`` with ``--suite OLD=NEW`` then holds one against the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import pytest_schemascore as schemascore

if TYPE_CHECKING:
    from collections.abc import Callable


def totals(text: str) -> list[str]:
    """Return every total on a receipt."""
    return re.findall(r"Total\D*([\d.]+)", text)


def first_total(text: str) -> str:
    """Take the first total there is."""
    return totals(text)[0]


def last_total(text: str) -> str:
    """Take the last total there is."""
    return totals(text)[-1]


@pytest.mark.parametrize("total", [first_total, last_total], ids=["first", "last"])
@schemascore.case("cases.jsonl", comparators={"total": schemascore.numeric(abs_tol=0.01)})
def test_receipts(case: schemascore.Case, total: Callable[[str], str]) -> dict[str, object]:
    """Read total and currency off a receipt."""
    currency = re.search(r"EUR|USD|GBP", case.input)
    return {"total": total(case.input), "currency": currency and currency.group()}
