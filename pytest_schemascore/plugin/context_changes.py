"""Context variables that an async fixture sets, which are to reach the cases as those of a sync one do."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextvars import ContextVar, Token

_UNSET = object()


class ContextChanges:
    """Notes what changes in the context of a task, and makes the same changes in that of a test."""

    def __init__(self) -> None:
        self._values: dict[ContextVar[Any], Any] = {}
        self._tokens: list[Token[Any]] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what changes while this is entered, in the task that enters it.

        Compared within the task, since an event loop has variables of its own in each.
        """
        before = copy_context()
        yield
        after = copy_context()
        self._values = {name: after[name] for name in after if before.get(name, _UNSET) is not after[name]}

    def make(self) -> None:
        """Make them in the caller's context."""
        self._tokens = [name.set(value) for name, value in self._values.items()]

    def undo(self) -> None:
        """Undo them, the last one first."""
        while self._tokens:
            token = self._tokens.pop()
            # Where each test has a context of its own, this one hasn't the changes.
            with suppress(ValueError):
                token.var.reset(token)
