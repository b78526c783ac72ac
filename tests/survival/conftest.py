"""What the survival tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.survival.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Give a project in an empty folder; its ini file makes that the rootdir."""
    project = Project(tmp_path)
    project.write("pytest.ini", "[pytest]\n")
    return project
