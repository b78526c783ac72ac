"""The few things of pytest that have no public name, in one place (pytest 8.4 to 9.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pytest


def fixtures_in_signature(metafunc: pytest.Metafunc) -> dict[str, pytest.FixtureDef[Any]]:
    """Return the fixtures that the function's own signature names, parametrized arguments left out."""
    definitions: Mapping[str, Sequence[pytest.FixtureDef[Any]]] = metafunc._arg2fixturedefs
    names: Sequence[str] = metafunc.definition._fixtureinfo.argnames
    found = {name: definitions[name][-1] for name in names if definitions.get(name)}
    return {
        name: definition
        for name, definition in found.items()
        if definition.func.__name__ != "get_direct_param_fixture_func"
    }


def all_fixtures(item: pytest.Function) -> list[pytest.FixtureDef[Any]]:
    """Return every fixture that *item* uses, those of other fixtures included."""
    definitions: Mapping[str, Sequence[pytest.FixtureDef[Any]]] = item._fixtureinfo.name2fixturedefs
    return [definition for chain in definitions.values() for definition in chain]


def own_arguments(item: pytest.Function) -> Sequence[str]:
    """Return the argument names of the function's own signature."""
    names: Sequence[str] = item._fixtureinfo.argnames
    return names


def request_of(item: pytest.Function) -> pytest.FixtureRequest:
    """Return the item's own ``request``."""
    return item._request
