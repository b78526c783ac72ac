"""The ``request`` that bodies get: they run at once (R2), so whatever is set up was so before them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from pytest_schemascore.plugin.compat import is_shared, request_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def request_in_body(
    item: pytest.Function, lead: pytest.Function, arguments: Mapping[str, Any]
) -> pytest.FixtureRequest:
    """Return *item*'s own request, by which a body can look at fixtures and set up none.

    Args:
        item: whose body it is for.
        lead: the item that set up the fixtures for all.
        arguments: what the body is called with.
    """
    request = copy.copy(request_of(item))
    own = {**arguments, "request": request}
    name = item.originalname

    def getfixturevalue(argname: str) -> Any:
        if argname in own:
            return own[argname]
        if argname in lead.funcargs and is_shared(lead, argname):
            return lead.funcargs[argname]
        _refuse(
            f"request.getfixturevalue({argname!r}): a body can't set up a fixture, since cases run at once;"
            f" name it in the signature of {name} or in pytest.mark.usefixtures, with class or wider scope"
        )

    def addfinalizer(finalizer: Callable[[], object]) -> None:
        _refuse(
            f"request.addfinalizer({finalizer!r}): a body can't add one, since cases run at once;"
            f" write try/finally in {name}, or a fixture of class or wider scope"
        )

    # On the copy only: fixtures go on with pytest's own methods.
    vars(request).update(getfixturevalue=getfixturevalue, addfinalizer=addfinalizer)
    return request


def _refuse(message: str) -> NoReturn:
    # Neither swallowed by `except Exception` nor taken for an answer of the extractor's (R8).
    pytest.fail(message, pytrace=False)
