"""What the output holds beyond the labels (S7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT, Json
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_schemascore.scoring.rules import RuleNode


def extras_of_item(
    item: Json, node: RuleNode, where: str, counts: Callable[[Json, RuleNode], bool]
) -> list[Leaf]:
    """Return the extra leaves of *item*, a list's item without partner, which stands at *where*.

    Only those that *counts* accepts, and none that is ignored. An item that has none of these is as good as
    an empty one: it counts one.
    """
    leaves = list(_leaves(item, node, where))
    extras = [_extra(*leaf) for leaf in leaves if counts(*leaf[:2])]
    return extras if extras or not leaves else [_extra(item, node, where)]


def extras_of_key(value: Json, node: RuleNode, where: str, counts: Callable[[Json], bool]) -> list[Leaf]:
    """Return the extra leaves of *value*, which an unlabelled key holds: those that *counts* accepts."""
    return [_extra(*leaf) for leaf in _leaves(value, node, where) if counts(leaf[0])]


def _leaves(item: Json, node: RuleNode, where: str) -> Iterator[tuple[Json, RuleNode, str]]:
    """Yield all that is no container with something in it, and not ignored."""
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
            yield value, place, path


def _extra(value: Json, node: RuleNode, path: str) -> Leaf:
    return Leaf(path, node.field, Outcome.EXTRA, None, ABSENT, value, "", path)
