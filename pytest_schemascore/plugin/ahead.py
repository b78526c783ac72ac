"""Loading what the end of a run needs while its extractors are awaited, so that nobody waits for both."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from pytest_schemascore.plugin.options import Options


def load_ahead(options: Options) -> Iterator[None]:
    """Load what reports, and what judges where *options* name a baseline or a floor.

    One a step, what is surely needed first and what takes longest last: a short wait is not made longer by
    what only a change would need.
    """
    from pytest_schemascore.plugin import concluding, remarks, summary, writing  # noqa: F401 - only loaded

    yield
    if options.baseline is not None or options.has_floors:
        from pytest_schemascore.plugin import gating  # noqa: F401 - only loaded

        yield
        from pytest_schemascore.gate import evidence  # noqa: F401 - loads numpy, where anything changed

        yield
        from pytest_schemascore.gate import power  # noqa: F401 - loads scipy, likewise


class KeptModules:
    """The modules that were loaded while extractors ran.

    An extractor that puts ``sys.modules`` back to what it was before, as `unittest.mock.patch.dict` does,
    would take them away, and numpy can't be loaded twice.
    """

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep what is loaded meanwhile."""
        before = set(sys.modules)
        try:
            yield
        finally:
            now = sys.modules.copy()
            self._modules |= {name: now[name] for name in now.keys() - before}

    def restore(self) -> None:
        """Put back what has been taken away."""
        for name, module in self._modules.items():
            sys.modules.setdefault(name, module)
