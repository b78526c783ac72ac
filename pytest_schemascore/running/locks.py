"""A lock file that its process holds for as long as it lives: the system lets go of it however it ends."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from weakref import ref

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> None:
        # Not lockf(), of which the process lets go once it closes any descriptor of the file.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_ATTEMPTS: Final = 20
_PAUSE: Final = 0.01
"""Seconds between two attempts; whoever only asks whether the lock is held lets go at once."""


class Lock:
    """A lock that is held until it is closed or the process ends, whatever processes that one has forked.

    A forked child inherits the descriptor, and would keep the lock for as long as it lives.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle
        if hasattr(os, "register_at_fork"):
            lock = ref(self)  # what is registered stays so for good
            os.register_at_fork(after_in_child=lambda: _close(lock()))

    def close(self) -> None:
        """Let go of it; harmless twice."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def _close(lock: Lock | None) -> None:
    if lock is not None:
        lock.close()


def hold(path: Path) -> Lock:
    """Make the lock file *path* and hold it until the returned lock is closed or the process ends.

    Raises:
        OSError: another process holds it, or the folder can't be written.
    """
    for _ in range(_ATTEMPTS):
        with suppress(BlockingIOError, PermissionError):
            return Lock(_lock(path, os.O_RDWR | os.O_CREAT))
        time.sleep(_PAUSE)
    return Lock(_lock(path, os.O_RDWR | os.O_CREAT))


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
