"""What a run can be held against: a baseline or another report, whichever a file holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_schemascore.gate.baseline import parse_baseline
from pytest_schemascore.report.loading import parse_report
from pytest_schemascore.report.reading import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.report.report import Report

_REPORT: Final = re.compile(r'\ufeff?\s*\{\s*"format"\s*:\s*"schemascore-report/')


def read_side(path: Path) -> Baseline | Report:
    """Read the baseline or the report at *path*.

    Raises:
        BaselineError: there is no such file, or it is neither.
    """
    text = read_text(
        path, "baseline", "record one with: pytest --schemascore-baseline PATH --schemascore-update"
    )
    return parse_report(text, str(path)) if _REPORT.match(text) else parse_baseline(text, str(path))
