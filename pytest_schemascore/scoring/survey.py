"""What the labels of a suite hold, place by place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.label_directives import ANY, LITERAL, directive_of
from pytest_schemascore.errors import CaseError

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.rules import RuleNode


MOST_LISTS: Final = 40
"""How many levels of lists in lists can be paired; each takes a dozen calls inside each other."""


@dataclass(slots=True)
class Survey:
    """Which places the labels hold, each with the JSON types there: ``object``, ``array`` or ``scalar``.

    A place where labels hold only null or directives has no type. Places come in the order of the labels.
    """

    seen: dict[int, tuple[RuleNode, set[str]]] = field(default_factory=dict)

    def visit(self, label: Json, node: RuleNode) -> None:
        """Take in *label*, alternatives and all.

        Raises:
            CaseError: its lists are nested in each other more than `MOST_LISTS` levels deep.
        """
        pending: list[tuple[Json, RuleNode, bool, int]] = [(label, node, False, 0)]
        while pending:
            value, place, literal, lists = pending.pop()
            directive = None if literal else directive_of(value)
            if directive is not None:
                literal = directive == LITERAL
                pending += [(part, place, literal, lists) for part in reversed(_contents(directive, value))]
                self._note(place, None)
            elif isinstance(value, dict):
                self._note(place, "object")
                pending += [(part, place.key(key), literal, lists) for key, part in reversed(value.items())]
            elif isinstance(value, list):
                self._note(place, "array")
                if lists == MOST_LISTS:
                    msg = f"a label has lists in lists over {MOST_LISTS} levels deep, too deep to be paired"
                    raise CaseError(msg)
                items = [(part, place.item(i), literal, lists + 1) for i, part in enumerate(value)]
                pending += reversed(items)
            else:
                self._note(place, None if value is None else "scalar")

    def _note(self, node: RuleNode, kind: str | None) -> None:
        known = self.seen.get(id(node))
        if known is None:
            known = self.seen[id(node)] = (node, set())
        if kind is not None:
            known[1].add(kind)

    @property
    def fields(self) -> set[str]:
        """The fields of all places, inner ones included."""
        return {node.field for node, _ in self.seen.values()}

    @property
    def matched(self) -> set[str]:
        """The texts of the patterns that match some place."""
        return {pattern.text for node, _ in self.seen.values() for pattern in node.matching()}


def _contents(directive: str, label: Json) -> list[Json]:
    """Return the labels inside a directive."""
    content = label[directive] if isinstance(label, dict) else None
    if directive == ANY and isinstance(content, list):
        return content
    return [content] if directive == LITERAL else []
