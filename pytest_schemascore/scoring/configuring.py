"""What a user may write as a rule, made into one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pytest_schemascore._awaiting import as_async
from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents import paths
from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.by_json_type import ByJsonType
from pytest_schemascore.scoring.comparators.by_type import for_kinds
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.function import FunctionComparator
from pytest_schemascore.scoring.comparators.naming import named
from pytest_schemascore.scoring.pairing.base import Pairing
from pytest_schemascore.scoring.pairing.by_content import by_content
from pytest_schemascore.scoring.patterns import Pattern
from pytest_schemascore.scoring.rules import Defaults

_SCALARS: Final = ("string", "boolean", "integer", "number")


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
        instead = f"schemascore.{rule}()" if isinstance(rule, str) and rule.isidentifier() else "a comparator"
        msg = f"{rule!r} is no rule; give {instead}, a pairing, or a function (expected, actual)"
        raise RuleError(msg)
    name = named(rule).name
    if as_async(rule) is not None:
        return Deferred(rule, name, whole=False)
    return FunctionComparator(rule, name)


def defaults_of(default: object = None) -> Defaults:
    """Return what unnamed places get: *default* is a rule, or a mapping of JSON types to rules.

    The types are ``string``, ``boolean``, ``integer``, ``number`` and ``array``.

    Raises:
        RuleError: an unknown JSON type (with the nearest one), or a rule that doesn't fit its type.
    """
    if default is None:
        return Defaults(exact(), by_content(), for_kinds)
    if not isinstance(default, Mapping):
        rule = as_rule(default)
        if isinstance(rule, Pairing):
            return Defaults(exact(), rule, for_kinds)
        return Defaults(rule, by_content(), for_kinds)
    rules = {_json_type(kind): as_rule(rule) for kind, rule in default.items()}
    pairing = rules.pop("array", by_content())
    if not isinstance(pairing, Pairing):
        msg = f"default['array'] is {pairing!r}, a comparator; give a pairing such as by_content()"
        raise RuleError(msg)
    leaves: dict[str, Comparator] = {}
    for kind, rule in rules.items():
        if not isinstance(rule, Comparator):
            msg = f"default[{kind!r}] is {rule!r}, a pairing; pairings are for 'array'"
            raise RuleError(msg)
        leaves[kind] = rule
    return Defaults(ByJsonType(exact(), **leaves), pairing, for_kinds)


def _json_type(kind: object) -> str:
    known = (*_SCALARS, "array")
    if kind not in known:
        near = did_you_mean(str(kind), known)
        msg = f"default has the key {kind!r}, which is no JSON type{near} (known: {', '.join(known)})"
        raise RuleError(msg)
    return str(kind)


def patterns_of(comparators: Mapping[str, object], weights: Mapping[str, float]) -> list[Pattern]:
    """Parse the configured paths.

    Raises:
        PathError: a path can't be read.
        RuleError: what a path is given is no rule, or no weight.
    """
    rules = {text: _rule_at(text, rule) for text, rule in comparators.items()}
    patterns = [Pattern(text, paths.parse(text), rule) for text, rule in rules.items()]
    for text, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
            msg = f"weights[{text!r}] is {weight!r}; it must be a number of 0 or more"
            raise RuleError(msg)
        patterns.append(Pattern(text, paths.parse(text), weight=float(weight)))
    return patterns


def _rule_at(text: str, rule: object) -> Comparator | Pairing:
    try:
        return as_rule(rule)
    except RuleError as error:
        msg = f"comparators[{text!r}]: {error}"
        raise RuleError(msg) from None
