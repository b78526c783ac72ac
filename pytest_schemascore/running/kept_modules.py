"""Modules that stay loaded, whatever the bodies that run beside do to ``sys.modules``."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


class KeptModules:
    """The modules that this thread loaded while bodies ran.

    A body that puts ``sys.modules`` back to what it was before, as `unittest.mock.patch.dict` does, would
    take them away, and numpy can't be loaded twice.
    """

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Put back what has been taken away, and keep what is loaded meanwhile."""
        self.restore()
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
