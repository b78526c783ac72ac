"""Where a mapping is asked for, any class of mapping will do; a read-only view stands for all of them."""

from __future__ import annotations

import sys
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore import compare, evaluate, fuzzy, ignore
from pytest_schemascore.cli.references import load_comparators
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shapes import ValidationFailed
from pytest_schemascore.errors import RuleError, SchemaError, UsageError
from pytest_schemascore.scoring.pairing.in_order import in_order

if TYPE_CHECKING:
    from pytest_schemascore.report.report import Report

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "x-override-evaluator": {"evaluation_type": "binary"}},
        "items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    },
}


def frozen(value: Any) -> Any:
    """Return *value* with a read-only view for each dict."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(part) for key, part in value.items()})
    return [frozen(part) for part in value] if isinstance(value, list) else value


def evaluated(**arguments: Any) -> Report:
    """Evaluate an extractor that is right in `n` and nearly right in `name`."""
    cases = frozen([{"input": 1, "expected": {"n": 1, "name": "Acme Inc"}}])
    return evaluate(None, cases, lambda n: {"n": n, "name": "Acme Inc."}, name="s", **arguments)


def test_a_schema_that_is_compared_by() -> None:
    """It is closed to other properties as a dict is, at every depth, and its overrides hold."""
    document = {"name": "a b", "items": [{"n": 1}]}
    for schema in (SCHEMA, frozen(SCHEMA)):
        assert compare(document, document, schema=schema).precision == 1.0
        assert compare({"name": "a b"}, {"name": "a c"}, schema=schema).precision == 0.0
        for beyond in ({"nam": "a"}, {"items": [{"m": 1}]}):
            with pytest.raises(SchemaError, match=r"is not in the schema"):
                compare(document, beyond, schema=schema)


def test_a_schema_that_outputs_are_validated_by() -> None:
    """What is inside it is read too."""
    schema = adapt_schema(frozen({**SCHEMA, "required": ["name"]}))
    assert schema.validate({"name": "a"}).value == {"name": "a"}
    with pytest.raises(ValidationFailed, match=r"items\[0\]\.n"):
        schema.validate({"name": "a", "items": [{"n": "x"}]})
    assert set(schema.shape.keys) == {"name", "items"}


def test_rules_by_type_of_a_comparison() -> None:
    """They refine its own."""
    assert compare("a b", "a c").precision == pytest.approx(1 / 3)
    assert compare("a b", "a c", default=frozen({"string": ignore()})).root.tally.expected == 0
    assert compare([1, 2], [2, 1], default=frozen({"array": in_order()})).precision == 0.5


@pytest.mark.parametrize("params", [{}, {"evaluation_params": {}}])
def test_the_config_of_a_comparison(params: dict[str, object]) -> None:
    """With the rules inside it."""
    rule = {"evaluation_type": "binary", **params}
    assert compare("a b", "a c", config=frozen({"string_evaluation_type": rule})).precision == 0.0


def test_rules_by_type_of_a_suite() -> None:
    """Mistakes in them are told as they are in a dict."""
    assert evaluated().overall == pytest.approx(0.5)
    assert evaluated(default=frozen({"string": fuzzy(0.8)})).overall == 1.0
    with pytest.raises(RuleError, match="did you mean 'string'"):
        evaluated(default=frozen({"strng": fuzzy(0.8)}))


def test_rules_weights_and_gates_of_a_suite() -> None:
    """Each entry of the gates may be one too."""
    report = evaluated(
        comparators=frozen({"name": fuzzy(0.8)}),
        weights=frozen({"n": 2}),
        gates=frozen({"name": {"min": 0.5, "max_drop": 0.0}}),
    )
    gate = report.suites["s"].gates["name"]
    assert (gate.min, gate.max_drop) == (0.5, 0.0)
    with pytest.raises(UsageError, match="did you mean 'min'"):
        evaluated(gates=frozen({"name": {"mn": 0.5}}))


def test_comparators_that_the_command_line_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """By module and name."""
    module = ModuleType("frozen_rules")
    monkeypatch.setattr(module, "RULES", frozen({"name": ignore()}), raising=False)
    monkeypatch.setitem(sys.modules, "frozen_rules", module)
    assert load_comparators("frozen_rules:RULES") == {"name": ignore()}
