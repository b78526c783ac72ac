"""Labels that say more than a value (S11).

``{"$any": [a, b]}`` any of these; ``{"$ignore": true}`` anything, not counted; ``{"$absent": true}`` must not
be there (null counts as absent, since a schema may serialise every key); ``{"$regex": "..."}`` a text that
matches as a whole; ``{"$literal": ...}`` the value itself, with nothing in it read as a directive. Any other
key that begins with ``$`` is data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Absent, Json

ANY: Final = "$any"
IGNORE: Final = "$ignore"
ABSENT: Final = "$absent"
REGEX: Final = "$regex"
LITERAL: Final = "$literal"
DIRECTIVES: Final = (ANY, IGNORE, ABSENT, REGEX, LITERAL)


def directive_of(label: Json | Absent) -> str | None:
    """Return which directive *label* is, or None where it is data; malformed ones are data."""
    if not isinstance(label, dict) or len(label) != 1:
        return None
    (name, argument), *_ = label.items()
    match name, argument:
        case ("$ignore", True) | ("$absent", True) | ("$regex", str()) | ("$literal", _):
            return name
        case "$any", list() if argument:
            return name
        case _:
            return None


def holds_directive(label: Json | Absent) -> bool:
    """Say whether *label* is a directive or holds one, at any depth."""
    pending = [label]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if directive_of(part):
                return True
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return False


def holds_document(label: Json | Absent) -> bool:
    """Say whether *label*, or one of its alternatives, is an object or a list."""
    directive = directive_of(label)
    content = label[directive] if directive is not None and isinstance(label, dict) else label
    if directive == ANY and isinstance(content, list):
        return any(map(holds_document, content))
    return directive in (None, LITERAL) and isinstance(content, (dict, list))


def intended_directive(label: Json) -> str | None:
    """Return the directive that *label* is or means to be, malformed ones too; None where it is data."""
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
