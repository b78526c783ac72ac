"""A baseline through any sequence of runs and updates, beside a model of what it must hold (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pytest_schemascore.gate.baseline import Baseline, dump_baseline, parse_baseline
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.members import quoted
from pytest_schemascore.gate.merge import merge_reports
from pytest_schemascore.gate.settings import GateSettings
from pytest_schemascore.gate.update import update_baseline
from pytest_schemascore.report.measured import Failure
from tests.measured import broken, case, report, run, suite

if TYPE_CHECKING:
    from pytest_schemascore.report.report import Report
    from pytest_schemascore.report.results import CaseResult

NAMES: Final = ("a", "b", "c", 'd"\n', "e\ud800")
FAILURES: Final = (Failure.RAISED, Failure.TIMED_OUT, Failure.NOT_JSON, Failure.SCHEMA)
WITHOUT_ANSWER: Final = (Failure.RAISED, Failure.TIMED_OUT)


class Line(NamedTuple):
    """What the model knows of a case's line: the label it was recorded with, and a score or a failure."""

    label: str
    result: float | Failure


RESULTS: Final[st.SearchStrategy[float | Failure]] = st.sampled_from([0.0, 0.5, 1.0, *FAILURES])


class BaselineMachine(RuleBasedStateMachine):
    """Two suites: one that runs all the time, and one that never does and must never change."""

    def __init__(self) -> None:
        super().__init__()
        self.cases = dict.fromkeys(NAMES, "l1")
        self.lines: dict[str, Line] = {}
        self.text: str | None = None

    @initialize()
    def with_another_suite(self) -> None:
        """Begin with a baseline that holds a suite that never runs."""
        other = suite(case("z", run(total=0.25)), key="other.py::test_other")
        self.text = dump_baseline({other.key: other.counts()})
        self.other = self.text[self.text.index('"other.py') :].partition("\n}\n}")[0]

    @rule(name=st.sampled_from(NAMES), label=st.sampled_from(["l1", "l2"]))
    def label_case(self, name: str, label: str) -> None:
        """Add a case to the data set, or relabel it."""
        self.cases[name] = label

    @precondition(lambda self: self.cases)
    @rule(data=st.data())
    def drop_case(self, data: st.DataObject) -> None:
        """Take a case out of the data set."""
        del self.cases[data.draw(st.sampled_from(sorted(self.cases)))]

    @rule(data=st.data(), everything=st.booleans(), record=st.booleans(), shards=st.booleans())
    def run_and_update(self, data: st.DataObject, everything: bool, record: bool, shards: bool) -> None:
        """Run all or some of the cases, perhaps as two shards, and update."""
        names = sorted(self.cases)
        if not everything and names:
            names = sorted(data.draw(st.sets(st.sampled_from(names))))
        if not names:
            return
        measured = {name: Line(self.cases[name], data.draw(RESULTS)) for name in names}
        whole = len(names) == len(self.cases)
        new = self._report(measured, in_shards=shards and whole and len(names) > 1)
        old = self._baseline()
        found = update_baseline(old, new, record_failures=record)
        self._model_update(measured, record=record, whole=whole)
        if found.text is not None:
            self._check_untouched(found.text, set(measured))
            self.text = found.text
        assert update_baseline(self._baseline(), new, record_failures=record).text is None
        self._check_gate(new, measured, kept=bool(found.suites[0].kept))

    def _report(self, measured: dict[str, Line], *, in_shards: bool) -> Report:
        cases = [_case(name, line) for name, line in measured.items()]
        of = len(self.cases)
        if not in_shards:
            return report(suite(*cases, of=of))
        return merge_reports([report(suite(*cases[:1], of=of)), report(suite(*cases[1:], of=of))])

    def _model_update(self, measured: dict[str, Line], *, record: bool, whole: bool) -> None:
        for name, line in measured.items():
            old = self.lines.get(name)
            was_valid = old is None or not isinstance(old.result, Failure)
            if line.result in WITHOUT_ANSWER and not record and was_valid:
                continue
            self.lines[name] = line
        if whole:
            self.lines = {name: line for name, line in self.lines.items() if name in self.cases}

    def _check_untouched(self, text: str, ran: set[str]) -> None:
        """Check that no line of a case that did not run was rewritten."""
        assert self.text is not None
        before, after = set(self.text.split("\n")), set(text.split("\n"))
        for line in (line.rstrip(",") for line in after):
            if '"runs"' in line and line not in {old.rstrip(",") for old in before}:
                assert any(line.startswith(f"{quoted(name)}: ") for name in ran), line

    def _check_gate(self, new: Report, measured: dict[str, Line], *, kept: bool) -> None:
        """Check that a run never regresses against the baseline that was just made of it."""
        recorded_all = all(self.lines.get(name) == line for name, line in measured.items())
        if recorded_all and not kept and len(measured) == len(self.lines):
            assert not compare(new, self._baseline(), GateSettings()).regressions

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        """The file reads back as the model has it, and the other suite is as it was, byte for byte."""
        if self.text is None:
            return
        suites = self._baseline().suites
        assert self.other in self.text
        ours = suites.get("tests/test_invoices.py::test_invoices")
        found = {} if ours is None else ours.cases
        assert {name: one.label for name, one in found.items()} == {n: o.label for n, o in self.lines.items()}
        for name, line in self.lines.items():
            recorded = found[name].runs[0]
            if isinstance(line.result, Failure):
                assert recorded.failure is line.result
            else:
                assert (recorded.failure, recorded.counts.score) == (None, line.result)

    def _baseline(self) -> Baseline:
        assert self.text is not None
        return parse_baseline(self.text, "b.json")


def _case(name: str, line: Line) -> CaseResult:
    if isinstance(line.result, Failure):
        one = broken(name, line.result)
        return case(name, *one.runs, label=line.label)
    return case(name, run(total=line.result), label=line.label)
