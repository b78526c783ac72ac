"""The declarations of the command-line options and their ini twins.

Apart from what reads them, since every run of pytest loads this, used or not (R7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    import pytest

    Ini: TypeAlias = Literal["string", "int", "float", "linelist"]


class Setting:
    """One option; no dataclass or named tuple, whose making every run would pay (R7).

    Attributes:
        name: without the dashes and the prefix; key: under which pytest keeps it, and its ini twin.
        help: for the user; metavar: what stands for its value there, empty where it has none.
        ini: the type of the ini twin, which its text is read as too; None where there is none.
    """

    def __init__(self, name: str, help: str, metavar: str = "", ini: Ini | None = None) -> None:  # noqa: A002 - pytest's own word
        self.name = name
        self.key = f"schemascore_{name.replace('-', '_')}"
        self.help = help
        self.metavar = metavar
        self.ini = ini


SETTINGS: Final = (
    Setting("baseline", "compare with the baseline PATH", "PATH", "string"),
    Setting("update", "write the baseline from this run"),
    Setting("update-all", "like update, and record cases that raised or timed out too"),
    Setting("report", "write a report to PATH (.json, .html, .md or .csv)", "PATH", "linelist"),
    Setting("max-drop", "allowed drop of any gated metric, as a share", "F", "float"),
    Setting("alpha", "fail only on drops that are significant at level F", "F", "float"),
    Setting("min", "smallest accuracy of a field", "FIELD=F", "linelist"),
    Setting("min-overall", "smallest overall accuracy of each suite", "F", "float"),
    Setting("min-validity", "smallest share of valid outputs of each suite", "F", "float"),
    Setting("concurrency", "how many cases run at once, all workers together", "N", "int"),
    Setting("timeout", "seconds that a case may take", "S", "float"),
    Setting("repeat", "how many times each case runs", "N", "int"),
    Setting("backend", "event loop of async extractors: asyncio or trio", "NAME", "string"),
    Setting("resume", "take the outputs that an unfinished run recorded, and run the rest"),
    Setting("rescore", "score the last complete run's outputs again, calling nothing"),
)

_READ_AS: Final = {"int": int, "float": float}


def add_options(parser: pytest.Parser) -> None:
    """Declare every option and its ini twin; one with a list of lines may be given several times."""
    group = parser.getgroup("schemascore", "scoring of structured output against labelled cases")
    for setting in SETTINGS:
        keywords: dict[str, Any] = {"dest": setting.key, "default": None, "help": setting.help}
        if not setting.metavar:
            group.addoption(f"--schemascore-{setting.name}", action="store_true", **keywords)
            continue
        if setting.ini in _READ_AS:
            keywords["type"] = _READ_AS[setting.ini]
        action = "append" if setting.ini == "linelist" else "store"
        group.addoption(f"--schemascore-{setting.name}", action=action, metavar=setting.metavar, **keywords)
        if setting.ini is not None:
            parser.addini(setting.key, setting.help, type=setting.ini, default=None)


def is_anything_asked(config: pytest.Config) -> bool:
    """Say whether any option is given, on the command line or in the ini file."""
    for setting in SETTINGS:
        if config.getoption(setting.key) is not None:
            return True
        if setting.ini is not None and config.getini(setting.key) not in (None, "", []):
            return True
    return False
