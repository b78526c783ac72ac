"""`compare`: two documents, one result."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pytest_schemascore.comparison.building import build_tree
from pytest_schemascore.comparison.comparison import Comparison
from pytest_schemascore.comparison.config import default_rules, load_config
from pytest_schemascore.comparison.inputs import read_value, selected
from pytest_schemascore.comparison.schema_filter import closed, listed
from pytest_schemascore.documents.json_types import ABSENT, Absent
from pytest_schemascore.errors import RuleError, UsageError
from pytest_schemascore.scoring.compiling import compile_scorer, defaults_of
from pytest_schemascore.scoring.rules import root_node

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import Shape


def compare(
    expected: object,
    actual: object,
    *,
    schema: object = None,
    comparators: Mapping[str, object] | None = None,
    default: object = None,
    weights: Mapping[str, float] | None = None,
    select: str | None = None,
    extra: Literal["count", "ignore"] = "count",
    parse: Literal["strict", "lenient"] | None = None,
    config: Mapping[str, object] | str | os.PathLike[str] | None = None,
) -> Comparison:
    """Compare any two JSON values: objects, lists, scalars, or models on either side.

    Every scalar of the actual side counts in precision and every scalar of the expected side in recall. Texts
    are compared by ``jaccard()``, bools and integers strictly, a number with a fraction on either side by
    ``threshold(0.001, 0.1)``; list items are paired by content, at 0.3 and above.

    Args:
        expected: what should be there; the directives of labels (``{"$any": [...]}``) work here too.
        actual: what is there.
        schema: a JSON Schema (dict or path) or a type for pydantic. Properties that it doesn't list are left
            out where it allows others, and an error where it doesn't (a JSON Schema that says nothing of
            them doesn't allow them). Its types, enums, annotations and ``x-override-evaluator`` choose rules;
            values are not validated. By default, the class of a model on either side chooses rules.
        comparators: path -> comparator, pairing, or function ``(expected, actual) -> bool | float | None``; a
            `Comparator` of your own may also fill a whole ``matrix(expected, actual)``.
        default: the rule of all scalars, a pairing for all lists, or a mapping JSON type -> rule.
        weights: path -> weight of the scalars there, in all figures and in pairing.
        select: path of the part to compare. It is taken of the expected side too, where that holds it; a
            part that is JSON text (the arguments of a tool call) is read.
        extra: ``"ignore"`` leaves out keys that the expected side lacks.
        parse: reads sides that are text as outputs are read: ``"strict"`` or ``"lenient"``. By default a text
            is a JSON string like any other.
        config: the contents or the path of a config file, see `pytest_schemascore.comparison.config`.

    Raises:
        UsageError: an argument that can't be used, or a side that is not JSON.
        SchemaError: a property that the schema forbids, or a schema that can't be read.
        ComparatorError: a comparator failed.
    """
    if extra not in ("count", "ignore") or parse not in (None, "strict", "lenient"):
        msg = f"extra={extra!r}, parse={parse!r}: extra is 'count' or 'ignore', parse 'strict' or 'lenient'"
        raise UsageError(msg)
    rules = default_rules(default, _settings(config))
    left = read_value(expected, "expected", parse)
    right: Json | Absent = read_value(actual, "actual", parse)
    if select is not None:
        left, right = selected(left, right, select)
    plan = _plan(schema, expected, actual)
    if plan.filters:
        node = root_node((), defaults_of(rules), plan.shape)
        left = listed(left, node, "expected", strict=plan.strict)
        right = ABSENT if isinstance(right, Absent) else listed(right, node, "actual", strict=plan.strict)
    labels = [left] if extra == "ignore" or isinstance(right, Absent) else [left, right]
    compiled = compile_scorer(
        labels,
        comparators=comparators,
        default=rules,
        weights=weights,
        shape=plan.shape,
        count_extra=extra == "count",
        count_empty=True,
    )
    scored = compiled.scorer.score(left, right)
    if scored.questions:
        msg = f"{scored.questions[0].judge!r} is a judge; only evaluate() and marked tests can wait for one"
        raise RuleError(msg)
    return Comparison(build_tree(scored, right, compiled.scorer.root), left, right)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a schema means for a comparison: rules, and whether to leave properties out or refuse them."""

    shape: Shape | None = None
    filters: bool = False
    strict: bool = False


def _plan(schema: object, *sides: object) -> _Plan:
    if isinstance(schema, (str, Path, Mapping)):
        return _json_schema_plan(schema)
    if schema is not None:
        return _Plan(_shape_of(schema), filters=True)
    models = [type(side) for side in sides if hasattr(type(side), "__pydantic_core_schema__")]
    return _Plan(_shape_of(models[0])) if models else _Plan()


def _json_schema_plan(schema: str | Path | Mapping[str, Any]) -> _Plan:
    # jsonschema and pydantic take long to load, and two files without a schema need neither.
    from pytest_schemascore.documents.json_schema import JsonSchema, load_json_schema

    if isinstance(schema, Mapping):
        adapted = JsonSchema.of(closed(schema))
    else:
        adapted = JsonSchema.of(closed(load_json_schema(Path(schema))), str(schema))
    return _Plan(adapted.shape, filters=True, strict=True)


def _shape_of(model: object) -> Shape:
    from pytest_schemascore.documents.schema import adapt_schema

    return adapt_schema(model).shape


def _settings(config: Mapping[str, object] | str | os.PathLike[str] | None) -> Mapping[str, object] | None:
    return load_config(config) if isinstance(config, (str, os.PathLike)) else config
