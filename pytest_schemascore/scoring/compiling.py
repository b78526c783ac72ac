"""From what a user configured to a scorer; rules are held against schema and labels before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_schemascore.scoring.checks import check_fit, check_keys, check_patterns, schema_nodes
from pytest_schemascore.scoring.configuring import as_rule, defaults_of, patterns_of
from pytest_schemascore.scoring.rules import root_node
from pytest_schemascore.scoring.score import Scorer
from pytest_schemascore.scoring.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import Shape

__all__ = ["Compiled", "as_rule", "compile_scorer", "defaults_of"]


class Compiled(NamedTuple):
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
    count_empty: bool = False,
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
    check_patterns(patterns, survey, root)
    labelled = survey.fields
    by_schema = {id(node): (node, set[str]()) for node in schema_nodes(root)}
    for node, kinds in (by_schema | survey.seen).values():
        check_fit(node, kinds)
        check_keys(node, labelled)
    places = [(n, kinds) for n, kinds in survey.seen.values() if kinds != {"object"} and not n.ignored]
    fields: dict[str, tuple[str, str]] = {}
    for node, kinds in places:
        rule = (repr(node.pairing), node.pairing_why) if "array" in kinds else (node.rule_name, node.why)
        fields.setdefault(node.field, rule)
    scorer = Scorer(
        root,
        {node.field for node, _ in places},
        count_extra,
        count_empty,
        weighted=any(pattern.weight is not None for pattern in patterns),
    )
    return Compiled(scorer, fields)
