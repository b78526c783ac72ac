"""From what a user configured to a scorer: rules are checked against schema and labels before anything runs."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.json_types import Json
from pytest_schemascore.errors import PathError, RuleError
from pytest_schemascore.documents import paths
from pytest_schemascore.scoring import directives
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.by_json_type import ByJsonType
from pytest_schemascore.scoring.comparators.by_type import for_kind
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.function import FunctionComparator
from pytest_schemascore.scoring.comparators.ignore import ignore
from pytest_schemascore.scoring.comparators.naming import named
from pytest_schemascore.scoring.pairing.base import Pairing
from pytest_schemascore.scoring.pairing.by_content import by_content
from pytest_schemascore.scoring.rules import Defaults, Pattern, RuleNode, root_node
from pytest_schemascore.scoring.score import Scorer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.documents.shapes import Shape

_SCALARS = ("string", "boolean", "integer", "number")
_DEPTH = 12
"""How deep schemas are searched for names to suggest; they may be recursive."""


def as_rule(rule: object) -> Comparator | Pairing:
    """Return *rule*, with a user's function made a comparator (an async one is a judge of single leaves).

    Raises:
        RuleError: it is neither a rule nor a function of two arguments; a forgotten call is pointed out.
    """
    if isinstance(rule, (Comparator, Pairing)):
        return rule
    if isinstance(rule, type) and issubclass(rule, (Comparator, Pairing)):
        msg = f"{rule.__name__} is not called; write {rule.__name__}()"
        raise RuleError(msg)
    if not callable(rule):
        msg = f"{rule!r} is no rule; give a comparator, a pairing, or a function (expected, actual)"
        raise RuleError(msg)
    name = named(rule).name
    if inspect.iscoroutinefunction(rule) or inspect.iscoroutinefunction(getattr(rule, "__call__", None)):  # noqa: B004 - the call's own kind is asked, not whether there is one
        return Deferred(rule, name, whole=False)
    return FunctionComparator(rule, name)


def defaults_of(default: object = None) -> Defaults:
    """Return what unnamed places get: *default* is a rule, or a mapping of JSON types to rules.

    The types are ``string``, ``boolean``, ``integer``, ``number`` and ``array``.

    Raises:
        RuleError: an unknown JSON type (with the nearest one), or a rule that doesn't fit its type.
    """
    if default is None:
        return Defaults(exact(), by_content(), for_kind)
    if not isinstance(default, dict):
        rule = as_rule(default)
        if isinstance(rule, Pairing):
            return Defaults(exact(), rule, for_kind)
        return Defaults(rule, by_content(), for_kind)
    rules = {_json_type(kind): as_rule(rule) for kind, rule in default.items()}
    pairing = rules.pop("array", by_content())
    leaves: dict[str, Comparator] = {}
    for kind, rule in rules.items():
        if not isinstance(rule, Comparator):
            msg = f"default[{kind!r}] is {rule!r}, a pairing; pairings are for 'array'"
            raise RuleError(msg)
        leaves[kind] = rule
    if not isinstance(pairing, Pairing):
        msg = f"default['array'] is {pairing!r}, a comparator; give a pairing such as by_content()"
        raise RuleError(msg)
    return Defaults(ByJsonType(exact(), **leaves), pairing, for_kind)


def _json_type(kind: object) -> str:
    if kind not in (*_SCALARS, "array"):
        near = did_you_mean(str(kind), (*_SCALARS, "array"))
        msg = (
            f"default has the key {kind!r}, which is no JSON type{near} (known: {', '.join(_SCALARS)}, array)"
        )
        raise RuleError(msg)
    return str(kind)


def patterns_of(comparators: Mapping[str, object], weights: Mapping[str, float]) -> list[Pattern]:
    """Parse the configured paths.

    Raises:
        PathError: a path can't be read; RuleError: what it is given is no rule, or no weight.
    """
    patterns = [Pattern(text, paths.parse(text), rule=as_rule(rule)) for text, rule in comparators.items()]
    for text, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
            msg = f"weights[{text!r}] is {weight!r}; it must be a number of 0 or more"
            raise RuleError(msg)
        patterns.append(Pattern(text, paths.parse(text), weight=float(weight)))
    return patterns


@dataclass(slots=True)
class Survey:
    """Which places the labels hold, and of which JSON types their values are."""

    seen: dict[int, tuple[RuleNode, set[str]]] = field(default_factory=dict)

    def visit(self, label: Json, node: RuleNode) -> None:
        """Take in *label*, alternatives and all."""
        pending: list[tuple[Json, RuleNode]] = [(label, node)]
        while pending:
            value, place = pending.pop()
            directive = directives.directive_of(value)
            if directive is not None and isinstance(value, dict):
                pending += [(part, place) for part in _contents(directive, value[directive])]
                self._note(place, None)
            elif isinstance(value, dict):
                self._note(place, "object")
                pending += [(part, place.key(key)) for key, part in value.items()]
            elif isinstance(value, list):
                self._note(place, "array")
                pending += [(part, place.item(i)) for i, part in enumerate(value)]
            else:
                self._note(place, None if value is None else "scalar")

    def _note(self, node: RuleNode, kind: str | None) -> None:
        kinds = self.seen.setdefault(id(node), (node, set()))[1]
        if kind:
            kinds.add(kind)

    @property
    def fields(self) -> set[str]:
        """The fields of all places, inner ones included."""
        return {node.field for node, _ in self.seen.values()}

    @property
    def matched(self) -> set[str]:
        """The texts of the patterns that match some place."""
        return {pattern.text for node, _ in self.seen.values() for pattern in node.matching()}


def _contents(directive: str, content: Json) -> list[Json]:
    if directive == directives.ANY and isinstance(content, list):
        return content
    return [content] if directive == directives.LITERAL else []


@dataclass(frozen=True, slots=True)
class Compiled:
    """A scorer, and for each labelled field the name of its rule and where that comes from."""

    scorer: Scorer
    fields: Mapping[str, tuple[str, str]]


def compile_scorer(
    labels: Iterable[Json],
    *,
    comparators: Mapping[str, object] | None = None,
    default: object = None,
    weights: Mapping[str, float] | None = None,
    shape: Shape | None = None,
    count_extra: bool = False,
) -> Compiled:
    """Resolve the rules of a suite and check them against its schema and labels.

    Raises:
        PathError: a configured path can't be read, or matches nothing in the schema or any label.
        RuleError: what a path is given is no rule, or doesn't fit what stands there.
    """
    patterns = patterns_of(comparators or {}, weights or {})
    root = root_node(patterns, defaults_of(default), shape)
    survey = Survey()
    for label in labels:
        survey.visit(label, root)
    _check_matches(patterns, survey, root)
    for node, kinds in survey.seen.values():
        _check_fit(node, kinds)
    places = [
        (node, kinds) for node, kinds in survey.seen.values() if not node.ignored and kinds != {"object"}
    ]
    fields: dict[str, tuple[str, str]] = {}
    for node, kinds in places:
        if "array" in kinds:
            fields.setdefault(node.field, (repr(node.pairing), node.pairing_why))
        else:
            fields.setdefault(node.field, (node.rule_name, node.why))
    return Compiled(Scorer(root, {node.field for node, _ in places}, count_extra), fields)


def _check_matches(patterns: Iterable[Pattern], survey: Survey, root: RuleNode) -> None:
    matched = survey.matched
    unmatched = [pattern for pattern in patterns if pattern.text not in matched]
    if not unmatched:
        return
    nodes = list(_schema_nodes(root))
    in_schema = {pattern.text for node in nodes for pattern in node.matching()}
    known = survey.fields | {node.field for node in nodes} - {paths.ROOT}
    for pattern in unmatched:
        if pattern.text not in in_schema:
            near = did_you_mean(pattern.text, known)
            msg = f"path {pattern.text!r} matches nothing in the schema or in any label{near}"
            raise PathError(msg)


def _schema_nodes(root: RuleNode) -> Iterable[RuleNode]:
    """Yield the places that the schema names, `_DEPTH` levels deep."""
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        yield node
        if depth == _DEPTH:
            continue
        names = {name for shape in node.shapes for name in shape.keys}
        pending += [(node.key(name), depth + 1) for name in names]
        if any(shape.item is not None or shape.prefix for shape in node.shapes):
            pending.append((node.any_item, depth + 1))
            pending += [(node.item(i), depth + 1) for i in _named_indexes(node)]


def _named_indexes(node: RuleNode) -> set[int]:
    segments = (p.segments[k] for p, k in node.states if k < len(p.segments))
    return {segment for segment in segments if isinstance(segment, int)}


def _check_fit(node: RuleNode, kinds: set[str]) -> None:
    """Refuse a comparator where labels hold objects or lists, and a pairing where they hold scalars."""
    for pattern in node.matching():
        exact_path = all(
            isinstance(segment, (str, int)) or segment is paths.Wild.ITEM for segment in pattern.segments
        )
        if not exact_path or not kinds:
            continue
        if isinstance(pattern.rule, Pairing) and "array" not in kinds:
            what = "objects" if "object" in kinds else "single values"
            msg = (
                f"path {pattern.text!r}: {pattern.rule!r} pairs list items, but the labels hold {what} there"
            )
            raise RuleError(msg)
        if (
            isinstance(pattern.rule, Comparator)
            and not isinstance(pattern.rule, ignore)
            and "scalar" not in kinds
        ):
            if "array" in kinds:
                msg = f"path {pattern.text!r}: {pattern.rule!r} compares single values, but the labels hold lists there; give it to {pattern.text + '[*]'!r}, or give a pairing such as by_content()"
            else:
                msg = f"path {pattern.text!r}: {pattern.rule!r} compares single values, but the labels hold objects there; give it to the keys below, {pattern.text + '.*'!r}"
            raise RuleError(msg)
