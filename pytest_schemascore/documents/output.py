"""What an extractor may return beside the bare value: the value with what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Output:
    """An output with figures and remarks that go into the report; they never change a score.

    Attributes:
        value: the output itself: JSON text, a dict or list, a model instance or a dataclass.
        cost: of this call, in a unit of your own choice; a run's costs are summed.
        tokens: how many tokens the call used.
        metadata: anything else worth keeping, as JSON data.
    """

    value: object
    cost: float | None = None
    tokens: int | None = None
    metadata: Mapping[str, object] | None = None

    @classmethod
    def of(cls, value: object) -> Output:
        """Return *value* itself where it is an output, else one that holds it and nothing beside.

        Its own class is looked at: a proxy's ``__class__`` may raise.
        """
        return value if issubclass(type(value), cls) else cls(value)  # type: ignore[return-value]  # checked


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for an output that had no JSON form, where only the *reason* is known, as from a journal."""

    reason: str
