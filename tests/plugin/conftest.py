"""What the plugin's tests share: a user's project, and pytest runs in it."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import pytest_schemascore
from tests.plugin.project import Project


@pytest.fixture(scope="session", autouse=True)
def _everything_imported() -> None:
    """Import all there is: a run in this process forgets its imports, and numpy bears no second one."""
    for module in pkgutil.walk_packages(pytest_schemascore.__path__, "pytest_schemascore."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Give an empty project whose pytest loads only the plugins that a test names."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in (
        "CI",
        "BUILD_NUMBER",
        "GITHUB_ACTIONS",
        "GITHUB_STEP_SUMMARY",
        "GITHUB_WORKSPACE",
        "COLUMNS",
    ):
        monkeypatch.delenv(name, raising=False)
    pytester.makeini("[pytest]\n")
    return Project(pytester)
