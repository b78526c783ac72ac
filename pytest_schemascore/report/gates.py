"""What a suite itself asks of its metrics (``gates=``)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_schemascore._checks import is_number
from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError
from pytest_schemascore.report.metric_names import (
    EXTRA_SUFFIX,
    JUDGED,
    OVERALL,
    PRECISION,
    TAG,
    VALIDITY,
    WEIGHTED,
    is_worse_higher,
    suite_metric,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEYS: Final = ("max_drop", "min")


@dataclass(frozen=True, slots=True)
class FieldGate:
    """What a ``gates=`` entry asks of one metric; always strict (G4).

    Attributes:
        max_drop: largest allowed drop, in the metric's unit; None leaves it to the run's own.
        min: floor, in the metric's unit; None for none.
    """

    max_drop: float | None = None
    min: float | None = None


def parse_gates(gates: Mapping[str, object]) -> dict[str, FieldGate]:
    """Check the entries of ``gates=``; whether their fields exist is known only with the cases.

    Raises:
        UsageError: an unknown key (with the nearest known one), a value that can't be, or a floor under a
            metric where a rise is what is worse.
    """
    return {name: _parse(name, entry) for name, entry in gates.items()}


def check_gates(gates: Mapping[str, FieldGate], known: Iterable[str]) -> None:
    """Check that each gate names one of the *known* metrics of its suite.

    Raises:
        UsageError: one names nothing; names the nearest metric.
    """
    names = set(known)
    for name in gates:
        if name not in names:
            msg = f"gates[{name!r}]: this suite has no such field, tag or metric{did_you_mean(name, names)}"
            raise UsageError(msg)


def check_floors(floors: Iterable[str], known: Iterable[str], option: str) -> None:
    """Check that each floor of *option* names one of the *known* metrics of the run's suites.

    Raises:
        UsageError: one names nothing, so that it would never be enforced; names the nearest metric. Or a rise
            is what is worse there.
    """
    names = set(known)
    for name in floors:
        if is_worse_higher(name):
            msg = f"{option} {name}: a rise is what is worse there; a floor can't guard it"
            raise UsageError(msg)
        if name not in names:
            msg = f"{option} {name}: no suite has such a field, tag or metric{did_you_mean(name, names)}"
            raise UsageError(msg)


def metric_names(
    fields: Iterable[str], tags: Iterable[str], measures: Iterable[str], *, weighted: bool
) -> set[str]:
    """Return the names of all metrics that a suite with these fields, tags and measures can have."""
    return {
        *(OVERALL, VALIDITY, PRECISION, JUDGED),
        *((WEIGHTED,) if weighted else ()),
        *map(suite_metric, measures),
        *(TAG + tag for tag in tags),
        *(text for name in fields for text in (name, name + EXTRA_SUFFIX)),
    }


def _parse(name: str, entry: object) -> FieldGate:
    if isinstance(entry, FieldGate):
        entry = {key: value for key in _KEYS if (value := getattr(entry, key)) is not None}
    if not isinstance(entry, Mapping):
        msg = f"gates[{name!r}] is {entry!r}; give {{'max_drop': 0.0, 'min': 0.95}}"
        raise UsageError(msg)
    for key, value in entry.items():
        if key not in _KEYS:
            msg = f"gates[{name!r}] has no key {key!r}{did_you_mean(str(key), _KEYS)} (known: max_drop, min)"
            raise UsageError(msg)
        most, wanted = (
            (math.inf, "0 or more") if is_worse_higher(name) else (1.0, "0 to 1 (0.02 is two points)")
        )
        if not is_number(value) or not 0 <= value <= most or value == math.inf:
            msg = f"gates[{name!r}][{key!r}] is {value!r}; give a number of {wanted}"
            raise UsageError(msg)
    if is_worse_higher(name) and "min" in entry:
        msg = f"gates[{name!r}]: a rise is what is worse there; give max_drop, not min"
        raise UsageError(msg)
    return FieldGate(entry.get("max_drop"), entry.get("min"))
