"""What is asked of one metric (G2): how far it may fall, and its floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_schemascore.report.metric_names import EXTRA_SUFFIX, OVERALL, VALIDITY

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from pytest_schemascore.gate.measured_suite import MeasuredSuite
    from pytest_schemascore.gate.settings import GateSettings
    from pytest_schemascore.report.gates import FieldGate


@dataclass(frozen=True, slots=True)
class Terms:
    """What is asked of one metric, in its own unit.

    Attributes:
        max_drop: allowed drop (rise, where a rise is worse).
        floor: smallest allowed value; None for none.
        strict: whether G2 decides whatever alpha says, since the suite names this metric in its gates.
    """

    max_drop: float
    floor: float | None = None
    strict: bool = False


def terms_of(metric: str, settings: GateSettings, gates: Mapping[str, FieldGate]) -> Terms:
    """Return what the run's *settings* and the suite's *gates* ask of *metric*; the higher floor holds.

    A field's gate holds for its extras too, but for the floor.
    """
    max_drop = settings.max_drop or 0.0
    floors = [floor for name, floor in _floors(settings, gates) if name == metric]
    gate = gates.get(metric) or gates.get(metric.removesuffix(EXTRA_SUFFIX))
    if gate is not None and gate.max_drop is not None:
        max_drop = gate.max_drop
    return Terms(max_drop, max(floors, default=None), strict=gate is not None)


def named_metrics(settings: GateSettings, suite: MeasuredSuite) -> tuple[str, ...]:
    """Return every metric of *suite* that has a floor, from the run's *settings* or from its own gates."""
    names = dict.fromkeys(name for name, _ in _floors(settings, suite.gates))
    known = {*suite.gates, *suite.metric_names} if names else ()
    return tuple(name for name in names if name in known)


def unknown_floors(settings: GateSettings, known: Container[str]) -> list[str]:
    """Return the floors that would never be enforced; *known* are the metrics that some suite has."""
    return [name for name in settings.floors if name not in known]


def _floors(settings: GateSettings, gates: Mapping[str, FieldGate]) -> Iterator[tuple[str, float]]:
    yield from settings.floors.items()
    if settings.min_overall is not None:
        yield OVERALL, settings.min_overall
    if settings.min_validity is not None:
        yield VALIDITY, settings.min_validity
    for name, gate in gates.items():
        if gate.min is not None:
            yield name, gate.min
