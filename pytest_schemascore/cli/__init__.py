"""The command ``pytest-schemascore``: 0 fine, 1 the gate failed, 2 something can't be used."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from pytest_schemascore.cli.output import close_quietly, complain
from pytest_schemascore.cli.parser import COMMANDS, parse
from pytest_schemascore.errors import SchemascoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE: Final = 2
"""Exit code for what can't be used: an option, a file, a reference."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments* (by default those of the process) and return the exit code.

    Raises:
        SystemExit: after ``--help`` or ``--version``, and for arguments that can't be parsed.
    """
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        return COMMANDS[options.command].run(options)
    except SchemascoreError as error:
        complain(str(error))
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    finally:
        close_quietly()
    return USAGE
