"""A case's line of a baseline, written and read.

A field's numbers are score, labelled, then correct, missing, invented, extra, not judged, empty. From the end
they are left out as far as they follow: correct is the whole part of the score, the rest is zero.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.gate.members import quoted
from pytest_schemascore.report.measured import DIGITS, CaseCounts, Failure, RunCounts
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAILURES: Final = {failure.value: failure for failure in Failure}
_NUMBERS: Final = 8
_RUN_KEYS: Final = frozenset({"valid", "error", "fields"})


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


class LineReader:
    """Reads cases; equal counts become one object, which keeps a large baseline small."""

    def __init__(self) -> None:
        self._counts: dict[tuple[float, ...], Counts] = {}

    def case(self, case_id: str, data: Any) -> CaseCounts:
        """Return the case that `LineWriter.text` wrote, once parsed.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: *data* is something else.
        """
        tags = data.get("tags", [])
        if not data["runs"]:
            msg = "it has no runs"
            raise ValueError(msg)
        if not all(isinstance(text, str) for text in (data["label"], data["input"], *tags)):
            msg = "label, input and tags must be texts"
            raise TypeError(msg)
        runs = tuple(map(self._run, data["runs"]))
        return CaseCounts(case_id, data["label"], data["input"], tuple(tags), runs)

    def _run(self, data: Mapping[str, Any]) -> RunCounts:
        known = self._counts
        found = data["fields"]
        fields = {}
        for name in sorted(found):
            key = tuple(found[name])
            counts = known.get(key)
            if counts is None:
                counts = known[key] = _counts_of(name, key)
            fields[name] = counts
        measures = {name: _measure(name, data[name]) for name in data.keys() - _RUN_KEYS}
        return RunCounts(_failure_of(data), fields, dict(sorted(measures.items())))


def _failure_of(data: Mapping[str, Any]) -> Failure | None:
    valid, kind = data["valid"], data.get("error")
    if valid is True and kind is None:
        return None
    if valid is not False or not isinstance(kind, str) or kind not in _FAILURES:
        hint = did_you_mean(kind, _FAILURES) if isinstance(kind, str) else ""
        msg = f'an invalid run has "valid": false and an "error" of {", ".join(_FAILURES)}{hint}'
        raise ValueError(msg)
    return _FAILURES[kind]


def _counts_of(name: str, numbers: tuple[Any, ...]) -> Counts:
    if not 2 <= len(numbers) <= _NUMBERS or not all(type(number) in (int, float) for number in numbers):
        msg = f"field {name!r}: {list(numbers)!r} is not a list of 2 to {_NUMBERS} numbers"
        raise ValueError(msg)
    score, *whole = numbers
    if not all(type(number) is int and number >= 0 for number in whole) or not 0 <= score <= whole[0]:
        msg = f"field {name!r}: {list(numbers)!r} has a score above its labels, or a count that is none"
        raise ValueError(msg)
    if len(whole) == 1:
        whole.append(math.floor(score))
    counts = Counts(round(float(score), DIGITS), *whole)
    if counts.wrong < 0 or counts.empty > counts.correct:
        msg = f"field {name!r}: {list(numbers)!r} counts more outcomes than labels"
        raise ValueError(msg)
    return counts


def _measure(name: str, value: Any) -> float:
    if type(value) not in (int, float):
        msg = f"the run's {name!r} is not a number"
        raise TypeError(msg)
    return round(float(value), DIGITS)
