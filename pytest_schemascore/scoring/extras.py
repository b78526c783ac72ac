"""What the output holds beyond the labels (S7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT, Json
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.scoring.rules import RuleNode


def extra_leaves(item: Json, node: RuleNode, where: str, counts: Callable[[str], bool]) -> list[Leaf]:
    """Return the leaves of *item*, which stands at *where* in the output and in no label.

    Only those of the fields that *counts* accepts, and none that is ignored. An item none of whose leaves
    is of such a field is as good as an empty one: it counts one.
    """
    leaves: list[Leaf] = []
    all_ignored = True
    pending: list[tuple[Json, RuleNode, str]] = [(item, node, where)]
    while pending:
        value, place, path = pending.pop()
        if place.skipped:
            continue
        if isinstance(value, dict) and value:
            pending += [(v, place.key(k), paths.join_key(path, k)) for k, v in reversed(value.items())]
        elif isinstance(value, list) and value:
            last = len(value) - 1
            pending += [
                (v, place.item(last - k), paths.join_index(path, last - k))
                for k, v in enumerate(reversed(value))
            ]
        elif not place.ignored:
            all_ignored = False
            if counts(place.field):
                leaves.append(_extra(value, place, path))
    return leaves if leaves or all_ignored else [_extra(item, node, where)]


def _extra(value: Json, node: RuleNode, path: str) -> Leaf:
    return Leaf(path, node.field, Outcome.EXTRA, None, ABSENT, value, "", path)
