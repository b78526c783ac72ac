"""A counter that shows that a batch is alive, while the test runner itself has nothing to say (R2)."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_REDRAW: Final = 0.1
"""Seconds between two drawings on a terminal."""

_LINE: Final = 60.0
"""Seconds between two lines elsewhere, as in the log of a build."""

_WIDTH: Final = 80
"""Columns where the stream doesn't tell."""

_DRAW: Final = "\x1bD\x1b[A\x1b7\x1b[B\r\x1b[K{text}\x1b8"
"""Below the line that the cursor is in, which may hold something, and back: index (scrolls where there is no
line below), up, save the cursor, down, erase, restore."""


class Progress:
    """Writes ``name: 24/40``: on a terminal in the line below the cursor, else one line a minute.

    Args:
        name: of what is running.
        stream: where to; what goes wrong in writing is ignored, since it is no fault of the run.
        is_terminal: whether *stream* understands cursor movements.
        clock: seconds, never set back.
    """

    def __init__(
        self,
        name: str,
        stream: TextIO,
        *,
        is_terminal: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._stream = stream
        self._is_terminal = is_terminal
        self._clock = clock
        self._interval = _REDRAW if is_terminal else _LINE
        # On a terminal the first figure comes at once; in a log only a batch that lasts is worth a line.
        self._next = clock() + (0.0 if is_terminal else _LINE)
        self._drawn = False

    def update(self, done: int, total: int) -> None:
        """Say that *done* of *total* are finished, if it is time to; all of them being done, clear it."""
        if done >= total:
            self.clear()
            return
        now = self._clock()
        if now < self._next:
            return
        self._next = now + self._interval
        count = f": {done}/{total}"
        # Cut to the line, since one that wraps could not be erased.
        self._write(self._name[: max(0, self._columns() - len(count) - 1)] + count)

    def clear(self) -> None:
        """Take the counter off the terminal; harmless twice."""
        if self._drawn:
            self._write("")
            self._drawn = False

    def _columns(self) -> int:
        """Ask anew each time: a window may be resized, and standard output may be another place."""
        with suppress(OSError, ValueError):
            return os.get_terminal_size(self._stream.fileno()).columns or _WIDTH
        return _WIDTH

    def _write(self, text: str) -> None:
        self._drawn = self._is_terminal
        with suppress(OSError, ValueError):
            self._stream.write(_DRAW.format(text=text) if self._is_terminal else f"{text}\n")
            self._stream.flush()
