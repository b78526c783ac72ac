"""Small reports, built leaf by leaf, for the tests of the HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.documents.paths import ROOT, field_of, join_key
from pytest_schemascore.gate.diff import Change, Diff, SuiteDiff
from pytest_schemascore.gate.status import Status
from pytest_schemascore.report.field_rules import FieldRule
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.report import Report
from pytest_schemascore.report.results import CaseResult, RunError, RunResult, SuiteResult
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence


def leaf(
    path: str,
    outcome: Outcome,
    expected: Json | Absent,
    actual: Json | Absent,
    *,
    score: float | None = None,
    rule: str = "exact()",
    found_at: str | None = None,
) -> Leaf:
    """Return a leaf; the score is 1 where correct and 0 elsewhere unless it is given."""
    if score is None and outcome not in {Outcome.EXTRA, Outcome.NOT_JUDGED}:
        score = float(outcome is Outcome.CORRECT)
    return Leaf(path, field_of(path), outcome, score, expected, actual, rule, found_at or path)


def right(path: str, value: Json, **options: str) -> Leaf:
    """Return a correct leaf."""
    return leaf(path, Outcome.CORRECT, value, value, found_at=options.get("found_at"))


def wrong(path: str, expected: Json, actual: Json, **options: str) -> Leaf:
    """Return a wrong leaf."""
    return leaf(path, Outcome.WRONG, expected, actual, found_at=options.get("found_at"))


def case(
    id_: str,
    *runs: RunResult,
    expected: Json = None,
    document: Json = "the input",
    tags: tuple[str, ...] = (),
) -> CaseResult:
    """Return a case with made-up hashes."""
    return CaseResult(id_, "0" * 8, "0" * 8, tags, runs, expected, document)


def suite(key: str, cases: Sequence[CaseResult], **rules: FieldRule) -> SuiteResult:
    """Return a complete suite of *cases*."""
    return SuiteResult(
        key, f"tests/test_{key}.py::test", 1, len(cases), {"$default": "exact()"}, rules, tuple(cases)
    )


def report(*suites: SuiteResult, interrupted: bool = False) -> Report:
    """Return a report of *suites*."""
    return Report({suite.key: suite for suite in suites}, interrupted=interrupted)


def orders() -> SuiteResult:
    """Return six cases of orders: right, wrong, paired across positions, look-alikes, invalid, repeated."""
    items: Json = [{"sku": "A-1", "price": 10}, {"sku": "B-2", "price": 20}]
    swapped: Json = [{"sku": "B-2", "price": 21}, {"sku": "C-3", "price": 5}, {"sku": "A-1", "price": 10}]
    paired = RunResult(
        (
            right("items[0].sku", "A-1", found_at="items[2].sku"),
            right("items[0].price", 10, found_at="items[2].price"),
            right("items[1].sku", "B-2", found_at="items[0].sku"),
            wrong("items[1].price", 20, 21, found_at="items[0].price"),
            leaf("items[1].sku", Outcome.EXTRA, ABSENT, "C-3", rule=""),
            leaf("items[1].price", Outcome.EXTRA, ABSENT, 5, rule=""),
        ),
        output={"items": swapped, "remark": "unlabelled"},
        duration=2.5,
        cost=0.02,
        tokens=900,
        notes=("duplicate key 'sku'",),
        judge_errors=("judge timed out",),
    )
    broken = RunResult(
        (leaf("total", Outcome.MISSING, 7, ABSENT), leaf("vendor", Outcome.MISSING, "Acme", ABSENT)),
        error=RunError(Failure.NOT_JSON, "line 1 column 9: unexpected end"),
        output='{"total"',
        duration=9.0,
    )
    return suite(
        "orders",
        [
            case("all-right", _order(7, 7, "Acme", "Acme"), tags=("digital",)),
            case("total-off", _order(7, 9, "Acme", "Acme"), tags=("scanned",)),
            case("paired", paired, expected={"items": items}, tags=("scanned",)),
            case("look-alike", _order(7, 7, "Café Noir", "Cafe\u0301\u00a0Noir"), document={"page": 1}),
            case("broken", broken),
            case("repeated", _order(7, 7, "Acme", "Acme"), _order(7, 8, "Acme", "Acne")),
        ],
        total=FieldRule("numeric()", "comparators['total']"),
        vendor=FieldRule("exact()", "default"),
    )


def _order(total: int, got: int, vendor: str, found: str) -> RunResult:
    leaves = (
        right("total", total) if got == total else wrong("total", total, got),
        right("vendor", vendor) if found == vendor else wrong("vendor", vendor, found),
    )
    return RunResult(leaves, output={"total": got, "vendor": found}, duration=1.0, cost=0.01, tokens=300)


def orders_diff() -> Diff:
    """Return a failed comparison of `orders`: ``total`` regressed, ``vendor`` rose."""
    changes = (
        Change(
            "orders",
            "total",
            0.8,
            0.5,
            Status.REGRESSED,
            lost=("total-off", "broken"),
            interval=(-0.6, -0.1),
            p_value=0.03,
            reason="total fell by 30 points",
        ),
        Change("orders", "vendor", 0.4, 0.5, Status.IMPROVED, gained=("all-right",), p_value=0.9),
        Change("orders", "gone_field", 0.5, None, Status.VANISHED, reason="no case measures it any more"),
    )
    return Diff(
        (SuiteDiff("orders", changes, 6, 6, notes=("one drop is within noise",)),), baseline="base.json"
    )


HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "]]><!--<style>*{display:none}</style>",
    "{{ 7 * 7 }}{% raw %}",
    "a | b \\| c\nnew line\ttab",
    "\u202eright to left\u202d \u2067override",
    "\x00\x01\x1b[31mred\x7f\x85",
    "lone \ud800 surrogate \udfff",
    "javascript:alert(1)",
    "line\u2028separator\u2029paragraph",
    "x" * 1_000_000,
    "e" + "\u0301" * 2_000,
    "漢字かな交じり文" * 200,
)


def hostile_suite() -> SuiteResult:
    """Return a suite in which every text that can be hostile is."""
    cases = []
    for number, text in enumerate(HOSTILE):
        key = join_key(ROOT, text)
        field = f"field{number}"
        run = RunResult(
            (
                wrong(field, text, text[::-1]),
                Leaf(key, key, Outcome.WRONG, 0.5, "a", {text: text}, text, key),
                leaf("spare", Outcome.EXTRA, ABSENT, text, rule=""),
            ),
            output={field: text[::-1], text: [text]},
            metadata={text: text},
            notes=(text,),
            judge_errors=(text,),
            duration=1.0,
        )
        cases.append(case(text, run, document=text, expected={field: text}, tags=(text[:40],)))
    failed = RunResult((), error=RunError(Failure.RAISED, "\n".join(HOSTILE)), output=HOSTILE[1])
    cases.append(case("failed", failed, document={HOSTILE[0]: HOSTILE[1]}))
    rules = {f"field{number}": FieldRule(text, text) for number, text in enumerate(HOSTILE)}
    return SuiteResult(
        HOSTILE[1], HOSTILE[0], 1, len(cases) + 1, {}, rules, tuple(cases), skipped={HOSTILE[0]: HOSTILE[1]}
    )


def hostile_diff() -> Diff:
    """Return a comparison of `hostile_suite` with hostile words in it."""
    changes = tuple(
        Change(HOSTILE[1], f"field{number}", 1.0, 0.5, Status.REGRESSED, lost=(text,), reason=text)
        for number, text in enumerate(HOSTILE)
    )
    suite_diff = SuiteDiff(
        HOSTILE[1],
        (*changes, Change(HOSTILE[1], f"tag:{HOSTILE[0]}", 1.0, 0.5, Status.REGRESSED, reason="tag")),
        3,
        4,
        moved_from=HOSTILE[0],
        gone=HOSTILE,
        changed_rules={HOSTILE[0]: (HOSTILE[1], HOSTILE[2])},
        problems=HOSTILE,
        notes=HOSTILE,
    )
    return Diff((suite_diff,), gone_suites=HOSTILE, problems=HOSTILE, baseline=HOSTILE[0])
