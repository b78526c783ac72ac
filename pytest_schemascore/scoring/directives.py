"""Labels that say more than a value (S11).

``{"$any": [a, b]}`` any of these; ``{"$ignore": true}`` anything, not counted; ``{"$absent": true}`` must not
be there (null counts as absent, since a schema may serialise every key); ``{"$regex": "..."}`` a text that
matches as a whole; ``{"$literal": ...}`` the value itself, directives or not. Any other key that begins with
``$`` is data.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Absent, Json

ANY: Final = "$any"
IGNORE: Final = "$ignore"
ABSENT: Final = "$absent"
REGEX: Final = "$regex"
LITERAL: Final = "$literal"


def directive_of(label: Json | Absent) -> str | None:
    """Return which directive *label* is, or None where it is data."""
    if type(label) is not dict or len(label) != 1:
        return None
    (name, value), *_ = label.items()
    match name, value:
        case ("$ignore", True) | ("$absent", True) | ("$regex", str()) | ("$literal", _):
            return name
        case "$any", list() if value:
            return name
        case _:
            return None


def is_ignored(label: Json) -> bool:
    """Say whether *label* accepts anything and counts nowhere."""
    return directive_of(label) == IGNORE


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of a ``$regex`` once."""
    return re.compile(pattern)
