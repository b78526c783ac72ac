"""What is built holds what it should, needs what it says, and can be switched off."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pytest_schemascore"

DEPENDENCIES = {
    *("anyio", "jinja2", "jsonschema", "numpy", "orjson"),
    *("pydantic", "pytest", "python-dateutil", "rapidfuzz", "scipy"),
}
"""All that an installation brings."""

IMPORTED_AS = {
    "dateutil": "python-dateutil",
    "json_repair": "json-repair",
    "sentence_transformers": "embeddings",
}
OTHERS = {
    *("json-repair", "babel", "embeddings", "trio"),  # extras, imported only where they are asked for
    *("pydantic_core", "markupsafe", "referencing", "_pytest", "pluggy"),  # in the interfaces of dependencies
    "_typeshed",  # of type checkers, and imported by nothing else
}
"""What is imported besides."""

HEAVY = ("scipy", "numpy", "pydantic", "rapidfuzz", "jinja2", "orjson", "jsonschema")

needs_source = pytest.mark.skipif(not PACKAGE.is_dir(), reason="runs against the wheel, without the source")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The wheel, freshly built by the build backend."""
    with zipfile.ZipFile(_built("build_wheel", tmp_path_factory.mktemp("wheel"))) as archive:
        yield archive


def _built(hook: str, folder: Path) -> Path:
    """Call the backend in a process of its own, in the project's folder, as installers do."""
    code = f"import sys, hatchling.build as b; print(b.{hook}(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return folder / done.stdout.split()[-1]


def _requirements(wheel: zipfile.ZipFile) -> tuple[set[str], set[str]]:
    """Return the names that the wheel requires always, and those of its extras."""
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    lines = message_from_string(wheel.read(name).decode()).get_all("Requires-Dist", [])
    always = {_name(line) for line in lines if "extra ==" not in line}
    return always, {_name(line) for line in lines if "extra ==" in line}


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert match is not None
    return match[0].lower()


@needs_source
def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    """Templates, styles, scripts and the mark of typed packages are in it; tests are not."""
    inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    source = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".orig")
    }
    assert inside == source
    kinds = {Path(name).suffix for name in inside}
    assert kinds >= {".py", ".j2", ".css", ".js", ".typed"}


@needs_source
def test_the_wheel_names_plugin_command_and_licence(wheel: zipfile.ZipFile) -> None:
    """pytest finds the plugin, the shell finds the command."""
    info = {Path(name).name: name for name in wheel.namelist() if ".dist-info/" in name}
    entry_points = wheel.read(info["entry_points.txt"]).decode()
    assert "[pytest11]\nschemascore = pytest_schemascore.plugin" in entry_points
    assert "pytest-schemascore = pytest_schemascore.cli:main" in entry_points
    assert "LICENSE" in info


@needs_source
def test_an_installation_brings_the_listed_dependencies(wheel: zipfile.ZipFile) -> None:
    """No more and no fewer."""
    assert _requirements(wheel)[0] == DEPENDENCIES


@needs_source
def test_the_sdist_can_be_tested(tmp_path: Path) -> None:
    """Tests, examples, baselines and the pages that tests read are in it."""
    with tarfile.open(_built("build_sdist", tmp_path)) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert names >= {
        *("tests/test_packaging.py", "examples/materials/cases.jsonl", "baselines/materials.json"),
        *("conftest.py", "README.md", "ARCHITECTURE.md", "docs/labelling.md", "noxfile.py", "LICENSE"),
    }
    assert not any("__pycache__" in name for name in names)


@needs_source
def test_everything_imported_is_declared() -> None:
    """The package imports the standard library, its dependencies, and what these bring or extras add."""
    found: dict[str, str] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0]: path.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found[node.module.split(".")[0]] = path.name
    third_party = {name for name in found if name not in sys.stdlib_module_names} - {"pytest_schemascore"}
    assert {IMPORTED_AS.get(name, name) for name in third_party} <= DEPENDENCIES | OTHERS


def test_the_versions_agree() -> None:
    """The classifiers name the Pythons that nox runs, and the lowest of them is the one required."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    prefix = "Programming Language :: Python :: 3."
    minors = [line.removeprefix(prefix) for line in project["classifiers"] if line.startswith(prefix)]
    assert minors == ["11", "12", "13"]
    assert project["requires-python"] == ">=3.11"


def test_every_public_name_loads() -> None:
    """Each name of ``__all__`` is where the package says, and says what it is for."""
    package = importlib.import_module("pytest_schemascore")
    assert list(package.__all__) == sorted(package.__all__)
    for name in package.__all__:
        assert getattr(package, name).__doc__, name


@pytest.mark.parametrize(
    "unused", ["import pytest_schemascore.plugin", "from pytest_schemascore import Case, case"]
)
def test_unused_it_imports_nothing_heavy(unused: str) -> None:
    """Neither the plugin nor what tests are written with imports a library that takes time to load (R7)."""
    code = f"{unused}; import sys; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    """Under ``-p no:schemascore`` there is no option of ours, and other tests run as ever."""
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:schemascore"]
    done = subprocess.run(
        [*command, "test_other.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "1 passed" in done.stdout
    asked = [*command, "--schemascore-update"]
    refused = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 4


def test_a_misspelt_public_name_is_answered_with_the_nearest() -> None:
    """As in ``schemascore.fuzy(0.85)``; what is like nothing gets no advice."""
    package = importlib.import_module("pytest_schemascore")
    with pytest.raises(AttributeError, match="has no attribute 'fuzy'; did you mean 'fuzzy'"):
        package.fuzy  # noqa: B018 - the look-up is what fails
    assert not hasattr(package, "__wrapped__")
