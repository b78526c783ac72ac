"""A lock file that its process holds for as long as it lives: the system lets go of it however it ends."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_ATTEMPTS: Final = 20
_PAUSE: Final = 0.01
"""Seconds between two attempts; whoever only asks whether the lock is held lets go at once."""


def hold(path: Path) -> int:
    """Make the lock file *path* and hold it until the returned file descriptor is closed or the process ends.

    Raises:
        OSError: another process holds it, or the folder can't be written.
    """
    for _ in range(_ATTEMPTS):
        with suppress(BlockingIOError, PermissionError):
            return _lock(path, os.O_RDWR | os.O_CREAT)
        time.sleep(_PAUSE)
    return _lock(path, os.O_RDWR | os.O_CREAT)


def is_held(path: Path) -> bool:
    """Say whether a process that lives holds *path*."""
    try:
        handle = _lock(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    os.close(handle)
    return False


def _lock(path: Path, flags: int) -> int:
    handle = os.open(path, flags, 0o644)
    try:
        _try_lock(handle)
    except OSError:
        os.close(handle)
        raise
    return handle
