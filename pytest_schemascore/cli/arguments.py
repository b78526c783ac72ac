"""What values of options may be, for argparse, and options that several commands share."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from pytest_schemascore._checks import COUNTED, MOST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.gate.settings import GateSettings


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    return _number(text, 0.0, 1.0, "a number from 0 to 1, such as 0.02 for two points")


def level(text: str) -> float:
    """Read a significance level, between 0 and 1."""
    value = share(text)
    if value in (0.0, 1.0):
        msg = f"{text!r}: give a level between 0 and 1, such as 0.05"
        raise argparse.ArgumentTypeError(msg)
    return value


def positive(text: str) -> float:
    """Read a number above 0."""
    return _number(text, math.ulp(0.0), 1e300, "a number above 0")


def count(text: str) -> int:
    """Read a number of runs or of calls at once."""
    # Python refuses to read thousands of digits, and no number as long as this one is in range.
    if not text.isdecimal() or len(text) > 20 or not 1 <= int(text) <= MOST:
        msg = f"{text!r}: give {COUNTED}"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def named(text: str) -> str:
    """Read a name, of a file or of something in a module, which can't be empty."""
    if not text:
        msg = "it is empty; leave the option out, or give it a name"
        raise argparse.ArgumentTypeError(msg)
    return text


def floor(text: str) -> tuple[str, float]:
    """Read ``FIELD=F``."""
    from pytest_schemascore.errors import UsageError
    from pytest_schemascore.report.floors import read_floor

    try:
        return read_floor(text)
    except UsageError as error:
        msg = f"{text!r}: {error}"
        raise argparse.ArgumentTypeError(msg) from None


def _number(text: str, least: float, most: float, wanted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        msg = f"{text!r}: give {wanted}"
        raise argparse.ArgumentTypeError(msg)
    return value


def add_gate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is asked of the gate."""
    group = parser.add_argument_group("the gate")
    group.add_argument("--max-drop", type=share, metavar="F", help="allowed drop of any gated metric")
    group.add_argument(
        "--alpha", type=level, metavar="F", help="fail only on drops that are significant at level F"
    )
    group.add_argument(
        "--min",
        type=floor,
        metavar="FIELD=F",
        action="append",
        default=[],
        help="smallest accuracy of a field",
    )
    group.add_argument("--min-overall", type=share, metavar="F", help="smallest overall accuracy of a suite")
    group.add_argument(
        "--min-validity", type=share, metavar="F", help="smallest share of valid outputs of a suite"
    )


def gate_settings(options: argparse.Namespace, before: Mapping[str, Json] | None = None) -> GateSettings:
    """Return what the options ask of the gate, and for the rest what *before*, a report's settings, says."""
    from pytest_schemascore.gate.settings import GateSettings, settings_from_json

    recorded = settings_from_json(before or {})
    return GateSettings(
        recorded.max_drop if options.max_drop is None else options.max_drop,
        recorded.alpha if options.alpha is None else options.alpha,
        {**recorded.floors, **dict(options.min)},
        recorded.min_overall if options.min_overall is None else options.min_overall,
        recorded.min_validity if options.min_validity is None else options.min_validity,
    )


def add_verbosity_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how much is said, and in colour or not."""
    parser.add_argument(
        "-v", "--verbose", action="count", default=0, help="every field with its rule; twice: all cases"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="the verdict only")
    add_color_argument(parser)


def add_color_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--color``."""
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="auto: on a terminal only"
    )
