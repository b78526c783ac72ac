"""A schema and rules to start from, inferred from labels."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.documents import label_directives as directives
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_schema_formats import FORMATS
from pytest_schemascore.documents.json_types import type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_schemascore.documents.json_types import Json

_FORMATS: Final = ("date", "date-time")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*", re.ASCII)
_URL: Final = re.compile(r"https?://\S+")
_PROSE: Final = 4
"""Words from which on a text is taken for prose, which models rarely repeat to the letter."""

_CENTS: Final = 2
"""Decimals that every number is taken to have: JSON drops the zeros of 2.50."""

_KEY_LIKE: Final = re.compile(r"(?:^|_|-)(?:id|key|code|sku|number|no|name)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InferredRule:
    """A rule worth considering: where, the call that makes it, and why."""

    path: str
    call: str
    reason: str


@dataclass(slots=True)
class _Place:
    """What the labels hold at one place.

    Attributes:
        times: how many of the `objects` certainly have each key; one that may be absent is not counted.
        matched: whether a regular expression stands for a text, so that nothing is known of its format.
    """

    kinds: set[str] = field(default_factory=set)
    scalars: list[Json] = field(default_factory=list)
    objects: int = 0
    keys: dict[str, _Place] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    lists: list[list[Json]] = field(default_factory=list)
    items: _Place | None = None
    matched: bool = False

    def take(self, label: Json, *, literal: bool = False) -> None:
        """Take in one label; of a directive, the values that it allows, unless *label* is *literal*."""
        directive = None if literal else directives.directive_of(label)
        if directive is not None and isinstance(label, dict):
            content = label[directive]
            if directive == directives.ANY and isinstance(content, list):
                for part in content:
                    self.take(part)
            elif directive == directives.LITERAL:
                self.take(content, literal=True)
            elif directive == directives.REGEX:
                self.kinds.add("string")
                self.matched = True
            elif directive == directives.ABSENT:
                self.kinds.add("null")
            return
        self._take_plain(label, literal=literal)

    def _take_plain(self, label: Json, *, literal: bool) -> None:
        self.kinds.add(type_name(label))
        if isinstance(label, dict):
            self.objects += 1
            for key, part in label.items():
                self.keys.setdefault(key, _Place()).take(part, literal=literal)
                self.times[key] = self.times.get(key, 0) + (literal or not _may_lack(part))
        elif isinstance(label, list):
            self.lists.append(label)
            self.items = self.items or _Place()
            for item in label:
                self.items.take(item, literal=literal)
        elif label is not None:
            self.scalars.append(label)

    def texts(self) -> list[str]:
        """Return the texts among the scalars; empty where other values stand among them."""
        texts = [value for value in self.scalars if isinstance(value, str)]
        return texts if len(texts) == len(self.scalars) else []


def _may_lack(label: Json) -> bool:
    """Say whether an output may lack the key of *label*: it is ``$absent`` or ``$ignore``, or may be."""
    directive = directives.directive_of(label)
    if directive == directives.ANY and isinstance(label, dict):
        parts = label[directive]
        return isinstance(parts, list) and any(map(_may_lack, parts))
    return directive in (directives.ABSENT, directives.IGNORE)


def infer_schema(labels: Iterable[Json]) -> dict[str, Any]:
    """Return a JSON Schema that all *labels* pass; keys that every label asks for are required."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_schema_of(_taken(labels))}


def infer_rules(labels: Iterable[Json]) -> list[InferredRule]:
    """Return rules for the places of *labels* where the default is likely not what is wanted."""
    return list(_rules_of(_taken(labels), paths.ROOT))


def _taken(labels: Iterable[Json]) -> _Place:
    root = _Place()
    for label in labels:
        root.take(label)
    return root


def _schema_of(place: _Place) -> dict[str, Any]:
    kinds = place.kinds - {"null"}
    if "number" in kinds:
        kinds = kinds - {"integer"}
    options = [_schema_of_kind(place, kind) for kind in sorted(kinds)]
    if "null" in place.kinds:
        options.append({"type": "null"})
    if len(options) < 2:
        return options[0] if options else {}
    if len(options) == 2 and "null" in place.kinds:
        return {**options[0], "type": [options[0]["type"], "null"]}
    return {"anyOf": options}


def _schema_of_kind(place: _Place, kind: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": kind}
    if kind == "object":
        schema["properties"] = {key: _schema_of(below) for key, below in place.keys.items()}
        required = [key for key, times in place.times.items() if times == place.objects]
        schema |= {"required": required} if required else {}
    elif kind == "array" and place.items is not None and place.items.kinds:
        schema["items"] = _schema_of(place.items)
    elif kind == "string" and not place.matched:
        texts = [value for value in place.scalars if isinstance(value, str)]
        formats = [name for name in _FORMATS if all(FORMATS.conforms(text, name) for text in texts)]
        schema |= {"format": formats[0]} if formats else {}
    return schema


def _rules_of(place: _Place, path: str) -> Iterator[InferredRule]:
    yield from _rule_of_list(place, path)
    yield from _rule_of_scalar(place, path)
    for key, below in place.keys.items():
        yield from _rules_of(below, paths.join_key(path, key))
    if place.items is not None:
        yield from _rules_of(place.items, f"{path}[*]" if path != paths.ROOT else "[*]")


def _rule_of_list(place: _Place, path: str) -> Iterator[InferredRule]:
    if place.items is None or not place.items.keys:
        return
    unique = [key for key in place.items.keys if _is_unique(key, place.lists)]
    if unique:
        best = next((key for key in unique if _KEY_LIKE.search(key)), unique[0])
        yield InferredRule(path, f"by_key({best!r})", f"every item has its own {best}")


def _is_unique(key: str, lists: Sequence[list[Json]]) -> bool:
    """Say whether every item has a text or an integer at *key*, and no two of one list have the same."""
    several = False
    for items in lists:
        values = [item.get(key) if isinstance(item, dict) else None for item in items]
        if not all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in values):
            return False
        if len(set(values)) < len(values):
            return False
        several = several or len(values) > 1
    return several


def _rule_of_scalar(place: _Place, path: str) -> Iterator[InferredRule]:
    floats = [value for value in place.scalars if isinstance(value, float)]
    texts = place.texts()
    if floats:
        digits = max(_CENTS, *map(_decimals, floats))
        tolerance = Decimal(5).scaleb(-digits - 1)
        yield InferredRule(
            path, f"numeric(abs_tol={tolerance:f})", f"equal when rounded to {digits} decimals"
        )
    elif _all(texts, _is_day) or _all(texts, _is_moment):
        yield InferredRule(path, "date()", "dates, however they are written")
    elif _all(texts, _URL.fullmatch):
        yield InferredRule(path, "url()", "addresses")
    elif texts and sum(len(text.split()) for text in texts) >= _PROSE * len(texts):
        yield InferredRule(path, "token_ratio()", "texts of several words")


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _all(texts: Sequence[str], is_one: Callable[[str], object]) -> bool:
    return bool(texts) and all(map(is_one, texts))


def _is_day(text: str) -> bool:
    return FORMATS.conforms(text, "date")


def _is_moment(text: str) -> bool:
    """Say whether *text* is a date and a time of day; unlike ``date-time``, without zone or seconds too."""
    try:
        return _MOMENT.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except ValueError:
        return False
