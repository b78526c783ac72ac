"""Labels with directives (S11) as plain documents, for measures that compare whole documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_schemascore.documents import label_directives as directives
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.similarity.json_distance import json_distance

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Absent, Json


def resolved(label: Json, value: Json | Absent) -> Json | Absent:
    """Return *label* with each directive replaced by a plain value, chosen in favour of *value*.

    An ``$ignore`` is what stands there, a ``$regex`` that is met too; of ``$any`` it is the alternative
    nearest to *value*. ``ABSENT`` is returned where nothing is to stand.
    """
    directive = directives.directive_of(label)
    if directive is not None and isinstance(label, dict):
        return _replaced(directive, label[directive], value)
    if isinstance(label, dict):
        source = value if isinstance(value, dict) else {}
        parts = {key: resolved(part, source.get(key, ABSENT)) for key, part in label.items()}
        return {key: part for key, part in parts.items() if part is not ABSENT}
    if isinstance(label, list):
        found = value if isinstance(value, list) else []
        items = [resolved(item, found[i] if i < len(found) else ABSENT) for i, item in enumerate(label)]
        return [item for item in items if item is not ABSENT]
    return label


def _replaced(directive: str, content: Json, value: Json | Absent) -> Json | Absent:
    match directive:
        case directives.ANY if isinstance(content, list):
            return min((resolved(part, value) for part in content), key=lambda part: _distance(part, value))
        case directives.REGEX if isinstance(content, str):
            met = isinstance(value, str) and re.fullmatch(content, value)
            return value if met else content
        case directives.ABSENT:
            return None if value is None else ABSENT
        case directives.IGNORE:
            return value
        case _:
            return content


def _distance(part: Json | Absent, value: Json | Absent) -> float:
    if part is ABSENT or value is ABSENT:
        return float(part is not value)
    return json_distance(part, value, parse_strings=False).score or 0.0
