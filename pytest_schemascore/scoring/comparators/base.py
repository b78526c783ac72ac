"""What a comparator is."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pytest_schemascore.documents.annotated import SchemaRule

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json

    # What a user may give: a built-in, or any function of the label and the output's value.
    ComparatorFunction: TypeAlias = Callable[[Json, Json], bool | float | None]


class Comparator(SchemaRule):
    """Base of the built-in comparators: scores one labelled leaf against the value found there.

    A comparator is a frozen dataclass; its `repr` is its name in reports and baselines. It is total (never
    raises on any JSON value), scores identical values 1, and says the same each time.
    """

    __slots__ = ()

    @property
    def reflexive(self) -> bool:
        """Whether equal values of one type score 1 without being asked."""
        return True

    def __call__(self, expected: Json, actual: Json) -> float | None:
        """Return the score of *actual* against the label *expected* in [0, 1]; None is "not judged"."""
        raise NotImplementedError

    def codes(self, values: Sequence[Json]) -> Sequence[Hashable] | None:
        """Return a code for each of *values*: any two score 1 where their codes are equal and else 0.

        None where this comparator is no such equivalence on these values (a tolerance isn't transitive,
        a similarity is graded). Pairing uses it to settle n x m scores without n x m calls.
        """
        del values
        return None

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        """Return the scores of each of *expected* (rows) against each of *actual* (columns).

        Cell (i, j) is exactly what calling the comparator on the two gives, with None as NaN.
        """
        import numpy as np  # only pairing lists works on arrays (R7)

        # numpy reads None as NaN.
        return np.array([[self(e, a) for a in actual] for e in expected], np.float64).reshape(
            len(expected), len(actual)
        )
