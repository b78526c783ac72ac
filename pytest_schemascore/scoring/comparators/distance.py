"""What the comparators that grade how far apart two numbers are share."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import TYPE_CHECKING, Final

from pytest_schemascore.scoring.comparators.number_reading import exact_context, json_number
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

_ROUNDING: Final = Decimal("1e-15")
BELOW_ONE: Final = math.nextafter(1.0, 0.0)
"""The best score of numbers that differ."""


@dataclass(frozen=True, slots=True, repr=False)
class Distance(Reading[Decimal]):
    """Base of comparators that grade distances: reading JSON numbers, and their exact distance.

    Numbers that aren't both whole and differ by no more than floats do by rounding (1e-15 of the larger one)
    have no distance, so that 0.1 + 0.2 is 0.3.
    """

    _context: Context = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_context", exact_context())

    def read(self, value: Json) -> Decimal | None:
        return json_number(value)

    def gap(self, expected: Decimal, actual: Decimal) -> Decimal:
        """Return |expected - actual|, exact but for rounding noise."""
        gap = self._context.subtract(expected, actual).copy_abs()
        scale = max(expected.copy_abs(), actual.copy_abs())
        if gap and gap <= self._context.multiply(_ROUNDING, scale) and not _whole(expected, actual):
            return Decimal(0)
        return gap


def _whole(*numbers: Decimal) -> bool:
    return all(number == number.to_integral_value() for number in numbers)


def rounding_context() -> Context:
    """Return a context for quotients that become floats; it holds any exponent."""
    return Context(prec=30, Emin=MIN_EMIN, Emax=MAX_EMAX)
