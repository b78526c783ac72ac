"""`numeric`: numbers by value, within a tolerance."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.arguments import check_not_negative
from pytest_schemascore.scoring.comparators.exact import agreements
from pytest_schemascore.scoring.comparators.normalizing import normalized
from pytest_schemascore.scoring.comparators.number_reading import (
    NumberFormat,
    NumberReader,
    exact_context,
    floats,
    json_number,
)
from pytest_schemascore.scoring.comparators.reading import Reading, settled

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class numeric(Reading[Decimal]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where two numbers differ by no more than a tolerance, else 0.

    Passes where |e - a| <= *abs_tol* or |e - a| <= *rel_tol* * max(|e|, |a|), as in `math.isclose`, without
    rounding: floats count as their shortest spelling says, so 1.1 and 1.2 are within 0.1. Symmetric.

    Texts on either side are read by one rule: digits, optionally in groups of three after the first
    (``1,234``), a point before decimals, a sign, an exponent of at most four digits, whitespace around.
    So "1.234" is 1.234, "1,234" is 1234; "1.234,5", "1,23", "0,123", "$5" and "N/A" are no numbers, and
    neither are true and null. What is no number equals only what is none either, by `exact`.

    Args:
        abs_tol: at least 0, in the unit of the values.
        rel_tol: at least 0, a share of the larger magnitude.
        locale: read texts as that locale writes numbers, "de_DE" (needs the extra ``locale``).

    Raises:
        RuleError: a tolerance is negative or not finite, the locale is unknown.
        UsageError: Babel is not installed and a locale is given.
    """

    abs_tol: float = 0
    rel_tol: float = 0
    locale: str | None = None
    _abs: Decimal = field(init=False, repr=False, compare=False)
    _rel: Decimal = field(init=False, repr=False, compare=False)
    _context: Context = field(init=False, repr=False, compare=False)
    _reader: NumberReader = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, slot in (("abs_tol", "_abs"), ("rel_tol", "_rel")):
            value = getattr(self, name)
            check_not_negative("numeric()", name, value)
            object.__setattr__(self, slot, Decimal(str(value)))
        object.__setattr__(self, "_context", exact_context())
        written = NumberFormat() if self.locale is None else NumberFormat.of_locale(self.locale)
        object.__setattr__(self, "_reader", NumberReader(written))

    def read(self, value: Json) -> Decimal | None:
        return self._reader.read(normalized(value)) if isinstance(value, str) else json_number(value)

    def score(self, expected: Decimal, actual: Decimal) -> float:
        if expected == actual:
            return 1.0
        gap = self._context.subtract(expected, actual).copy_abs()
        if gap <= self._abs:
            return 1.0
        scale = max(expected.copy_abs(), actual.copy_abs())
        return 1.0 if self._rel and gap <= self._context.multiply(self._rel, scale) else 0.0

    def scores(self, expected: list[Decimal], actual: list[Decimal]) -> NDArray[np.float64]:
        if not self._abs and not self._rel:
            return agreements(expected, actual)
        import numpy as np  # only pairing lists works on arrays (R7)

        left, right = floats(expected)[:, None], floats(actual)[None, :]
        # Where floats leave no doubt they settle it; the few cells at the edge are computed exactly.
        with np.errstate(all="ignore"):
            scale = np.maximum(abs(left), abs(right))
            gap, allowed = abs(left - right), np.maximum(float(self._abs), float(self._rel) * scale)
            doubt = 1e-15 * (scale + allowed) + 1e-300
            passes = gap + doubt < allowed
            doubtful = ~passes & ~(gap - doubt > allowed)
        return settled(self, passes.astype(np.float64), doubtful, expected, actual)

    def reading_codes(self, readings: list[Decimal]) -> Sequence[Hashable] | None:
        if not self._abs and not self._rel:
            return readings
        if self._rel >= 1:  # then numbers between two that agree may disagree
            return None
        first_of: dict[Decimal, Decimal] = {}
        first = last = None
        for number in sorted(set(readings)):
            if first is None or last is None or not self.score(last, number):
                first = number
            elif not self.score(first, number):
                return None
            first_of[number] = first
            last = number
        return [first_of[reading] for reading in readings]
