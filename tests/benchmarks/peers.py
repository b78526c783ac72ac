"""Other evaluators on the same workloads, each with its plain comparators; installed by the extra ``bench``.

They are imported where they are called: each runs in a process of its own, which the others don't burden.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.benchmarks.workloads import Pair

    Scorer = Callable[[Sequence[Pair]], float]

FLAT_TYPES: Mapping[str, type] = {
    "invoice_no": str,
    "vendor": str,
    "address": str,
    "currency": str,
    "total": float,
    "tax": float,
    "qty": int,
    "paid": bool,
    "date": str,
    "email": str,
    "note": str,
}
LINE_TYPES: Mapping[str, type] = {"sku": str, "desc": str, "qty": int, "price": float, "unit": str}
FUZZY = ("vendor", "address", "note")
NUMERIC = ("total", "tax")


def models() -> tuple[Any, Any]:
    """Return the pydantic models of a flat invoice and of one with lines."""
    from pydantic import create_model

    flat: Any = create_model("Flat", po=(str | None, None), **_required(FLAT_TYPES))
    line: Any = create_model("Line", **_required(LINE_TYPES))
    nested: Any = create_model("Nested", invoice_no=(str, ...), vendor=(str, ...), items=(list[line], ...))
    return flat, nested


def _required(types: Mapping[str, type]) -> dict[str, Any]:
    return {name: (kind, ...) for name, kind in types.items()}


def schemascore(kind: str) -> Scorer:
    """Pairs lists by position alone, so only flat records compare."""
    from schemascore import Case, evaluate, fuzzy, numeric

    model = models()[kind != "flat"]
    rules = {name: fuzzy() for name in FUZZY} | {name: numeric(abs_tol=0.01) for name in NUMERIC}
    chosen = rules if kind == "flat" else None

    def score(pairs: Sequence[Pair]) -> float:
        cases = [Case(str(number), actual, expected) for number, (expected, actual) in enumerate(pairs)]
        return float(evaluate(model, cases, lambda output: output, chosen).overall)

    return score


def structeval(kind: str) -> Scorer:  # noqa: ARG001 - every work is one call to it
    """Pairs by the mean score, solved as an assignment."""
    from structeval import StructEvaluator

    return lambda pairs: (
        sum(float(StructEvaluator.run(actual, expected).sum_metrics.f1_score) for expected, actual in pairs)
        / len(pairs)
    )


def structured_eval(kind: str) -> Scorer:
    """Pairs by an assignment too."""
    import structured_eval as peer
    from structured_eval.models import ArrayFieldConfig, ArrayStrategy, EvalConfig, Sample

    lists = {"items": ArrayFieldConfig(strategy=ArrayStrategy.HUNGARIAN, params={"threshold": 0.3})}
    config = EvalConfig() if kind == "flat" else EvalConfig(fields=lists)

    def score(pairs: Sequence[Pair]) -> float:
        samples = [Sample(actual=actual, expected=expected) for expected, actual in pairs]
        return float(peer.evaluate_batch(samples, config).score)

    return score


def stickler(kind: str) -> Scorer:
    """Pairs by an assignment over Python calls."""
    warnings.simplefilter("ignore")  # it warns of long lists, once a document
    from pydantic import create_model
    from stickler import (
        ComparableField,
        ExactComparator,
        LevenshteinComparator,
        NumericComparator,
        StructuredModel,
    )

    def field(name: str, types: Mapping[str, type]) -> tuple[Any, Any]:
        if types[name] in (int, float):
            return types[name], ComparableField(comparator=NumericComparator())
        fuzzy = name in FUZZY or name == "desc"
        return types[name], ComparableField(
            comparator=LevenshteinComparator() if fuzzy else ExactComparator()
        )

    def model(name: str, types: Mapping[str, type], **more: Any) -> Any:
        fields: dict[str, Any] = {key: field(key, types) for key in types} | more
        return create_model(name, __base__=StructuredModel, **fields)

    if kind == "flat":
        po = (str | None, ComparableField(comparator=ExactComparator(), default=None))
        made = model("Flat", FLAT_TYPES, po=po)
    else:
        items = (list[model("Line", LINE_TYPES)], ComparableField())  # type: ignore[misc]  # made at run time
        made = model("Nested", {"invoice_no": str, "vendor": str}, items=items)
    return lambda pairs: (
        sum(made(**expected).compare_with(made(**actual))["overall_score"] for expected, actual in pairs)
        / len(pairs)
    )


PEERS: Mapping[str, Callable[[str], Scorer]] = {
    "schemascore": schemascore,
    "structeval": structeval,
    "structured-eval": structured_eval,
    "stickler": stickler,
}
