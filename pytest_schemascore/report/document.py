"""Suites and whole reports as JSON and back (``schemascore-report/1``)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.report.codec import case_to_json, cases_from_json, leaf_to_json
from pytest_schemascore.report.examples import worst_examples
from pytest_schemascore.report.field_rules import FieldRule
from pytest_schemascore.report.gates import FieldGate
from pytest_schemascore.report.metrics import cases_metrics, field_metrics, floor, latency, suite_metrics
from pytest_schemascore.report.results import SuiteResult
from pytest_schemascore.report.weights import field_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.report.examples import Example
    from pytest_schemascore.report.metrics import FieldMetrics
    from pytest_schemascore.report.report import Report

FORMAT: Final = "schemascore-report/1"


def report_to_json(report: Report) -> dict[str, Json]:
    """Return *report* as the JSON object that its file holds."""
    return {
        "format": FORMAT,
        "interrupted": report.interrupted,
        "files": list(report.files),
        "deleted": list(report.deleted),
        "settings": dict(report.settings),
        "cost": report.cost(),
        "tokens": report.tokens(),
        "suites": {key: suite_to_json(suite) for key, suite in report.suites.items()},
        "gate": report.gate,
    }


def suite_to_json(suite: SuiteResult) -> dict[str, Json]:
    """Return *suite* as a JSON object: the figures first, the cases last."""
    runs = [run for case in suite.cases for run in case.runs]
    durations = [run.duration for run in runs]
    fields = field_metrics(suite)
    weights = field_weights(suite.weights, fields)
    counts = suite.counts()
    tags = sorted({tag for case in suite.cases for tag in case.tags})
    examples = worst_examples(suite)
    by_tag = {tag: [case for case in counts.cases.values() if tag in case.tags] for tag in tags}
    return {
        "test": suite.test,
        "line": suite.line,
        "of": suite.of,
        "metrics": {**suite_metrics(counts, weights), "floor": floor(suite)},
        "tags": {tag: dict(cases_metrics(cases, weights)) for tag, cases in by_tag.items()},
        "fields": {name: _field_to_json(found, examples.get(name, ())) for name, found in fields.items()},
        "rules": dict(suite.rules),
        "gates": {name: {"max_drop": gate.max_drop, "min": gate.min} for name, gate in suite.gates.items()},
        "weights": dict(suite.weights),
        "skipped": dict(suite.skipped),
        "notes": list(suite.notes),
        "invalid": dict(Counter(run.error.kind.value for run in runs if run.error)),
        "repaired": sum(run.repaired for run in runs),
        "defaults": sum(run.defaults for run in runs),
        "judge_errors": sum(len(run.judge_errors) for run in runs),
        "latency": {"p50": latency(durations, 0.5), "p95": latency(durations, 0.95)},
        "cases": [entry for case in suite.cases for entry in case_to_json(case)],
    }


def _field_to_json(metrics: FieldMetrics, examples: Iterable[Example]) -> dict[str, Json]:
    counts = metrics.counts
    data: dict[str, Json] = {
        "accuracy": metrics.accuracy,
        "precision": metrics.precision,
        "f1": metrics.f1,
        "labelled": counts.labelled,
        "correct": counts.correct,
        "wrong": counts.wrong,
        "missing": counts.missing,
        "invented": counts.invented,
        "extra": counts.extra,
        "not_judged": counts.not_judged,
        "examples": [_example_to_json(example) for example in examples],
    }
    return data | ({"rule": metrics.rule.rule, "why": metrics.rule.why} if metrics.rule else {})


def _example_to_json(example: Example) -> dict[str, Json]:
    leaf = leaf_to_json(example.leaf)
    del leaf["field"], leaf["rule"]  # those of the entry it stands in
    return {"case": example.case, **leaf}


def suite_from_json(key: str, data: Mapping[str, Any]) -> SuiteResult:
    """Return the suite that `suite_to_json` wrote; its figures are not read, they follow from the cases.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: *data* is something else.
    """
    return SuiteResult(
        key=key,
        test=data["test"],
        line=data["line"],
        of=data["of"],
        rules=dict(data["rules"]),
        field_rules={
            name: FieldRule(entry["rule"], entry["why"])
            for name, entry in data["fields"].items()
            if "rule" in entry
        },
        cases=cases_from_json(data["cases"]),
        gates={name: FieldGate(gate["max_drop"], gate["min"]) for name, gate in data["gates"].items()},
        weights=dict(data["weights"]),
        skipped=dict(data["skipped"]),
        notes=tuple(data["notes"]),
    )
