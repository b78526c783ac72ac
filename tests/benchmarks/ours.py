"""This project's side of each workload: what is prepared once, and the call that is measured."""

from __future__ import annotations

import hashlib
import random
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest_schemascore as schemascore
from pytest_schemascore._files import write_atomically
from pytest_schemascore.cases import load_cases
from pytest_schemascore.gate.baseline import dump_baseline, read_baseline
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.settings import GateSettings
from pytest_schemascore.report.measured import CaseCounts, RunCounts, SuiteCounts
from pytest_schemascore.report.metrics import suite_metrics
from pytest_schemascore.scoring.outcomes import Counts
from pytest_schemascore.spec import SuiteSpec
from pytest_schemascore.suite import Suite
from pytest_schemascore.suite.evaluating import Answer, case_result, evaluate, suite_result
from tests.benchmarks.peers import FUZZY, NUMERIC, models
from tests.benchmarks.workloads import Workloads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.benchmarks.workloads import Pair

    Call = Callable[[], float]
    """Does the work and returns its headline figure."""

DIMENSIONS = 384


def call_of(work: str, size: int, other: int = 0) -> Call:
    """Return the call of *work*; *size* and *other* say how large it is, see `WORKS`."""
    return WORKS[work](size, other)


def scoring(pairs: Sequence[Pair], schema: Any, rules: Mapping[str, object]) -> Call:
    """Return the call that reads, validates, scores and counts every output; rules are resolved before."""
    given = [{"id": str(i), "input": i, "expected": expected} for i, (expected, _) in enumerate(pairs)]
    spec = SuiteSpec("bench", schema=schema, comparators=rules)
    suite = Suite.build(spec, load_cases(given))

    def score() -> float:
        cases = [
            case_result(suite, str(i), [evaluate(suite, str(i), Answer(actual)).result])
            for i, (_, actual) in enumerate(pairs)
        ]
        return suite_metrics(suite_result(suite, cases, {}).counts())["overall"] or 0.0

    return score


def _flat(count: int, _: int) -> Call:
    rules: dict[str, object] = {name: schemascore.fuzzy(0.85) for name in FUZZY}
    rules |= {name: schemascore.numeric(abs_tol=0.01) for name in NUMERIC}
    return scoring(Workloads().flat(count), models()[0], rules)


def _build(count: int, _: int) -> Call:
    pairs = Workloads().flat(count)
    given = [{"id": str(i), "input": i, "expected": expected} for i, (expected, _) in enumerate(pairs)]
    cases = load_cases(given)
    return lambda: float(len(Suite.build(SuiteSpec("bench", schema=models()[0]), cases).cases))


def _nested(count: int, lines: int) -> Call:
    return scoring(Workloads().nested(count, lines), models()[1], {})


def _nested_tolerant(count: int, lines: int) -> Call:
    rules = {
        "items[*].desc": schemascore.fuzzy(0.85),
        "items[*].price": schemascore.numeric(rel_tol=0.02),
    }
    return scoring(Workloads().nested(count, lines), models()[1], rules)


def _mostly_equal(lines: int, _: int) -> Call:
    return scoring(Workloads(changed=0.05).nested(1, lines), models()[1], {})


def _cosine(lines: int, _: int) -> Call:
    rules = {"items[*].desc": schemascore.cosine(_embed)}
    return scoring(Workloads().nested(1, lines), models()[1], rules)


def _embed(texts: list[str]) -> list[list[float]]:
    """Stand in for a model: a vector that is the text's own, so that only what is around it is timed."""
    seeds = (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts)
    return [[random.Random(seed).gauss() for _ in range(DIMENSIONS)] for seed in seeds]


def _measured(count: int, fields: int, *, seed: int = 1, right: float = 0.9) -> SuiteCounts:
    """Return a suite of *count* cases, whose outputs have *right* of their fields right, independently."""
    rng = random.Random(seed)
    cases = {}
    for name in (f"case-{i:06d}" for i in range(count)):
        hits = [rng.random() < right for _ in range(fields)]
        found = {f"field_{j:02d}": Counts(float(hit), 1, int(hit)) for j, hit in enumerate(hits)}
        cases[name] = CaseCounts(name, "label", "input", (), (RunCounts(None, found),))
    return SuiteCounts("bench", "test_bench.py::test_bench", {"$default": "exact()"}, cases)


def _gate(count: int, fields: int) -> Call:
    before = {"bench": _measured(count, fields)}
    after = {"bench": _measured(count, fields, seed=2, right=0.895)}
    return lambda: float(len(compare(after, before, GateSettings(alpha=0.05)).suites[0].changes))


def _gate_few(count: int, fields: int) -> Call:
    """Compare runs of which 14 cases differ: few enough to be counted out, each with draws of the rest."""
    before = _measured(count, fields)
    after = replace(before, cases={**before.cases, **_measured(14, fields, seed=2).cases})
    settings = GateSettings(alpha=0.05)
    return lambda: float(len(compare({"bench": after}, {"bench": before}, settings).suites[0].changes))


def _baseline(step: str, count: int, fields: int) -> Call:
    suites = {"bench": _measured(count, fields)}
    path = Path(tempfile.mkdtemp()) / "baseline.json"
    write_atomically(path, dump_baseline(suites))
    if step == "write":
        return lambda: _written(path, suites)
    if step == "load":
        return lambda: float(len(read_baseline(path).suites["bench"].cases))
    others = _measured(count // 100, fields, seed=2)
    after = {"bench": replace(suites["bench"], cases={**suites["bench"].cases, **others.cases})}
    baseline = read_baseline(path)
    return lambda: float(compare(after, baseline).suites[0].compared)


def _written(path: Path, suites: Mapping[str, SuiteCounts]) -> float:
    write_atomically(path, dump_baseline(suites))
    return float(path.stat().st_size)


WORKS: Mapping[str, Callable[[int, int], Call]] = {
    "flat": _flat,
    "build": _build,
    "nested": _nested,
    "nested-tolerant": _nested_tolerant,
    "mostly-equal": _mostly_equal,
    "cosine": _cosine,
    "gate": _gate,
    "gate-few": _gate_few,
    "baseline-load": partial(_baseline, "load"),
    "baseline-diff": partial(_baseline, "diff"),
    "baseline-write": partial(_baseline, "write"),
}
"""Name -> what makes the call of a size: records and their lines, lines, or cases and their fields."""
