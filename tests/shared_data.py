"""Finds the real data sets that stand beside the project, where they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Set

SHARED = Path(__file__).parents[2] / "shared"


def shared_path(*parts: str) -> Path:
    """Return a path below the shared folder; skips the calling test where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(('shared', *parts))}")
    return path


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read one JSON object a line, leniently (NaN is allowed); an empty file would prove nothing."""
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    assert found, f"{path} is empty"
    return found


def read_conformance(name: str, exceptions: Set[str]) -> list[dict[str, Any]]:
    """Read a peer's cases, among which each of the *exceptions* has to be."""
    cases = read_jsonl(shared_path("conformance", name))
    assert exceptions <= {case["id"] for case in cases}
    return cases
