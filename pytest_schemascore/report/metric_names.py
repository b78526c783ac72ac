"""What the metrics of a suite are called, and what a name says of its metric (G2).

A field's path (``items[*].price``) stands for its accuracy, ``items[*].price <extra>`` for its extras, a name
in angle brackets (``<overall>``) for a figure of the suite, ``tag:scanned`` for the overall of a tag. Paths
quote keys with spaces, brackets and colons, so none of these collide.
"""

from __future__ import annotations

from typing import Final

OVERALL: Final = "<overall>"
VALIDITY: Final = "<validity>"
PRECISION: Final = "<precision>"
JUDGED: Final = "<judged>"
WEIGHTED: Final = "<weighted>"
DISTANCE: Final = "<distance>"
TAG: Final = "tag:"
EXTRA_SUFFIX: Final = " <extra>"


def suite_metric(name: str) -> str:
    """Return what the suite's figure *name* is called."""
    return f"<{name}>"


def is_of_suite(metric: str) -> bool:
    """Say whether *metric* is a figure of the suite."""
    return metric.startswith("<")


def is_of_field(metric: str) -> bool:
    """Say whether *metric* is the accuracy of a field or its extras."""
    return not metric.startswith(("<", TAG))


def is_extra(metric: str) -> bool:
    """Say whether *metric* is the extras of a field."""
    return metric.endswith(EXTRA_SUFFIX)


def is_field(metric: str) -> bool:
    """Say whether *metric* is the accuracy of a field."""
    return is_of_field(metric) and not is_extra(metric)


def is_count(metric: str) -> bool:
    """Say whether *metric* counts something instead of being a share."""
    return metric == DISTANCE


def is_worse_higher(metric: str) -> bool:
    """Say whether *metric* counts something bad: it has no floor, and may exceed 1."""
    return is_count(metric) or is_extra(metric)
