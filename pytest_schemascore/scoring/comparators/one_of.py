"""`one_of`: groups of values that mean the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.exact import agreements, exact
from pytest_schemascore.scoring.comparators.naming import BuiltIn

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False, init=False)
class one_of(BuiltIn):  # noqa: N801 - reads as a function where users call it
    """Score 1 where `exact` does, or where label and output both equal a member of one group, else 0.

    ``one_of(["USD", "US$"], ["EUR", "€"])`` has two groups, ``one_of("USD", "US$")`` is one. Membership is
    by `exact`. Symmetric.

    Raises:
        RuleError: no group is given, one is empty, or groups and single values are mixed.
    """

    groups: tuple[tuple[Json, ...], ...]

    def __init__(self, *groups: Json | Iterable[Json]) -> None:
        object.__setattr__(self, "groups", _grouped(groups))

    def __repr__(self) -> str:
        return f"one_of({', '.join(repr(list(group)) for group in self.groups)})"

    def __call__(self, expected: Json, actual: Json) -> float:
        same = exact()
        if same(expected, actual):
            return 1.0
        for group in self.groups:
            if any(same(m, expected) for m in group) and any(same(m, actual) for m in group):
                return 1.0
        return 0.0

    def codes(self, values: Sequence[Json]) -> Sequence[Hashable] | None:
        members = [member for group in self.groups for member in group]
        codes = exact().codes([*values, *members])
        if codes is None:
            return None
        of_members = iter(codes[len(values) :])
        first_of: dict[Hashable, Hashable] = {}
        for group in self.groups:
            of_group = [next(of_members) for _ in group]
            if not first_of.keys().isdisjoint(of_group):  # a value in two groups ties some that aren't tied
                return None
            first_of.update(dict.fromkeys(of_group, of_group[0]))
        return [first_of.get(code, code) for code in codes[: len(values)]]

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        codes = self.codes([*expected, *actual])
        if codes is None:
            return BuiltIn.matrix(self, expected, actual)
        return agreements(codes[: len(expected)], codes[len(expected) :])


def _grouped(groups: Sequence[Json | Iterable[Json]]) -> tuple[tuple[Json, ...], ...]:
    are_groups = [isinstance(g, (list, tuple, set, frozenset)) for g in groups]
    if not groups:
        msg = 'one_of(): give values that mean the same, one_of("USD", "US$"), or lists of such values'
        raise RuleError(msg)
    if not any(are_groups):
        return (tuple(groups),)  # type: ignore[arg-type]  # none of them is a group, as just asked
    if not all(are_groups):
        msg = f"one_of(): {groups[are_groups.index(False)]!r} is no list; give lists only, or values only"
        raise RuleError(msg)
    made = tuple(_members(group) for group in groups)
    if not all(made):
        msg = "one_of(): a group is empty; remove it or list the values that mean the same"
        raise RuleError(msg)
    return made


def _members(group: object) -> tuple[Json, ...]:
    members = tuple(group)  # type: ignore[arg-type,var-annotated]  # only called with groups
    return tuple(sorted(members, key=repr)) if isinstance(group, (set, frozenset)) else members
