"""A case's line of a baseline, read: whoever edits it may write anything, so nothing of it is taken on trust.

What its numbers mean, `pytest_schemascore.gate.case_lines` says.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.gate.repeated_keys import check_keys, quotes_at_most
from pytest_schemascore.report.measured import DIGITS, CaseCounts, Failure, RunCounts
from pytest_schemascore.scoring.outcomes import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAILURES: Final = {failure.value: failure for failure in Failure}
_NUMBERS: Final = 8
_RUN_KEYS: Final = frozenset({"valid", "error", "fields"})
_MOST: Final = 2**53
"""What a count or a measure may be: above it floats, in which they are added up, skip whole numbers."""
_LONGEST: Final = 60


class LineReader:
    """Reads cases; equal counts become one object, which keeps a large baseline small."""

    def __init__(self) -> None:
        self._counts: dict[tuple[float, ...], Counts] = {}

    def case(self, case_id: str, data: Any, text: str) -> CaseCounts:
        """Return the case that `LineWriter.text` wrote as *text*, once parsed.

        Raises:
            KeyError: something is missing.
            ValueError: *data* is something else; the message names the field where it is about one.
            RepeatedKeyError: a key stands twice in one of its objects.
        """
        runs, tags = _checked(data, dict, "it")["runs"], data.get("tags", [])
        if not _checked(runs, list, '"runs"'):
            msg = "it has no runs"
            raise ValueError(msg)
        texts = (data["label"], data["input"], *_checked(tags, list, '"tags"'))
        if not all(isinstance(each, str) for each in texts):
            msg = "label, input and tags must be texts"
            raise ValueError(msg)
        made = tuple(map(self._run, runs))
        known = len(data) + len(texts)
        for given, run in zip(runs, made, strict=True):
            known += len(given) + len(run.fields) + (run.failure is not None)
        # Each of these texts has two quotes; a key that is there twice has two more, and is in no object.
        if quotes_at_most(text) != 2 * known:
            check_keys(text)
        return CaseCounts(case_id, data["label"], data["input"], tuple(tags), made)

    def _run(self, data: Any) -> RunCounts:
        known = self._counts
        found = _checked(_checked(data, dict, "a run")["fields"], dict, '"fields"')
        fields = {}
        for name in sorted(found):
            try:
                counts = known[tuple(found[name])]
            except (KeyError, TypeError):  # what is no list of numbers ends here too, as it is never known
                counts = _counts_of(name, found[name])
                known[tuple(found[name])] = counts
            fields[name] = counts
        measures = {name: _measure(name, data[name]) for name in data.keys() - _RUN_KEYS}
        return RunCounts(_failure_of(data), fields, dict(sorted(measures.items())))


def _checked(value: Any, kind: type, what: str) -> Any:
    if type(value) is not kind:
        msg = f"{what} is {_shown(value)}, not {'an object' if kind is dict else 'a list'}"
        raise ValueError(msg)
    return value


def _failure_of(data: Mapping[str, Any]) -> Failure | None:
    valid, kind = data["valid"], data.get("error")
    if valid is True and kind is None:
        return None
    if valid is not False or not isinstance(kind, str) or kind not in _FAILURES:
        hint = did_you_mean(kind, _FAILURES) if isinstance(kind, str) else ""
        msg = f'an invalid run has "valid": false and an "error" of {", ".join(_FAILURES)}{hint}'
        raise ValueError(msg)
    return _FAILURES[kind]


def _counts_of(name: str, numbers: Any) -> Counts:
    if (
        type(numbers) is not list
        or not 2 <= len(numbers) <= _NUMBERS
        or not all(type(number) in (int, float) for number in numbers)
    ):
        raise _wrong(name, numbers, f"is not a list of 2 to {_NUMBERS} numbers")
    score, *whole = numbers
    if not all(type(number) is int and 0 <= number <= _MOST for number in whole):
        raise _wrong(name, numbers, f"has a count that is no whole number from 0 to {_MOST}")
    if not 0 <= score <= whole[0]:
        raise _wrong(name, numbers, "has a score above its labels, or below 0")
    if len(whole) == 1:
        whole.append(math.floor(score))
    counts = Counts(round(float(score), DIGITS), *whole)
    if counts.wrong < 0 or counts.empty > counts.correct:
        raise _wrong(name, numbers, "counts more outcomes than labels")
    return counts


def _wrong(name: str, numbers: Any, what: str) -> ValueError:
    return ValueError(f"field {name!r}: {_shown(numbers)} {what}")


def _measure(name: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= _MOST:
        msg = f"the run's {name!r} is {_shown(value)}, not a number from 0 to {_MOST}"
        raise ValueError(msg)
    return round(float(value), DIGITS)


def _shown(value: Any) -> str:
    return shortened(json.dumps(value), _LONGEST)
