"""What a user makes a judge with (S12): a comparator that costs money or time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_schemascore.scoring.comparators.arguments import check_function
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.comparators.naming import named

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pytest_schemascore.documents.json_types import Absent, Json

    Verdict: TypeAlias = bool | float | None
    Verdicts: TypeAlias = Sequence[Verdict] | Mapping[str, Verdict]


class JudgeItem(NamedTuple):
    """One leaf to be judged: its path, ``items[0].title``, the label there and the value found."""

    path: str
    expected: Json | Absent
    actual: Json | Absent


def judge(function: Callable[[list[JudgeItem]], Verdicts | Awaitable[Verdicts]]) -> Deferred:
    """Make a comparator of *function*, which judges all its leaves of a case in one call (S12).

    ::

        @schemascore.judge
        async def same_meaning(items):
            return [await ask_model(item.expected, item.actual) for item in items]

    It gets a list of `JudgeItem` and returns one verdict each, in the same order, or a mapping from path to
    verdict: True or False, a score in [0, 1], or None for "no verdict". It may be async. It runs under the
    run's concurrency limit and timeout, isn't asked where label and output are equal, and where it fails
    those leaves are not judged.

    Raises:
        RuleError: *function* can't be called.
    """
    check_function("judge()", "function", function)
    return Deferred(function, named(function).name)
