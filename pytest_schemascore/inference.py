"""A schema and rules to start from, inferred from labels."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.documents import label_directives as directives
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_schemascore.documents.json_types import Json

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
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
    """What the labels hold at one place."""

    kinds: set[str] = field(default_factory=set)
    scalars: list[Json] = field(default_factory=list)
    objects: int = 0
    keys: dict[str, _Place] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    lists: list[list[Json]] = field(default_factory=list)
    items: _Place | None = None

    def take(self, label: Json) -> None:
        """Take in one label; of a directive, the values that it allows."""
        directive = directives.directive_of(label)
        if directive is not None and isinstance(label, dict):
            content = label[directive]
            if directive == directives.ANY and isinstance(content, list):
                for part in content:
                    self.take(part)
            elif directive == directives.LITERAL:
                self._take_plain(content)
            elif directive == directives.REGEX:
                self.kinds.add("string")
            elif directive == directives.ABSENT:
                self.kinds.add("null")
            return
        self._take_plain(label)

    def _take_plain(self, label: Json) -> None:
        self.kinds.add(type_name(label))
        if isinstance(label, dict):
            self.objects += 1
            for key, part in label.items():
                self.keys.setdefault(key, _Place()).take(part)
                self.times[key] = self.times.get(key, 0) + 1
        elif isinstance(label, list):
            self.lists.append(label)
            self.items = self.items or _Place()
            for item in label:
                self.items.take(item)
        elif label is not None:
            self.scalars.append(label)

    def texts(self) -> list[str]:
        """Return the texts among the scalars; empty where other values stand among them."""
        texts = [value for value in self.scalars if isinstance(value, str)]
        return texts if len(texts) == len(self.scalars) else []


def infer_schema(labels: Iterable[Json]) -> dict[str, Any]:
    """Return a JSON Schema that all *labels* pass; keys that every label has are required."""
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
    elif kind == "string":
        texts = place.texts()
        if _all_match(texts, _DATE):
            schema["format"] = "date"
        elif _all_match(texts, _MOMENT):
            schema["format"] = "date-time"
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
    elif _all_match(texts, _DATE) or _all_match(texts, _MOMENT):
        yield InferredRule(path, "date()", "dates, however they are written")
    elif _all_match(texts, _URL):
        yield InferredRule(path, "url()", "addresses")
    elif texts and sum(len(text.split()) for text in texts) >= _PROSE * len(texts):
        yield InferredRule(path, "token_ratio()", "texts of several words")


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _all_match(texts: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return bool(texts) and all(pattern.fullmatch(text) for text in texts)
