"""Node ids and suite keys; results are keyed by suite and case id, never by node id (R4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def test_of(item: pytest.Function) -> str:
    """Return the node id of the item's function, ``tests/test_invoices.py::test_invoices``."""
    name: str = getattr(item, "originalname", None) or item.name
    return f"{item.parent.nodeid}::{name}" if item.parent else name


def variant_of(item: pytest.Function, case_id: str) -> str:
    """Return the ids of the item's other parameters, empty where it has none.

    Our parameter is applied last, so the case stands last in the id; pytest escapes what isn't ASCII, unless
    its ini file says otherwise.
    """
    whole = item.callspec.id
    escaped = case_id.encode("unicode_escape").decode("ascii")
    last = escaped if whole.endswith(escaped) else case_id
    return whole.removesuffix(last).removesuffix("-")


def function_of(test: str) -> str:
    """Return the node id of the function of *test*, which may be one variant of it."""
    path, _, names = test.partition("::")
    return f"{path}::{names.partition('[')[0]}"


def group_name(suite: str) -> str:
    """Return the name of a suite's xdist group: a bracket or an @ would hide it in a case's id."""
    return suite.translate(str.maketrans("[]@", "()-"))


def without_group(node_id: str) -> str:
    """Return *node_id* without the ``@group`` that ``--dist loadgroup`` puts behind it."""
    place = node_id.rfind("@")
    return node_id[:place] if place > node_id.rfind("]") else node_id


def with_variant(name: str, variant: str) -> str:
    """Return the key of one variant of a function."""
    return f"{name}[{variant}]" if variant else name
