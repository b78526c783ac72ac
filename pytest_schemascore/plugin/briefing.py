"""What the controller tells each xdist worker before it starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_schemascore.plugin.workers import KEY, dist_of

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.plugin.judging import BaselineFile
    from pytest_schemascore.plugin.runs import Run


def brief(node: Any, config: pytest.Config, baseline: BaselineFile, run: Run) -> None:
    """Tell a worker the ``--dist`` mode, which run this is, and what the gate will notice."""
    judged = baseline.judged()
    if run.problem:
        judged = replace(judged, problem=run.problem)
    node.workerinput[KEY] = {"dist": dist_of(config), "judged": judged.to_json(), "run": run.to_json()}
