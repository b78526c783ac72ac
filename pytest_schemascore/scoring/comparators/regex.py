"""`regex`: the output is of a form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.arguments import check_text
from pytest_schemascore.scoring.comparators.reading import Reading

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True, repr=False)
class regex(Reading[str]):  # noqa: N801 - reads as a function where users call it
    """Score 1 where the output's whole text matches a pattern or is the label's own text, else 0.

    Values that aren't texts are compared by `exact`, so a label of null asks for null. Not symmetric.

    Args:
        pattern: a regular expression of Python's `re`; flags stand in it, ``(?i)``.

    Raises:
        RuleError: the pattern is no text or doesn't compile.
    """

    pattern: str

    def __post_init__(self) -> None:
        check_text("regex()", "pattern", self.pattern)
        try:
            re.compile(self.pattern)
        except (re.error, OverflowError, RecursionError) as error:
            msg = f"regex({self.pattern!r}): the pattern can't be read: {error}"
            raise RuleError(msg) from error

    def read(self, value: Json) -> str | None:
        return value if isinstance(value, str) else None

    def score(self, expected: str, actual: str) -> float:
        return 1.0 if expected == actual or re.fullmatch(self.pattern, actual) else 0.0
