"""Moving the baseline (G7): only what ran is rewritten, and what gets lost is told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.gate.baseline import Baseline, dump_baseline, parse_baseline, read_baseline
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.update import UpdateResult, render_update, update_baseline
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.report import Report
from tests.measured import KEY, broken, case, report, right, run, suite, wrong

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_schemascore.report.results import CaseResult, SuiteResult


def recorded(*suites: SuiteResult) -> Baseline:
    """Return a baseline of these suites."""
    return parse_baseline(dump_baseline({one.key: one.counts() for one in suites}), "b.json")


def update(old: Baseline | None, new: Report | SuiteResult, *, record_failures: bool = False) -> UpdateResult:
    """Update *old* from a run."""
    return update_baseline(
        old, new if isinstance(new, Report) else report(new), record_failures=record_failures
    )


def text_of(baseline: Baseline) -> str:
    """Return the file's text."""
    return baseline.members.to_text() + "\n"


def changed_lines(old: Baseline, result: UpdateResult) -> tuple[set[str], set[str]]:
    """Return the keys of the lines that went and came."""
    assert result.text is not None
    before, after = text_of(old).splitlines(), result.text.splitlines()
    gone, come = set(before) - set(after), set(after) - set(before)
    return {line.split('"')[1] for line in gone}, {line.split('"')[1] for line in come}


def test_the_first_update_writes_what_a_fresh_baseline_would_be() -> None:
    """All cases that ran are in it."""
    found = update(None, suite(right("b"), wrong("a")))
    assert found.text == text_of(recorded(suite(right("b"), wrong("a"))))
    assert found.suites[0].added == ("a", "b")
    assert found.ok


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), [("", "\n"), ("\n ", ""), ("", "\n\n")])
def test_byte_order_mark_newlines_and_ends_of_the_file_stay(
    tmp_path: Path, mark: str, newline: str, before: str, after: str
) -> None:
    """Of each line, also of those that come: an updated case, an added one, an added suite."""
    path = tmp_path / "b.json"
    old = dump_baseline({one.key: one.counts() for one in [suite(*map(right, "abc"))]})
    path.write_bytes((mark + (before + old.rstrip() + after).replace("\n", newline)).encode())
    found = update(read_baseline(path), report(suite(*map(right, "ac"), wrong("b")))).text
    assert found is not None
    was, now = path.read_bytes().decode().split("\n"), found.split("\n")
    changed = [new.split('"')[1] for then, new in zip(was, now, strict=True) if then != new]
    assert changed == ["metrics", "b"]
    grown = update(read_baseline(path), report(suite(*map(right, "abcd")), suite(right("z"), key="k"))).text
    assert grown is not None
    assert grown.count("\r\n") == (grown.count("\n") if newline == "\r\n" else 0)
    assert (grown[0] == "\ufeff") == bool(mark)


def test_a_file_whose_lines_end_differently_keeps_each_end() -> None:
    """As an editor leaves it that adds lines in its own way."""
    text = dump_baseline({KEY: suite(*map(right, "abc")).counts()})
    first, rest = text.split('"a"')
    mixed = first.replace("\n", "\r\n") + '"a"' + rest
    found = update(parse_baseline(mixed, "b"), suite(*map(right, "ab"), wrong("c"))).text
    assert found is not None
    before, after = mixed.split("\n"), found.split("\n")
    changed = [new.split('"')[1] for then, new in zip(before, after, strict=True) if then != new]
    assert changed == ["metrics", "c"]


def test_a_partial_update_touches_only_the_line_of_its_case_and_the_figures() -> None:
    """The diff in version control is two lines."""
    old = recorded(suite(*map(right, "abc")), suite(wrong("z"), key="t.py::other"))
    found = update(old, suite(wrong("b"), of=3))
    assert changed_lines(old, found) == ({"metrics", "b"}, {"metrics", "b"})
    assert found.suites[0].updated == ("b",)
    assert found.suites[0].pruned == ()


def test_an_update_without_a_change_writes_nothing() -> None:
    """The same results in another order are the same baseline."""
    old = recorded(suite(right("a"), wrong("b")))
    assert update(old, suite(wrong("b"), right("a"))).text is None


def test_a_raising_case_keeps_its_old_line_and_fails_the_update() -> None:
    """It is listed; --schemascore-update-all records it."""
    old = recorded(suite(right("a"), right("b")))
    for failure in (Failure.RAISED, Failure.TIMED_OUT):
        run_now = suite(broken("a", failure), right("b"))
        found = update(old, run_now)
        assert (found.text, found.suites[0].kept, found.ok) == (None, ("a",), False)
        assert "a (--schemascore-update-all" in found.failures[0]
        everything = update(old, run_now, record_failures=True)
        assert everything.ok
        assert everything.suites[0].updated == ("a",)


def test_an_answer_that_is_no_json_is_recorded_like_any_other() -> None:
    """The extractor did answer."""
    found = update(recorded(suite(right("a"))), suite(broken("a", Failure.NOT_JSON)))
    assert found.ok
    assert found.suites[0].updated == ("a",)


