"""From leaves to counts, field by field."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_types import SCALARS, Absent, Json, is_empty
from pytest_schemascore.documents.label_directives import ABSENT, directive_of
from pytest_schemascore.scoring.leaves import Leaves, Right
from pytest_schemascore.scoring.outcomes import Counts, Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CORRECT: Final = Outcome.CORRECT
_ONE_CORRECT: Final = Counts(1.0, labelled=1, correct=1)
_ONE_WRONG: Final = Counts(0.0, labelled=1)


def count_by_field(leaves: Iterable[Leaf]) -> dict[str, Counts]:
    """Count *leaves* by field, in order of appearance."""
    known = leaves if type(leaves) is Leaves else Leaves(leaves)
    numbers: dict[str, int] = {}
    made: defaultdict[str, list[Leaf]] = defaultdict(list)
    for part in known.parts:
        if isinstance(part, Right):
            for name, _, _ in part.spots:
                numbers[name] = numbers.get(name, 0) + 1
        else:
            name = part.field
            numbers[name] = numbers.get(name, 0) + 1
            made[name].append(part)
    return {
        name: _count(number, made[name]) if name in made else _all_right(number)
        for name, number in numbers.items()
    }


def _all_right(number: int) -> Counts:
    """Count a field of *number* right values; most have one, whose counts are shared: that saves memory."""
    return _ONE_CORRECT if number == 1 else Counts(float(number), number, number)


def _count(number: int, made: Sequence[Leaf]) -> Counts:
    """Count a field of *number* leaves: *made*, and right values."""
    if number == 1 and type(made[0].expected) in SCALARS:
        if made[0].outcome is _CORRECT:
            return _ONE_CORRECT
        if made[0].outcome is Outcome.WRONG and not made[0].score:
            return _ONE_WRONG
    right = number - len(made)
    outcomes = [leaf.outcome for leaf in made]
    extra, not_judged = outcomes.count(Outcome.EXTRA), outcomes.count(Outcome.NOT_JUDGED)
    return Counts(
        # Exactly, so that it is nothing which of the right values are made.
        score=math.fsum([right, *(leaf.score for leaf in made if leaf.score)]),
        labelled=right + len(made) - extra - not_judged,
        correct=right + outcomes.count(_CORRECT),
        missing=outcomes.count(Outcome.MISSING),
        invented=outcomes.count(Outcome.INVENTED),
        extra=extra,
        not_judged=not_judged,
        empty=sum(leaf.outcome is _CORRECT and met_by_absence(leaf.expected) for leaf in made),
    )


def met_by_absence(label: Json | Absent) -> bool:
    """Say whether *label* is met where the output holds nothing: it is empty, or ``$absent``."""
    return is_empty(label) or directive_of(label) == ABSENT
