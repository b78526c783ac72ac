"""The terminal, past pytest's capturing."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import pytest


def terminal(config: pytest.Config) -> TextIO | None:
    """Return a stream to the terminal that stdout is, for as long as the process lives; None elsewhere.

    To be called while capturing is suspended, as at the start of the session.
    """
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("terminalreporter"):
        return None
    try:
        handle = os.dup(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    if not os.isatty(handle):
        os.close(handle)
        return None
    return os.fdopen(handle, "w", encoding="utf-8", errors="replace")
