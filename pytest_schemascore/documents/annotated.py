"""Rules that stand in a pydantic model, ``vendor: Annotated[str, fuzzy(0.85)]`` (S5)."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final, Self

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import RuleError

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

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        """Refuse an argument that the rule doesn't have, naming the nearest that it has.

        Raises:
            RuleError: see above; Python's own error would only say that it is unexpected.
        """
        del args
        known = inspect.signature(cls.__init__).parameters
        for name in kwargs:
            if name not in known and not any(p.kind is p.VAR_KEYWORD for p in known.values()):
                near = did_you_mean(name, list(known)[1:])
                msg = f"{cls.__name__}() has no argument {name!r}{near}"
                raise RuleError(msg)
        return super().__new__(cls)

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the core schema of *source* with this rule in its metadata."""
        schema: dict[str, Any] = handler(source)
        return {**schema, "metadata": {**(schema.get("metadata") or {}), METADATA_KEY: self}}
