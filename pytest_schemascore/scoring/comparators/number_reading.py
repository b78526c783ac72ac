"""Reading numbers, and their exact arithmetic."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from typing import TYPE_CHECKING, Final

from pytest_schemascore.errors import RuleError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json


def exact_context() -> Context:
    """Return a context in which sums and products are never rounded."""
    return Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def json_number(value: Json) -> Decimal | None:
    """Return a JSON number as what its shortest spelling says (0.1 is one tenth); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float) and math.isfinite(value):
        return Decimal(repr(value))
    return None


def floats(numbers: list[Decimal]) -> NDArray[np.float64]:
    """Return the nearest float of each number; infinity where one is beyond them."""
    import numpy as np  # only pairing lists works on arrays (R7)

    return np.array([float(number) for number in numbers], np.float64)


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How numbers are written: the signs between groups of digits and before decimals, the sizes of groups.

    Attributes:
        group: what may stand between groups; a space is any whitespace. Empty where digits aren't grouped.
        point: what stands before the decimals.
        last_group, other_groups: digits in the last group before the point, and in the others.
    """

    group: str = ","
    point: str = "."
    last_group: int = 3
    other_groups: int = 3

    @classmethod
    def of_locale(cls, locale: str) -> NumberFormat:
        """Return the format of *locale* ("de_DE", "de-DE") as the CLDR has it, in Western digits.

        Raises:
            RuleError: there is no such locale.
            UsageError: Babel, which holds the CLDR's data, is not installed.
        """
        try:
            from babel.core import Locale, UnknownLocaleError
            from babel.numbers import get_decimal_symbol, get_group_symbol
        except ImportError as error:
            msg = f"locale={locale!r} needs Babel; install it with: pip install 'pytest-schemascore[locale]'"
            raise UsageError(msg) from error
        try:
            known = Locale.parse(locale.replace("-", "_"))
        except (UnknownLocaleError, ValueError, TypeError, AttributeError) as error:
            msg = f"locale={locale!r} is not known; write it like 'de_DE'"
            raise RuleError(msg) from error
        last, others = known.decimal_formats[None].grouping
        return cls(_group_signs(get_group_symbol(known)), get_decimal_symbol(known), last, others)

    def pattern(self) -> re.Pattern[str]:
        """Return what a number without its sign looks like, as a normalized text."""
        point, group = re.escape(self.point), f"[{re.escape(self.group)}]"
        first = rf"(?!0)\d{{1,{self.other_groups}}}"
        grouped = rf"{first}(?:{group}\d{{{self.other_groups}}})*{group}\d{{{self.last_group}}}"
        # Four digits of exponent keep the exact difference of any two numbers small enough to hold.
        return re.compile(rf"(?:(?:{grouped}|\d+)(?:{point}\d*)?|{point}\d+)(?:e[+-]?\d{{1,4}})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class NumberReader:
    """Reads texts as numbers written in one format, and guesses nothing."""

    format: NumberFormat
    _pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_pattern", self.format.pattern())

    def read(self, text: str) -> Decimal | None:
        """Return the number that a normalized *text* is; None where it is none."""
        sign = text[:1] if text[:1] in _SIGNS else ""
        digits = text[len(sign) :]
        if not self._pattern.fullmatch(digits):
            return None
        for separator in self.format.group:
            digits = digits.replace(separator, "")
        return Decimal(f"{_SIGNS[sign]}{digits.replace(self.format.point, '.')}")


def _group_signs(symbol: str) -> str:
    """Return the characters that may stand for a group *symbol* in a normalized text."""
    if symbol.isspace():
        return " "
    return _APOSTROPHES if symbol in _APOSTROPHES else symbol


_APOSTROPHES: Final = "'\N{RIGHT SINGLE QUOTATION MARK}"
_SIGNS: Final = {"": "", "+": "", "-": "-", "\N{MINUS SIGN}": "-"}
