"""The comparator that a schema holds at one place, in ``Annotated`` or under ``x-override-evaluator``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.by_json_type import ByJsonType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_schemascore.documents.shapes import Shape

_JSON_TYPES: Final[Mapping[Kind, str]] = {
    Kind.BOOLEAN: "boolean",
    Kind.INTEGER: "integer",
    Kind.NUMBER: "number",
    Kind.TEXT: "string",
}


def comparator_in_schema(shapes: Sequence[Shape], default: Comparator) -> tuple[Comparator, str] | None:
    """Return the comparator that *shapes*, the members of a union, hold and how it is written there; or None.

    Members with comparators of their own (``Annotated[str, fuzzy()] | Annotated[int, numeric(1)]``) are told
    apart by JSON type, the others get *default*. Where types can't tell them apart the first one decides.

    Raises:
        RuleError: an ``x-override-evaluator`` that can't be read.
    """
    found = [(shape, rule) for shape in shapes if isinstance(rule := _rule_of(shape), Comparator)]
    if not found:
        return None
    first, comparator = found[0]
    types = [_JSON_TYPES.get(shape.kind) for shape, _ in found]
    if all(rule == comparator for _, rule in found) or None in types or len(set(types)) < len(types):
        return comparator, first.named
    by_type = {kind: rule for kind, (_, rule) in zip(types, found, strict=True) if kind}
    return ByJsonType(default, **by_type), first.named


def _rule_of(shape: Shape) -> object:
    if not isinstance(shape.rule, dict):
        return shape.rule
    from pytest_schemascore.scoring.overrides import override  # loads comparators that few ask for

    try:
        return override(shape.rule)
    except RuleError as error:
        msg = f"{shape.named} in the schema: {error}"
        raise RuleError(msg) from None
