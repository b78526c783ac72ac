"""The cases of ``openai_endpoint`` through instructor, which validates and asks again by itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

import pytest_schemascore as schemascore

if TYPE_CHECKING:
    from instructor import AsyncInstructor

pytest.importorskip("instructor", reason="pip install instructor")


class Entities(BaseModel):
    """The kinds of entities that are looked for; an absent one is an empty list."""

    person_name: list[str] = []
    company: list[str] = []
    street_address: list[str] = []
    time: list[str] = []
    email: list[str] = []
    phone_number: list[str] = []
    employee_id: list[str] = []
    ipv4: list[str] = []
    local_latlng: list[str] = []
    date_of_birth: list[str] = []


@pytest.fixture(scope="module")
def client() -> AsyncInstructor:
    """One client for all cases; it retries after a 429 and a time-out by itself."""
    import instructor
    from openai import AsyncOpenAI

    if "OPENAI_BASE_URL" not in os.environ:
        pytest.skip("OPENAI_BASE_URL is not set")
    return instructor.from_openai(
        AsyncOpenAI(api_key=os.environ.get("OPENAI_API_KEY", "none"), timeout=30), mode=instructor.Mode.JSON
    )


@schemascore.case("../openai_endpoint/cases.jsonl", schema=Entities, concurrency=8, timeout=120)
async def test_instructor(case: schemascore.Case, client: AsyncInstructor) -> Entities:
    """Ask for the entities of one document, as a model instance."""
    entities: Entities = await client.chat.completions.create(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o-mini"),
        response_model=Entities,
        messages=[{"role": "user", "content": case.input}],
    )
    return entities
