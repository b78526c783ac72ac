"""A pydantic-ai agent; offline its model is pydantic-ai's own `FunctionModel`, which reads with a pattern.

``EXAMPLE_MODEL=openai:gpt-4o-mini`` asks a real one.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

import pytest_schemascore as schemascore

if TYPE_CHECKING:
    from pydantic_ai import Agent, ModelMessage, ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import AgentInfo

pydantic_ai = pytest.importorskip("pydantic_ai", reason="pip install pydantic-ai-slim")

CASES = [
    {"id": "ada", "input": "Ada Ngata, Wellington, ada@example.org", "expected": {"name": "Ada Ngata"}},
    {
        "id": "no-mail",
        "input": "Joris Maas, Ghent",
        "expected": {"name": "Joris Maas", "city": "Ghent", "email": None},
    },
    {
        "id": "other-order",
        "input": "hello@example.org, Lima, Rosa Quispe",
        "expected": {"name": "Rosa Quispe", "city": "Lima", "email": "hello@example.org"},
    },
]


class Contact(BaseModel):
    """What a line of an address book says."""

    name: str
    city: str
    email: str | None = None


def read_line(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Stand in for a model: name first, then the city, and calls the agent's output tool."""
    from pydantic_ai.messages import ModelResponse, ToolCallPart, UserPromptPart

    prompts = [part for part in messages[-1].parts if isinstance(part, UserPromptPart)]
    text = str(prompts[-1].content)
    email = re.search(r"\S+@\S+", text)
    name, city = text.split(", ")[:2]
    arguments = {"name": name, "city": city, "email": email and email.group().rstrip(",")}
    return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, arguments)])


@pytest.fixture(scope="module")
def agent() -> Agent[None, Contact]:
    """One agent for all cases."""
    from pydantic_ai import Agent
    from pydantic_ai.models.function import FunctionModel

    model: Model | str = os.environ.get("EXAMPLE_MODEL") or FunctionModel(read_line)
    return Agent(model, output_type=Contact, system_prompt="Read the contact off the line.")


@schemascore.case(CASES, schema=Contact)
async def test_contacts(case: schemascore.Case, agent: Agent[None, Contact]) -> schemascore.Output:
    """Run the agent on one line."""
    result = await agent.run(case.input)
    return schemascore.Output(result.output, tokens=result.usage.total_tokens)
