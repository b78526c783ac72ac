"""The command line as argparse knows it. Nothing heavy is imported, so that ``--help`` is quick."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.cli import check, compare, diff, render, run

if TYPE_CHECKING:
    from collections.abc import Sequence


class Command(Protocol):
    """What the module of a command has."""

    HELP: str
    EXAMPLE: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, options: argparse.Namespace) -> int: ...


COMMANDS: Final[dict[str, Command]] = {
    "compare": compare,
    "run": run,
    "diff": diff,
    "render": render,
    "check": check,
}

_NAME: Final = "pytest-schemascore"


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, with the nearest known name."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")

    @property
    def options(self) -> list[str]:
        """All options, as they are written."""
        return [text for action in self._actions for text in action.option_strings]


class _Version(argparse.Action):
    """Prints the installed version, which takes time to look up."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"{_NAME} {version(_NAME)}")
        parser.exit()


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse *arguments*; ``command`` says which command is asked for, ``typed`` how, word by word.

    Raises:
        SystemExit: after ``--help`` or ``--version`` (0), or where they can't be parsed (2).
    """
    parser, commands = _parsers()
    if arguments and not arguments[0].startswith("-") and arguments[0] not in commands:
        near = did_you_mean(arguments[0], commands)
        parser.error(f"there is no command {arguments[0]!r}{near} (commands: {', '.join(commands)})")
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        chosen = commands[options.command]
        name = unknown[0].split("=")[0]
        near = did_you_mean(name, chosen.options) if name.startswith("-") else ""
        chosen.error(f"unknown argument {unknown[0]!r}{near}")
    options.typed = tuple(arguments)
    return options


def _parsers() -> tuple[_Parser, dict[str, _Parser]]:
    parser = _Parser(
        prog=_NAME,
        description="Score structured output against labels: compare two JSON files, run an extractor over"
        " labelled cases, and say which fields got worse.",
        epilog="exit codes: 0 fine, 1 the gate failed, 2 something can't be used",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands: dict[str, _Parser] = {}
    for name, command in COMMANDS.items():
        commands[name] = subparsers.add_parser(
            name,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog=f"example:\n{command.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(commands[name])
    return parser, commands
