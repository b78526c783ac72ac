"""What is known of which tests there still are: the ground on which a suite is gone or moved (G1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_schemascore.report.report import Report


@dataclass(frozen=True, slots=True)
class Collected:
    """What a run that did not bring a suite says of it.

    Attributes:
        files, deleted: as of `pytest_schemascore.report.report.Report`.
        tests: those it brought, whatever the keys of their suites.
        by_labels: whether labels alone decide what moved, since nothing was collected.
    """

    files: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    tests: frozenset[str] = frozenset()
    by_labels: bool = False

    @classmethod
    def of(cls, report: Report) -> Collected:
        """Return what *report* says.

        A run outside pytest calls one target and leaves none out, so there only the labels can tell whether
        a suite of another name is the one from before.
        """
        tests = frozenset(suite.test for suite in report.suites.values() if "::" in suite.test)
        return cls(report.files, report.deleted, tests, by_labels=not tests)

    def is_gone(self, test: str) -> bool:
        """Say whether a suite of *test* that is not there would be, were there still one.

        Its file or folder was collected whole without it, or the test has a suite of another name now.
        """
        prefixes = (prefix for prefix in self.files if test.startswith(prefix))
        return test in self.tests or any(test[len(prefix) :][:1] in ("", ":", "/") for prefix in prefixes)

    def may_have_moved(self, test: str) -> bool:
        """Say whether *test* is not where it was any more; one that was left out did not move."""
        return self.by_labels or self.is_gone(test) or test.partition("::")[0] in self.deleted
