"""A suite ready to run: its cases and rules, and the way from what an extractor gave to what is reported."""

from __future__ import annotations

from pytest_schemascore.suite.suite import Suite

__all__ = ["Suite"]
