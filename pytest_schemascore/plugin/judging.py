"""Which suites the gate will judge, known before anything is called (R8)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_schemascore.errors import BaselineError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from pytest_schemascore.gate.baseline import Baseline
    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.suite import Suite


class Recorded(NamedTuple):
    """A suite of the baseline: its key, its test, and the fingerprint by which it is known where it moved."""

    key: str
    test: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate will hold results against.

    Attributes:
        suites: of the baseline.
        floors: whether the run has floors, which notice everything.
        problem: why the baseline can't be used; empty where it can.
    """

    suites: tuple[Recorded, ...] = ()
    floors: bool = False
    problem: str = ""

    def after_collection(self, keys: Container[str], may_have_moved: Callable[[str], bool]) -> Judged:
        """Return the same for a run that collected suites of these *keys*, selected or not.

        Only one that it did not collect, and whose test may have moved, is looked for under other keys.
        """
        return replace(
            self,
            suites=tuple(
                suite
                if suite.key not in keys and may_have_moved(suite.test)
                else suite._replace(fingerprint="")
                for suite in self.suites
            ),
        )

    def notices(self, suite: Suite) -> bool:
        """Say whether a failed call of *suite* would show in the gate."""
        if self.floors or any(gate.min is not None for gate in suite.spec.gates.values()):
            return True
        labels = fingerprint((case.id, case.label_hash) for case in suite.cases.values())
        return any(suite.spec.key == known.key or labels == known.fingerprint for known in self.suites)

    def to_json(self) -> dict[str, Any]:
        """Return what a worker is told."""
        return {
            "suites": [list(suite) for suite in self.suites],
            "floors": self.floors,
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Judged:
        """Return what a controller told."""
        return cls(tuple(Recorded(*suite) for suite in data["suites"]), data["floors"], data["problem"])


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
        suites = (
            Recorded(
                suite.key, suite.test, fingerprint((case.id, case.label) for case in suite.cases.values())
            )
            for suite in baseline.suites.values()
        )
        return Judged(tuple(suites), self.options.has_floors)


def fingerprint(labels: Iterable[tuple[str, str]]) -> str:
    """Return a short hash of the cases of a suite, whatever their order."""
    text = "\n".join(sorted(f"{label} {name}" for name, label in labels))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
