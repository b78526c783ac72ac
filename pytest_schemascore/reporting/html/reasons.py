"""Why a leaf is not correct, in one phrase."""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json, type_name
from pytest_schemascore.documents.label_directives import directive_of
from pytest_schemascore.reporting.visible import common_prefix
from pytest_schemascore.scoring.outcomes import Outcome

if TYPE_CHECKING:
    from pytest_schemascore.scoring.outcomes import Leaf

_EXACT_BITS: Final = 1_000
"""Up to here a float holds the size of an integer."""
_KINDS: Final = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "a number",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "an object",
}


def reason_of(leaf: Leaf, *, valid: bool = True) -> str:
    """Return why *leaf* is not correct; an empty text where it is or where nothing can be said.

    *valid* says whether the output it is of was valid.
    """
    match leaf.outcome:
        case Outcome.CORRECT:
            return ""
        case Outcome.MISSING:
            if not valid:
                return "no valid output"
            return "not in the output" if leaf.actual is ABSENT else "null in the output"
        case Outcome.INVENTED:
            return "the label says there is nothing here"
        case Outcome.EXTRA:
            return "not in the label"
        case Outcome.NOT_JUDGED:
            return "the comparator gave no verdict"
        case Outcome.WRONG:
            return _wrong(leaf.expected, leaf.actual)


def _wrong(expected: Json | Absent, actual: Json | Absent) -> str:
    match directive_of(expected):
        case "$any":
            return "none of the accepted values"
        case "$regex":
            return "does not match the pattern"
    kind, found = (_KINDS.get(type_name(value), "a value") for value in (expected, actual))
    if kind != found:
        return f"{found} where {kind} is expected"
    if isinstance(expected, str) and isinstance(actual, str):
        return _texts(expected, actual)
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)) and kind == "a number":
        return _numbers(expected, actual)
    return ""


def _texts(expected: str, actual: str) -> str:
    if unicodedata.normalize("NFC", expected) == unicodedata.normalize("NFC", actual):
        return "differs only in Unicode form (NFC, NFD)" if expected != actual else ""
    if "".join(expected.split()) == "".join(actual.split()):
        return "differs only in spaces"
    if expected.casefold() == actual.casefold():
        return "differs only in case"
    if unicodedata.normalize("NFKC", expected) == unicodedata.normalize("NFKC", actual):
        return "differs only in the form of characters"
    shared = common_prefix(expected, actual)
    return f"differs from character {shared + 1:,} on" if shared else ""


def _numbers(expected: float, actual: float) -> str:
    if any(isinstance(n, int) and n.bit_length() > _EXACT_BITS for n in (expected, actual)):
        return ""
    difference = Decimal(actual) - Decimal(expected)
    if not difference.is_finite() or not difference:
        return ""
    share = f" ({abs(float(difference / Decimal(expected))) * 100:.3g} %)" if expected else ""
    return f"{'too high' if difference > 0 else 'too low'} by {abs(float(difference)):.6g}{share}"
