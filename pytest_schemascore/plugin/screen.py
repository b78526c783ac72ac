"""The way out past pytest's capturing, for signs of life while a batch runs."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.running.progress import Progress


@dataclass(frozen=True, slots=True)
class Screen:
    """A stream that nothing captures, and whether a person is looking at it."""

    stream: TextIO
    is_terminal: bool

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

    A worker has none: xdist speaks through its standard output.
    """
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("terminalreporter"):
        return None
    capturing = config.pluginmanager.getplugin("capturemanager")
    with capturing.global_and_fixture_disabled() if capturing else nullcontext():
        try:
            handle = os.dup(sys.stdout.fileno())
        except (OSError, ValueError, AttributeError):
            return None
    return Screen(os.fdopen(handle, "w", encoding="utf-8", errors="replace"), is_terminal=os.isatty(handle))
