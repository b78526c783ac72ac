"""The directives that a label may hold in place of a value (S11), as far as reading labels needs them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

ANY: Final = "$any"
IGNORE: Final = "$ignore"
ABSENT: Final = "$absent"
REGEX: Final = "$regex"
LITERAL: Final = "$literal"
DIRECTIVES: Final = (ANY, IGNORE, ABSENT, REGEX, LITERAL)


def directive_of(label: Json) -> str | None:
    """Return the directive that *label* is, or means to be; None where it is data.

    Other keys that begin with ``$`` are data.
    """
    if not isinstance(label, dict):
        return None
    return next((name for name in DIRECTIVES if name in label), None)


def malformed(name: str, label: dict[str, Json]) -> str | None:
    """Say what is wrong with *label* as a directive *name*, or None."""
    argument = label[name]
    if len(label) > 1:
        others = ", ".join(repr(key) for key in label if key != name)
        return f"{name} stands alone, here it is beside {others}; write {{'$literal': ...}} around data"
    if name == ANY and not (isinstance(argument, list) and argument):
        return f"{ANY} takes a list of at least one alternative"
    if name in (IGNORE, ABSENT) and argument is not True:
        return f"{name} takes true; leave the key out where nothing is to be said"
    if name == REGEX:
        return _bad_regex(argument)
    return None


def _bad_regex(pattern: Json) -> str | None:
    if not isinstance(pattern, str):
        return f"{REGEX} takes a regular expression as text"
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"{REGEX} {pattern!r} is no regular expression: {error}"
    return None
