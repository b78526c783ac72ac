"""Which suites the gate will judge, known before anything is called (R8)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_schemascore.errors import BaselineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.suite import Suite


@dataclass(frozen=True, slots=True)
class Judged:
    """The suites of the baseline: keys, and fingerprints by which a moved one is known again.

    Attributes:
        keys, fingerprints: of the baseline's suites.
        floors: whether the run has floors, which notice everything.
        problem: why the baseline can't be used; empty where it can.
    """

    keys: frozenset[str] = frozenset()
    fingerprints: frozenset[str] = frozenset()
    floors: bool = False
    problem: str = ""

    def notices(self, suite: Suite) -> bool:
        """Say whether a failed call of *suite* would show in the gate."""
        if self.floors or any(gate.min is not None for gate in suite.spec.gates.values()):
            return True
        labels = ((case.id, case.label_hash) for case in suite.cases.values())
        return suite.spec.key in self.keys or fingerprint(labels) in self.fingerprints

    def to_json(self) -> dict[str, Any]:
        """Return what a worker is told."""
        return {
            "keys": sorted(self.keys),
            "fingerprints": sorted(self.fingerprints),
            "floors": self.floors,
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Judged:
        """Return what a controller told."""
        return cls(frozenset(data["keys"]), frozenset(data["fingerprints"]), data["floors"], data["problem"])


@dataclass(slots=True)
class BaselineFile:
    """The baseline, read once and only when needed."""

    options: Options
    _read: list[Baseline | None] = field(default_factory=list)
    _judged: Judged | None = None

    def read(self) -> Baseline | None:
        """Return the baseline; None where none was named, or where an update is about to make it.

        Raises:
            BaselineError: it is missing, unreadable or of a newer format.
        """
        if not self._read:
            self._read.append(self._load())
        return self._read[0]

    def _load(self) -> Baseline | None:
        path = self.options.baseline
        if path is None or (self.options.updates and not path.exists()):
            return None
        from pytest_schemascore.gate.baseline import read_baseline

        return read_baseline(path, self.options.baseline_text)

    def judged(self) -> Judged:
        """Return what the baseline holds, or why it can't be used."""
        if self._judged is None:
            self._judged = self._look()
        return self._judged

    def _look(self) -> Judged:
        try:
            baseline = self.read()
        except BaselineError as error:
            return Judged(problem=str(error))
        if baseline is None:
            return Judged(floors=self.options.has_floors)
        prints = {
            fingerprint((case.id, case.label) for case in suite.cases.values())
            for suite in baseline.suites.values()
        }
        return Judged(frozenset(baseline.suites), frozenset(prints), self.options.has_floors)


def fingerprint(labels: Iterable[tuple[str, str]]) -> str:
    """Return a short hash of the cases of a suite, whatever their order."""
    text = "\n".join(sorted(f"{label} {name}" for name, label in labels))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
