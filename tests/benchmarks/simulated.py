"""Extractors that are made up, so that what changed between two runs is known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.report.measured import CaseCounts, Failure, RunCounts
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    import random

FIELDS = tuple(f"field_{number}" for number in range(12))


@dataclass(frozen=True, slots=True)
class Extractor:
    """Draws runs of a suite of twelve one-leaf fields.

    A leaf is always right (70 %), always wrong (30 % less the noise), or right in every other run. Any run of
    any case is invalid as a whole with probability `invalid`, which ties the fields of a case together.

    Attributes:
        cases: how many; noise: share of leaves that change from run to run; invalid: see above.
    """

    cases: int
    noise: float
    invalid: float

    def pair(
        self, rng: random.Random, before: int, after: int, drop: float = 0.0
    ) -> tuple[list[CaseCounts], list[CaseCounts]]:
        """Draw *before* and *after* runs a case; *drop* is how far the true accuracy of each field fell."""
        then, now = [], []
        for number in range(self.cases):
            chances = [self._chance(rng) for _ in FIELDS]
            kept = 1 - drop / self.accuracy
            then.append(self._case(rng, number, [chances] * before))
            now.append(self._case(rng, number, [[kept * chance for chance in chances]] * after))
        return then, now

    @property
    def accuracy(self) -> float:
        """The expected accuracy of every field."""
        return (0.7 + self.noise / 2) * (1 - self.invalid)

    def _chance(self, rng: random.Random) -> float:
        draw = rng.random()
        return 1.0 if draw < 0.7 else 0.5 if draw < 0.7 + self.noise else 0.0

    def _case(self, rng: random.Random, number: int, runs: list[list[float]]) -> CaseCounts:
        return CaseCounts(f"{number:05}", "", "", (), tuple(self._run(rng, chances) for chances in runs))

    def _run(self, rng: random.Random, chances: list[float]) -> RunCounts:
        if rng.random() < self.invalid:
            return RunCounts(Failure.NOT_JSON, dict.fromkeys(FIELDS, _MISSING))
        return RunCounts(
            None,
            {
                name: _RIGHT if rng.random() < chance else _WRONG
                for name, chance in zip(FIELDS, chances, strict=True)
            },
        )


_RIGHT = Counts(score=1.0, labelled=1, correct=1)
_WRONG = Counts(labelled=1)
_MISSING = Counts(labelled=1, missing=1)
