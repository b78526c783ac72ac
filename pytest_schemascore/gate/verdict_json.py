"""A verdict as JSON and back: the ``gate`` entry of a report, from which any format can be rendered again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pytest_schemascore.gate.diff import Change, Diff, Flaky, Power, SuiteDiff
from pytest_schemascore.gate.settings import settings_from_json, settings_to_json
from pytest_schemascore.gate.status import Status
from pytest_schemascore.gate.verdict_checks import VERDICT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json


def verdict_to_json(diff: Diff) -> dict[str, Json]:
    """Return *diff* as a JSON object; ``regressions`` holds the failing ones of the suites' changes again."""
    return {
        "passed": diff.ok,
        "baseline": diff.baseline,
        "regressions": [_change_to_json(change) for change in diff.changes if change.failing],
        "problems": list(diff.problems),
        "new_suites": list(diff.new_suites),
        "gone_suites": list(diff.gone_suites),
        "not_run_suites": list(diff.not_run_suites),
        "settings": settings_to_json(diff.settings),
        "suites": {suite.key: _suite_to_json(suite) for suite in diff.suites},
    }


def verdict_from_json(data: Mapping[str, Any]) -> Diff:
    """Return the verdict that `verdict_to_json` wrote.

    Raises:
        ValueError: *data* is something else.
    """
    VERDICT.look(data)
    return Diff(
        suites=tuple(_suite_from_json(key, suite) for key, suite in data["suites"].items()),
        new_suites=tuple(data["new_suites"]),
        gone_suites=tuple(data["gone_suites"]),
        not_run_suites=tuple(data["not_run_suites"]),
        problems=tuple(data["problems"]),
        settings=settings_from_json(data["settings"]),
        baseline=data["baseline"],
    )


def _change_to_json(change: Change) -> dict[str, Json]:
    return {
        "suite": change.suite,
        "metric": change.metric,
        "status": change.status.value,
        "before": change.before,
        "after": change.after,
        "change": change.change,
        "lost": list(change.lost),
        "gained": list(change.gained),
        "interval": list(change.interval) if change.interval else None,
        "p_value": change.p_value,
        "p_adjusted": change.p_adjusted,
        "max_drop": change.max_drop,
        "floor": change.floor,
        "reason": change.reason,
    }


def _change_from_json(data: Mapping[str, Any]) -> Change:
    interval = data["interval"]
    return Change(
        suite=data["suite"],
        metric=data["metric"],
        before=data["before"],
        after=data["after"],
        status=Status(data["status"]),
        lost=tuple(data["lost"]),
        gained=tuple(data["gained"]),
        interval=(_end(interval[0], -math.inf), _end(interval[1], math.inf)) if interval else None,
        p_value=data["p_value"],
        p_adjusted=data["p_adjusted"],
        max_drop=data["max_drop"],
        floor=data["floor"],
        reason=data["reason"],
    )


def _end(value: float | None, infinite: float) -> float:
    return infinite if value is None else value


def _suite_to_json(suite: SuiteDiff) -> dict[str, Json]:
    return {
        "passed": suite.ok,
        "moved_from": suite.moved_from,
        "compared": suite.compared,
        "of": suite.of,
        "alpha": suite.alpha,
        "changes": [_change_to_json(change) for change in suite.changes],
        "new": list(suite.new),
        "gone": list(suite.gone),
        "relabelled": list(suite.relabelled),
        "not_run": list(suite.not_run),
        "changed_rules": {pattern: list(rules) for pattern, rules in suite.changed_rules.items()},
        "problems": list(suite.problems),
        "notes": list(suite.notes),
        "flaky": {flaky.field: flaky.flip_rate for flaky in suite.flaky},
        "power": _power_to_json(suite.power) if suite.power else None,
    }


def _power_to_json(power: Power) -> dict[str, Json]:
    return {
        "smallest_drop": power.smallest_drop,
        "cases": power.cases,
        "more_cases": power.more_cases,
        "supposed_alpha": power.supposed_alpha,
    }


def _suite_from_json(key: str, data: Mapping[str, Any]) -> SuiteDiff:
    power = data["power"]
    return SuiteDiff(
        key=key,
        changes=tuple(map(_change_from_json, data["changes"])),
        compared=data["compared"],
        of=data["of"],
        moved_from=data["moved_from"],
        new=tuple(data["new"]),
        gone=tuple(data["gone"]),
        relabelled=tuple(data["relabelled"]),
        not_run=tuple(data["not_run"]),
        changed_rules={pattern: (rules[0], rules[1]) for pattern, rules in data["changed_rules"].items()},
        problems=tuple(data["problems"]),
        notes=tuple(data["notes"]),
        flaky=tuple(Flaky(name, rate) for name, rate in data["flaky"].items()),
        power=_power_from_json(power) if power else None,
        alpha=data["alpha"],
    )


def _power_from_json(data: Mapping[str, Any]) -> Power:
    return Power(data["smallest_drop"], data["cases"], data["more_cases"], data["supposed_alpha"])
