"""Writing a file so that a reader sees the old one or the new one, never half of either."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write *text* to *path* as UTF-8 with its newlines as they are: temporary file, fsync, rename.

    Missing parent folders are made. A symbolic link is followed, so that the file it points to is replaced.

    Raises:
        OSError: the disk is full, the folder is read-only, *path* is a folder or a device; the old file is
            intact then.
    """
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    try:
        _replace(path, text)
    except OSError as error:  # which names a temporary file, or none where the disk is full
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        _copy_mode(path, temporary)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _copy_mode(path: Path, temporary: str) -> None:
    """Give the new file the permissions of the old one, or those that a plain ``open`` would have given."""
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        mode = 0o666 & ~umask
    Path(temporary).chmod(mode)
