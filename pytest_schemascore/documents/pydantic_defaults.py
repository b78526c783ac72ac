"""Counting the leaves of an output that are defaults of the schema, not answers (S2)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, RootModel

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

_SCALARS: Final[frozenset[type]] = frozenset({str, int, float, bool, type(None)})


class _Kind(Enum):
    """How the value of some type is looked into."""

    NOTHING = "nothing"
    MODEL = "model"
    ROOT_MODEL = "root model"
    DICT = "dict"
    ITEMS = "items"


@dataclass(frozen=True, slots=True)
class DefaultCounter:
    """Counts leaves that the input didn't set, as far as pydantic keeps track: in models, at any depth.

    Attributes:
        kinds: of each type seen, how to look into it; kept, since a run asks the same of every output.
        keys: of each model class seen, field name -> key in the dump.
    """

    kinds: dict[type, _Kind] = field(default_factory=lambda: dict.fromkeys(_SCALARS, _Kind.NOTHING))
    keys: dict[type, dict[str, str]] = field(default_factory=dict)

    def count(self, value: Any, dumped: Json) -> int:
        """Count the leaves of *dumped*, the dump of the validated *value*, that are schema defaults."""
        kind = self.kinds.get(type(value)) or self._learn(type(value))
        if kind is _Kind.NOTHING:
            return 0
        if kind is _Kind.MODEL and isinstance(dumped, dict):
            return self._of_model(value, dumped)
        if kind is _Kind.ROOT_MODEL:
            return self.count(value.root, dumped) if value.model_fields_set else count_leaves(dumped)
        if kind is _Kind.DICT and isinstance(dumped, dict) and len(value) == len(dumped):
            return sum(map(self.count, value.values(), dumped.values()))
        if kind is _Kind.ITEMS and isinstance(dumped, list):
            return sum(map(self.count, value, dumped))
        return 0  # a serializer of the user's made something else of it

    def _of_model(self, model: BaseModel, dumped: dict[str, Json]) -> int:
        given = model.model_fields_set
        values = model.__dict__
        keys = self.keys[type(model)]
        if keys.keys() <= given and _SCALARS.issuperset(map(type, values.values())):
            return 0  # all were given, and nothing is inside them
        total = 0
        for name, key in keys.items():
            if name not in given:
                total += count_leaves(dumped[key]) if key in dumped else 0
            elif type(child := values.get(name)) not in _SCALARS and key in dumped:
                total += self.count(child, dumped[key])
        return total

    def _learn(self, cls: type) -> _Kind:
        kind = _kind_of(cls)
        if kind is _Kind.MODEL:
            fields = cls.model_fields.items()  # type: ignore[attr-defined]  # it is a model class, as just found
            self.keys[cls] = {name: info.serialization_alias or name for name, info in fields}
        self.kinds[cls] = kind
        return kind


def _kind_of(cls: type) -> _Kind:
    if issubclass(cls, RootModel):
        return _Kind.ROOT_MODEL
    if issubclass(cls, BaseModel):
        return _Kind.MODEL
    if issubclass(cls, dict):
        return _Kind.DICT
    return _Kind.ITEMS if issubclass(cls, (list, tuple, set, frozenset, deque)) else _Kind.NOTHING


def count_leaves(value: Json) -> int:
    """Count the scalars and empty containers in *value*."""
    if isinstance(value, dict):
        return sum(map(count_leaves, value.values())) or 1
    if isinstance(value, list):
        return sum(map(count_leaves, value)) or 1
    return 1
