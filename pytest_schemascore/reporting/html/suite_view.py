"""One suite as the page shows it above its cases: figures, fields, tags, what to know, times and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore.report.metric_names import TAG, is_count, suite_metric
from pytest_schemascore.report.metrics import cases_metrics, floor, is_exact, suite_metrics
from pytest_schemascore.report.weights import field_weights
from pytest_schemascore.reporting import evidence, numbers
from pytest_schemascore.reporting.html.case_list import FAILING, link, link_key
from pytest_schemascore.reporting.html.fields_view import Badge, FieldRow, badge, field_rows
from pytest_schemascore.reporting.html.histogram import Histogram, histogram
from pytest_schemascore.reporting.suite_facts import facts
from pytest_schemascore.reporting.totals import totals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_schemascore.gate.diff import Change, SuiteDiff
    from pytest_schemascore.report.measured import SuiteCounts
    from pytest_schemascore.report.results import SuiteResult
    from pytest_schemascore.reporting.totals import Totals

_TITLES: Final = {
    "overall": "Overall",
    "validity": "Valid",
    "precision": "Precision",
    "f1": "F1",
    "exact_match": "Exact cases",
    "weighted": "Weighted",
}
_COUNTS: Final = ("Labelled", "Correct", "Wrong", "Missing", "Invented", "Extra", "Not judged")
_HIDDEN: Final = frozenset({"recall"})


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure of the suite with what stands below it, and where that leads.

    *badge* is there where the gate has a word on it.
    """

    title: str
    value: str
    note: str = ""
    badge: Badge | None = None
    href: str = ""


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag's share of the suite."""

    name: str
    cases: int
    overall: str
    change: str
    badge: Badge | None
    href: str


@dataclass(frozen=True, slots=True)
class SuiteView:
    """What the template needs of one suite.

    Attributes:
        key: as the user knows it; href: the view of this suite.
        verdict: one badge; None where nothing was compared.
        count_titles: columns of the fields' counts.
        problems: sentences that fail it; facts: sentences to know.
        skipped: id and reason of the cases that were not run.
    """

    key: str
    href: str
    test: str
    verdict: Badge | None
    compared: bool
    interval_title: str
    tiles: tuple[Tile, ...]
    fields: tuple[FieldRow, ...]
    count_titles: tuple[str, ...]
    tags: tuple[TagRow, ...]
    problems: tuple[str, ...]
    facts: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    plots: tuple[Histogram, ...]


def suite_view(suite: SuiteResult, diff: SuiteDiff | None) -> SuiteView:
    """Return the view of *suite*, with its comparison where there is one."""
    changes = {change.metric: change for change in diff.changes} if diff else {}
    counts = suite.counts()
    whole = totals(suite)
    judges = whole.not_judged > 0
    return SuiteView(
        suite.key,
        link(suite=link_key(suite.key)),
        suite.test if suite.test != suite.key else "",
        None if diff is None else Badge("passed", "good") if diff.ok else Badge("failed", "bad"),
        diff is not None,
        f"{evidence.interval_level(diff.alpha if diff else None)} interval, pts",
        (*_cases_tile(whole), *_metric_tiles(suite, counts, changes), *_resource_tiles(whole)),
        tuple(field_rows(suite, diff)),
        _COUNTS if judges else _COUNTS[:-1],
        tuple(_tag_rows(counts, changes)),
        diff.problems if diff else (),
        (*(facts(diff, limit=None) if diff else ()), *_run_facts(suite, whole)),
        tuple(suite.skipped.items()),
        tuple(_plots(suite)),
    )


def _cases_tile(whole: Totals) -> Iterator[Tile]:
    value = f"{whole.cases:,}" if whole.cases == whole.of else f"{whole.cases:,} of {whole.of:,}"
    yield Tile("Cases", value, numbers.counted(whole.runs, "run") if whole.runs != whole.cases else "")


def _metric_tiles(suite: SuiteResult, counts: SuiteCounts, changes: Mapping[str, Change]) -> Iterator[Tile]:
    fields = dict.fromkeys(name for case in counts.cases.values() for run in case.runs for name in run.fields)
    weights = field_weights(suite.weights, fields)
    for name, value in suite_metrics(counts, weights).items():
        if name in _HIDDEN:
            continue
        change = changes.get(suite_metric(name))
        title = _TITLES.get(name, name.capitalize())
        shown = numbers.plain(value) if is_count(suite_metric(name)) else numbers.percent(value)
        if change is not None and change.before is not None:
            note = f"was {evidence.before_after(change)[0]}"
            note += f", {evidence.difference(change)}" if change.change else ", unchanged"
            yield Tile(title, shown, note, badge(change) if _tells(change) else None)
        elif name == "overall":
            yield Tile(title, shown, f"an empty output gets {numbers.percent(floor(suite))}")
        elif name == "exact_match":
            wrong = sum(not all(map(is_exact, case.runs)) for case in counts.cases.values())
            href = link(suite=link_key(suite.key), state=FAILING) if wrong else ""
            yield Tile(title, shown, f"{wrong:,} not right" if wrong else "all are right", href=href)
        else:
            yield Tile(title, shown)


def _resource_tiles(whole: Totals) -> Iterator[Tile]:
    if whole.p50 is not None and whole.p95 is not None:
        yield Tile("Time a run", numbers.seconds(whole.p50), f"95 % within {numbers.seconds(whole.p95)}")
    if whole.cost is not None:
        yield Tile("Cost", numbers.plain(whole.cost), "all runs together")
    if whole.tokens is not None:
        yield Tile("Tokens", f"{whole.tokens:,}", "all runs together")


def _tells(change: Change | None) -> bool:
    return change is not None and (change.failing or bool(change.change))


def _tag_rows(suite: SuiteCounts, changes: Mapping[str, Change]) -> Iterator[TagRow]:
    for tag in sorted({tag for case in suite.cases.values() for tag in case.tags}):
        tagged = [case for case in suite.cases.values() if tag in case.tags]
        change = changes.get(TAG + tag)
        yield TagRow(
            tag,
            len(tagged),
            numbers.percent(cases_metrics(tagged)["overall"]),
            evidence.difference(change) if change else "",
            badge(change) if change is not None and _tells(change) else None,
            link(suite=link_key(suite.key), state=FAILING, tag=link_key(tag)),
        )


def _run_facts(suite: SuiteResult, whole: Totals) -> Iterator[str]:
    for kind, number in whole.failures.items():
        yield f"{numbers.counted(number, 'run')} without a valid output: {kind.value}"
    if whole.judge_errors:
        yield f"{numbers.counted(whole.judge_errors, 'answer')} that judges failed to give"
    if whole.not_judged:
        yield f"{numbers.counted(whole.not_judged, 'leaf', 'leaves')} not judged, in no denominator"
    if whole.repaired:
        yield f"{numbers.counted(whole.repaired, 'output')} needed lenient reading"
    if whole.defaults:
        yield f"{numbers.counted(whole.defaults, 'leaf', 'leaves')} filled by schema defaults"
    if suite.skipped:
        yield f"{numbers.counted(len(suite.skipped), 'case')} skipped"


def _plots(suite: SuiteResult) -> Iterator[Histogram]:
    runs = [run for case in suite.cases for run in case.runs]
    plots = (
        histogram("Time", [run.duration for run in runs if run.duration is not None], numbers.seconds),
        histogram("Cost", [run.cost for run in runs if run.cost is not None], numbers.plain),
        histogram("Tokens", [run.tokens for run in runs if run.tokens is not None], numbers.plain),
    )
    yield from (plot for plot in plots if plot is not None)
