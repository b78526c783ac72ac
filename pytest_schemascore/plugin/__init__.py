"""The plugin as every run of pytest loads it: options, a mark, and a lookout for the first case.

Everything else, the other hooks too, is loaded when a marked function is collected; and all of this is in one
file, since every run pays for each (R7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from pytest_schemascore.plugin.hooks import Hooks

    Ini: TypeAlias = Literal["string", "int", "float", "linelist"]

MARK_HELP = "schemascore: an extractor whose outputs are scored; made by @schemascore.case(...)"

SETTINGS: Final[tuple[tuple[str, str, str, Ini | None], ...]] = (
    ("baseline", "compare with the baseline PATH", "PATH", "string"),
    ("update", "write the baseline from this run", "", None),
    ("update-all", "like update, and record cases that raised or timed out too", "", None),
    ("report", "write a report to PATH (.json, .html, .md or .csv)", "PATH", "linelist"),
    ("max-drop", "allowed drop of any gated metric, as a share", "F", "float"),
    ("alpha", "fail only on drops that are significant at level F", "F", "float"),
    ("min", "smallest accuracy of a field", "FIELD=F", "linelist"),
    ("min-overall", "smallest overall accuracy of each suite", "F", "float"),
    ("min-validity", "smallest share of valid outputs of each suite", "F", "float"),
    ("concurrency", "how many cases run at once, all workers together", "N", "int"),
    ("timeout", "seconds that a case may take", "S", "float"),
    ("repeat", "how many times each case runs", "N", "int"),
    ("backend", "event loop of async extractors: asyncio or trio", "NAME", "string"),
    ("resume", "take the outputs that an unfinished run recorded, and run the rest", "", None),
    ("rescore", "score the newest outputs of complete runs again, calling nothing", "", None),
)
"""Each option: its name without the dashes and the prefix; its help; what stands for its value, empty where
it has none; and the type of its ini twin, which its text is read as too, None where there is none.

Tuples and no class of their own, whose making every run would pay (R7).
"""

_READ_AS: Final = {"int": int, "float": float}


def __dir__() -> list[str]:
    """Name the hooks alone: pytest looks at each name of a plugin several times, in every run (R7)."""
    return ["pytest_addoption", "pytest_cmdline_main", "pytest_configure"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Leave ``--cache-clear`` to the controller: a worker that starts late would clear this run's journal."""
    if hasattr(config, "workerinput"):
        config.option.cacheclear = False


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark, and begin to look out for it."""
    config.addinivalue_line("markers", MARK_HELP)
    lookout = Lookout(config)
    config.pluginmanager.register(lookout, "schemascore-lookout")
    if is_anything_asked(config) or is_one_of_several(config):
        lookout.begin()


def is_one_of_several(config: pytest.Config) -> bool:
    """Say whether other processes run tests too, so that cases may turn up that aren't collected here."""
    return hasattr(config, "workerinput") or config.getoption("dist", "no") != "no"


class Lookout:
    """Waits for the first case, and keeps what was to be seen before it.

    Attributes:
        files: node ids of the test files that were collected without an error.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.files: set[str] = set()
        self._config = config
        self._hooks: Hooks | None = None
        self._broken: set[str] = set()

    def __dir__(self) -> list[str]:
        """Name the hooks alone, as the module does."""
        return ["pytest_collectreport", "pytest_generate_tests", "pytest_itemcollected"]

    def begin(self) -> Hooks:
        """Return the other hooks, which from the first call on are registered."""
        if self._hooks is None:
            from pytest_schemascore.plugin.hooks import Hooks

            self._hooks = Hooks(self._config, self.files)
            self._config.pluginmanager.register(self._hooks, "schemascore-hooks")
        return self._hooks

    @pytest.hookimpl(trylast=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one item a case."""
        if metafunc.definition.get_closest_marker("schemascore") is not None:
            self.begin().session.collector.parametrize(metafunc)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note which case an item is."""
        if item.get_closest_marker("schemascore") is not None and isinstance(item, pytest.Function):
            self.begin().session.collector.adopt(item)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note which test files were collected without an error."""
        # Without a result the file holds no test any more, or --lf passed over it.
        holds = report.result or not self._config.getoption("lf", False)
        if report.failed:
            file = report.nodeid.partition("::")[0]
            self._broken.add(file)
            self.files.discard(file)  # where --doctest-modules collected it first, under the same node id
        # A file's report comes after those of the classes in it.
        elif report.passed and holds and report.nodeid.endswith(".py"):
            self.files |= {report.nodeid} - self._broken


def key_of(name: str) -> str:
    """Return under which key pytest keeps the option *name*, which is its ini twin's name too."""
    return f"schemascore_{name.replace('-', '_')}"


def add_options(parser: pytest.Parser) -> None:
    """Declare every option and its ini twin; one with a list of lines may be given several times."""
    group = parser.getgroup("schemascore", "scoring of structured output against labelled cases")
    for name, text, metavar, ini in SETTINGS:
        keywords: dict[str, Any] = {"dest": key_of(name), "default": None, "help": text}
        if not metavar:
            group.addoption(f"--schemascore-{name}", action="store_true", **keywords)
            continue
        if ini in _READ_AS:
            keywords["type"] = _READ_AS[ini]
        action = "append" if ini == "linelist" else "store"
        group.addoption(f"--schemascore-{name}", action=action, metavar=metavar, **keywords)
        if ini is not None:
            parser.addini(key_of(name), text, type=ini, default=None)


def is_anything_asked(config: pytest.Config) -> bool:
    """Say whether any option is given, on the command line or in the ini file."""
    for name, _, _, ini in SETTINGS:
        key = key_of(name)
        if config.getoption(key) is not None:
            return True
        if ini is not None and is_in_ini(config, key):
            return True
    return False


def is_in_ini(config: pytest.Config, key: str) -> bool:
    """Say whether the ini file gives *key* a value; one that can't be is told where it is read."""
    try:
        return config.getini(key) not in (None, "", [])
    except (ValueError, TypeError, pytest.UsageError):
        return True
