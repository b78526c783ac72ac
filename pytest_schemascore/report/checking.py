"""Checks of what a JSON file holds, made up of smaller ones; what doesn't fit is named by its path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pytest_schemascore.documents.jsonable import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LONGEST: Final = 60
_LARGEST: Final = 2.0**53
_MISSING: Final = object()


class MisfitError(ValueError):
    """A value that isn't what belongs there.

    Attributes:
        said: what it is and should be.
        path: where it is, ``suites['t'].cases[3].duration``; empty for the whole.
    """

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said
        self.path = ""

    def inside(self, step: str) -> MisfitError:
        """Return the error with *step* in front of its path."""
        self.path = f"{step}{'' if self.path.startswith('[') or not self.path else '.'}{self.path}"
        return self

    def __str__(self) -> str:
        return f"{self.path or 'it'} {self.said}"


class Check(NamedTuple):
    """What a value must be.

    Attributes:
        look: raises a `MisfitError` for a value that doesn't fit.
        plain: the type of values that fit without a look, which saves a call; None where all need it.
    """

    look: Callable[[Any], None]
    plain: type | None = None


def scalar(name: str, fits: Callable[[Any], bool], plain: type | None = None) -> Check:
    """Return the check of a value that *fits*; *name* says what that is."""

    def look(value: Any) -> None:
        if not fits(value):
            raise _misfit(value, name)

    return Check(look, plain)


def of_type(name: str, kind: type) -> Check:
    """Return the check of a value of exactly this type; *name* says what that is."""
    return scalar(name, lambda value: type(value) is kind, kind)


def one_of(names: Mapping[str, object]) -> Check:
    """Return the check of a text that is one of *names*."""
    return scalar(f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names)


def or_null(inner: Check) -> Check:
    """Return the check of what may be null."""

    def look(value: Any) -> None:
        if value is not None:
            inner.look(value)

    return Check(look, type(None))


def list_of(inner: Check, length: int | None = None) -> Check:
    """Return the check of a list whose items pass *inner*, *length* of them where it is given."""
    look_inside, plain = inner

    def look(value: Any) -> None:
        if type(value) is not list or length not in (None, len(value)):
            raise _misfit(value, "a list" if length is None else f"a list of {length}")
        for i, item in enumerate(value):
            if type(item) is not plain:
                try:
                    look_inside(item)
                except MisfitError as error:
                    raise error.inside(f"[{i}]") from None

    return Check(look)


def map_of(inner: Check) -> Check:
    """Return the check of an object whose values pass *inner*, whatever their keys."""

    def look(value: Any) -> None:
        if type(value) is not dict:
            raise _misfit(value, "an object")
        for key, item in value.items():
            try:
                inner.look(item)
            except MisfitError as error:
                raise error.inside(f"[{key!r}]") from None

    return Check(look)


def object_of(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """Return the check of an object with these keys; others may be there too."""
    known = [(key, *inner) for key, inner in {**required, **(optional or {})}.items()]

    def look(value: Any) -> None:
        if type(value) is not dict:
            raise _misfit(value, "an object")
        for key, look_inside, plain in known:
            item = value.get(key, _MISSING)
            if type(item) is plain:
                continue
            if item is _MISSING:
                if key in required:
                    msg = f"lacks {key!r}"
                    raise MisfitError(msg)
                continue
            try:
                look_inside(item)
            except MisfitError as error:
                raise error.inside(key) from None

    return Check(look)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and -_LARGEST <= value <= _LARGEST


def _misfit(value: Any, name: str) -> MisfitError:
    return MisfitError(f"is {shortened(json.dumps(value), _LONGEST)}, not {name}")


TEXT: Final = of_type("a text", str)
TEXTS: Final = list_of(TEXT)
FLAG: Final = of_type("true or false", bool)
NUMBER: Final = scalar("a number up to 2^53", _is_number)
MEASURE: Final = scalar("a number from 0 to 2^53", lambda value: _is_number(value) and value >= 0)
SHARE: Final = scalar("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1)
COUNT: Final = scalar(
    "a whole number from 0 to 2^53", lambda value: type(value) is int and 0 <= value <= _LARGEST
)
