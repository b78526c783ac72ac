"""Other evaluators on the same workloads, each with its plain comparators; installed by the extra ``bench``.

They are imported by name and where they are called: each runs in a process of its own, which the others don't
burden, and none is needed to check the types.
"""

from __future__ import annotations

import warnings
from importlib import import_module
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
    peer: Any = import_module("schemascore")
    model = models()[kind != "flat"]
    rules = {name: peer.fuzzy() for name in FUZZY} | {name: peer.numeric(abs_tol=0.01) for name in NUMERIC}
    chosen = rules if kind == "flat" else None

    def score(pairs: Sequence[Pair]) -> float:
        cases = [peer.Case(str(number), actual, expected) for number, (expected, actual) in enumerate(pairs)]
        return float(peer.evaluate(model, cases, lambda output: output, chosen).overall)

    return score


def structeval(kind: str) -> Scorer:  # noqa: ARG001 - every work is one call to it
    """Pairs by the mean score, solved as an assignment."""
    peer: Any = import_module("structeval")
    return lambda pairs: (
        sum(
            float(peer.StructEvaluator.run(actual, expected).sum_metrics.f1_score)
            for expected, actual in pairs
        )
        / len(pairs)
    )


def structured_eval(kind: str) -> Scorer:
    """Pairs by an assignment too."""
    peer: Any = import_module("structured_eval")
    kinds: Any = import_module("structured_eval.models")
    by_content = kinds.ArrayFieldConfig(strategy=kinds.ArrayStrategy.HUNGARIAN, params={"threshold": 0.3})
    config = kinds.EvalConfig() if kind == "flat" else kinds.EvalConfig(fields={"items": by_content})

    def score(pairs: Sequence[Pair]) -> float:
        samples = [kinds.Sample(actual=actual, expected=expected) for expected, actual in pairs]
        return float(peer.evaluate_batch(samples, config).score)

    return score


def stickler(kind: str) -> Scorer:
    """Pairs by an assignment over Python calls."""
    warnings.simplefilter("ignore")  # it warns of long lists, once a document
    from pydantic import create_model

    peer: Any = import_module("stickler")

    def field(name: str, kind: type) -> tuple[Any, Any]:
        if kind in (int, float):
            return kind, peer.ComparableField(comparator=peer.NumericComparator())
        fuzzy = name in FUZZY or name == "desc"
        comparator = peer.LevenshteinComparator() if fuzzy else peer.ExactComparator()
        return kind, peer.ComparableField(comparator=comparator)

    def model(name: str, types: Mapping[str, type], **more: Any) -> Any:
        fields: dict[str, Any] = {key: field(key, kind) for key, kind in types.items()} | more
        return create_model(name, __base__=peer.StructuredModel, **fields)

    if kind == "flat":
        optional = peer.ComparableField(comparator=peer.ExactComparator(), default=None)
        made = model("Flat", FLAT_TYPES, po=(str | None, optional))
    else:
        lines: Any = list[model("Line", LINE_TYPES)]  # type: ignore[misc]  # a model made at run time
        made = model("Nested", {"invoice_no": str, "vendor": str}, items=(lines, peer.ComparableField()))
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
