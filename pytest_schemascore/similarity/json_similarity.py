"""`json_similarity`: how alike two documents are, from 0 to 1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError
from pytest_schemascore.similarity.document_score import DocumentScore
from pytest_schemascore.similarity.formula import Formula
from pytest_schemascore.similarity.sides import UnreadableError, read_side

if TYPE_CHECKING:
    from pytest_schemascore.similarity.document_score import Trail

PASSES_AT: Final = 0.9
_SLACK: Final = 1e-12
"""What a mean may lose to rounding and still pass."""

_CHOICES: Final = {
    "keys": ("union", "expected"),
    "numbers": ("relative", "symmetric", "exact"),
    "mean": ("nested", "leaves"),
}


def json_similarity(
    expected: object,
    actual: object,
    *,
    keys: Literal["union", "expected"] = "union",
    numbers: Literal["relative", "symmetric", "exact"] = "relative",
    mean: Literal["nested", "leaves"] = "nested",
    parse_strings: bool | None = None,
) -> DocumentScore:
    """Score how alike two documents are, in [0, 1]; 0.9 and above passes.

    Objects are averaged over their keys and lists, by position, over the longer length; what one side lacks
    scores 0. Numbers score max(0, 1 - |e - a| / |e|) (0 with 0 is 1, 0 with anything else 0), texts
    1 - edit distance / longer length, true, false and null by equality, values of different types 0.
    Values that differ never score 1, however near.

    ``keys="expected", mean="leaves"`` is UiPath's JsonSimilarityEvaluator, ``numbers="symmetric"`` is
    autoevals' JSONDiff (with its other habits: a missing key is null, values of different types are compared
    as JSON text, and text inside a document that holds an object or list is read as that).

    Args:
        expected, actual: JSON data, models, or JSON text.
        keys: ``union`` counts what either side holds, ``expected`` only what the expected side asks for.
        numbers: ``symmetric`` measures by |e| + |a|; ``exact`` scores 1 or 0.
        mean: ``nested`` averages at each object and list, ``leaves`` over all leaves of the document alike.
        parse_strings: whether a side that is text is parsed; by default it is, except in UiPath's way.

    Returns:
        The score is 0 where a side can't be read; the label and explanation say so.

    Raises:
        UsageError: an argument is none of its choices.
    """
    for name, value in (("keys", keys), ("numbers", numbers), ("mean", mean)):
        _check(name, value)
    if parse_strings is None:
        parse_strings = (keys, mean) != ("expected", "leaves")
    formula = Formula(keys, numbers, mean, reads_inner_text=parse_strings and numbers == "symmetric")
    whole = parse_strings and not formula.reads_inner_text
    try:
        left = read_side(expected, "expected", parse_strings=whole)
        right = read_side(actual, "actual", parse_strings=whole)
    except UnreadableError as error:
        return DocumentScore.unreadable(str(error), 0.0)
    return _scored(formula, left, right)


def _scored(formula: Formula, left: object, right: object) -> DocumentScore:
    differing: list[Trail] = []
    gains: list[float] = []
    weights: list[float] = []
    for part in formula.parts(left, right):  # type: ignore[arg-type]  # both were read as JSON
        gains.append(part.weight * part.score)
        weights.append(part.weight)
        if part.score < 1:
            differing.append(part.trail)
    # Nested weights sum to 1 up to rounding, so full agreement is settled without dividing.
    whole = math.fsum(weights)
    score = min(math.fsum(gains) / whole, 1.0) if differing and whole else 1.0
    return DocumentScore.of(score, differing, passed=score >= PASSES_AT - _SLACK)


def _check(name: str, value: str) -> None:
    known = _CHOICES[name]
    if value not in known:
        msg = f"{name}={value!r} is none of {', '.join(known)}{did_you_mean(str(value), known)}"
        raise UsageError(msg)
