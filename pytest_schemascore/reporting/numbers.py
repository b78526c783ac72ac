"""Figures as people read them: percent, points, p-values, counts, times."""

from __future__ import annotations

from typing import Final

from pytest_schemascore.report.measured import DIGITS

NO_VALUE: Final = "none"
MINUS: Final = "\N{MINUS SIGN}"
_MOST_DIGITS: Final = DIGITS - 2
"""As many digits of a percentage as its share is stored with."""


def percent(share: float | None) -> str:
    """Return *share* (in [0, 1]) as ``61.0 %``, and ``none`` where there is no value.

    Only a whole 1 reads ``100.0 %`` and only a whole 0 ``0.0 %``: what lies close to them gets more digits.
    """
    return NO_VALUE if share is None else f"{_hundredfold(share)} %"


def percent_pair(before: float | None, after: float | None) -> tuple[str, str]:
    """Return two shares as ``("93.1", "88.4")``, with the digits it takes to tell them apart."""
    if before is None or after is None or before == after:
        return _or_none(before), _or_none(after)
    for digits in range(1, _MOST_DIGITS + 1):
        pair = _hundredfold(before, digits), _hundredfold(after, digits)
        if pair[0] != pair[1]:
            return pair
    return pair


def points(change: float | None) -> str:
    """Return a change of a share as ``+4.7 pts``; it reads as zero only where its stored digits do."""
    if change is None:
        return ""
    change = round(change, DIGITS)
    for digits in range(1, _MOST_DIGITS + 1):
        text = f"{abs(change) * 100:.{digits}f}"
        if float(text) or not change:
            break
    return f"{sign(change)}{text} pts"


def sign(change: float) -> str:
    """Return ``+``, a minus sign as wide as it, or nothing for zero."""
    return "+" if change > 0 else MINUS if change < 0 else ""


def p_value(p: float) -> str:
    """Return ``p = 0.03``, with two digits that count, and ``p < 0.001`` below that."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def plain(value: float | None) -> str:
    """Return a number that is no share with at most four digits that count: ``2.31``, ``1,204``."""
    if value is None:
        return NO_VALUE
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def seconds(duration: float) -> str:
    """Return a time as ``840 ms``, ``2.1 s``, ``95 s`` or ``12 min``."""
    if duration < 0.9995:
        return f"{duration * 1000:.0f} ms"
    if duration < 9.95:
        return f"{duration:.1f} s"
    return f"{duration:.0f} s" if duration < 599.5 else f"{duration / 60:.0f} min"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return ``1 case`` or ``2 cases``; *plural* where it isn't the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _or_none(share: float | None) -> str:
    return NO_VALUE if share is None else _hundredfold(share)


def _hundredfold(share: float, digits: int = 1) -> str:
    text = f"{share * 100:.{digits}f}"
    while float(text) in (0.0, 100.0) and float(text) != share * 100 and digits < _MOST_DIGITS:
        digits += 1
        text = f"{share * 100:.{digits}f}"
    return text
