"""Scoring one output against one label (S3, S7, S8, S11): what goes in, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import is_empty

if TYPE_CHECKING:
    from collections.abc import Set

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.scoring.rules import RuleNode
    from pytest_schemascore.scoring.scored import Scored


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores outputs of one suite.

    Attributes:
        root: the rules.
        labelled_fields: fields that some label of the suite holds; an item beyond the labels counts one extra
            for each of its leaves of these fields (S7).
        count_extra: whether unlabelled keys of labelled objects count too (``extra="count"``).
        count_empty: whether that holds for empty ones as well; in a suite null, ``[]`` and ``{}`` are absence
            (S7), which schemas fill in.
        weighted: whether some place has a weight of its own.
    """

    root: RuleNode
    labelled_fields: Set[str]
    count_extra: bool = False
    count_empty: bool = False
    weighted: bool = False

    def score(self, label: Json, value: Json | Absent) -> Scored:
        """Score *value*, a whole output in JSON form, against *label*.

        Raises:
            ComparatorError: a comparator raised or returned something outside [0, 1].
        """
        # Rules are made before anything is called, and this can be loaded while extractors are awaited.
        from pytest_schemascore.scoring.walk import walk_over

        return walk_over(label, value, self)

    def counts_as_value(self, value: Json) -> bool:
        """Say whether a leaf below an unlabelled key counts."""
        return self.count_empty or not is_empty(value)

    def counts_as_extra(self, value: Json, node: RuleNode) -> bool:
        """Say whether a leaf in an item beyond the labels counts; *node* has the rules there."""
        return node.field in self.labelled_fields or (self.count_extra and self.counts_as_value(value))