def test_a_raising_case_replaces_an_old_line_that_was_not_valid_either() -> None:
    """There is nothing better to keep."""
    old = recorded(suite(broken("a", Failure.NOT_JSON), right("b")))
    found = update(old, suite(broken("a"), right("b")))
    assert (found.suites[0].updated, found.ok) == (("a",), True)


def test_a_new_case_that_raises_gets_no_line() -> None:
    """An outage during the first recording must not become the measure of all things."""
    found = update(None, suite(broken("a"), right("b")))
    assert found.suites[0].added == ("b",)
    assert (found.suites[0].kept, found.ok) == (("a",), False)
    assert update(None, suite(broken("a"))).text is None


def test_changed_rules_are_recorded_by_a_complete_run_and_refused_otherwise() -> None:
    """Lines scored by different rules must not stand side by side."""
    old = recorded(suite(right("a"), right("b")))
    rules = {"$default": "exact()", "total": "numeric(abs_tol=0.01)"}
    partial = update(old, suite(wrong("a"), of=2, rules=rules))
    assert (partial.text, partial.ok) == (None, False)
    assert "total: none -> numeric(abs_tol=0.01)" in partial.failures[0]
    assert "only 1 of 2 were run" in partial.failures[0]
    complete = update(old, suite(right("a"), right("b"), rules=rules))
    assert complete.ok
    assert changed_lines(old, complete) == ({"rules"}, {"rules"})


def test_gone_cases_go_only_with_a_complete_uninterrupted_run() -> None:
    """A skipped case keeps its line in any case."""
    old = recorded(suite(*map(right, "abc")))
    assert update(old, suite(right("a"), skipped={"b": "broken scan"})).suites[0].pruned == ("c",)
    assert update(old, suite(right("a"), of=2)).text is None
    assert update(old, report(suite(right("a")), interrupted=True)).text is None


def test_gone_suites_go_only_where_their_file_was_collected_whole() -> None:
    """A suite that was not run stays."""
    old = recorded(suite(right("a")), suite(right("z"), key="tests/test_z.py::test_z"))
    assert update(old, suite(right("a"))).text is None
    found = update(old, report(suite(right("a")), files=("tests/test_z.py",)))
    assert found.removed == ("tests/test_z.py::test_z",)
    assert found.text == text_of(recorded(suite(right("a"))))
    interrupted = report(suite(right("a")), files=("tests/test_z.py",), interrupted=True)
    assert update(old, interrupted).text is None


def test_a_moved_suite_takes_its_lines_along() -> None:
    """The old key goes with it: of a test whose name changed, or of one that is not where it was."""
    old = recorded(suite(right("a"), right("b")))
    named = suite(right("a"), broken("b"), key="invoices", test=KEY)
    found = update(old, named)
    assert found.suites[0].moved_from == KEY
    assert found.text == text_of(recorded(suite(right("a"), right("b"), key="invoices", test=KEY)))
    elsewhere = suite(right("a"), right("b"), key="t.py::new")
    alone = report(elsewhere)
    for new in (replace(alone, files=("tests",)), replace(alone, deleted=("tests/test_invoices.py",))):
        moved = update(old, new)
        assert moved.text == text_of(recorded(elsewhere))
        assert moved.suites[0].moved_from == KEY


@pytest.mark.parametrize(("one", "other"), [(KEY, "t.py::new"), ("m:one", "m:two")])
def test_a_suite_that_was_left_out_lends_its_lines_to_no_other(one: str, other: str) -> None:
    """Both are in the baseline afterwards, and a case without an answer gets no line of the other's."""
    old = recorded(suite(right("a"), right("b"), key=one))
    found = update(old, suite(right("a"), broken("b"), key=other))
    assert found.suites[0].moved_from is None
    assert found.text == text_of(
        recorded(suite(right("a"), right("b"), key=one), suite(right("a"), key=other))
    )


def test_a_moved_suite_that_is_refused_stays_where_it_was() -> None:
    """Its lines are all there are."""
    old = recorded(suite(right("a"), right("b")))
    new = suite(right("a"), broken("b"), key="t.py::new", rules={"$default": "levenshtein()"})
    assert update(old, report(new, files=("tests",))).text is None


def test_a_gone_suite_stays_while_a_new_one_ran_in_part() -> None:
    """It may be the same, whose other cases the baseline would lose."""
    old = recorded(suite(*map(right, "abc")))
    found = update(old, report(suite(right("a"), of=3, key="t.py::new"), files=("tests",)))
    assert found.removed == ()
    assert found.text == text_of(recorded(suite(*map(right, "abc")), suite(right("a"), key="t.py::new")))


def test_lines_written_by_hand_stay_byte_for_byte() -> None:
    """Other order, spaces and entries survive; one line changes."""
    text = text_of(recorded(suite(*map(right, "abc"))))
    lines = text.splitlines()
    lines[7], lines[9] = lines[9] + ",", lines[7].removesuffix(",")
    lines[8] = lines[8].replace('"runs": [', '"runs":  [ ')
    lines[1] += '\n"comment":   {"owner": "us"},'
    old = parse_baseline("\n".join(lines) + "\n", "b.json")
    found = update(old, suite(wrong("a"), of=3))
    assert changed_lines(old, found) == ({"metrics", "a"}, {"metrics", "a"})


