"""What all tests share."""

from __future__ import annotations

import os

import pytest

pytest_plugins = ["pytester"]

# Tests start many processes; each would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors: many tests wait for a process of their own."""
    return (os.cpu_count() or 1) + 1
