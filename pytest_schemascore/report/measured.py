"""The counts of a run, without its documents: what a baseline keeps and the gate compares."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping

DIGITS: Final = 6
"""Digits after the point that scores are stored and compared with."""


class Failure(Enum):
    """Why a run of a case has no valid output (S10)."""

    NOT_JSON = "not JSON"
    SCHEMA = "schema"
    RAISED = "raised"
    TIMED_OUT = "timed out"


@dataclass(frozen=True, slots=True)
class RunCounts:
    """One run of one case: why it failed, if it did, and its counts by field.

    `measures` holds optional per-document figures by name: ``distance`` (differing values, 0 and up, lower is
    better) and ``similarity`` (in [0, 1]).
    """

    failure: Failure | None
    fields: Mapping[str, Counts]
    measures: Mapping[str, float] = field(default_factory=dict)

    @property
    def valid(self) -> bool:
        """Whether the output was read and passed the schema."""
        return self.failure is None

    @property
    def counts(self) -> Counts:
        """The counts of all fields together."""
        return Counts.total(self.fields.values())


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """The runs of one case; `label` and `input` are the hashes that say whether it is still the same case."""

    id: str
    label: str
    input: str
    tags: tuple[str, ...]
    runs: tuple[RunCounts, ...]


@dataclass(frozen=True, slots=True)
class SuiteCounts:
    """All measured cases of one suite, by id.

    Attributes:
        key: ``name=`` of the mark, or the node id without the case.
        test: the node id without the case.
        rules: pattern -> name of its rule; ``$default`` is the default rule.
        cases: by id.
    """

    key: str
    test: str
    rules: Mapping[str, str]
    cases: Mapping[str, CaseCounts]
