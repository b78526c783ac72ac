"""Rooms import only earlier ones, and only the plugin's room knows pytest, as ARCHITECTURE.md has it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

import pytest_schemascore

PACKAGE = "pytest_schemascore"
SOURCE = Path(pytest_schemascore.__file__).parent
ROOT = Path(__file__).parents[1]

GROUND = ("errors", "_suggest", "_files", "_garbage", "_awaiting", "_checks")

MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    "errors": (),
    "_suggest": (),
    "_files": (),
    "_garbage": (),
    "_awaiting": (),
    "_checks": ("errors", "_suggest"),
    "documents": GROUND,
    "cases": (*GROUND, "documents"),
    "scoring": (*GROUND, "documents"),
    "similarity": (*GROUND, "documents"),
    "inference": (*GROUND, "documents"),
    "running": (*GROUND, "documents", "scoring"),
    "report": (*GROUND, "documents", "scoring"),
    "spec": (*GROUND, "report"),
    "suite": (*GROUND, "documents", "cases", "scoring", "similarity", "running", "report", "spec"),
    "pipeline": (*GROUND, "running", "report", "suite"),
    "evaluation": (
        *GROUND,
        "cases",
        "scoring",
        "running",
        "report",
        "spec",
        "suite",
        "pipeline",
    ),
    "gate": (*GROUND, "documents", "scoring", "report"),
    "reporting": (*GROUND, "documents", "scoring", "report", "gate"),
    "comparison": (*GROUND, "documents", "scoring", "similarity", "reporting"),
    "plugin": (
        *(*GROUND, "documents", "cases", "scoring", "running", "report"),
        *("spec", "suite", "pipeline", "gate", "reporting"),
    ),
    "cli": (
        *(*GROUND, "documents", "cases", "scoring", "similarity", "inference", "running", "report"),
        *("spec", "suite", "pipeline", "evaluation", "gate", "reporting", "comparison"),
    ),
}
"""Every room with all it may import, earlier ones first; ARCHITECTURE.md has the same table."""

FRONT = ("__init__", "__main__")
"""The front door: names public objects of any room, and starts the command."""

FORWARD = {
    # The public method Report.compare needs the gate; it imports it when it is called.
    ("report.report", "gate"),
}
"""The only modules that reach for a later room, and which; each with its reason."""


class Import(NamedTuple):
    """Module *source* imports *target* in a line of its file; our own names are without the package's."""

    source: str
    target: str
    line: int

    @property
    def rooms(self) -> tuple[str, str]:
        """The rooms on both ends."""
        return room_of(self.source), room_of(self.target)


def room_of(module: str) -> str:
    """Return the room of a module: its folder, or itself where it is a file on the top level."""
    return module.split(".")[0]


def modules() -> Iterator[str]:
    """Yield the name of every module of the package."""
    return (name_of(file) for file in SOURCE.rglob("*.py"))


def name_of(file: Path) -> str:
    """Return the name of a module without the package's."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


@cache
def imports() -> tuple[Import, ...]:
    """Return everything that the package's modules import."""
    return tuple(
        Import(name_of(file), target, line)
        for file in sorted(SOURCE.rglob("*.py"))
        for target, line in imported(ast.parse(file.read_text(encoding="utf-8")))
    )


def imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the full name of everything that is imported, at any depth, for type checking only too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute here"
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def own_imports() -> list[Import]:
    """Return every import of one of our modules by another."""
    return [
        found._replace(target=found.target.removeprefix(f"{PACKAGE}."))
        for found in imports()
        if found.target.startswith(f"{PACKAGE}.")
    ]


def test_the_table_is_an_order() -> None:
    """A room may import only earlier rooms of the table, so there is no way round."""
    rooms = list(MAY_IMPORT)
    for place, room in enumerate(rooms):
        assert set(MAY_IMPORT[room]) <= set(rooms[:place]), room


def test_every_room_is_in_the_table() -> None:
    """A new room has its place decided before it is used."""
    assert {room_of(name) for name in modules()} - set(FRONT) == set(MAY_IMPORT)


def test_no_room_imports_a_later_one() -> None:
    """Imports for type checking and those inside functions count like all others."""
    wrong = [
        f"{PACKAGE}.{found.source}, line {found.line}: imports {found.target}"
        for found in own_imports()
        for source, target in [found.rooms]
        if source not in FRONT
        and source != target
        and target not in MAY_IMPORT.get(source, ())
        and (found.source, target) not in FORWARD
    ]
    assert wrong == []


def test_each_exception_is_needed() -> None:
    """An exception that nothing uses any more is taken out of the list."""
    used = {(found.source, found.rooms[1]) for found in own_imports()}
    assert used >= FORWARD


def test_each_permission_is_used() -> None:
    """The table doesn't permit more than the code needs, the ground and the rooms on top aside."""
    used = {found.rooms for found in own_imports()}
    unused = {
        (room, target)
        for room, targets in MAY_IMPORT.items()
        for target in targets
        if target not in GROUND and room not in ("plugin", "cli") and (room, target) not in used
    }
    assert unused == set()


def test_only_the_plugin_knows_pytest() -> None:
    """pytest and its private modules are imported by the room `plugin` alone."""
    wrong = [
        f"{found.source}, line {found.line}: imports {found.target}"
        for found in imports()
        if found.target.split(".")[0] in ("pytest", "_pytest", "pluggy", "xdist")
        and room_of(found.source) != "plugin"
    ]
    assert wrong == []


def test_the_architecture_page_has_the_same_table() -> None:
    """ARCHITECTURE.md names the rooms in this order, and what each may import."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| `")]
    ground = ", ".join(f"`{name}`" for name in GROUND)
    documented = {
        name.strip(" `"): tuple(
            part.strip(" `")
            for part in allowed.replace("the ground", ground).split(",")
            if part.strip() != "nothing"
        )
        for cell, _, allowed in rows
        for name in cell.split(",")
    }
    assert documented == dict(MAY_IMPORT)
    assert list(documented) == list(MAY_IMPORT)


def test_every_file_that_the_architecture_page_names_is_there() -> None:
    """Under the package, or in the project's folder."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/]+(?:\.py|/))`", text))
    assert "scoring/leaves.py" in named
    missing = [name for name in sorted(named) if not (SOURCE / name).exists() and not (ROOT / name).exists()]
    assert missing == []
