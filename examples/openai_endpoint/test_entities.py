"""Named entities read off documents by a model behind an OpenAI-compatible endpoint.

Set ``OPENAI_BASE_URL`` (and ``OPENAI_API_KEY``, ``OPENAI_MODEL``), or start ``recorded_model.py`` beside this
file to try it without a model.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import pytest_schemascore as schemascore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from client import Client

for package in ("httpx", "tenacity"):
    pytest.importorskip(package, reason="pip install httpx tenacity")

INSTRUCTION = """Return the entities in the text as one JSON object. The keys are the kinds that occur
(person_name, company, street_address, time, email, phone_number, employee_id, ipv4, local_latlng,
date_of_birth, swift_bic_code), each with the list of the texts found."""


@pytest.fixture(scope="module")
async def client() -> AsyncIterator[Client]:
    """One client, and so one pool of connections, for all cases."""
    if "OPENAI_BASE_URL" not in os.environ:
        pytest.skip("OPENAI_BASE_URL is not set")
    from client import Client  # beside this file; needs both packages

    async with Client() as client:
        yield client


@schemascore.case("cases.jsonl", schema=dict[str, list[str]], concurrency=8, timeout=120)
async def test_entities(case: schemascore.Case, client: Client) -> schemascore.Output:
    """Ask for the entities of one document."""
    completion = await client.complete(INSTRUCTION, case.input)
    return schemascore.Output(
        completion.text, tokens=completion.tokens, metadata={"attempts": completion.attempts}
    )
