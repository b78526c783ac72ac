"""Comparing two JSON documents: precision, recall and F at every place, and the pairs of list items.

Not named after its function: importing a module ``compare`` would hide ``pytest_schemascore.compare``.
"""

from __future__ import annotations

from pytest_schemascore.comparison.comparing import compare
from pytest_schemascore.comparison.comparison import Comparison
from pytest_schemascore.comparison.config import load_config
from pytest_schemascore.comparison.tree import Node, Tally

__all__ = ["Comparison", "Node", "Tally", "compare", "load_config"]
