"""What a user says of a suite; the decorator, the library and the command all fill in the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.report.gates import FieldGate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a suite is scored: the arguments of `case` and `evaluate` of the same names."""

    schema: object = None
    comparators: Mapping[str, object] = field(default_factory=dict)
    default: object = None
    gates: Mapping[str, FieldGate] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    extra: Literal["ignore", "count"] = "ignore"
    select: str | None = None
    parse: Literal["strict", "lenient"] = "strict"
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuiteSpec(Scoring):
    """A suite by name.

    Attributes:
        key: ``name=`` of the mark, or the node id without the case.
        test: the node id without the case; line: of the test function, counted from 1.
    """

    key: str
    test: str = ""
    line: int = 0
