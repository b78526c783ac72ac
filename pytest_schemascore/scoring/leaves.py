"""All leaves of one output, in order; those of right values, which most are, are made when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, overload

from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.rules import RuleNode

_CORRECT: Final = Outcome.CORRECT


class Right(NamedTuple):
    """Neighbouring keys of one labelled object whose values, all scalars, the output has right.

    Attributes:
        node: the rules of the object.
        label, value: the object on both sides.
        path: where the label stands; where: where the value does.
        start, stop: which keys of the label.
    """

    node: RuleNode
    label: dict[str, Json]
    value: dict[str, Json]
    path: str
    where: str
    start: int
    stop: int

    def leaves(self) -> Iterator[Leaf]:
        """Make the leaves."""
        node, label, value, path, where, start, stop = self
        for key in islice(label, start, stop):
            child = node.children[key]
            here = child.field if path is node.field else path + child.suffix
            there = here if where is path else where + child.suffix
            yield Leaf(here, child.field, _CORRECT, 1.0, label[key], value[key], child.rule_name, there)


class Leaves(Sequence[Leaf]):
    """A sequence of leaves; going through it makes those that nobody has asked for so far.

    Attributes:
        fields: the field of each leaf.
        parts: what it is made of: leaves, and right values whose leaves aren't made.
    """

    __slots__ = ("fields", "parts")

    def __init__(self, leaves: Iterable[Leaf] = ()) -> None:
        self.parts: list[Leaf | Right] = list(leaves)
        self.fields = [leaf.field for leaf in self.parts if isinstance(leaf, Leaf)]

    def append(self, leaf: Leaf) -> None:
        """Add *leaf*."""
        self.parts.append(leaf)
        self.fields.append(leaf.field)

    def append_right(self, right: Right, fields: Iterable[str]) -> None:
        """Add the leaves of *right*, which are of *fields*."""
        self.parts.append(right)
        self.fields += fields

    def extend(self, leaves: Iterable[Leaf]) -> None:
        """Add *leaves*; what isn't made of them is not made now either."""
        more = leaves if type(leaves) is Leaves else Leaves(leaves)
        self.parts += more.parts
        self.fields += more.fields

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[Leaf]:
        for part in self.parts:
            if isinstance(part, Leaf):
                yield part
            else:
                yield from part.leaves()

    @overload
    def __getitem__(self, index: int) -> Leaf: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Leaf]: ...

    def __getitem__(self, index: int | slice) -> Leaf | Sequence[Leaf]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # leaves are added to it

    def __repr__(self) -> str:
        return f"Leaves({list(self)!r})"
