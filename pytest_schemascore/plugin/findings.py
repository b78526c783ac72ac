"""What a process that collected and ran tests found beside results; workers tell it at their end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_schemascore.plugin.naming import function_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(slots=True)
class Findings:
    """What a process found.

    Attributes:
        files: node ids of test files that were collected without an error.
        tests: test ids of marked functions in them; of each variant, where its items are known.
        asked: how many outputs were needed.
        taken: how many of them came from the journal of an earlier run; failed: how many of those had raised
            or timed out.
        left: how many more that run holds of cases that were not asked for. Only the process that reports
            knows it.
        troubles: why outputs were not recorded.
    """

    files: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)
    asked: int = 0
    taken: int = 0
    failed: int = 0
    left: int = 0
    troubles: set[str] = field(default_factory=set)

    def add(self, told: Mapping[str, Any]) -> None:
        """Take in what a worker told."""
        self.files.update(told["files"])
        self.tests.update(told["tests"])
        self.asked += told["asked"]
        self.taken += told["taken"]
        self.failed += told["failed"]
        self.troubles.update(told["troubles"])

    def to_json(self) -> dict[str, Any]:
        """Return what a worker tells."""
        return {
            "files": sorted(self.files),
            "tests": sorted(self.tests),
            "asked": self.asked,
            "taken": self.taken,
            "failed": self.failed,
            "troubles": sorted(self.troubles),
        }

    def files_whole(self, reported: Iterable[str]) -> tuple[str, ...]:
        """Return the files of which every suite is among the *reported* tests.

        Only of those can be said that a suite which is not there is gone: options such as ``-k`` and ``--lf``
        leave out suites that are there.
        """
        partly = {test.partition("::")[0] for test in self.left_out(reported)}
        return tuple(sorted(self.files - partly))

    def left_out(self, reported: Iterable[str]) -> set[str]:
        """Return the tests that were collected and are not among the *reported* ones."""
        seen = set(reported)
        functions = {function_of(test) for test in seen}
        return {test for test in self.tests - seen if "[" in test or test not in functions}
