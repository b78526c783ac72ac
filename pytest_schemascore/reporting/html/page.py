"""The page: verdict, regressions and suites through the template, cases as data for the script."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from pytest_schemascore.report.metric_names import EXTRA_SUFFIX, is_of_field
from pytest_schemascore.reporting import evidence, visible
from pytest_schemascore.reporting.html.case_list import REGRESSED, link, link_key
from pytest_schemascore.reporting.html.embed import content_security_policy
from pytest_schemascore.reporting.html.fields_view import BAR, Badge, badge
from pytest_schemascore.reporting.html.histogram import HEIGHT, WIDTH
from pytest_schemascore.reporting.html.page_data import DETAILS_LIMIT, PASSED_LIMIT, embed
from pytest_schemascore.reporting.html.suite_view import suite_view
from pytest_schemascore.reporting.verdict_text import verdict_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.gate.diff import Change, Diff
    from pytest_schemascore.report.results import SuiteResult

_SCRIPTS: Final = ("links.js", "sort.js", "cases.js", "tree.js", "case.js", "report.js")
_TEXT_LIMIT: Final = 8_000
"""Above what any link of ours takes; names and lines are cut shorter, where they stand."""
_LINE_LIMIT: Final = 800
_NAME_LIMIT: Final = 200
_LOST_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class Regression:
    """One failing metric on top of the page."""

    suite: str
    metric: str
    before: str
    after: str
    change: str
    evidence: str
    reason: str
    badge: Badge
    lost: tuple[tuple[str, str], ...]
    more: int
    href: str


def page(suites: Mapping[str, SuiteResult], *, interrupted: bool, diff: Diff | None) -> str:
    """Return the whole page."""
    diffs = {suite.key: suite for suite in diff.suites} if diff else {}
    embedded = embed(list(suites.values()), diffs)
    script = _script()
    style = _asset("report.css")
    return _template().render(
        policy=content_security_policy([script], [style]),
        script=Markup(script),  # noqa: S704  # our own file
        style=Markup(style),  # noqa: S704  # our own file
        index=Markup(embedded.index),  # noqa: S704  # json_text has escaped it
        details=Markup(embedded.details),  # noqa: S704  # json_text has escaped it
        embedded=embedded,
        details_limit=DETAILS_LIMIT,
        passed_limit=PASSED_LIMIT,
        headline=_headline(diff),
        verdict=verdict_line(diff).removeprefix("schemascore: ") if diff else "",
        diff=diff,
        interrupted=interrupted,
        regressions=_regressions(diff) if diff else [],
        suites=[suite_view(suite, diffs.get(suite.key)) for suite in suites.values()],
        bar=BAR,
        plot_width=WIDTH,
        plot_height=HEIGHT,
    )


def _headline(diff: Diff | None) -> Badge:
    if diff is None:
        return Badge("Measured", "quiet")
    return Badge("Passed", "good") if diff.ok else Badge("Failed", "bad")


def _regressions(diff: Diff) -> list[Regression]:
    alphas = {suite.key: suite.alpha for suite in diff.suites}
    failing = evidence.worst_first([change for change in diff.changes if change.failing])
    return [_regression(change, alphas[change.suite]) for change in failing]


def _regression(change: Change, alpha: float | None) -> Regression:
    suite = link_key(change.suite)
    before, after = evidence.before_after(change)
    field = link_key(change.metric.removesuffix(EXTRA_SUFFIX)) if is_of_field(change.metric) else ""
    return Regression(
        change.suite,
        change.metric,
        before,
        after,
        evidence.difference(change),
        ", ".join(filter(None, (evidence.grounds(change), evidence.fine_print(change, alpha)))),
        change.reason,
        badge(change),
        tuple((case, link(suite=suite, case=link_key(case))) for case in change.lost[:_LOST_SHOWN]),
        max(0, len(change.lost) - _LOST_SHOWN),
        link(suite=suite, state=REGRESSED, field=field),
    )


def _template() -> Template:
    environment = Environment(
        loader=PackageLoader(__package__ or "", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = lambda text: visible.plain(text, _NAME_LIMIT)
    environment.filters["line"] = lambda text: visible.plain(text, _LINE_LIMIT)
    environment.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    return environment.get_template("report.html.j2")


def _finalize(value: object) -> object:
    """Make what hides in a text visible; safe markup, such as our own script, stays as it is."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible.plain(value, _TEXT_LIMIT)
    return "" if value is None else value


def _script() -> str:
    parts = "\n".join(_asset(name) for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _asset(name: str) -> str:
    return files(__package__ or "").joinpath("assets", name).read_text(encoding="utf-8")
