"""A comparison as JSON, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.documents.json_text import dump_json
from pytest_schemascore.documents.json_types import ABSENT

if TYPE_CHECKING:
    from pytest_schemascore.comparison.comparison import Comparison
    from pytest_schemascore.comparison.tree import Node, Tally
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.similarity import DocumentScore

FORMAT: Final = "schemascore-comparison/1"


def comparison_json(comparison: Comparison, *, beta: float) -> str:
    """Return *comparison* as compact JSON text; ``f_score`` is F-*beta*."""
    return dump_json(
        {
            "format": FORMAT,
            "beta": beta,
            "distance": _document_score(comparison.distance),
            "similarity": _document_score(comparison.similarity),
            **_figures(comparison.root, beta),
            "root": _node(comparison.root, beta),
        }
    )


def _figures(node: Node, beta: float) -> dict[str, Json]:
    return {
        "precision": node.precision,
        "recall": node.recall,
        "f1": node.f_score(),
        "f_score": node.f_score(beta),
    }


def _document_score(result: DocumentScore) -> dict[str, Json]:
    return {"score": result.score, "passed": result.passed, "explanation": result.explanation}


def _node(node: Node, beta: float) -> dict[str, Json]:
    data: dict[str, Any] = {"name": node.name, "path": node.path, "actual_path": node.actual_path}
    data |= {**_figures(node, beta), "counts": _counts(node.tally)}
    if node.leaf is not None:
        data |= {"outcome": node.leaf.outcome.value, "score": node.leaf.score}
        sides = {"expected": node.leaf.expected, "actual": node.leaf.actual}
        data |= {side: value for side, value in sides.items() if value is not ABSENT}
    if node.rule:
        data["rule"] = node.rule
    if node.pairing:
        data["pairs"] = [list(pair) for pair in node.pairs]
        data["unmatched_expected"] = list(node.unmatched_expected)
        data["unmatched_actual"] = list(node.unmatched_actual)
    if node.children:
        data["children"] = [_node(child, beta) for child in node.children]
    return data


def _counts(tally: Tally) -> dict[str, Json]:
    return {
        "expected": tally.expected,
        "actual": tally.actual,
        "found": tally.found,
        "right": tally.right,
    }
