"""Scoring one label against one value with rules as a user writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.counting import count_by_field
from pytest_schemascore.scoring.outcomes import Counts, Outcome

if TYPE_CHECKING:
    from pytest_schemascore.scoring.scored import Scored


def scored(label: Any, value: Any = ABSENT, rules: dict[str, Any] | None = None, **options: Any) -> Scored:
    """Score *value* against *label*, which is the suite's only one unless ``labels`` are given."""
    labels = options.pop("labels", [label])
    return compile_scorer(labels, comparators=rules, **options).scorer.score(label, value)


def outcomes(
    label: Any, value: Any = ABSENT, rules: dict[str, Any] | None = None, **options: Any
) -> dict[str, str]:
    """Return path -> outcome of the labelled leaves."""
    leaves = scored(label, value, rules, **options).leaves
    return {leaf.path: leaf.outcome.value for leaf in leaves if leaf.outcome is not Outcome.EXTRA}


def counts(label: Any, value: Any = ABSENT, rules: dict[str, Any] | None = None, **options: Any) -> Counts:
    """Return the counts of all leaves together."""
    return Counts.total(count_by_field(scored(label, value, rules, **options).leaves).values())
