"""Test files that are no more: what only the plugin can know, which sees the project's folder (G1, G7)."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from pytest_schemascore.gate.baseline import Baseline


def deleted_files(baseline: Baseline | None, root: Path) -> tuple[str, ...]:
    """Return the test files of the baseline's suites that are not below *root* any more, as node ids."""
    tests = (suite.test.partition("::") for suite in baseline.suites.values()) if baseline else ()
    files = sorted({file for file, _, name in tests if name and file.endswith(".py")})
    return tuple(file for file in files if not (root / file).exists())


def looked_for(files: Iterable[str], config: pytest.Config) -> tuple[str, ...]:
    """Return those of *files* that the run would have collected, were they there.

    That is, they lie in a folder that it was asked for, by argument or ``testpaths``, and are not ignored;
    ``--lf`` passes over files as it likes.
    """
    if config.getoption("lf", False):
        return ()
    start = config.invocation_params.dir
    asked = [_absolute(start, argument) for argument in config.args]
    folders = [path for path in asked if path.is_dir()]
    ignored = [_absolute(start, text) for text in config.getoption("ignore", None) or ()]
    globs = [str(_absolute(start, text)) for text in config.getoption("ignore_glob", None) or ()]

    def is_looked_for(file: str) -> bool:
        path = _absolute(config.rootpath, file)
        places = (path, *path.parents)
        return (
            any(folder in places for folder in folders)
            and not any(place in ignored for place in places)
            and not any(fnmatch(str(place), glob) for place in places for glob in globs)
        )

    return tuple(filter(is_looked_for, files))


def _absolute(start: Path, text: str) -> Path:
    return Path(os.path.normpath(start / text))
