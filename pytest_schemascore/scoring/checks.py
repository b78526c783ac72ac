"""Configured rules held against what schema and labels have, before anything is called (S5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.errors import PathError, RuleError
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.ignore import ignore
from pytest_schemascore.scoring.pairing.base import Pairing
from pytest_schemascore.scoring.patterns import next_segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from pytest_schemascore.documents.shapes import Shape
    from pytest_schemascore.scoring.patterns import Pattern
    from pytest_schemascore.scoring.rules import RuleNode
    from pytest_schemascore.scoring.survey import Survey

_DEPTH: Final = 12
"""How deep schemas are searched for the places they name; they may be recursive."""

_KINDS: Final = {Kind.OBJECT: "object", Kind.ARRAY: "array"}


def check_patterns(patterns: Iterable[Pattern], survey: Survey, root: RuleNode) -> None:
    """Refuse patterns that match nothing in the schema or any label.

    Raises:
        PathError: names the nearest place.
    """
    matched = survey.matched
    unmatched = [pattern for pattern in patterns if pattern.text not in matched]
    if not unmatched:
        return
    nodes = list(schema_nodes(root))
    in_schema = {pattern.text for node in nodes for pattern in node.matching()}
    known = (survey.fields | {node.field for node in nodes}) - {paths.ROOT}
    for pattern in unmatched:
        if pattern.text not in in_schema:
            near = did_you_mean(pattern.text.removeprefix("$."), known)
            msg = f"path {pattern.text!r} matches nothing in the schema or in any label{near}"
            raise PathError(msg)


def schema_nodes(root: RuleNode) -> Iterator[RuleNode]:
    """Yield the places that the schema names; of a part that recurs, one with each state of the patterns."""
    pending = [(root, 0)]
    seen: set[object] = set()
    while pending:
        node, depth = pending.pop()
        yield node
        same = (frozenset(map(_identity, node.shapes)), frozenset(node.states))
        if depth == _DEPTH or same in seen:
            continue
        seen.add(same)
        names = {name: None for shape in node.shapes for name in shape.keys}
        pending += [(node.key(name), depth + 1) for name in names]
        if any(shape.item is not None or shape.prefix for shape in node.shapes):
            pending.append((node.any_item, depth + 1))
            indexes = {segment for segment in next_segments(node.states) if isinstance(segment, int)}
            pending += [(node.item(i), depth + 1) for i in indexes]


def _identity(shape: Shape) -> object:
    """Return what tells *shape* from others; the rule of a union stands in a shape made anew each time."""
    return id(shape) if shape.kind is not Kind.NULL else id(shape.rule)


def check_fit(node: RuleNode, labelled: Set[str]) -> None:
    """Refuse a comparator where there are only objects or lists, and a pairing where there is no list.

    *labelled* are the JSON types that labels hold at *node*; where they say nothing, the schema does.

    Raises:
        RuleError: says where the rule belongs.
    """
    in_schema = _kinds(node.shapes)
    for pattern in node.matching():
        if all(isinstance(step, (str, int)) or step is paths.Wild.ITEM for step in pattern.segments):
            _check_rule(pattern.rule, f"path {pattern.text!r}", labelled or in_schema, pattern.text)
    for shape in node.shapes:
        kinds = in_schema if shape.kind is Kind.NULL else _kinds([shape])
        _check_rule(shape.rule, f"{node.field}: {shape.named}", kinds, node.field)


def _kinds(shapes: Iterable[Shape]) -> set[str]:
    """Return the JSON types of *shapes*, null aside; none where anything may stand there."""
    kinds = {shape.kind for shape in shapes} - {Kind.NULL}
    return set() if Kind.ANY in kinds else {_KINDS.get(kind, "scalar") for kind in kinds}


def _check_rule(rule: object, whose: str, kinds: Set[str], path: str) -> None:
    if not kinds:
        return
    if isinstance(rule, Pairing) and "array" not in kinds:
        what = "objects" if "object" in kinds else "single values"
        msg = f"{whose}: {rule!r} pairs the items of a list, but there are {what} there"
        raise RuleError(msg)
    if not isinstance(rule, Comparator) or isinstance(rule, ignore) or "scalar" in kinds:
        return
    if "array" in kinds:
        msg = (
            f"{whose}: {rule!r} compares single values, but there are lists there;"
            f" give it to the items, {path + '[*]'!r}, or give a pairing such as by_content()"
        )
    else:
        keys = "*" if path == paths.ROOT else f"{path}.*"
        msg = (
            f"{whose}: {rule!r} compares single values, but there are objects there;"
            f" give it to the keys below, {keys!r}"
        )
    raise RuleError(msg)


def check_keys(node: RuleNode, fields: Set[str]) -> None:
    """Refuse a ``by_key`` at *node* whose keys no item has, in the schema or in any label.

    *fields* are those that labels hold.

    Raises:
        RuleError: names the nearest key.
    """
    below = f"{node.field}[*]."
    keys = [field.removeprefix(below) for field in fields if field.startswith(below)]
    if not keys or node.pairing_why == "default":
        return
    from pytest_schemascore.scoring.pairing.by_key import by_key  # whoever has lists without rules needs none

    if not isinstance(node.pairing, by_key):
        return
    for name in node.pairing.names:
        item, in_schema = node.any_item, False
        for step in paths.parse(name):
            in_schema = any(step in shape.keys for shape in item.shapes)
            item = item.key(str(step))
        if not in_schema and item.field not in fields:
            msg = f"{node.field}: {node.pairing!r}: no item has the key {name!r}{did_you_mean(name, keys)}"
            raise RuleError(msg)
