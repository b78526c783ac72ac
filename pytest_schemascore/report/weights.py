"""Which weight each field has in the ``weighted`` figure; patterns are resolved as those of rules are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def check_weights(weights: Mapping[str, float]) -> None:
    """Refuse weights of single items of a list: what a suite measures is counted by field.

    Raises:
        RuleError: names the path, and the one to write instead.
    """
    for text in weights:
        if any(isinstance(segment, int) for segment in paths.parse(text)):
            msg = f"weights[{text!r}] names one item; weights are of fields: write {paths.field_of(text)!r}"
            raise RuleError(msg)


def field_weights(weights: Mapping[str, float], fields: Iterable[str]) -> dict[str, float]:
    """Return field -> weight: of the most specific pattern that matches (S5), 1 where none does."""
    if not weights:
        return {}
    # Few suites have weights, and who only reads reports needs no rules.
    from pytest_schemascore.scoring.comparators.exact import exact
    from pytest_schemascore.scoring.pairing.by_position import by_position
    from pytest_schemascore.scoring.patterns import Pattern
    from pytest_schemascore.scoring.rules import Defaults, node_at, root_node

    patterns = [Pattern(text, paths.parse(text), weight=weight) for text, weight in weights.items()]
    root = root_node(patterns, Defaults(exact(), by_position(), lambda _kinds, _default: None))
    return {name: node_at(root, name).weight for name in fields}
