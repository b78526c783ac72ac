"""What being one of several xdist workers changes (R4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.plugin.naming import without_group

if TYPE_CHECKING:
    import pytest

KEY: Final = "schemascore"
"""Our key in ``workerinput`` and ``workeroutput``."""

WHOLE_SUITES: Final = ("loadfile", "loadscope", "loadgroup")
"""The ``--dist`` modes that may bring a whole suite to one worker."""

SINGLE_CASES: Final = ("load", "worksteal")
"""The ``--dist`` modes that bring cases to workers one by one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where this process stands in the run.

    Attributes:
        worker: name of the worker; empty in a run without xdist and on the controller.
        count: how many workers there are; 1 without xdist.
        dist: the ``--dist`` mode; ``no`` without xdist.
        restarted: whether this worker stands in for one that crashed.
        given: what the controller told this worker.
    """

    worker: str = ""
    count: int = 1
    dist: str = "no"
    restarted: bool = False
    given: Any = None

    def looks_ahead(self, item: pytest.Item) -> bool:
        """Say whether an item's whole suite comes to this process, so that it may run as one batch.

        Under ``loadgroup`` only the node id tells whether groups are honoured: some releases of xdist
        silently don't.
        """
        if not self.worker:
            return True
        grouped = self.dist == "loadgroup" and without_group(item.nodeid) != item.nodeid
        return self.dist in ("loadfile", "loadscope") or grouped


def place_of(config: pytest.Config) -> Place:
    """Return where this process stands."""
    given = getattr(config, "workerinput", None)
    if given is None:
        distributes = config.pluginmanager.hasplugin("dsession")
        return Place(dist=dist_of(config) if distributes else "no")
    ours = given[KEY]
    count = int(given["workercount"])
    number = int("".join(c for c in given["workerid"] if c.isdigit()) or 0)
    return Place(given["workerid"], count, ours["dist"], restarted=number >= count, given=ours)


def dist_of(config: pytest.Config) -> str:
    """Return the ``--dist`` mode; ``no`` without xdist."""
    return str(config.getoption("dist", "no") or "no")


def tell(config: pytest.Config, found: dict[str, Any]) -> None:
    """On a worker, tell the controller what was found."""
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output[KEY] = found


def told_by(node: Any) -> dict[str, Any] | None:
    """Return what a worker told at its end; None where it crashed."""
    output = getattr(node, "workeroutput", None) or {}
    told: dict[str, Any] | None = output.get(KEY)
    return told
