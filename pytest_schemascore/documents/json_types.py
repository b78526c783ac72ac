"""What a JSON document is made of, as Python values."""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias, Union

Json: TypeAlias = Union[bool, int, float, str, "list[Json]", "dict[str, Json]", None]


class Absent(Enum):
    """The type of `ABSENT`, which stands where a document has no value at all (null is a value)."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT


SCALARS: Final = frozenset({str, int, float, bool})
"""The types of values that are neither containers nor null."""

CONTAINERS: Final = frozenset({dict, list})
"""The types of values that hold others."""


def is_empty(value: Json | Absent) -> bool:
    """Say whether *value* holds nothing: absent, null, ``[]`` or ``{}``. An empty text is a value."""
    return value is None or value is ABSENT or (isinstance(value, (list, dict)) and not value)


def type_name(value: Json | Absent) -> str:
    """Name the JSON type of *value*: null, boolean, integer, number, string, array, object or absent."""
    return "absent" if value is ABSENT else _NAMES[type(value)]


_NAMES: Final[dict[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
