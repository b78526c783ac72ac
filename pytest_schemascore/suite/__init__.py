"""A suite ready to run: from what an extractor gave to what is reported."""

from __future__ import annotations

from pytest_schemascore.suite.suite import Answer, Evaluated, Suite

__all__ = ["Answer", "Evaluated", "Suite"]
