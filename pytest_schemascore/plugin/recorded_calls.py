"""What a call came to, into a journal's entry and back."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import pytest

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.output import Output, Unreadable, is_output
from pytest_schemascore.documents.python_values import NotJsonValueError, dumped
from pytest_schemascore.errors import RecordedError
from pytest_schemascore.running.job import Finished, Job
from pytest_schemascore.running.journal import Encoded

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.running.entries import OutputEntry

ASSERTIONS: Final = ("AssertionError", "Failed")
"""Class names of what a body raises to have its item fail, as a journal holds them."""


class RecordedAssertionError(RecordedError, AssertionError):
    """An assertion that a recorded call had failed."""


def encoded(value: object) -> Encoded:
    """Return an output as the journal keeps it.

    Raises:
        ValueError: it has no JSON form; the text says why.
    """
    output = value if is_output(value) else Output(value)
    try:
        metadata: Json = dumped(output.metadata)
    except NotJsonValueError as error:
        metadata = {"unfit": str(error)}
    return Encoded(_plain(output.value), output.cost, output.tokens, metadata)


def _plain(value: object) -> Json:
    if isinstance(value, bytes):
        return value.decode("utf-8")
    try:
        plain: Json = _restorable(value) if hasattr(value, "__pydantic_validator__") else dumped(value)
    except NotJsonValueError as error:
        raise ValueError(error.about("the output")) from error
    return plain


def _restorable(model: Any) -> Json:
    """Return what *model*'s class takes for the same model again: its usual dump may be another thing.

    Computed fields are in a dump, and aliases may differ between input and output.
    """
    from pydantic import ValidationError  # here, since only who uses pydantic has it loaded (R7)
    from pydantic_core import from_json, to_json

    for by_alias in (True, False):
        text = to_json(model, by_alias=by_alias, round_trip=True, inf_nan_mode="constants")
        with suppress(ValidationError):
            model.__pydantic_validator__.validate_json(text)
            plain: Json = dumped(from_json(text))
            return plain
    return dumped(model)  # type: ignore[no-any-return]  # JSON data, which dumped() doesn't type


def finished_of(job: Job, entry: OutputEntry) -> Finished:
    """Return what came of *job*, as *entry* has recorded it."""
    value: object = None
    error: Exception | None = None
    if entry.error:
        kind = RecordedAssertionError if entry.error in ASSERTIONS else RecordedError
        error = kind(f"{entry.error}: {entry.message}" if entry.message else entry.error)
    elif not entry.timed_out:
        raw = Unreadable(entry.unfit) if entry.value is ABSENT else entry.value
        value = Output(raw, cost=entry.cost, tokens=entry.tokens, metadata=_mapping(entry.metadata))
    stopped = entry.started + entry.duration
    return Finished(job, value, error, entry.timed_out, entry.started, stopped, entry.duration)


def ended_its_worker(job: Job) -> Finished:
    """Return the outcome of a call that a worker died in and that isn't made again in this run."""
    msg = (
        "the worker process died while this case ran, so it isn't called again in this run"
        " (--schemascore-resume would)"
    )
    now = time.time()
    return Finished(job, None, pytest.fail.Exception(msg, pytrace=False), False, now, now, 0.0)


def _mapping(metadata: Json) -> dict[str, Json] | None:
    return metadata if isinstance(metadata, dict) else None
