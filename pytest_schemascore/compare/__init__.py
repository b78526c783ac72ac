"""Comparing two JSON documents: precision, recall and F at every place, and the pairs of list items."""

from __future__ import annotations

from pytest_schemascore.compare.comparing import compare
from pytest_schemascore.compare.comparison import Comparison
from pytest_schemascore.compare.config import load_config
from pytest_schemascore.compare.tree import Node, Tally

__all__ = ["Comparison", "Node", "Tally", "compare", "load_config"]