def test_every_metric_that_gets_worse_is_told() -> None:
    """So nobody records a loss unawares."""
    old = recorded(suite(case("a", run(total=1, vendor=0)), case("b", run(total=1, vendor=0))))
    found = update(old, suite(case("a", run(total=0, vendor=1)), of=2))
    assert [(low.metric, low.before, low.after) for low in found.suites[0].lowered] == [("total", 1.0, 0.5)]
    assert render_update(found, "baseline.json") == [
        "baseline.json: updated",
        f"  {KEY}: 1 updated (a)",
        f"  {KEY}: total gets worse: 1 -> 0.5",
    ]


def test_a_field_that_vanishes_with_an_update_is_told() -> None:
    """It has no value afterwards."""
    old = recorded(suite(case("a", run(total=1, vendor=1))))
    found = update(old, suite(case("a", run(total=1))))
    assert f"  {KEY}: vendor gets worse: 1 -> none" in render_update(found, "b.json")


def test_the_rendering_names_what_was_removed_kept_and_refused() -> None:
    """One line each."""
    old = recorded(suite(right("a"), right("b")), suite(right("z"), key="t.py::z"))
    found = update(old, report(suite(broken("a")), files=("t.py",)))
    assert render_update(found, "b.json") == [
        "b.json: updated",
        f"  {KEY}: 1 removed (b)",
        "  t.py::z: removed, its test is gone",
        f"  {found.failures[0]}",
    ]
    assert found.failures == (
        (
            f"{KEY}: not recorded, as the extractor raised or timed out: a"
            " (--schemascore-update-all records them too)"
        ),
    )


def test_the_life_of_a_baseline() -> None:
    """Record, pass, regress, record the loss, pass, heal, record the gain."""
    good, bad = suite(right("a"), right("b")), suite(right("a"), wrong("b"))
    first = update(None, good)
    baseline = parse_baseline(first.text or "", "b.json")
    assert compare(report(good), baseline).ok
    assert not compare(report(bad), baseline).ok
    baseline = parse_baseline(update(baseline, bad).text or "", "b.json")
    assert compare(report(bad), baseline).ok
    healed = compare(report(good), baseline)
    assert healed.ok
    assert healed.deltas["total"] == 0.5
    assert update(baseline, good).text == first.text


CASES = st.dictionaries(
    st.sampled_from("abcdef"),
    st.tuples(st.sampled_from([0.0, 1 / 3, 1.0]), st.sampled_from([None, Failure.SCHEMA, Failure.RAISED])),
    min_size=1,
)


def as_cases(results: dict[str, tuple[float, Failure | None]]) -> list[CaseResult]:
    """Return cases of one field."""
    return [case(name, run(failure=failure, total=score)) for name, (score, failure) in results.items()]


@settings(deadline=None, max_examples=50)
@given(CASES, CASES, st.booleans(), st.booleans())
def test_updating_twice_is_updating_once(
    before: dict[str, tuple[float, Failure | None]],
    now: dict[str, tuple[float, Failure | None]],
    complete: bool,
    record_failures: bool,
) -> None:
    """And what is recorded passes against itself; cases that did not run keep their lines."""
    old = recorded(suite(*as_cases(before)))
    measured = suite(*as_cases(now), of=len(now) + (not complete))
    first = update(old, measured, record_failures=record_failures)
    new = parse_baseline(first.text, "b.json") if first.text is not None else old
    assert update(new, measured, record_failures=record_failures).text is None
    assert dump_baseline(new.suites) == text_of(new)
    if record_failures:
        assert compare(report(measured), new).ok
    old_lines, new_lines = text_of(old).splitlines(), text_of(new).splitlines()
    for name in before.keys() - now.keys():
        line = next(line for line in old_lines if line.startswith(f'"{name}"')).removesuffix(",")
        assert (line in [other.removesuffix(",") for other in new_lines]) is not complete


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_emptied_or_empty_object_can_be_filled_again(newline: str) -> None:
    """Baselines without suites or cases are legal."""
    empty = newline.join(["{", '"format": "schemascore-baseline/1",', '"suites": {}', "}"])
    found = update(parse_baseline(empty.replace("\r\n", "\n"), "b.json"), suite(right("a")))
    assert found.text is not None
    assert json.loads(found.text)["suites"][KEY]["cases"].keys() == {"a"}
    no_cases = recorded(replace(suite(), of=0))
    assert update(no_cases, suite(right("a"))).text == text_of(recorded(suite(right("a"))))


def test_recording_a_suite_without_a_valid_output_is_pointed_out() -> None:
    """A baseline of nothing but invalid outputs would pass for ever, so the update says so."""
    found = update(None, suite(broken("a", Failure.NOT_JSON)))
    assert "not one output was valid" in "\n".join(render_update(found, "b.json"))
