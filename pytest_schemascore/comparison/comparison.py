"""What `compare` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.similarity import json_distance, json_similarity
from pytest_schemascore.similarity.resolving import resolved

if TYPE_CHECKING:
    from pytest_schemascore.comparison.tree import Node
    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.similarity import DocumentScore


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two documents compared.

    Attributes:
        root: the tree, with precision, recall and F at every node.
        expected, actual: what was compared: read, selected, and without what the schema leaves out.
    """

    root: Node
    expected: Json
    actual: Json | Absent

    @property
    def precision(self) -> float:
        """Share of the actual side's scalars that are right, in [0, 1]; 1 where it has none."""
        return self.root.precision

    @property
    def recall(self) -> float:
        """Share of the expected side's scalars that were found, in [0, 1]; 1 where it has none."""
        return self.root.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.root.f_score()

    def f_score(self, beta: float = 1.0) -> float:
        """F-beta, in [0, 1]: recall counts *beta* times as much as precision."""
        return self.root.f_score(beta)

    @property
    def pairs(self) -> tuple[Node, ...]:
        """The nodes of all lists, each with its ``pairs`` and the items that have none."""
        return tuple(node for node in self.root.walk() if node.pairing)

    @property
    def distance(self) -> DocumentScore:
        """How many values differ, lists by position; see `json_distance`."""
        return json_distance(*self._documents, parse_strings=False)

    @property
    def similarity(self) -> DocumentScore:
        """How alike the documents are, lists by position; see `json_similarity`."""
        return json_similarity(*self._documents, parse_strings=False)

    def to_text(self, *, color: bool = False, beta: float = 1.0) -> str:
        """Return the comparison for a terminal, a line a node; *color* adds ANSI codes."""
        from pytest_schemascore.comparison.text_form import comparison_text

        return comparison_text(self, color=color, beta=beta)

    def to_json(self, *, beta: float = 1.0) -> str:
        """Return the comparison as JSON text (``"format": "schemascore-comparison/1"``)."""
        from pytest_schemascore.comparison.json_form import comparison_json

        return comparison_json(self, beta=beta)

    def to_html(self, *, beta: float = 1.0) -> str:
        """Return the comparison as one self-contained HTML page."""
        from pytest_schemascore.comparison.html_form import comparison_html

        return comparison_html(self, beta=beta)

    @property
    def _documents(self) -> tuple[Json, Json]:
        """Both sides as plain documents: directives resolved, and null where there is none."""
        wanted = resolved(self.expected, self.actual)
        return (
            None if wanted is ABSENT else wanted,
            None if self.actual is ABSENT else self.actual,
        )
