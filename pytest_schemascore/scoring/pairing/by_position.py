"""Items are paired where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pytest_schemascore.scoring.pairing.base import ItemScores, Pairing, Pairs

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class by_position(Pairing):  # noqa: N801 - read as a call in a rule: by_position()
    """Pair the first with the first, the second with the second, and so on."""

    minds_order: ClassVar[bool] = True

    def pair(self, items: ItemScores) -> Pairs:
        count = len(items.actual)
        pairs = [(k, place) for k, place in enumerate(items.places) if place < count]
        return Pairs.of(pairs, len(items.places), count)

    def absorbed(self, items: ItemScores, pairs: Pairs) -> Sequence[int]:
        """Return the places of the spare items: each absorbs what stands there."""
        del pairs
        return items.spare
