"""What all tests share."""

from __future__ import annotations

import os

pytest_plugins = ["pytester"]

# Tests start many processes; each would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
