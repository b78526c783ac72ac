"""What the plugin's tests share: a user's project, and pytest runs in it."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import pytest

import pytest_schemascore
from tests.plugin.project import Project

if TYPE_CHECKING:
    from _pytest.pytester import Pytester


@pytest.fixture(scope="session", autouse=True)
def _everything_imported() -> None:
    """Import the package whole: a run in this process forgets what it imports, and numpy bears no second import."""
    for module in pkgutil.walk_packages(pytest_schemascore.__path__, "pytest_schemascore."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


@pytest.fixture
def project(pytester: Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Give an empty project whose pytest loads only the plugins that a test names."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeini("[pytest]\n")
    return Project(pytester)
