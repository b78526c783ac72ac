"""Labelled cases: what one is, and reading them from JSONL, JSON or Python."""

from __future__ import annotations

from pytest_schemascore.cases.case import Case
from pytest_schemascore.cases.loading import Cases, load_cases

__all__ = ["Case", "Cases", "load_cases"]
