"""What decides how a suite's outputs are scored, by name: what reports and baselines keep of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.naming import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.report.field_rules import FieldRule
    from pytest_schemascore.scoring.score import Scorer
    from pytest_schemascore.spec import SuiteSpec


def rule_names(spec: SuiteSpec, scorer: Scorer, field_rules: Mapping[str, FieldRule]) -> dict[str, str]:
    """Return pattern -> name of its rule; names with ``$`` in front are settings of the suite."""
    settings = {"$default": repr(scorer.root.defaults.comparator)}
    lists = repr(scorer.root.defaults.pairing)
    settings |= {"$lists": lists} if lists != "by_content()" else {}
    settings |= {"$extra": spec.extra} if spec.extra != "ignore" else {}
    settings |= {"$parse": spec.parse} if spec.parse != "strict" else {}
    settings |= {"$select": spec.select} if spec.select else {}
    settings |= {"$metrics": ", ".join(sorted(spec.metrics))} if spec.metrics else {}
    weights = (f"{text}={weight:g}" for text, weight in sorted(spec.weights.items()))
    settings |= {"$weights": ", ".join(weights)} if spec.weights else {}
    in_schema = {
        name: rule.rule
        for name, rule in field_rules.items()
        if rule.why.startswith(("Annotated", "x-override-evaluator", "schema type"))
    }
    configured = {text: _rule_name(rule) for text, rule in spec.comparators.items()}
    return settings | in_schema | configured


def unstable_names(comparators: Mapping[str, object]) -> tuple[str, ...]:
    """Return a sentence on each rule that can change without its name changing, as a lambda can."""
    return tuple(
        f"comparators[{text!r}] is {named(rule).name}: a change of it can't be told by its name"
        for text, rule in comparators.items()
        if callable(rule) and not named(rule).stable
    )


def _rule_name(rule: object) -> str:
    return named(rule).name if callable(rule) and not isinstance(rule, Comparator) else repr(rule)
