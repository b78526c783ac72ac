"""What became of a labelled leaf (S7), and the counts that every metric is computed from (S9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_schemascore.documents.json_types import Absent, Json


class Outcome(Enum):
    """What became of a leaf. Correct + wrong + missing + invented = labelled."""

    CORRECT = "correct"
    WRONG = "wrong"
    MISSING = "missing"
    INVENTED = "invented"
    EXTRA = "extra"
    NOT_JUDGED = "not judged"


class Leaf(NamedTuple):
    """One leaf of one output; a named tuple because a run makes one for every labelled value.

    Attributes:
        path: where the label stands, ``items[0].price``; of an extra, where the value stands in the output.
        field: the path with list indexes folded.
        outcome: see `Outcome`.
        score: in [0, 1]; None where not judged and for an extra.
        expected: the label; `ABSENT` for an extra.
        actual: the value found; `ABSENT` where there is none.
        rule: name of the comparator.
        actual_path: where the value stands in the output (list items may be paired across positions).
    """

    path: str
    field: str
    outcome: Outcome
    score: float | None
    expected: Json | Absent
    actual: Json | Absent
    rule: str
    actual_path: str


@dataclass(frozen=True, slots=True)
class Counts:
    """What is known of a field, a case or a suite: enough to compute every metric.

    Attributes:
        score: the sum of the scores of the labelled leaves.
        labelled: leaves that have a label and were judged.
        correct, missing, invented: of the labelled; what is left is wrong.
        extra: leaves beyond the labels.
        not_judged: labelled leaves on which the comparator had no verdict; in no denominator.
        empty: labelled leaves whose label is empty (null, ``[]``, ``{}``) and was met: they are correct,
            but no value was asked for and none given, so precision leaves them out.
    """

    score: float = 0.0
    labelled: int = 0
    correct: int = 0
    missing: int = 0
    invented: int = 0
    extra: int = 0
    not_judged: int = 0
    empty: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.score + other.score,
            self.labelled + other.labelled,
            self.correct + other.correct,
            self.missing + other.missing,
            self.invented + other.invented,
            self.extra + other.extra,
            self.not_judged + other.not_judged,
            self.empty + other.empty,
        )

    @classmethod
    def total(cls, parts: Iterable[Counts]) -> Counts:
        """Add up *parts*; a baseline of a hundred thousand cases asks, so no sums in between are made."""
        score = 0.0
        labelled = correct = missing = invented = extra = not_judged = empty = 0
        for part in parts:
            score += part.score
            labelled += part.labelled
            correct += part.correct
            missing += part.missing
            invented += part.invented
            extra += part.extra
            not_judged += part.not_judged
            empty += part.empty
        return cls(score, labelled, correct, missing, invented, extra, not_judged, empty)

    @property
    def wrong(self) -> int:
        """Labelled leaves where both have a value and the score is below 1."""
        return self.labelled - self.correct - self.missing - self.invented

    @property
    def given(self) -> int:
        """Values the output gave: right, wrong, invented or extra."""
        return self.labelled - self.missing - self.empty + self.extra

    @property
    def wanted(self) -> int:
        """Values the labels ask for, those of unread outputs included."""
        return self.labelled - self.invented - self.empty

    @property
    def accuracy(self) -> float | None:
        """Sum of scores over labelled leaves, in [0, 1]; None where nothing is labelled."""
        return self.score / self.labelled if self.labelled else None

    @property
    def precision(self) -> float | None:
        """Sum of scores over values given, in [0, 1]; None where nothing was given."""
        return (self.score - self.empty) / self.given if self.given else None

    @property
    def recall(self) -> float | None:
        """Sum of scores over values wanted, in [0, 1]; None where nothing was wanted."""
        return (self.score - self.empty) / self.wanted if self.wanted else None

    def f_score(self, beta: float = 1.0) -> float | None:
        """F-beta of precision and recall, in [0, 1]; None where nothing was wanted and nothing given.

        (1 + b^2) * score / (b^2 * wanted + given), which is van Rijsbergen's F written without a division
        by a precision of zero.
        """
        weight = beta * beta
        whole = weight * self.wanted + self.given
        return (1 + weight) * (self.score - self.empty) / whole if whole else None

    @property
    def f1(self) -> float | None:
        """`f_score` with beta 1."""
        return self.f_score()

    @property
    def is_perfect(self) -> bool:
        """Whether nothing is wrong, missing, invented or extra."""
        return self.correct == self.labelled and not self.extra


def as_missing(leaves: Iterable[Leaf]) -> list[Leaf]:
    """Return *leaves* as those of an output or item that isn't there: even null labels aren't met (S10)."""
    return [
        Leaf(path, name, Outcome.MISSING, 0.0, expected, actual, rule, where)
        for path, name, _, _, expected, actual, rule, where in leaves
    ]
