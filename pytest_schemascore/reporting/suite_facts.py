"""What a reader should know of a suite's comparison beside its changes: cases, rules, noise, power."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting.evidence import names
from pytest_schemascore.reporting.lines import Line, line
from pytest_schemascore.reporting.numbers import counted, percent
from pytest_schemascore.reporting.verdict_text import power_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.gate.diff import SuiteDiff
    from pytest_schemascore.reporting.widths import Console

_NAMES: Final = 8


def fact_lines(suite: SuiteDiff, console: Console, verbosity: int) -> Iterator[Line]:
    """Yield `facts`, wrapped; *verbosity* above 1 names all cases."""
    for fact in facts(suite, limit=None if verbosity > 1 else _NAMES):
        yield from map(line, console.wrap(fact, indent=2, hanging=4))


def facts(suite: SuiteDiff, *, limit: int | None = _NAMES) -> Iterator[str]:
    """Yield one sentence a fact: moved, compared, cases apart, changed rules, notes, flaky fields, power."""
    if suite.moved_from is not None:
        yield f"moved: the baseline has it as {suite.moved_from}"
    if suite.compared != suite.of:
        yield f"compared: {suite.compared:,} of {counted(suite.of, 'case')} in the baseline"
    for title, ids in (
        ("new", suite.new),
        ("gone", suite.gone),
        ("relabelled, not compared", suite.relabelled),
        ("not run", suite.not_run),
    ):
        if ids:
            yield f"{counted(len(ids), 'case')} {title}: {names(ids, limit)}"
    for pattern, (before, now) in suite.changed_rules.items():
        yield f"rule changed: {pattern}: {before or 'no rule'} → {now or 'no rule'}"
    yield from suite.notes
    if suite.flaky:
        rates = ", ".join(f"{flaky.field} {percent(flaky.flip_rate)}" for flaky in suite.flaky)
        yield f"flaky, runs of one case disagree: {rates}"
    if suite.power is not None and (sentence := power_sentence(suite.power)):
        yield sentence
