"""Which rule each field of a suite got."""

from __future__ import annotations

from typing import NamedTuple


class FieldRule(NamedTuple):
    """Which rule a field got; why: ``comparators['total']``, ``Annotated``, ``schema type``, ``default``."""

    rule: str
    why: str
