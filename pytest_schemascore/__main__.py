"""``python -m pytest_schemascore``: the same as the command ``pytest-schemascore``."""

from __future__ import annotations

import sys

from pytest_schemascore.cli import main

if __name__ == "__main__":
    sys.exit(main())
