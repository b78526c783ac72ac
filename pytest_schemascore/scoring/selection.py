"""The part of a document to compare (``select=``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.errors import PathError

if TYPE_CHECKING:
    from pytest_schemascore.documents.paths import Step


def parse_selection(text: str) -> tuple[Step, ...]:
    """Parse a path without wildcards.

    Raises:
        PathError: it can't be read, or names more than one place.
    """
    segments = paths.parse(text)
    steps = tuple(segment for segment in segments if isinstance(segment, (str, int)))
    if len(steps) != len(segments):
        msg = f"select={text!r} names several places; give one place, such as 'calls[0].arguments'"
        raise PathError(msg)
    return steps


def select(value: Json | Absent, steps: tuple[Step, ...]) -> Json | Absent:
    """Return what stands at *steps* in *value*, or `ABSENT`."""
    for step in steps:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step, ABSENT)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value
