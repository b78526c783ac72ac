"""All leaves of one output, in order; those of right values, which most are, are made when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, overload

from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_schemascore.documents.json_types import Json

_CORRECT: Final = Outcome.CORRECT


class Spot(NamedTuple):
    """What the leaves of one place share.

    Attributes:
        field: the folded path.
        suffix: what the place adds to the path of its object.
        rule: name of the comparator.
    """

    field: str
    suffix: str
    rule: str


class Right(NamedTuple):
    """Neighbouring values of one labelled object, all scalars, that the output has right.

    It holds them itself: the documents are the user's, who may change them after they were scored.

    Attributes:
        spots: the place of each.
        labels: the values on the label's side.
        values: on the output's side, which a rule may hold equal though they are not the same.
        path: where the label's object stands; where: where the output's does.
        outside: whether it is in no list, so that a field is its own path.
    """

    spots: tuple[Spot, ...]
    labels: tuple[Json, ...]
    values: tuple[Json, ...]
    path: str
    where: str
    outside: bool

    def leaves(self) -> Iterator[Leaf]:
        """Make the leaves."""
        spots, labels, values, path, where, outside = self
        for (field, suffix, rule), label, value in zip(spots, labels, values, strict=True):
            here = field if outside else path + suffix
            there = here if where is path else where + suffix
            yield Leaf(here, field, _CORRECT, 1.0, label, value, rule, there)


class Leaves(Sequence[Leaf]):
    """A sequence of leaves; going through it makes those that nobody has asked for so far.

    Attributes:
        parts: what it is made of: leaves, and right values whose leaves aren't made.
    """

    __slots__ = ("_length", "parts")

    def __init__(self, leaves: Iterable[Leaf] = ()) -> None:
        self.parts: list[Leaf | Right] = list(leaves)
        self._length = len(self.parts)

    def append(self, leaf: Leaf) -> None:
        """Add *leaf*."""
        self.parts.append(leaf)
        self._length += 1

    def append_right(self, right: Right) -> None:
        """Add the leaves of *right*."""
        self.parts.append(right)
        self._length += len(right.spots)

    def extend(self, leaves: Iterable[Leaf]) -> None:
        """Add *leaves*; what isn't made of them is not made now either."""
        more = leaves if type(leaves) is Leaves else Leaves(leaves)
        self.parts += more.parts
        self._length += len(more)

    def __len__(self) -> int:
        return self._length

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
