"""Labelled cases: what one is, and reading them from JSONL, JSON or Python."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_schemascore.documents.detached import detached
from pytest_schemascore.errors import CaseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled example.

    Attributes:
        id: unique in its data set.
        input: what the extractor gets; any JSON value from a file, any Python value in a list.
        expected: the label, JSON data; partial labels are fine, and S11's directives may stand in it.
        tags: group names; keywords for ``-k``, and metrics per tag.
        skip: not run where true or a reason; xfail: changes the item's verdict only, its score counts.
        source: where it was read, ``cases.jsonl:12``; empty for cases made in Python.
        label_hash, input_hash: what says whether a case is still the same (16 hex digits of SHA-256 over
            canonical JSON).
    """

    id: str
    input: Any
    expected: Json
    tags: tuple[str, ...] = ()
    skip: bool | str = False
    xfail: bool | str = False
    source: str = field(default="", compare=False)
    label_hash: str = field(default="", compare=False)
    input_hash: str = field(default="", compare=False)

    def for_call(self) -> Case:
        """Return the case with dicts and lists of its own, since an extractor may change what it gets."""
        return replace(self, input=detached(self.input), expected=detached(self.expected))


Cases: TypeAlias = "str | PathLike[str] | Iterable[Case | Mapping[str, Any]]"
"""Where cases come from: the path of a file, or the cases themselves, as `Case` objects or as dicts."""


def load_cases(source: Cases | Callable[[], Cases]) -> tuple[Case, ...]:
    """Read all cases of *source*, or say everything that is wrong with them.

    Args:
        source: the path of a file (``.json`` holds one list, any other suffix one case a line), relative to
            the working folder; or an iterable of `Case` objects or dicts with the keys of a case line; or a
            function that returns either.

    Returns:
        The cases in their order, with ids and hashes. A dataclass or model as a label becomes JSON data. An
        input that has no stable form (an open connection) is hashed by the id of its case.

    Raises:
        CaseError: a file that can't be read, or cases that aren't right; names each place.
    """
    from pytest_schemascore._case_files import read_file  # with what it reads by, only when cases are loaded
    from pytest_schemascore._case_records import CaseSource, Record, cases_from

    name = "cases"
    given: object = source
    if callable(source):
        name = f"{getattr(source, '__qualname__', type(source).__qualname__)}()"
        given = source()
    if isinstance(given, (str, PathLike)):
        return cases_from(*read_file(Path(given)))
    if inspect.iscoroutine(given):
        given.close()
        msg = f"{name} is a coroutine; cases are loaded before any event loop runs: make it a plain function"
        raise CaseError(msg)
    if not isinstance(given, Iterable) or isinstance(given, (Mapping, bytes)):
        kind = type(given).__qualname__
        msg = f"{name}: cases are a path, a list of cases or a function that returns one, not {kind}"
        raise CaseError(msg)
    named = CaseSource(name, is_file=False)
    return cases_from(named, [Record(number, value) for number, value in enumerate(given)])
