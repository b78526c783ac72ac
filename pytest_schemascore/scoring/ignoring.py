"""What counts nowhere, because a rule or a label says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT, SCALARS, Absent, Json, is_empty
from pytest_schemascore.documents.label_directives import IGNORE, directive_of

if TYPE_CHECKING:
    from pytest_schemascore.scoring.rules import RuleNode


def counts_nowhere(label: Json, node: RuleNode, *, literal: bool = False) -> bool:
    """Say whether all of *label* is ignored; where *literal*, nothing in it is a directive.

    In a list such an item only absorbs one of the output.
    """
    if isinstance(label, dict) and label:
        directive = None if literal or len(label) > 1 else directive_of(label)
        if directive == IGNORE or node.skipped:
            return True
        if directive is not None:
            return node.ignored
        for key, part in label.items():
            child = node.children.get(key) or node.key(key)
            if type(part) in SCALARS and not child.ignored:  # as the first part of most items
                return False
            if not counts_nowhere(part, child, literal=literal):
                return False
        return True
    if isinstance(label, list) and label and not node.skipped:
        return all(counts_nowhere(part, node.item(i), literal=literal) for i, part in enumerate(label))
    return node.ignored


def holds_nothing(value: Json | Absent, node: RuleNode) -> bool:
    """Say whether *value* meets an empty label: it is empty, or all that it holds is ignored."""
    if is_empty(value) or value is ABSENT:
        return True
    return isinstance(value, (dict, list)) and counts_nowhere(value, node, literal=True)
