"""Installed but unused, the plugin costs nothing (R7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore import plugin

if TYPE_CHECKING:
    from tests.plugin.project import Project

PROBE = """
import sys, threading, pytest
status = pytest.main(["-p", "pytest_schemascore.plugin", "--collect-only", "-q", *sys.argv[1:]])
heavy = ("scipy", "numpy", "pydantic", "rapidfuzz", "jinja2", "anyio", "orjson", "jsonschema", "dateutil")
print("loaded:", [name for name in heavy if name in sys.modules])
print("threads:", threading.active_count())
print("ours:", sorted(name for name in sys.modules if name.startswith("pytest_schemascore.")))
"""


def test_nothing_heavy_is_imported_and_nothing_started(project: Project) -> None:
    """In an empty folder, and beside tests that have no mark; of our own modules only the hooks' few."""
    project.write("probe.py", PROBE)
    project.write("plain/test_plain.py", "def test_plain():\n    pass\n")
    project.write("empty/.keep", "")
    for folder in ("empty", "plain"):
        result = project.pytester.runpython_c(
            f"import sys; sys.argv[1:] = [{folder!r}]; exec(open('probe.py').read())"
        )
        result.stdout.fnmatch_lines(["loaded: [[][]]", "threads: 1"])
        ours = next(line for line in result.outlines if line.startswith("ours:"))
        assert ours.count("'") // 2 <= 9, ours
        assert not (project.folder / ".pytest_cache" / "d").exists()


def test_every_hook_is_named() -> None:
    """What the plugin's own `dir` leaves out would never be called."""
    for holder, names in (
        (vars(plugin), dir(plugin)),
        (vars(plugin.Lookout), dir(object.__new__(plugin.Lookout))),
    ):
        assert sorted(name for name in holder if name.startswith("pytest_")) == names
