"""What a user says of a suite; the decorator, the library and the command all fill in the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_schemascore._checks import check_choice, check_mapping
from pytest_schemascore.errors import UsageError
from pytest_schemascore.report.gates import parse_gates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.report.gates import FieldGate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a suite is scored: the arguments of `case` and `evaluate` of the same names."""

    schema: object = None
    comparators: Mapping[str, object] = field(default_factory=dict)
    default: object = None
    gates: Mapping[str, FieldGate] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    extra: Literal["ignore", "count"] = "ignore"
    select: str | None = None
    parse: Literal["strict", "lenient"] = "strict"
    metrics: tuple[str, ...] = ()


METRICS: Final = ("distance", "similarity")
"""The names of the metrics of whole documents."""


def check_scoring(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return *arguments* of `Scoring`, whichever are given, checked and as it holds them.

    What needs the cases (paths, rules, whether gates name a field) is checked when the suite is built.

    Raises:
        UsageError: one can't be; names it, and what to give.
    """
    __tracebackhide__ = True
    checked = dict(arguments)
    for name in ("comparators", "gates", "weights"):
        checked[name] = {} if arguments.get(name) is None else arguments[name]
        check_mapping(name, checked[name])
    checked["gates"] = parse_gates(checked["gates"])
    check_choice("extra", arguments.get("extra", "ignore"), ("ignore", "count"))
    check_choice("parse", arguments.get("parse", "strict"), ("strict", "lenient"))
    select = arguments.get("select")
    if select is not None and not isinstance(select, str):
        msg = f"select={select!r}: give a path as text, such as 'calls[0].arguments'"
        raise UsageError(msg)
    metrics = arguments.get("metrics")
    if isinstance(metrics, str) or not isinstance(metrics, (Sequence, type(None))):
        msg = f"metrics={metrics!r}: give a list of names, such as [{METRICS[0]!r}]"
        raise UsageError(msg)
    checked["metrics"] = tuple(metrics or ())
    for metric in checked["metrics"]:
        check_choice("metrics", metric, METRICS)
    return checked


@dataclass(frozen=True, slots=True)
class SuiteSpec(Scoring):
    """A suite by name.

    Attributes:
        key: ``name=`` of the mark, or the node id without the case.
        test: the node id without the case; line: of the test function, counted from 1.
    """

    key: str
    test: str = ""
    line: int = 0
