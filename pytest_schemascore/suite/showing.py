"""What extractors gave or raised, as far as a report can hold it."""

from __future__ import annotations

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.documents.output import Unreadable
from pytest_schemascore.documents.python_values import NotJsonValueError, dumped
from pytest_schemascore.errors import RecordedError
from pytest_schemascore.running.masking import text_of


def described(error: BaseException) -> str:
    """Return ``ValueError: no such page``; a recorded error names its class itself."""
    if isinstance(error, RecordedError):
        return str(error)
    text = text_of(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def as_json(value: object, name: str) -> Json:
    """Return *value*, called *name*, as far as JSON can hold it."""
    try:
        found: Json = dumped(value)
    except NotJsonValueError as error:
        return f"({error.about(name)})"
    except Exception as error:  # noqa: BLE001 - a value of a class of the user's may raise anything
        return f"({name} raised {type(error).__name__})"
    return found


def shown(raw: object) -> Json | Absent:
    """Return what can be shown of an output that could not be used."""
    if type(raw) is bytes:
        return raw.decode("utf-8", "replace")
    if raw is None or type(raw) is Unreadable:
        return ABSENT
    try:
        found: Json = dumped(raw)
    except Exception:  # noqa: BLE001 - a value of a class of the user's may raise anything
        return ABSENT
    return found
