"""Loading what the end of a run needs while its extractors are awaited, so that nobody waits for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
