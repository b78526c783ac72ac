"""Finding what a user names as ``module:NAME``."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType


def load_reference(text: str, option: str) -> object:
    """Return what *text*, ``module:NAME``, names; modules of the current folder are found too.

    Raises:
        UsageError: it isn't of that form, there is no such module or name, or importing the module fails.
    """
    module_name, _, name = text.partition(":")
    if not module_name or not name or module_name.endswith(".py"):
        msg = f"{option} {text}: write the module and the name in it, such as {_as_reference(text)}"
        raise UsageError(msg)
    found: object = _module(module_name, f"{option} {text}")
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            known = [each for each in dir(found) if not each.startswith("_")]
            msg = f"{option} {text}: {module_name} has no {part!r}{did_you_mean(part, known)}"
            raise UsageError(msg) from None
    return found


def _as_reference(text: str) -> str:
    """Return what was probably meant by *text*: ``a.b:C`` for ``a.b.C`` and for ``a/b.py:C``."""
    module, _, name = text.partition(":")
    if module.endswith(".py"):
        module = ".".join(part for part in Path(module).with_suffix("").parts if part.isidentifier())
    elif not name:
        module, _, name = module.rpartition(".") if "." in module else (module, "", "")
    return f"{module or 'invoices'}:{name or 'NAME'}"


def load_schema_reference(text: str | None) -> object:
    """Return the schema that ``--schema`` names: a reference, or the path of a JSON Schema file.

    Raises:
        UsageError: see `load_reference`.
    """
    if text is None:
        return None
    if text.endswith(".json"):
        return Path(text)
    return load_reference(text, "--schema")


def load_comparators(text: str | None) -> dict[str, object]:
    """Return the mapping that ``--comparators`` names.

    Raises:
        UsageError: it isn't one, or see `load_reference`.
    """
    if text is None:
        return {}
    found = load_reference(text, "--comparators")
    if not isinstance(found, Mapping):
        msg = f"--comparators {text}: is {type(found).__name__}; it must be a dict path -> rule"
        raise UsageError(msg)
    return dict(found)


def _module(name: str, wanted: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            msg = f"{wanted}: there is no module {name!r} here or among what is installed"
            raise UsageError(msg) from None
        raise UsageError(f"{wanted}: {_failure(error)}") from error
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a module may raise anything, pytest's own outcomes among it
        raise UsageError(f"{wanted}: {_failure(error)}") from error


def _failure(error: BaseException) -> str:
    """Say in one line what importing a module raised, and on which line of which file."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    where = f" ({own[-1].filename}:{own[-1].lineno})" if own[1:] else ""
    text = " ".join(str(error).split())
    return f"importing it raised {type(error).__name__}{': ' + text if text else ''}{where}"
