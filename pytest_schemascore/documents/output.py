"""What an extractor may return beside the bare value: the value with what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

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


def is_output(value: object) -> TypeGuard[Output]:
    """Say whether *value* is an `Output`, by its own class: a proxy's ``__class__`` may raise."""
    return issubclass(type(value), Output)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for an output that had no JSON form, where only the *reason* is known, as from a journal."""

    reason: str
