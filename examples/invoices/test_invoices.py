"""Four invoices, and an extractor of a few regular expressions that makes honest mistakes.

It takes the first total it meets, and its answer is cut after 240 characters, as a token limit cuts one.
"""

from __future__ import annotations

import json
import re
from datetime import date  # noqa: TC003 - pydantic needs it at run time
from decimal import Decimal  # noqa: TC003 - pydantic needs it at run time

from pydantic import BaseModel

import pytest_schemascore as schemascore

LIMIT = 240


class Item(BaseModel):
    """One line of an invoice."""

    name: str
    quantity: int
    price: Decimal


class Invoice(BaseModel):
    """What is to be read off an invoice."""

    number: str
    vendor: str
    date: date
    total: Decimal
    items: list[Item]


def extract(text: str) -> str:
    """Return the invoice in *text* as JSON."""
    number, day = re.findall(r"no\. (\S+) of (\S+)", text)[0]
    items = re.findall(r"(\d+) x (.+) @ ([\d.]+)", text)
    answer = {
        "number": number,
        "vendor": text.split("\n")[0],
        "date": day,
        "total": re.findall(r"Total\D* ([\d.]+)", text)[0],
        "items": [{"name": name, "quantity": int(count), "price": price} for count, name, price in items],
    }
    return json.dumps(answer)[:LIMIT]


@schemascore.case(
    "cases.jsonl",
    schema=Invoice,
    comparators={
        "vendor": schemascore.fuzzy(0.85),
        "total": schemascore.numeric(abs_tol=0.01),
        "items[*].price": schemascore.numeric(abs_tol=0.01),
    },
)
def test_invoices(case: schemascore.Case) -> str:
    """Give the invoice's text to the extractor."""
    return extract(case.input)
