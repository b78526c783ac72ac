"""How much a label weighs when list items are paired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.scoring import directives

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.rules import RuleNode


def leaf_weight(label: Json, node: RuleNode) -> float:
    """Return the summed weight of the leaves of *label*, ignored ones left out."""
    if node.ignored:
        return 0.0
    match directives.directive_of(label):
        case directives.IGNORE:
            return 0.0
        case directives.ANY if isinstance(label, dict) and isinstance(label["$any"], list):
            return leaf_weight(label["$any"][0], node)
        case directives.ABSENT | directives.REGEX:
            return node.weight
    if isinstance(label, dict) and label:
        return sum(leaf_weight(part, node.key(key)) for key, part in label.items())
    if isinstance(label, list) and label:
        return sum(leaf_weight(part, node.item(i)) for i, part in enumerate(label))
    return node.weight


def counts_nowhere(label: Json, node: RuleNode) -> bool:
    """Say whether all of *label* is ignored, so that it only absorbs an item."""
    if node.ignored or directives.is_ignored(label):
        return True
    if isinstance(label, dict) and label and directives.directive_of(label) is None:
        return all(counts_nowhere(part, node.key(key)) for key, part in label.items())
    if isinstance(label, list) and label:
        return all(counts_nowhere(part, node.item(i)) for i, part in enumerate(label))
    return False
