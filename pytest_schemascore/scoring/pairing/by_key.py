"""Items are paired by a key they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.pairing.base import ItemScores, Pairing, Pairs
from pytest_schemascore.scoring.pairing.by_content import best_pairs

if TYPE_CHECKING:
    from collections.abc import Hashable


@dataclass(frozen=True, slots=True, init=False, repr=False)
class by_key(Pairing):  # noqa: N801 - read as a call in a rule: by_key("sku")
    """Pair items whose values at *names* (keys of the items) are equal under the rules of those fields.

    Several items with one key, and items that lack it on both sides, are paired by content among themselves.

    Raises:
        RuleError: no name was given, or one isn't a text.
    """

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        if not names or not all(isinstance(name, str) and name for name in names):
            msg = f"by_key{names!r}: give the keys that tell items apart, by_key('sku')"
            raise RuleError(msg)
        object.__setattr__(self, "names", names)

    def __repr__(self) -> str:
        return f"by_key({', '.join(map(repr, self.names))})"

    def pair(self, items: ItemScores) -> Pairs:
        of_expected, of_actual = items.keys(self.names)
        left, right = _groups(of_expected), _groups(of_actual)
        pairs: list[tuple[int, int]] = []
        for key, rows in left.items():
            others = right.get(key, [])
            if key is not None and len(rows) == len(others) == 1:
                pairs.append((rows[0], others[0]))
            elif others:
                order = {i: k for k, i in enumerate(items.order_of_expected)}
                other_order = {j: k for k, j in enumerate(items.order_of_actual)}
                pairs += best_pairs(
                    items, sorted(rows, key=order.__getitem__), sorted(others, key=other_order.__getitem__)
                )
        return Pairs.of(pairs, len(items.expected), len(items.actual))


def _groups(keys: list[Hashable]) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for index, key in enumerate(keys):
        groups.setdefault(key, []).append(index)
    return groups
