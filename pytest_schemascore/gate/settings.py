"""What is asked of the gate; a report keeps it as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_schemascore._checks import check_share, is_number
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True)
class GateSettings:
    """What the run's options ask of the gate.

    Attributes:
        max_drop: allowed drop of any gated metric, as a share (0.02 is two points).
        alpha: significance level (G4); None leaves G2 to decide.
        floors: field -> smallest accuracy; min_overall, min_validity: of each suite.
    """

    max_drop: float | None = None
    alpha: float | None = None
    floors: Mapping[str, float] = field(default_factory=dict)
    min_overall: float | None = None
    min_validity: float | None = None


def check_settings(settings: GateSettings) -> None:
    """Check what Python code asks of the gate; options are checked as they are read.

    Raises:
        UsageError: one is no share, or no level; names it, and what to give.
    """
    shares = {f"floors[{name!r}]": floor for name, floor in settings.floors.items()}
    shares |= {name: getattr(settings, name) for name in ("max_drop", "min_overall", "min_validity")}
    for name, share in shares.items():
        if share is not None:
            check_share(name, share, "a share from 0 to 1 (0.02 is two points)")
    alpha = settings.alpha
    if alpha is not None and not (is_number(alpha) and 0 < alpha < 1):
        msg = f"alpha={alpha!r}: give a level between 0 and 1, such as 0.05"
        raise UsageError(msg)


def settings_to_json(settings: GateSettings) -> dict[str, Json]:
    """Return *settings* as a JSON object, null where nothing was asked."""
    return {
        "max_drop": settings.max_drop,
        "alpha": settings.alpha,
        "floors": dict(settings.floors),
        "min_overall": settings.min_overall,
        "min_validity": settings.min_validity,
    }


def settings_from_json(data: Mapping[str, Any]) -> GateSettings:
    """Return the settings that `settings_to_json` wrote; what is left out was not asked."""
    return GateSettings(
        max_drop=data.get("max_drop"),
        alpha=data.get("alpha"),
        floors=dict(data.get("floors", {})),
        min_overall=data.get("min_overall"),
        min_validity=data.get("min_validity"),
    )
