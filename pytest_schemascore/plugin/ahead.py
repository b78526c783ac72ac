"""Doing what comes after the calls while extractors are awaited, so that nobody waits for both."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pytest

    from pytest_schemascore.plugin.options import Options

A_STEP: Final = 120
"""Items whose place is looked up in one step: some milliseconds, for which a finished call may wait."""


def load_ahead(options: Options, *, reports: bool) -> Iterator[None]:
    """Load what scores, then what reports, and what judges where *options* name a baseline or a floor.

    One a step, what is needed first at the start and what takes longest last: a short wait is not made longer
    by what only a change would need.

    Args:
        reports: whether this process does; a worker leaves that to the controller.
    """
    from pytest_schemascore.plugin import inbox, turns  # noqa: F401 - only loaded
    from pytest_schemascore.scoring import walk  # noqa: F401 - likewise

    yield
    if not reports:
        return
    from pytest_schemascore.plugin import concluding, remarks, summary, writing  # noqa: F401 - only loaded

    yield
    if options.baseline is not None or options.has_floors:
        from pytest_schemascore.plugin import gating  # noqa: F401 - only loaded

        yield
        from pytest_schemascore.gate import evidence  # noqa: F401 - loads numpy, where anything changed

        yield
        from pytest_schemascore.gate import power  # noqa: F401 - loads scipy, likewise


def locate_ahead(items: Iterable[pytest.Item]) -> Iterator[None]:
    """Have pytest look up where each of *items* is defined, which it keeps; else it would in their turns."""
    pending = iter(items)
    while step := list(islice(pending, A_STEP)):
        for item in step:
            _ = item.location
        yield
