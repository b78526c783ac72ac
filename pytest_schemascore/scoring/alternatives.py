"""Choosing among the alternatives of a ``$any`` (S11)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.scoring.leaves import Leaves
from pytest_schemascore.scoring.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_schemascore.documents.json_types import Absent, Json
    from pytest_schemascore.scoring.outcomes import Leaf
    from pytest_schemascore.scoring.scored import Question
    from pytest_schemascore.scoring.walk import Place, Walk


def best_of(walks: Sequence[tuple[Json, Walk]], value: Json | Absent, place: Place) -> Walk:
    """Return the walk of the alternative that *value* meets best, counted in the fields of the first one.

    So what is counted doesn't depend on the output. An alternative is as good as the mean of its scores; what
    waits for a judge counts 0 for now. Between equals one that may yet turn out better comes first, then the
    one with fewer extras, then the earlier one.
    """
    (_, first), *_ = walks
    label, best = max(walks, key=lambda pair: _merit(pair[1]))
    wanted, met = _labelled(first), _labelled(best)
    if len(wanted) == len(met) == 1:
        _put_at(best, wanted[0])
        if best.questions:
            best.questions = [question for _, walk in walks for question in _questions_on_one_leaf(walk)]
        return best
    if sorted(leaf.field for leaf in wanted) == sorted(leaf.field for leaf in met):
        return best
    score = _merit(best)[0]
    outcome = Outcome.CORRECT if score == 1 else Outcome.WRONG
    counted = [leaf._replace(score=score, outcome=outcome) for leaf in wanted]
    if len(counted) == 1:
        counted = [counted[0]._replace(expected=label, actual=value, actual_path=place.where)]
    first.leaves = Leaves(counted + [leaf for leaf in best.leaves if leaf.outcome is Outcome.EXTRA])
    first.questions = []
    first.lists = []
    return first


def _labelled(walk: Walk) -> list[Leaf]:
    return [leaf for leaf in walk.leaves if leaf.outcome is not Outcome.EXTRA]


def _put_at(walk: Walk, spot: Leaf) -> None:
    """Move the one labelled leaf of *walk* to where *spot* is, if it isn't there."""
    if any(leaf.field == spot.field for leaf in _labelled(walk)):
        return
    walk.lists = []
    walk.leaves = Leaves(
        leaf if leaf.outcome is Outcome.EXTRA else leaf._replace(path=spot.path, field=spot.field)
        for leaf in walk.leaves
    )


def _questions_on_one_leaf(walk: Walk) -> list[Question]:
    """Return the questions of an alternative that is a single leaf, each with the label it asks about."""
    if len(walk.leaves) != 1:
        return []
    label = walk.leaves[0].expected
    return [q if q.label is not ABSENT else replace(q, label=label) for q in walk.questions]


def _merit(walk: Walk) -> tuple[float, bool, int]:
    """Return the mean score of the labelled leaves, whether some have none yet, and minus the extras."""
    labelled = _labelled(walk)
    extras = len(walk.leaves) - len(labelled)
    if not labelled:
        return 1.0, False, -extras
    waiting = {question.index for question in walk.questions}
    judged = [
        leaf.score or 0.0 for k, leaf in enumerate(walk.leaves) if leaf.score is not None or k in waiting
    ]
    score = sum(judged) / len(judged) if judged else 0.0
    return score, len(judged) < len(labelled) or bool(waiting), -extras
