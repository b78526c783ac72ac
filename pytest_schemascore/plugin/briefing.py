"""What the controller tells each xdist worker before it starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_schemascore.plugin.judging import BaselineFile
from pytest_schemascore.plugin.recording import shared_run
from pytest_schemascore.plugin.workers import INPUT

if TYPE_CHECKING:
    import pytest

    from pytest_schemascore.plugin.options import Options


def brief(node: Any, config: pytest.Config, options: Options) -> None:
    """Tell a worker the ``--dist`` mode and what the gate will notice."""
    run_id, source, problem = shared_run(config, options)
    judged = BaselineFile(options).judged()
    node.workerinput[INPUT] = {
        "dist": config.getoption("dist", "no"),
        "judged": (replace(judged, problem=problem) if problem else judged).to_json(),
        "run_id": run_id,
        "source": source,
    }
