"""The text of an updated baseline: the old one with the lines of an update in it (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_schemascore.gate.baseline import dump_baseline, metrics_text, rules_text, suite_text
from pytest_schemascore.gate.case_lines import LineWriter
from pytest_schemascore.gate.members import Members, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.gate.update_plan import Plan


def updated_text(old: Baseline | None, plans: Sequence[Plan], removed: Iterable[str]) -> str | None:
    """Return the file that *plans* come to, without the suites *removed*; None where it stays the same."""
    plans = [plan for plan in plans if plan.update.changes_file]
    if old is None:
        return dump_baseline({plan.after.key: plan.after for plan in plans}) if plans else None
    suites = old.members.get("suites")
    if not isinstance(suites, Members):
        return None
    writer = LineWriter()
    changes: dict[str, str | Members | None] = dict.fromkeys(removed)
    for plan in plans:
        known = suites.get(plan.before.key) if plan.before else None
        edited = _edited_suite(known, plan, writer) if isinstance(known, Members) else None
        changes[plan.after.key] = edited or suite_text(plan.after, writer)
    if not changes:
        return None
    return old.form.text_of(old.members.edited({"suites": suites.edited(changes)}).to_text())


def _edited_suite(suite: Members, plan: Plan, writer: LineWriter) -> Members:
    """Return *suite* with new lines where the plan has some, and what is said above them."""
    cases = suite.get("cases")
    if not isinstance(cases, Members):
        return suite
    after, update = plan.after, plan.update
    lines: dict[str, str | Members | None] = dict.fromkeys((*update.pruned, *update.dropped))
    lines |= {case_id: writer.text(after.cases[case_id]) for case_id in (*update.added, *update.updated)}
    changes: dict[str, str | Members | None] = {"cases": cases.edited(lines), "metrics": metrics_text(after)}
    if plan.before and plan.before.rules != after.rules:
        changes["rules"] = rules_text(after.rules)
    if after.test == after.key:
        changes["test"] = None
    elif suite.get("test") is None:
        suite = suite.with_first("test", quoted(after.test))
    elif suite.get("test") != after.test:
        changes["test"] = quoted(after.test)
    return suite.edited(changes)
