"""``pytest-schemascore check``: labels against a schema, calling nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.cli.arguments import named

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pytest_schemascore.cases import Case
    from pytest_schemascore.suite import Suite

HELP: Final = "check labelled cases against a schema and rules, or infer these from the labels"
EXAMPLE: Final = """\
  pytest-schemascore check cases.jsonl --schema invoices:Invoice --comparators invoices:RULES
  pytest-schemascore check cases.jsonl --infer"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("cases", type=named, metavar="CASES", help="labelled cases, .jsonl or .json")
    parser.add_argument(
        "--schema", type=named, metavar="M:C", help="pydantic model, or a JSON Schema file (.json)"
    )
    parser.add_argument("--comparators", type=named, metavar="M:N", help="a dict path -> rule")
    parser.add_argument("--select", metavar="PATH", help="the part of the labels to check")
    parser.add_argument(
        "--infer", action="store_true", help="print a schema and rules to start from, made from the labels"
    )


def run(options: argparse.Namespace) -> int:
    """Check, and print each field's rule; or infer."""
    from pytest_schemascore.cases import load_cases
    from pytest_schemascore.cli.output import write_text
    from pytest_schemascore.cli.references import load_comparators, load_schema_reference
    from pytest_schemascore.spec import SuiteSpec
    from pytest_schemascore.suite import Suite

    cases = load_cases(options.cases)
    spec = SuiteSpec(
        key=options.cases,
        schema=load_schema_reference(options.schema),
        comparators=load_comparators(options.comparators),
        select=options.select,
    )
    suite = Suite.build(spec, cases)
    lines = _inferred(suite) if options.infer else _checked(suite, cases)
    write_text("\n".join(lines) + "\n")
    return 0


def _checked(suite: Suite, cases: tuple[Case, ...]) -> Iterator[str]:
    from pytest_schemascore.reporting.numbers import counted
    from pytest_schemascore.suite.evaluating import missing

    leaves = sum(len(missing(suite, case.id)) for case in cases)
    labelled = counted(leaves, "labelled leaf", "labelled leaves")
    yield f"{counted(len(cases), 'case')}, {labelled}, {counted(len(suite.field_rules), 'field')}: fine"
    width = max(map(len, suite.field_rules), default=0)
    for name, rule in suite.field_rules.items():
        yield f"  {name:<{width}}  {rule.rule}  ({rule.why})"


def _inferred(suite: Suite) -> Iterator[str]:
    import json

    from pytest_schemascore.inference import infer_rules, infer_schema

    labels = list(suite.labels.values())
    yield "# a JSON Schema to start from, for schema= or --schema"
    yield json.dumps(infer_schema(labels), indent=2, ensure_ascii=False)
    yield ""
    yield "# rules to start from"
    yield "comparators = {"
    for rule in infer_rules(labels):
        yield f"    {rule.path!r}: schemascore.{rule.call},  # {rule.reason}"
    yield "}"
