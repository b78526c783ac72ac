"""A case's line of a baseline, as it is written.

A field's numbers are score, labelled, then correct, missing, invented, extra, not judged, empty. From the end
they are left out as far as they follow: correct is the whole part of the score, the rest is zero.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_schemascore.gate.members import quoted
from pytest_schemascore.report.measured import DIGITS

if TYPE_CHECKING:
    from pytest_schemascore.report.measured import CaseCounts, Failure, RunCounts
    from pytest_schemascore.scoring.outcomes import Counts


def number_text(value: float | None) -> str:
    """Return *value* in decimal notation with at most the stored digits, without trailing zeros."""
    if value is None:
        return "null"
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class LineWriter:
    """Writes cases; it keeps the texts of counts and names, since few different ones fill a baseline."""

    def __init__(self) -> None:
        self._numbers: dict[Counts, str] = {}
        self._names: dict[str, str] = {}

    def text(self, case: CaseCounts) -> str:
        """Return the JSON object of *case*, on one line."""
        tags = f'"tags": [{", ".join(map(quoted, case.tags))}], ' if case.tags else ""
        runs = ", ".join(map(self._run, case.runs))
        return f'{{"label": {quoted(case.label)}, "input": {quoted(case.input)}, {tags}"runs": [{runs}]}}'

    def _run(self, run: RunCounts) -> str:
        names, numbers = self._names, self._numbers
        fields = []
        for name in sorted(run.fields):
            counts = run.fields[name]
            text = numbers.get(counts)
            if text is None:
                text = numbers[counts] = _numbers_text(counts)
            if name not in names:
                names[name] = quoted(name)
            fields.append(f"{names[name]}: {text}")
        parts = ['"valid": true'] if run.failure is None else [_failed(run.failure)]
        parts += [f"{quoted(name)}: {number_text(run.measures[name])}" for name in sorted(run.measures)]
        return f'{{{", ".join(parts)}, "fields": {{{", ".join(fields)}}}}}'


def _failed(failure: Failure) -> str:
    return f'"valid": false, "error": {quoted(failure.value)}'


def _numbers_text(counts: Counts) -> str:
    score = round(counts.score, DIGITS)
    rest = [counts.correct, counts.missing, counts.invented, counts.extra, counts.not_judged, counts.empty]
    follows = [math.floor(score), 0, 0, 0, 0, 0]
    while rest and rest[-1] == follows[len(rest) - 1]:
        rest.pop()
    return f"[{', '.join([number_text(score), str(counts.labelled), *map(str, rest)])}]"
