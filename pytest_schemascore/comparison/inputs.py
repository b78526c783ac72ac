"""Reading what is compared, and taking the part of it that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_text import opened
from pytest_schemascore.documents.json_types import ABSENT, Absent
from pytest_schemascore.documents.python_values import NotJsonValueError, dumped
from pytest_schemascore.documents.reading import NotJson, read_output
from pytest_schemascore.errors import PathError, UsageError
from pytest_schemascore.scoring.selection import parse_selection, select

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


def read_value(value: object, side: str, parse: str | None) -> Json:
    """Return one side as JSON data; *side* is its name for messages, *parse* as in `compare`.

    Raises:
        UsageError: it is not JSON.
    """
    try:
        if parse is not None and isinstance(value, (str, bytes)):
            value = read_output(value, lenient=parse == "lenient").value
        data: Json = dumped(value)
    except NotJson as error:
        msg = f"{side} is {error}"
        raise UsageError(msg) from None
    except NotJsonValueError as error:
        msg = f"{side}: {error}"
        raise UsageError(msg) from None
    return data


def selected(left: Json, right: Json | Absent, text: str) -> tuple[Json, Json | Absent]:
    """Return the part of both sides at the path *text*; all of the expected side where that has no such part.

    Raises:
        PathError: the path can't be read or names several places, or neither side has anything there.
    """
    steps = parse_selection(text)
    wanted, found = select(left, steps), select(right, steps)
    if wanted is ABSENT and found is ABSENT:
        msg = f"select={text!r}: neither side has anything there"
        raise PathError(msg)
    return opened(left if isinstance(wanted, Absent) else wanted), opened(found)
