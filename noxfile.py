"""``nox`` checks everything: ruff, mypy, pyright, pages, examples, and the tests against the built wheel."""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

PYTHONS = ["3.11", "3.12", "3.13"]
BESIDE_THE_PACKAGE = [
    *("tests", "examples", "baselines", "docs"),
    *("conftest.py", "pyproject.toml", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"),
]
"""What the tests need beside the package itself, which they take from the wheel."""

nox.options.sessions = ["checks", "docs", "tests", "examples"]
nox.options.error_on_missing_interpreters = False
nox.needs_version = ">=2024.4"


def install_wheel(session: nox.Session, extra: str) -> None:
    """Build the wheel and install it with *extra*, and nothing from the source folder."""
    folder = Path(session.create_tmp()) / "dist"
    shutil.rmtree(folder, ignore_errors=True)
    session.install("build")
    session.run("python", "-m", "build", "--wheel", "--outdir", str(folder), silent=True)
    session.install(f"{next(folder.glob('*.whl'))}[{extra}]")


def leave_source(session: nox.Session) -> None:
    """Go to a copy of what the tests need, where the package can't be imported from the source folder."""
    folder = Path(session.create_tmp()) / "beside"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in BESIDE_THE_PACKAGE:
        source = Path(name).resolve()
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    session.chdir(folder)


@nox.session(python=PYTHONS)
@nox.parametrize("pytest", [nox.param("~=8.4.0", id="pytest8.4"), nox.param(">=9", id="newest")])
def tests(session: nox.Session, pytest: str) -> None:
    """Run the tests against the built wheel; further arguments go to pytest."""
    install_wheel(session, "test")
    session.install(f"pytest{pytest}")
    leave_source(session)
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def examples(session: nox.Session) -> None:
    """Run the examples that need libraries of their own, too."""
    install_wheel(session, "test,examples")
    leave_source(session)
    session.run("python", "-m", "pytest", "tests/test_examples.py", *session.posargs)


@nox.session
def checks(session: nox.Session) -> None:
    """Lint, format and types; pyright reads the public API as a user's code meets it."""
    session.install("-e", ".[test,dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("pyright", "tests/typing/usage.py")
    session.run("pytest", "tests/typing")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the pages; a dead link fails."""
    session.install("mkdocs>=1.6")
    session.run("mkdocs", "build", "--site-dir", str(Path(session.create_tmp()) / "site"))
