"""Support tickets: two suites in a class, a fixture of class scope, cases in Python, rules in the model."""

from __future__ import annotations

import functools
import re
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel

import pytest_schemascore as schemascore

TICKETS = [
    pytest.param(
        {
            "input": "[high] Ponto 4: export hangs\n1. open a project\n2. press Export",
            "expected": {
                "severity": "high",
                "product": "Ponto 4",
                "steps": ["Open a project", "Press Export"],
            },
            "tags": ["export"],
        },
        id="export-hangs",
    ),
    pytest.param(
        {
            "input": "[low] Ponto: typo in the help",
            "expected": {"severity": "low", "product": "Ponto 3", "steps": []},
        },
        id="typo",
    ),
    pytest.param(
        {
            "input": "[urgent] Ponto 4: crash\n1. start",
            "expected": {"severity": "high", "product": "Ponto 4", "steps": ["Start"]},
        },
        id="unknown-severity",
        marks=pytest.mark.xfail(reason="the form has no 'urgent' yet", strict=False),
    ),
]


class Ticket(BaseModel):
    """A ticket; the order of the steps matters, their exact words don't."""

    severity: Literal["low", "high"]
    product: Annotated[str, schemascore.fuzzy(0.9)]
    steps: Annotated[list[Annotated[str, schemascore.token_ratio()]], schemascore.in_order()]


house_case = functools.partial(schemascore.case, TICKETS, concurrency=4, timeout=10)


@pytest.fixture(scope="class")
def patterns() -> dict[str, re.Pattern[str]]:
    """What finds the parts of a ticket, compiled once for the class."""
    return {
        "head": re.compile(r"\[(\w+)\] ([^:]+):"),
        "step": re.compile(r"^\d+\. (.+)$", re.MULTILINE),
    }


class TestTickets:
    """Two suites that share cases, defaults and patterns."""

    @house_case(schema=Ticket)
    def test_ticket(self, case: schemascore.Case, patterns: dict[str, re.Pattern[str]]) -> dict[str, object]:
        """Read the whole ticket."""
        severity, product = patterns["head"].findall(case.input)[0]
        steps = patterns["step"].findall(case.input)
        return {"severity": severity, "product": product, "steps": steps}

    @house_case(select="steps", default=schemascore.token_ratio())
    def test_steps(self, case: schemascore.Case, patterns: dict[str, re.Pattern[str]]) -> dict[str, object]:
        """Read the steps alone; only that part of the label counts."""
        return {"steps": patterns["step"].findall(case.input)}
