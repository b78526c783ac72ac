"""The declarations of the command-line options and their ini twins.

Apart from what reads them, since every run of pytest loads this, used or not (R7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    import pytest


class Setting(NamedTuple):
    """One option: its name without the dashes and prefix, its help, and how its text is read."""

    name: str
    help: str
    metavar: str
    ini: Literal["string", "int", "float", "linelist"] | None = None
    convert: type | None = None
    repeated: bool = False
    flag: bool = False


SETTINGS: Final = (
    Setting("baseline", "compare with the baseline PATH", "PATH", "string"),
    Setting("update", "write the baseline from this run", "", flag=True),
    Setting("update-all", "like update, and record cases that raised or timed out too", "", flag=True),
    Setting(
        "report", "write a report to PATH (.json, .html, .md or .csv)", "PATH", "linelist", repeated=True
    ),
    Setting("max-drop", "allowed drop of any gated metric, as a share", "F", "float", float),
    Setting("alpha", "fail only on drops that are significant at level F", "F", "float", float),
    Setting("min", "smallest accuracy of a field", "FIELD=F", "linelist", repeated=True),
    Setting("min-overall", "smallest overall accuracy of each suite", "F", "float", float),
    Setting("min-validity", "smallest share of valid outputs of each suite", "F", "float", float),
    Setting("concurrency", "how many cases run at once, all workers together", "N", "int", int),
    Setting("timeout", "seconds that a case may take", "S", "float", float),
    Setting("repeat", "how many times each case runs", "N", "int", int),
    Setting("backend", "event loop of async extractors: asyncio or trio", "NAME", "string"),
    Setting("resume", "take the outputs that an unfinished run recorded, and run the rest", "", flag=True),
    Setting("rescore", "score the last complete run's outputs again, calling nothing", "", flag=True),
)


def add_options(parser: pytest.Parser) -> None:
    """Declare every option and its ini twin."""
    group = parser.getgroup("schemascore", "scoring of structured output against labelled cases")
    for setting in SETTINGS:
        keywords: dict[str, Any] = {"dest": key_of(setting), "default": None, "help": setting.help}
        if setting.flag:
            group.addoption(f"--schemascore-{setting.name}", action="store_true", **keywords)
            continue
        action = "append" if setting.repeated else "store"
        if setting.convert is not None:
            keywords["type"] = setting.convert
        group.addoption(f"--schemascore-{setting.name}", action=action, metavar=setting.metavar, **keywords)
        if setting.ini is not None:
            parser.addini(key_of(setting), setting.help, type=setting.ini, default=None)


def key_of(setting: Setting) -> str:
    """Return the name under which pytest keeps the option, and of its ini twin."""
    return f"schemascore_{setting.name.replace('-', '_')}"


def is_anything_asked(config: pytest.Config) -> bool:
    """Say whether any option is given, on the command line or in the ini file."""
    for setting in SETTINGS:
        if config.getoption(key_of(setting)) is not None:
            return True
        if setting.ini is not None and config.getini(key_of(setting)) not in (None, "", []):
            return True
    return False
