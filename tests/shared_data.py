"""Finds the real data sets that stand beside the project, where they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def shared_path(*parts: str) -> Path:
    """Return a path below the shared folder; skips the calling test where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(('shared', *parts))}")
    return path


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read one JSON object a line, leniently (NaN is allowed)."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
