"""Reading the files that this package writes, and saying exactly what is wrong with one that it can't use."""

from __future__ import annotations

import codecs
import json
import re
import sys
from typing import TYPE_CHECKING, Final, NoReturn

from pytest_schemascore.documents import json_errors, text_files
from pytest_schemascore.errors import BaselineError

if TYPE_CHECKING:
    from pathlib import Path

_CONFLICT: Final = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?\r?$", re.MULTILINE)
_FORMAT: Final = re.compile(r"schemascore-(\w+)/(\d+)\Z")


def read_text(path: Path, kind: str, if_missing: str, name: str = "") -> str:
    """Return the text of the file at *path* as it stands, with a byte order mark where it has one.

    *kind* says what it should be, ``baseline``; *if_missing* tells the user what to type where there is none;
    *name* stands for the path in messages, as the user wrote it.

    Raises:
        BaselineError: it can't be read; the message says why.
    """
    try:
        data = text_files.read_bytes(path, kind, name=name, if_missing=if_missing)
        text = text_files.text_of(data, name or str(path))
    except text_files.FileError as error:
        raise BaselineError(str(error)) from None
    return "\ufeff" + text if data.startswith(codecs.BOM_UTF8) else text


def strict_decoder() -> json.JSONDecoder:
    """Return a decoder that is exact for integers and refuses NaN and Infinity, which JSON lacks."""
    return json.JSONDecoder(parse_constant=_refuse)


class _ConstantError(ValueError):
    """A number that JSON doesn't have."""


def _refuse(token: str) -> NoReturn:
    raise _ConstantError(token)


def unreadable(name: str, text: str, error: ValueError | RecursionError) -> BaselineError:
    """Return the error for *text*, read from *name*, on which a decoder raised *error*.

    Conflict markers of a merge and a missing end are named as what they are.
    """
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        return BaselineError(
            f"{name}:{line}: holds the conflict markers of a merge; resolve them"
            f" (each case stands on a line of its own), then run again"
        )
    if isinstance(error, RecursionError):
        return BaselineError(f"{name}: is nested too deeply")
    if not isinstance(error, json.JSONDecodeError):
        found = _number_in(text, error)
        return BaselineError(f"{name}:{found.line}:{found.column}: {found.message}")
    where = f"{name}:{error.lineno}:{error.colno}"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        if not text.strip():
            return BaselineError(f"{name}: is empty; restore it from version control or delete it")
        return BaselineError(f"{where}: ends too early, as if cut off; restore it from version control")
    hint = "; it has several JSON documents, is it a case file?" if error.msg == "Extra data" else ""
    return BaselineError(f"{where}: is not JSON: {error.msg}{hint}")


def _number_in(text: str, error: ValueError) -> json_errors.JsonError:
    """Return which number of *text* *error* is about: none of JSON's, or one of too many digits."""
    if isinstance(error, _ConstantError):
        token = str(error)
        return json_errors.unreadable(text, f"{token} is not JSON", token.__eq__)
    # Beyond that limit, which is the process's own to set, `int` raises.
    return json_errors.too_long(text, sys.get_int_max_str_digits())


def check_format(name: str, found: object, wanted: str) -> None:
    """Check the ``format`` entry of a file.

    Raises:
        BaselineError: *found* isn't *wanted*: another kind of file, or of a newer release.
    """
    if found == wanted:
        return
    kind, version = wanted.removeprefix("schemascore-").split("/")
    match = _FORMAT.match(found) if isinstance(found, str) else None
    if match is None:
        msg = f'{name}: is not a {kind} of pytest-schemascore (its "format" is not {wanted!r})'
    elif match[1] != kind:
        option = (
            "pytest --schemascore-update" if kind == "baseline" else "pytest --schemascore-report PATH.json"
        )
        msg = f"{name}: is a {match[1]}, not a {kind}, which {option} writes"
    elif int(match[2]) > int(version):
        msg = (
            f"{name}: has the format {found!r} of a newer release, this one reads {wanted!r};"
            f" upgrade with: pip install --upgrade pytest-schemascore"
        )
    else:
        msg = f"{name}: has the unknown format {found!r}; this release reads {wanted!r}"
    raise BaselineError(msg)
