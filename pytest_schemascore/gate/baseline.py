"""The baseline: the small committed part of a report (``schemascore-baseline/1``), read and written."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore._garbage import collector_held
from pytest_schemascore.errors import BaselineError
from pytest_schemascore.gate.case_line_reading import LineReader
from pytest_schemascore.gate.case_lines import LineWriter, number_text
from pytest_schemascore.gate.file_form import FileForm, split_form
from pytest_schemascore.gate.member_reading import MemberError, read_members
from pytest_schemascore.gate.members import Members, quoted
from pytest_schemascore.gate.repeated_keys import with_unique_keys
from pytest_schemascore.gate.stored import stored_suite
from pytest_schemascore.report.measured import CaseCounts, SuiteCounts
from pytest_schemascore.report.metrics import cases_metrics, field_totals
from pytest_schemascore.report.reading import check_format, read_text, unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_schemascore.gate.member_reading import Depth

FORMAT: Final = "schemascore-baseline/1"

_SUITE_METRICS: Final = ("overall", "validity", "precision", "f1", "exact_match", "distance", "similarity")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline file holds.

    Attributes:
        name: how the user named the file, for messages.
        suites: by key, in the stored form.
        members: the file's own text, taken apart, which an update edits.
        form: what the file has around it.
    """

    name: str
    suites: Mapping[str, SuiteCounts]
    members: Members
    form: FileForm


def read_baseline(path: Path, name: str = "") -> Baseline:
    """Read the baseline at *path*; *name* stands in messages, as the user wrote it.

    Raises:
        BaselineError: there is none, it is damaged, or a newer release wrote it; the message says what to do.
    """
    name = name or str(path)
    hint = f"record one with: pytest --schemascore-baseline {shlex.quote(name)} --schemascore-update"
    return parse_baseline(read_text(path, "baseline", hint, name), name)


def parse_baseline(text: str, name: str) -> Baseline:
    """Read the baseline that *text* holds; *name* stands in messages. ``metrics`` is never read.

    Raises:
        BaselineError: it is damaged, or a newer release wrote it.
    """
    form, text = split_form(text)
    try:
        with collector_held():
            suite: Depth = {"rules": with_unique_keys, "cases": {"*": LineReader().case}}
            members = read_members(text, {"suites": {"*": suite}})
    except (ValueError, RecursionError) as error:
        raise unreadable(name, text, error) from None
    except MemberError as error:
        line = text.count("\n", 0, error.start) + 1
        reason = (
            f"lacks {error.cause}" if isinstance(error.cause, KeyError) else f"can't be read: {error.cause}"
        )
        msg = f"{name}:{line}: case {error.key!r} {reason}"
        raise BaselineError(msg) from None
    found = members.get("format") if isinstance(members, Members) else None
    check_format(name, found, FORMAT)
    suites = members.get("suites") if isinstance(members, Members) else None
    if not isinstance(members, Members) or not isinstance(suites, Members):
        msg = f'{name}: has no "suites"; restore it from version control'
        raise BaselineError(msg)
    by_key = {member.key: _suite_of(member.key, member.value, name) for member in suites.members}
    return Baseline(name, by_key, members, form)


def _suite_of(key: str, suite: object, name: str) -> SuiteCounts:
    cases = suite.get("cases") if isinstance(suite, Members) else None
    rules = suite.get("rules") if isinstance(suite, Members) else None
    if not isinstance(suite, Members) or not isinstance(cases, Members) or not isinstance(rules, dict):
        msg = f'{name}: suite {key!r} lacks "rules" or "cases"; restore it from version control'
        raise BaselineError(msg)
    by_id = {member.key: member.value for member in cases.members if isinstance(member.value, CaseCounts)}
    test = suite.get("test")
    return SuiteCounts(
        key,
        test if isinstance(test, str) else key,
        {pattern: str(rules[pattern]) for pattern in sorted(rules)},
        {case_id: by_id[case_id] for case_id in sorted(by_id)},
    )


def dump_baseline(suites: Mapping[str, SuiteCounts]) -> str:
    """Return the text of a baseline that holds *suites*: sorted, one line a case, LF, fixed digits."""
    writer = LineWriter()
    with collector_held():
        by_key = _block({key: suite_text(suites[key], writer) for key in sorted(suites)})
    return f'{{\n"format": "{FORMAT}",\n"suites": {by_key}\n}}\n'


def suite_text(suite: SuiteCounts, writer: LineWriter) -> str:
    """Return the JSON object of *suite*."""
    suite = stored_suite(suite)
    test = "" if suite.test == suite.key else f'"test": {quoted(suite.test)},\n'
    cases = _block({case_id: writer.text(case) for case_id, case in suite.cases.items()})
    return (
        f'{{\n{test}"rules": {rules_text(suite.rules)},\n"metrics": {metrics_text(suite)},\n'
        f'"cases": {cases}\n}}'
    )


def _block(members: Mapping[str, str]) -> str:
    """Return a JSON object with one member a line."""
    lines = ",\n".join(f"{quoted(key)}: {value}" for key, value in members.items())
    return f"{{\n{lines}\n}}" if lines else "{\n}"


def rules_text(rules: Mapping[str, str]) -> str:
    """Return the JSON object of *rules*, sorted, on one line."""
    return "{" + ", ".join(f"{quoted(name)}: {quoted(rules[name])}" for name in sorted(rules)) + "}"


def metrics_text(suite: SuiteCounts) -> str:
    """Return the JSON object of the suite's figures, on one line; they are for readers only."""
    cases = suite.cases.values()
    totals = field_totals(cases)
    figures = cases_metrics(cases, totals=totals)
    parts = [f'"{name}": {number_text(figures[name])}' for name in _SUITE_METRICS if name in figures]
    fields = ", ".join(f"{quoted(name)}: {number_text(totals[name].accuracy)}" for name in sorted(totals))
    return f'{{{", ".join(parts)}, "fields": {{{fields}}}}}'
