"""What can only be checked with all items at hand, and before anything is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.errors import UsageError
from pytest_schemascore.plugin.collecting import CASE_ITEM
from pytest_schemascore.plugin.fixture_checks import shared_with_other_async_tests
from pytest_schemascore.plugin.mark import MARK
from pytest_schemascore.report.gates import check_floors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.plugin.workers import Place
    from pytest_schemascore.suite import Suite

EACH = "--dist each runs every case on every worker and so pays for it each time; use --dist loadfile"


def our_items(items: Iterable[pytest.Item]) -> list[pytest.Function]:
    """Return the items that are cases."""
    return [item for item in items if isinstance(item, pytest.Function) and CASE_ITEM in item.stash]


def other_items(items: Iterable[pytest.Item]) -> list[pytest.Function]:
    """Return the items that are test functions and no cases."""
    return [item for item in items if isinstance(item, pytest.Function) and CASE_ITEM not in item.stash]


def runs_nothing(config: pytest.Config) -> bool:
    """Say whether pytest was only asked what there is."""
    asked = ("collectonly", "showfixtures", "show_fixtures_per_test", "setuponly", "setupplan")
    return any(config.getoption(name, False) for name in asked)


FORKED = (
    "--forked and pytest.mark.forked run each case in a process of its own, and each of these would call all"
    " cases of its suite; leave them out, or use pytest-xdist: -n 4 --dist loadfile"
)

TRACE = (
    "--trace steps into functions that pytest calls, and the plugin calls those of cases itself;"
    " write breakpoint() into the function and use --pdb -s"
)


def problem_in(items: Sequence[pytest.Item], options: Options, place: Place) -> str:
    """Return why the collected *items* can't be run as asked; empty where they can."""
    ours = our_items(items)
    others = other_items(items)
    suites = {item.stash[CASE_ITEM].suite.spec.key: item.stash[CASE_ITEM].suite for item in ours}
    if place.dist == "each":
        return EACH
    if ours and ours[0].config.getoption("trace", False):
        return TRACE
    if any(map(_is_forked, ours)):
        return FORKED
    for item in others:
        if item.get_closest_marker(MARK) is not None:
            return f"{item.nodeid}: a method of a unittest.TestCase can't be given cases; use a plain class"
    return shared_with_other_async_tests(ours, others) or _unknown_floor(suites.values(), options)


def _is_forked(item: pytest.Item) -> bool:
    """Say whether pytest-forked runs *item*; where it isn't installed there is no such option."""
    forked = item.config.getoption("forked", None)
    return forked is not None and bool(forked or item.get_closest_marker("forked"))


def _unknown_floor(suites: Iterable[Suite], options: Options) -> str:
    """Return a message where a floor of the command line names nothing that any suite has.

    Those of an ini file are for all suites of the project, of which these may be a few.
    """
    if not options.floors_typed:
        return ""
    known = {name for suite in suites for name in suite.metric_names}
    try:
        check_floors(options.floors, known, "--schemascore-min")
    except UsageError as error:
        return str(error)
    return ""
