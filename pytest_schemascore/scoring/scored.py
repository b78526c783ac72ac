"""What scoring one output gives: leaves, the questions still open on them, and which items were paired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json

if TYPE_CHECKING:
    from pytest_schemascore.scoring.comparators.deferred import Deferred
    from pytest_schemascore.scoring.leaves import Leaves


@dataclass(frozen=True, slots=True)
class Question:
    """A leaf that waits for its judge.

    Attributes:
        index: where it stands among the leaves.
        judge: who is to be asked.
        label: what is to be asked about in place of the leaf's own label; `ABSENT` for that one. A leaf of
            a ``$any`` has a question for each alternative, and the best verdict counts.
    """

    index: int
    judge: Deferred
    label: Json | Absent = ABSENT


@dataclass(frozen=True, slots=True)
class ListPairs:
    """Which items of one list were paired: index pairs, and what was left on either side."""

    path: str
    actual_path: str
    pairs: tuple[tuple[int, int], ...]
    unmatched_expected: tuple[int, ...]
    unmatched_actual: tuple[int, ...]


class Scored(NamedTuple):
    """The leaves of one output, the questions still open on them, and the pairs of its lists."""

    leaves: Leaves
    questions: list[Question]
    lists: list[ListPairs]
