"""A small report and its comparison, made by hand: four invoices, one of them answered with broken JSON."""

from __future__ import annotations

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json
from pytest_schemascore.documents.paths import field_of
from pytest_schemascore.gate.diff import Change, Diff, Flaky, Power, SuiteDiff
from pytest_schemascore.gate.status import Status
from pytest_schemascore.report.field_rules import FieldRule
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.report import Report
from pytest_schemascore.report.results import CaseResult, RunError, RunResult, SuiteResult
from pytest_schemascore.scoring.outcomes import Leaf, Outcome

KEY = "tests/test_invoices.py::test_invoices"


def leaf(
    path: str,
    expected: Json | Absent,
    actual: Json | Absent,
    score: float | None,
    outcome: Outcome = Outcome.WRONG,
    rule: str = "exact()",
) -> Leaf:
    """Return a leaf; a score of 1 makes it correct."""
    return Leaf(
        path,
        field_of(path),
        Outcome.CORRECT if score == 1 else outcome,
        score,
        expected,
        actual,
        rule,
        path,
    )


def case(id_: str, *leaves: Leaf, error: RunError | None = None, duration: float = 0.8) -> CaseResult:
    """Return a case with one run of 100 tokens that cost 0.01."""
    run = RunResult(leaves, error, duration=duration, cost=0.01, tokens=1100)
    return CaseResult(id_, "label", "input", (), (run,))


def suite(*cases: CaseResult, of: int | None = None, key: str = KEY) -> SuiteResult:
    """Return a suite whose test stands at line 7."""
    return SuiteResult(
        key=key,
        test=KEY,
        line=7,
        of=len(cases) if of is None else of,
        rules={"$default": "exact()"},
        field_rules={
            "total": FieldRule("numeric(abs_tol=0.01)", "comparators['total']"),
            "vendor": FieldRule("exact()", "default"),
        },
        cases=cases,
    )


def report(*suites: SuiteResult, interrupted: bool = False) -> Report:
    """Return a report of *suites*."""
    return Report({one.key: one for one in suites}, interrupted=interrupted)


def invoices() -> SuiteResult:
    """Return 12 labelled leaves: 8 correct, one of 0.5, three missing; that is 70.8 % overall, 75 % valid."""
    price = "items[0].price"
    return suite(
        case("acme-1", leaf("vendor", "Acme", "Acme", 1), leaf("total", 12.5, 12.5, 1), leaf(price, 5, 5, 1)),
        case("birch", leaf("vendor", "Birch", "Brich", 0.5), leaf("total", 3, 3, 1), leaf(price, 3, 3, 1)),
        case("cedar", leaf("vendor", "Cedar", "Cedar", 1), leaf("total", 8, 8, 1), leaf(price, 8, 8, 1)),
        case(
            "dune",
            *(leaf(path, 1, ABSENT, 0, Outcome.MISSING) for path in ("vendor", "total", price)),
            error=RunError(Failure.NOT_JSON, "the text ends inside an object (line 1 column 17)"),
            duration=2.4,
        ),
    )


def change(metric: str, before: float | None, after: float | None, status: Status, **more: object) -> Change:
    """Return a change of the suite `KEY`."""
    return Change(KEY, metric, before, after, status, **more)  # type: ignore[arg-type]  # passed on as it is


def regressed() -> Diff:
    """Return a comparison in which two metrics fail, with every other status beside them."""
    lost = tuple(f"case-{number}" for number in range(1, 21))
    return Diff(
        suites=(
            SuiteDiff(
                key=KEY,
                changes=(
                    change("<overall>", 0.75, 0.708333, Status.WITHIN_NOISE, lost=("dune",), p_adjusted=0.25),
                    change("<validity>", 0.75, 0.75, Status.UNCHANGED),
                    change("<precision>", 0.9, 0.944444, Status.IMPROVED, gained=("birch",)),
                    change(
                        "items[*].price",
                        0.931,
                        0.884,
                        Status.REGRESSED,
                        lost=lost,
                        gained=("cedar",),
                        p_value=0.012,
                        p_adjusted=0.03,
                        interval=(-0.081, -0.012),
                        reason="fell by 4.7 points, max-drop is 0",
                    ),
                    change("total", 0.75, None, Status.VANISHED, reason="it is no longer scored"),
                ),
                compared=4,
                of=5,
                gone=("elm",),
                changed_rules={"total": ("exact()", "ignore()")},
                notes=("2 fields can't be tested: vendor, notes",),
                flaky=(Flaky("vendor", 0.12),),
                power=Power(0.041, 4, 120),
                alpha=0.05,
            ),
        ),
        baseline="baseline.json",
    )
