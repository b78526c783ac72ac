"""Every field of a suite (``-v``): accuracy, outcomes, the rule it got and why, and its worst examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.report.examples import worst_examples
from pytest_schemascore.report.metrics import field_metrics
from pytest_schemascore.reporting.evidence import names
from pytest_schemascore.reporting.lines import Line, line
from pytest_schemascore.reporting.numbers import percent
from pytest_schemascore.reporting.values import value_pair
from pytest_schemascore.reporting.widths import display_width, pad

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.report.examples import Example
    from pytest_schemascore.report.results import SuiteResult
    from pytest_schemascore.reporting.widths import Console
    from pytest_schemascore.scoring.outcomes import Counts

_WIDEST: Final = 30
_NARROWEST: Final = 36
"""Columns that an example's two values take at least."""


def field_lines(suite: SuiteResult, console: Console, verbosity: int) -> Iterator[Line]:
    """Yield every field's figures, rule and examples; *verbosity* above 1 names the cases that miss."""
    fields = field_metrics(suite)
    if not fields:
        return
    yield line("  fields", "bold")
    examples = worst_examples(suite)
    missing = _cases_by_field(suite) if verbosity > 1 else {}
    width = min(_WIDEST, console.width // 3, max(display_width(console.clean(name)) for name in fields))
    for name, field in fields.items():
        # A list that is never empty in a label has a rule and no leaves of its own.
        is_scored = field.counts.labelled or field.counts.extra or field.counts.not_judged
        text = f"{percent(field.accuracy)}  {outcomes_text(field.counts)}" if is_scored else "list"
        yield from map(line, _named(console.clean(name), text, width, console))
        if field.rule is not None:
            text = f"rule {field.rule.rule}, from {field.rule.why}"
            yield from map(line, console.wrap(text, indent=6, hanging=8))
        for example in examples.get(name, ()):
            yield from map(line, _example(example, console))
        if name in missing:
            text = f"not right in: {names(missing[name], None)}"
            yield from map(line, console.wrap(text, indent=6, hanging=8))


def outcomes_text(counts: Counts) -> str:
    """Return ``of 4: 2 correct, 1 wrong, 1 missing``; outcomes that didn't occur are left out."""
    numbers = (
        (counts.correct, "correct"),
        (counts.wrong, "wrong"),
        (counts.missing, "missing"),
        (counts.invented, "invented"),
    )
    text = f"of {counts.labelled:,}"
    parts = [f"{number:,} {outcome}" for number, outcome in numbers if number]
    if parts:
        text += f": {', '.join(parts)}"
    beside = ((counts.extra, "extra"), (counts.not_judged, "not judged"))
    apart = [f"{number:,} {outcome}" for number, outcome in beside if number]
    return f"{text}; {', '.join(apart)}" if apart else text


def _named(name: str, text: str, width: int, console: Console) -> Iterator[str]:
    if display_width(name) > width:
        yield "    " + console.clip(name, console.width - 4)
        name = ""
    first, *others = console.wrap(text, indent=4 + width + 2)
    yield f"    {pad(name, width)}{first[4 + width :]}"
    yield from others


def _example(example: Example, console: Console) -> Iterator[str]:
    leaf = example.leaf
    where = console.clip(example.case, 20)
    if leaf.path != leaf.field:
        where = f"{where} {console.clip(leaf.path, 24)}"
    head = f"      {leaf.outcome.value} in {where}: "
    if console.width - display_width(head) < _NARROWEST:
        yield head.rstrip()
        head = " " * 8
    room = (console.width - display_width(head) - len("expected , got ")) // 2
    expected, actual = value_pair(leaf.expected, leaf.actual, console, room)
    yield f"{head}expected {expected}, got {actual}"


def _cases_by_field(suite: SuiteResult) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for case in suite.cases:
        missed = {name for run in case.runs for name, counts in run.fields.items() if not counts.is_perfect}
        for name in missed:
            found.setdefault(name, []).append(case.id)
    return found
