"""Reading files that the user names: what can be wrong with one is said here, in the same words for all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_schemascore._suggest import nearest
from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import decode, read_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_schemascore.documents.json_types import Json

_SHOWN: Final = 5
"""How many names a message lists; the rest is counted."""


class FileError(Exception):
    """A file that can't be read; the text says which, where in it, why, and what to do."""


def read_text(
    path: Path, kind: str, *, name: str = "", if_missing: str = "", suffixes: Collection[str] = (".json",)
) -> str:
    """Return the text of the file at *path*, without a byte order mark; arguments as of `read_bytes`.

    Raises:
        FileError: it can't be read, or isn't UTF-8.
    """
    data = read_bytes(path, kind, name=name, if_missing=if_missing, suffixes=suffixes)
    return text_of(data, name or str(path))


def read_bytes(
    path: Path, kind: str, *, name: str = "", if_missing: str = "", suffixes: Collection[str] = (".json",)
) -> bytes:
    """Return what the file at *path* holds.

    Args:
        path: the file, relative to the working folder.
        kind: what it should be, ``baseline``; messages speak of a baseline file.
        name: what messages call it, by default *path*.
        if_missing: what to do where there is no such file, apart from naming another.
        suffixes: what files of this kind end in; messages name those that lie in a folder.

    Raises:
        FileError: there is no such file, it is a folder or a device, or it can't be opened.
    """
    name = name or str(path)
    try:
        # Reading a device may never end. Of a pipe it does: a shell's <(git show main:baseline.json) is one.
        if not (path.is_char_device() or path.is_block_device()):
            return path.read_bytes()
        msg = f"{name}: is a device; name the {kind} file"
    except (FileNotFoundError, NotADirectoryError):
        hint = _instead(path, Path(name).parent, if_missing, suffixes)
        msg = f"{name}: there is no such {kind} file{hint}"
    except (OSError, ValueError) as error:
        if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises where the name is what can't be read
            msg = f"{name}: is a folder; name the {kind} file in it{_inside(path, suffixes)}"
        else:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            then = "; allow yourself to read it" if isinstance(error, PermissionError) else ""
            msg = f"{name}: can't be read: {reason}{then}"
    raise FileError(msg)


def read_json_file(path: Path, kind: str, *, if_missing: str = "") -> Json:
    """Return the JSON value in the file at *path*; the arguments are those of `read_text`.

    Raises:
        FileError: it can't be read, isn't JSON, or has a key twice, of which one would be lost.
    """
    text = read_text(path, kind, if_missing=if_missing)
    try:
        parsed = read_json(text)
    except JsonError as error:
        msg = f"{path}:{error.line}: not JSON: {error.message} (column {error.column})"
        raise FileError(msg) from None
    if parsed.duplicates:
        keys = ", ".join(parsed.duplicates[:_SHOWN]) + _more(len(parsed.duplicates) - _SHOWN)
        msg = f"{path}: duplicate key {keys}; keep one of " + ("each" if parsed.duplicates[1:] else "them")
        raise FileError(msg)
    return parsed.value


def text_of(data: bytes, name: str) -> str:
    """Return the text that *data* is, which was read from *name*, without a byte order mark.

    Raises:
        FileError: it isn't UTF-8.
    """
    try:
        return decode(data)
    except JsonError as error:
        msg = f"{name}:{error.line}: {error.message} (column {error.column})"
        raise FileError(msg) from None


def _instead(path: Path, folder: Path, if_missing: str, suffixes: Collection[str]) -> str:
    """Say what to name or to do where there is nothing at *path*; messages call its folder *folder*."""
    close = nearest(path.name, _files_in(path.parent))
    if if_missing:
        return f"; name {close!r} if you mean that, or {if_missing}" if close else f"; {if_missing}"
    if not path.parent.is_dir():
        return f", and no folder {folder} either"
    return f"; did you mean {close!r}?" if close else _inside(path.parent, suffixes)


def _inside(folder: Path, suffixes: Collection[str]) -> str:
    names = [each for each in _files_in(folder) if Path(each).suffix.lower() in suffixes]
    if not names:
        return ""
    return f"; there is {', '.join(names[:_SHOWN])}{_more(len(names) - _SHOWN)}"


def _more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""


def _files_in(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir() if each.is_file())
    except OSError:
        return []
