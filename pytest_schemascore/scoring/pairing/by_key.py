"""Items are paired by a key they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.errors import PathError, RuleError
from pytest_schemascore.scoring.pairing.base import ItemScores, Pairing, Pairs, places_of
from pytest_schemascore.scoring.pairing.by_content import best_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, init=False, repr=False)
class by_key(Pairing):  # noqa: N801 - read as a call in a rule: by_key("sku")
    """Pair items whose values at *names* are equal under the rules of those fields.

    *names* are keys of the items, or paths in them (``"id.value"``; a key with dots or spaces is quoted).

    Several items with one key, and items that lack it on both sides, are paired by content among themselves.
    An item whose key is a directive (``{"$any": [1, 2]}``) is paired with the item that is most like it of
    those that meet it and that no other label names.

    Raises:
        RuleError: no name was given, or one isn't a text.
    """

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        if not names or not all(isinstance(name, str) for name in names):
            msg = f"by_key{names!r}: give the keys that tell items apart, by_key('sku')"
            raise RuleError(msg)
        for name in names:
            _check(name)
        object.__setattr__(self, "names", names)

    def __repr__(self) -> str:
        return f"by_key({', '.join(map(repr, self.names))})"

    def pair(self, items: ItemScores) -> Pairs:
        of_expected, of_actual = items.keys(self.names)
        left, right = places_of(of_expected), places_of(of_actual)
        pairs: list[tuple[int, int]] = []
        for key, rows in left.items():
            others = right.get(key, [])
            if key is not None and len(rows) == len(others) == 1:
                pairs.append((rows[0], others[0]))
            elif others:
                pairs += best_pairs(items, rows, others)
        pairs += self._open_pairs(items, pairs)
        return Pairs.of(pairs, len(items.expected), len(items.actual))

    def _open_pairs(self, items: ItemScores, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        rows = items.open_keys(self.names)
        if not rows:
            return []
        taken = {j for _, j in pairs}
        free = [j for j in range(len(items.actual)) if j not in taken]
        others = [j for j in free if any(items.meets_key(i, j, self.names) for i in rows)]
        found = best_pairs(items, rows, others)
        return [(i, j) for i, j in found if items.meets_key(i, j, self.names)]


def _check(name: str) -> None:
    try:
        steps = paths.parse(name)
    except PathError as error:
        msg = f"by_key({name!r}): {error}"
        raise RuleError(msg) from None
    if not steps or not all(isinstance(step, str) for step in steps):
        msg = f"by_key({name!r}): give a key of the items, or a path of keys such as 'id.value'"
        raise RuleError(msg)
