"""The arguments of `case`, for type checkers and for the names that errors suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_schemascore.report.gates import FieldGate


class CaseArguments(TypedDict, total=False):
    """See `pytest_schemascore.plugin.mark.case`."""

    schema: object
    comparators: Mapping[str, object] | None
    default: object
    gates: Mapping[str, FieldGate | Mapping[str, float]] | None
    weights: Mapping[str, float] | None
    extra: Literal["ignore", "count"]
    select: str | None
    parse: Literal["strict", "lenient"]
    metrics: Sequence[str]
    name: str | None
    concurrency: int
    timeout: float
    repeat: int
    min_score: float | None
