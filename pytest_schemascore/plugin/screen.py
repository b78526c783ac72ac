"""The way out past pytest's capturing, for signs of life while a batch runs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.running.progress import Progress


class Screen:
    """A stream that lives as long as the process; no dataclass, whose making every run would pay (R7)."""

    def __init__(self, stream: TextIO, *, is_terminal: bool) -> None:
        self.stream = stream
        self.is_terminal = is_terminal

    def progress(self, name: str) -> Progress:
        """Return a counter for the batch of the suite called *name*."""
        from pytest_schemascore.running.progress import Progress  # only where a batch runs

        return Progress(name, self.stream, is_terminal=self.is_terminal)

    def close(self) -> None:
        """Give the stream back."""
        with suppress(OSError):
            self.stream.close()


def open_screen(config: pytest.Config) -> Screen | None:
    """Return where signs of life can be written; None where nobody wants any.

    To be called while capturing is suspended, as at the start of the session. A worker has none: xdist speaks
    through its standard output.
    """
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("terminalreporter"):
        return None
    try:
        handle = os.dup(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    return Screen(os.fdopen(handle, "w", encoding="utf-8", errors="replace"), is_terminal=os.isatty(handle))
