"""schemascore's cases: suites agree, but for the kinds of case where schemascore is wrong.

Each exception is named with its right value, as leaf -> whether it is right. List items are paired by
position, as the peer does it, since the cases are about leaves.
"""

from __future__ import annotations

import ast
from typing import Any, Final

import pytest
from pydantic import ConfigDict, create_model

import pytest_schemascore as schemascore
from pytest_schemascore.evaluation import evaluate
from pytest_schemascore.scoring.outcomes import Outcome
from tests.shared_data import read_conformance

RIGHT: Final[dict[str, dict[str, bool]]] = {
    # true is never 1.
    "bool-vs-int": {"a": False},
    # null is met by null, whatever the comparator.
    "numeric-null-null": {"a": True},
    # Keys with dots are quoted, so that no two keys share a path.
    "dotted-key-collision": {"a['x.y']": True, "a.x.y": True},
}
INVALID: Final = {
    # NaN is not JSON, so the output is not.
    "nan-vs-nan-json-text",
}
TYPES: Final[dict[str, Any]] = {"str": str, "int": int, "float": float, "bool": bool, "any": Any}


def schema_of(notation: dict[str, Any], name: str = "Document") -> Any:
    """Make a model of the cases' notation; schemascore's models drop keys that they don't know."""
    fields: dict[str, Any] = {}
    for key, kind in notation.items():
        optional = key.endswith("?")
        field = key.removesuffix("?")
        annotation = list[schema_of(kind[0], field)] if isinstance(kind, list) else TYPES[kind]  # type: ignore[misc]  # a type made at run time
        fields[field] = (annotation | None, None) if optional else (annotation, ...)
    return create_model(name, __config__=ConfigDict(extra="ignore"), **fields)


def rule_of(text: str | None) -> Any:
    """Make the rule that a call such as ``numeric(abs_tol=0.25)`` spells."""
    if text is None:
        return None
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    arguments = [ast.literal_eval(argument) for argument in call.args]
    keywords = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}
    return getattr(schemascore, call.func.id)(*arguments, **keywords)


def test_suites_agree_with_schemascore() -> None:
    """On validity and on every leaf of every case, the exceptions by name."""
    for case in read_conformance("schemascore.jsonl", RIGHT.keys() | INVALID):
        options, result = case["options"], case["result"]
        rules = {path: rule_of(text) for path, text in options["comparators"].items()}
        default = rule_of(options["default"]) or schemascore.exact()
        report = evaluate(
            schema_of(options["schema"]),
            [{"id": case["id"], "input": None, "expected": case["expected"]}],
            lambda _, actual=case["actual"]: actual,  # type: ignore[misc]  # bound here, in the loop
            rules | {path: schemascore.by_position() for path in list_paths(case["expected"])},
            default=default,
            extra=options["extra"],
        )
        (suite,) = report.suites.values()
        run = suite.cases[0].runs[0]
        right = RIGHT.get(case["id"], result["fields"])
        assert run.valid == (result["valid"] and case["id"] not in INVALID), case["id"]
        assert {
            leaf.path: leaf.score == 1 for leaf in run.leaves if leaf.outcome is not Outcome.EXTRA
        } == right, case["id"]
        assert report.overall == pytest.approx(sum(right.values()) / len(right)), case["id"]


def list_paths(label: Any, path: str = "") -> list[str]:
    """Return the fields at which *label* holds lists with items."""
    if isinstance(label, dict):
        return [
            found for key, part in label.items() for found in list_paths(part, f"{path}.{key}".lstrip("."))
        ]
    if isinstance(label, list) and label:
        below = [found for item in label for found in list_paths(item, f"{path}[*]")]
        return list(dict.fromkeys([path, *below]))
    return []
