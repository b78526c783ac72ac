"""Loading cases, wherever they come from."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_schemascore.errors import CaseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_schemascore.cases.case import Case

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
    # What they read by takes time to load, and who only names `Case` needs none of it (R7).
    from pytest_schemascore.cases.files import read_file
    from pytest_schemascore.cases.records import CaseSource, Record, cases_from

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
