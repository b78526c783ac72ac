"""Rules that stand in a pydantic model, ``vendor: Annotated[str, fuzzy(0.85)]`` (S5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

METADATA_KEY: Final = "schemascore_rule"
"""Where a rule stands in the ``metadata`` of a pydantic core schema."""


class SchemaRule:
    """Base of everything that may stand in ``Annotated``: comparators, pairings, judges.

    pydantic drops annotations it doesn't know from its core schema, where aliases, unions, generics and
    forward references are resolved already. This hook of pydantic's leaves the rule there, and changes
    neither validation nor the JSON Schema of the user's model.
    """

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the core schema of *source* with this rule in its metadata."""
        schema: dict[str, Any] = handler(source)
        return {**schema, "metadata": {**(schema.get("metadata") or {}), METADATA_KEY: self}}
