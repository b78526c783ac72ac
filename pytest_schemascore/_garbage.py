"""Making much that stays, without Python's cyclic collector walking it meanwhile."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_MANY: Final = 50_000
"""Objects that are worth it to be taken for old: garbage among them then stays longer, too."""


@contextmanager
def collector_held() -> Iterator[None]:
    """Hold the cyclic collector, and take much that is made meanwhile for old, which it seldom looks at.

    A large file makes millions of objects, and the collector would walk them over and over. For our own code
    alone: what a user's code leaves behind is for the collector to find.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Whoever has frozen objects wants them to stay so.
            if gc.get_count()[0] > _MANY and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
