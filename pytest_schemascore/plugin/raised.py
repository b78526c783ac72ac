"""What it means for an item, and for the run, that a body raised something (R8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_schemascore.running.job import Finished

ENDING = (KeyboardInterrupt, pytest.exit.Exception)
"""What ends the whole run when it comes out of a body."""

NOT_RUN = (pytest.skip.Exception,)
"""What says that a case was not run."""

ASKED_FOR = (AssertionError, pytest.fail.Exception)
"""What a body raises to have its item fail."""


def fails_item(call: Finished, *, noticed: bool) -> bool:
    """Say whether *call* fails its item: its body asked for that, or nothing else would notice (R8)."""
    error = call.error
    if isinstance(error, (*ENDING, *NOT_RUN, pytest.xfail.Exception)):
        return False
    return isinstance(error, ASKED_FOR) or (not noticed and (error is not None or call.timed_out))
