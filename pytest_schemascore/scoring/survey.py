"""What the labels of a suite hold, place by place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.documents.label_directives import ANY, LITERAL, directive_of

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.rules import RuleNode


@dataclass(slots=True)
class Survey:
    """Which places the labels hold, each with the JSON types there: ``object``, ``array`` or ``scalar``.

    A place where labels hold only null or directives has no type.
    """

    seen: dict[int, tuple[RuleNode, set[str]]] = field(default_factory=dict)

    def visit(self, label: Json, node: RuleNode) -> None:
        """Take in *label*, alternatives and all."""
        pending: list[tuple[Json, RuleNode, bool]] = [(label, node, False)]
        while pending:
            value, place, literal = pending.pop()
            directive = None if literal else directive_of(value)
            if directive is not None:
                pending += [(part, place, directive == LITERAL) for part in _contents(directive, value)]
                self._note(place, None)
            elif isinstance(value, dict):
                self._note(place, "object")
                pending += [(part, place.key(key), literal) for key, part in value.items()]
            elif isinstance(value, list):
                self._note(place, "array")
                pending += [(part, place.item(i), literal) for i, part in enumerate(value)]
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
