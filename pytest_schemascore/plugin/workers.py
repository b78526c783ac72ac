"""What being one of several xdist workers changes (R4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pytest

INPUT: Final = "schemascore"
"""Our key in ``workerinput`` and ``workeroutput``."""

WHOLE_SUITES: Final = ("loadfile", "loadscope", "loadgroup")
"""The ``--dist`` modes that may bring a whole suite to one worker."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where this process stands in the run.

    Attributes:
        worker: name of the worker; empty in a run without xdist and on the controller.
        count: how many workers there are; 1 without xdist.
        dist: the ``--dist`` mode; ``no`` without xdist.
        restarted: whether this worker stands in for one that crashed.
        controls: whether workers run the tests for this process.
        given: what the controller told this worker.
    """

    worker: str = ""
    count: int = 1
    dist: str = "no"
    restarted: bool = False
    controls: bool = False
    given: Any = None

    def looks_ahead(self, item: pytest.Item) -> bool:
        """Say whether an item's whole suite comes to this process, so that it may run as one batch.

        Under ``loadgroup`` only the node id tells whether groups are honoured: some releases of xdist
        silently don't.
        """
        if not self.worker:
            return True
        if self.restarted:
            return False
        grouped = self.dist == "loadgroup" and item.nodeid.rfind("@") > item.nodeid.rfind("]")
        return self.dist in ("loadfile", "loadscope") or grouped


def place_of(config: pytest.Config) -> Place:
    """Return where this process stands."""
    given = getattr(config, "workerinput", None)
    if given is None:
        dist = str(config.getoption("dist", "no") or "no")
        controls = config.pluginmanager.hasplugin("dsession")
        return Place(dist=dist, controls=controls)
    ours = given.get(INPUT, {})
    count = int(given["workercount"])
    number = int("".join(c for c in given["workerid"] if c.isdigit()) or 0)
    return Place(
        worker=given["workerid"],
        count=count,
        dist=ours.get("dist", "load"),
        restarted=number >= count,
        given=ours,
    )


def tell_files(config: pytest.Config, files: list[str]) -> None:
    """On a worker, tell the controller which files were collected."""
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output[INPUT] = list(files)


def files_of(node: Any) -> list[str]:
    """Return what a worker told at its end; nothing where it crashed."""
    output = getattr(node, "workeroutput", None) or {}
    return list(output.get(INPUT, ()))
