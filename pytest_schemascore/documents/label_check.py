"""What in a label the schema can never produce (S2); wrong labels are found before money is spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.label_directives import (
    ABSENT,
    ANY,
    DIRECTIVES,
    IGNORE,
    LITERAL,
    REGEX,
    directive_of,
    intended_directive,
    malformed,
)
from pytest_schemascore.documents.label_values import can_hold, can_match_text, is_held, mismatch
from pytest_schemascore.documents.paths import ROOT, join_index, join_key
from pytest_schemascore.documents.shape_members import ANYTHING, at_key, members
from pytest_schemascore.documents.shapes import Kind, LabelProblem, Shape

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


def check_label(label: Json, shape: Shape) -> list[LabelProblem]:
    """Return what in *label* no output of *shape* can ever meet, in the label's order.

    A label may leave out what it likes; null, ``[]`` and ``{}`` are met by null, absence and emptiness (S7).
    """
    return list(_Checker().check(label, shape, _Place(ROOT)))


class _Place(NamedTuple):
    """Where a label stands: whether outputs may lack it, whether in a list, whether inside ``$literal``."""

    path: str
    optional: bool = False
    in_list: bool = False
    literal: bool = False

    def key(self, key: str, *, optional: bool) -> _Place:
        return _Place(join_key(self.path, key), optional=optional, literal=self.literal)

    def item(self, index: int) -> _Place:
        return _Place(join_index(self.path, index), in_list=True, literal=self.literal)

    def problem(self, message: str) -> tuple[LabelProblem, ...]:
        return (LabelProblem(self.path, message),)


@dataclass(frozen=True, slots=True)
class _Checker:
    """Checks one label.

    Attributes:
        seen: the answers by place, label and shape, since the members of recursive unions ask the same again;
            each with its shape, whose id would else be given to another.
    """

    seen: dict[tuple[_Place, int, int], tuple[Shape, tuple[LabelProblem, ...]]] = field(default_factory=dict)

    def check(self, label: Json, shape: Shape, place: _Place) -> tuple[LabelProblem, ...]:
        asked = (place, id(label), id(shape))
        if asked not in self.seen:
            self.seen[asked] = shape, self._check(label, shape, place)
        return self.seen[asked][1]

    def _check(self, label: Json, shape: Shape, place: _Place) -> tuple[LabelProblem, ...]:
        if isinstance(label, dict) and not place.literal and (name := intended_directive(label)):
            return self._directive(name, label, shape, place)
        if label is None and (place.optional or _may_be_empty(shape)):
            return ()
        if shape.options:
            return self._union(label, shape, place)
        if isinstance(label, dict) and shape.kind in (Kind.OBJECT, Kind.ANY):
            return self._object(label, shape, place)
        if isinstance(label, list) and shape.kind in (Kind.ARRAY, Kind.ANY):
            return self._array(label, shape, place)
        return () if can_hold(shape, label) else place.problem(mismatch(shape, label))

    def _directive(
        self, name: str, label: dict[str, Json], shape: Shape, place: _Place
    ) -> tuple[LabelProblem, ...]:
        if (fault := malformed(name, label)) is not None:
            return place.problem(fault)
        argument = label[name]
        if name == ANY and isinstance(argument, list):
            return tuple(problem for each in argument for problem in self.check(each, shape, place))
        if name == LITERAL:
            return self.check(argument, shape, place._replace(literal=True))
        if name == ABSENT and place.in_list:
            return place.problem(f"{ABSENT} can't stand in a list; leave the item out")
        if name == ABSENT and not (place.optional or _may_be_empty(shape)):
            return place.problem(f"the schema always gives a value here, so {ABSENT} can't be met")
        if name == REGEX and not any(map(can_match_text, members(shape))):
            return place.problem(mismatch(shape, "").removesuffix(" ''") + f", which is what {REGEX} matches")
        return ()

    def _union(self, label: Json, shape: Shape, place: _Place) -> tuple[LabelProblem, ...]:
        """Accept what any member accepts; else tell the problems of the nearest one."""
        wanted = Kind.OBJECT if isinstance(label, dict) else Kind.ARRAY if isinstance(label, list) else None
        nearest: tuple[LabelProblem, ...] | None = None
        for member in members(shape):
            problems = self.check(label, member, place)
            if not problems:
                return ()
            if member.kind is wanted and (nearest is None or len(problems) < len(nearest)):
                nearest = problems
        return place.problem(mismatch(shape, label)) if nearest is None else nearest

    def _object(self, label: dict[str, Json], shape: Shape, place: _Place) -> tuple[LabelProblem, ...]:
        problems: list[LabelProblem] = []
        for key, item in label.items():
            known = [ref() for ref in at_key(shape, key)] if shape.kind is Kind.OBJECT else [ANYTHING]
            if any(is_held(expected, item) for expected in known):
                continue
            there = place.key(key, optional=key in shape.optional or key not in shape.keys)
            found = [self.check(item, expected, there) for expected in known]
            nearest = min(found, key=len) if found else there.problem(_unknown_key(key, shape))
            problems += nearest
        return tuple(problems)

    def _array(self, label: list[Json], shape: Shape, place: _Place) -> tuple[LabelProblem, ...]:
        rest = shape.item() if shape.item else ANYTHING
        problems: list[LabelProblem] = []
        for index, item in enumerate(label):
            expected = shape.prefix[index]() if index < len(shape.prefix) else rest
            if shape.ends and index >= len(shape.prefix):
                if place.literal or directive_of(item) != IGNORE:
                    problems += place.item(index).problem(_surplus(len(shape.prefix)))
            elif not is_held(expected, item):
                problems += self.check(item, expected, place.item(index))
        return tuple(problems)


def _may_be_empty(shape: Shape) -> bool:
    """Say whether a place may hold null, ``[]`` or ``{}``."""
    return any(
        member.kind in (Kind.ANY, Kind.NULL, Kind.ARRAY)
        or (member.kind is Kind.OBJECT and member.optional.issuperset(member.keys))
        or (member.kind is Kind.CHOICE and None in member.choices)
        for member in members(shape)
    )


def _surplus(most: int) -> str:
    what = f"{most} item{'s' if most > 1 else ''}" if most else "no items"
    return f"no output has this item; the schema gives {what} here"


def _unknown_key(key: str, shape: Shape) -> str:
    if key in shape.aliases:
        return f"outputs have this field under the name that the schema serialises, {shape.aliases[key]!r}"
    directives = DIRECTIVES if key.startswith("$") else ()
    near = did_you_mean(key, (*shape.keys, *directives))
    if not near and (alias := did_you_mean(key, shape.aliases)):
        near = alias
    return f"no output has this key{near or _known(shape)}"


def _known(shape: Shape) -> str:
    names = [repr(key) for key in shape.keys]
    patterns = f"those that match {' or '.join(map(repr, shape.patterns))}" if shape.patterns else ""
    if not names:
        return f"; the keys are {patterns}" if patterns else "; the object has no keys"
    return f"; the keys are {', '.join(names[:10])}{' ...' if len(names) > 10 else ''}" + (
        f" and {patterns}" if patterns else ""
    )
