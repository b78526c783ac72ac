"""``@schemascore.case``: what a user writes above an extractor."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import pytest

from pytest_schemascore._awaiting import as_async
from pytest_schemascore._checks import check_count, check_seconds, check_share
from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError
from pytest_schemascore.plugin.arguments import CaseArguments
from pytest_schemascore.spec import Scoring, check_scoring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

F = TypeVar("F", bound="Callable[..., object]")

MARK = "schemascore"
ARGUMENT = "case"


@dataclass(frozen=True, slots=True)
class CaseMark(Scoring):
    """The arguments of `case`, checked, and what is known of the function; what the mark carries."""

    source: Any
    folder: Path
    line: int
    is_async: bool
    name: str | None = None
    concurrency: int = 16
    timeout: float = 60.0
    repeat: int = 1
    min_score: float | None = None


def case(source: object, **arguments: Unpack[CaseArguments]) -> Callable[[F], F]:
    """Mark a test function as an extractor: it gets each labelled case, and what it returns is scored.

    Args:
        source: a ``.jsonl`` or ``.json`` file, relative to the file of the function; or a list of cases
            (`pytest.param` too); or a function without arguments that returns one.
        schema: a pydantic model or any type `pydantic.TypeAdapter` takes, a JSON Schema (dict or path), or
            None for any JSON.
        comparators: path -> comparator, pairing, or function ``(expected, actual) -> bool | float | None``.
        default: the rule of paths that nothing is said of, or a mapping JSON type -> rule.
        gates: field, ``<suite metric>`` or ``tag:NAME`` -> ``{"max_drop": ..., "min": ...}``, shares.
        weights: path -> weight in pairing and in the ``weighted`` metric; 1 where not named.
        extra: ``"count"`` also counts unlabelled keys of labelled objects (``"ignore"``).
        select: path of the part of the output to compare.
        parse: ``"lenient"`` also reads JSON inside prose, and repairs it (``"strict"``).
        metrics: further metrics of whole documents: ``"distance"``, ``"similarity"``.
        name: the suite's key in reports and baselines, instead of its node id.
        concurrency: how many cases run at once (16). timeout: seconds a case may take (60).
        repeat: how often each case runs (1).
        min_score: a case whose score is lower fails by itself.

    Raises:
        UsageError: an unknown argument (with the nearest known one) or one that can't be; the function lacks
            the argument ``case``, or is a generator.
    """
    # pytest then shows the user's own line, where the mistake is.
    __tracebackhide__ = True
    known = CaseArguments.__annotations__
    for name in arguments:
        if name not in known:
            msg = f"schemascore.case() has no argument {name!r}{did_you_mean(name, known)}"
            raise UsageError(msg)
    if callable(source) and getattr(source, "__name__", "").startswith("test"):
        msg = "schemascore.case needs its cases: @schemascore.case('cases.jsonl', schema=...)"
        raise UsageError(msg)
    checked = _checked(arguments)

    def decorate(function: F) -> F:
        __tracebackhide__ = True
        _check_function(function)
        inner = inspect.unwrap(function)
        # The module's own file: the path in compiled code is stale after the project's folder was moved.
        folder = Path(inner.__globals__.get("__file__", ".")).parent
        line = inner.__code__.co_firstlineno
        awaited = as_async(function)
        mark = CaseMark(source, folder, line, awaited is not None, **checked)

        @functools.wraps(function)
        def extractor(*args: object, **kwargs: object) -> object:
            # A plain function in front: asyncio plugins rewrite every coroutine function they find.
            return (awaited or function)(*args, **kwargs)

        return getattr(pytest.mark, MARK)(mark)(extractor)  # type: ignore[no-any-return]  # marks return what they are given

    return decorate


def _checked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    __tracebackhide__ = True
    checked = check_scoring(arguments)
    for name in ("concurrency", "repeat"):
        if name in arguments:
            check_count(name, arguments[name])
    if "timeout" in arguments:
        check_seconds("timeout", arguments["timeout"])
    if arguments.get("min_score") is not None:
        check_share("min_score", arguments["min_score"], "a number from 0 to 1")
    return checked


def _check_function(function: object) -> None:
    __tracebackhide__ = True
    if not inspect.isfunction(function):
        way_out = "; put it on the method" if inspect.isclass(function) else ""
        msg = f"schemascore.case marks functions, not {function!r}{way_out}"
        raise UsageError(msg)
    if any(mark.name == MARK for mark in getattr(function, "pytestmark", [])):
        msg = f"{function.__qualname__} has schemascore.case twice"
        raise UsageError(msg)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        msg = f"{function.__qualname__} yields; an extractor returns its output"
        raise UsageError(msg)
    if ARGUMENT not in inspect.signature(function).parameters:
        name = function.__name__
        msg = f"{function.__qualname__} has no argument {ARGUMENT!r}: write def {name}({ARGUMENT}, ...)"
        raise UsageError(msg)
