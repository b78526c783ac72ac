"""310 abstracts on materials, and the text that two fine-tuned models answered with.

The models' recorded answers are replayed, GPT-3's unless ``MATERIALS_MODEL=llama2`` says otherwise. Chemistry
is case-sensitive, Co is not CO, so the default rule doesn't fold case; list items are compared by position,
as the figures of the baseline were recorded.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pydantic import BaseModel

import pytest_schemascore as schemascore

HERE = Path(__file__).parent


Text = str | list[str]
"""Models, and one label, give a list for a text or a text for a list; that is wrong, but readable."""


class Material(BaseModel):
    """One material that an abstract speaks of; an empty text stands for nothing."""

    name: Text = ""
    formula: Text = ""
    acronym: Text = ""
    description: Text = []
    structure_or_phase: Text = []
    applications: Text = []


class Materials(BaseModel):
    """What is to be extracted from one abstract."""

    entries: list[Material]


@pytest.fixture(scope="session")
def answers() -> dict[str, str]:
    """The recorded answers of the chosen model by case id."""
    model = os.environ.get("MATERIALS_MODEL", "gpt3")
    lines = (HERE / f"{model}.jsonl").read_text(encoding="utf-8").strip().split("\n")
    return {record["id"]: record["output"] for record in map(json.loads, lines)}


@schemascore.case(
    "cases.jsonl",
    schema=Materials,
    default=schemascore.exact(normalize=False),
    comparators={
        "entries": schemascore.by_position(),
        "entries[*].description": schemascore.by_position(),
        "entries[*].structure_or_phase": schemascore.by_position(),
        "entries[*].applications": schemascore.by_position(),
    },
)
def test_materials(case: schemascore.Case, answers: dict[str, str]) -> str:
    """Both models answer with the bare list."""
    return f'{{"entries": {answers[case.id]}}}'
