"""Pairing and verdict: what is worse, what can't be compared, and who lost (G1 to G3, G9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.paths import field_of
from pytest_schemascore.errors import UsageError
from pytest_schemascore.gate.baseline import dump_baseline, parse_baseline
from pytest_schemascore.gate.compare import compare
from pytest_schemascore.gate.settings import GateSettings
from pytest_schemascore.gate.status import Status
from pytest_schemascore.report.gates import FieldGate
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.report import Report
from pytest_schemascore.report.results import CaseResult, RunResult, SuiteResult
from pytest_schemascore.scoring.outcomes import Leaf, Outcome
from tests.measured import KEY, broken, case, report, right, run, suite, wrong
from tests.shared_data import read_jsonl, shared_path

if TYPE_CHECKING:
    import random

    from pytest_schemascore.gate.diff import Change, Diff


def against(
    before: SuiteResult | Report, after: SuiteResult | Report, settings: GateSettings | None = None
) -> Diff:
    """Compare through a written baseline, as a run does."""
    old = before if isinstance(before, Report) else report(before)
    text = dump_baseline({key: found.counts() for key, found in old.suites.items()})
    new = after if isinstance(after, Report) else report(after)
    return compare(new, parse_baseline(text, "baseline.json"), settings)


def change_of(diff: Diff, metric: str) -> Change:
    """Return the change of one metric."""
    return next(change for change in diff.changes if change.metric == metric)


def statuses(diff: Diff) -> dict[str, Status]:
    """Return metric -> status."""
    return {change.metric: change.status for change in diff.changes}


# Conformance with the peer's compare, over the metrics that it has.

PEER_IS_WRONG = {"different-case-set": "nothing could be compared, which is no pass (G1)"}


def peer_case(case_id: str, valid: bool, fields: dict[str, bool]) -> CaseResult:
    """Return a case from the peer's own form."""
    leaves = tuple(
        Leaf(
            path,
            field_of(path),
            Outcome.CORRECT if met else Outcome.WRONG if valid else Outcome.MISSING,
            float(met),
            "x",
            "x" if met else ABSENT,
            "exact()",
            path,
        )
        for path, met in fields.items()
    )
    failure = None if valid else run(failure=Failure.SCHEMA).error
    return case(case_id, RunResult(leaves, failure))


@pytest.mark.parametrize(
    "name",
    [
        "same",
        "one-field-drop",
        "improvement",
        "invalid-case",
        "new-field-only-in-now",
        "different-case-set",
        "swap-which-case-fails",
        "index-folding",
    ],
)
def test_verdict_regressions_and_deltas_agree_with_the_peer(name: str) -> None:
    """All agree but a comparison of nothing, which the peer lets pass."""
    rows = {row["id"]: row for row in read_jsonl(shared_path("conformance", "schemascore_compare.jsonl"))}
    row: dict[str, Any] = rows[name]
    before, after = ([peer_case(*one) for one in row[side]] for side in ("expected", "actual"))
    diff = against(suite(*before), suite(*after), GateSettings(max_drop=row["options"]["max_drop"]))
    result = row["result"]
    if name in PEER_IS_WRONG:
        assert not diff.ok
        assert "only 0 of the 2 cases" in diff.suites[0].problems[0]
        return
    assert diff.ok is result["ok"]
    known = result["deltas"].keys()
    assert {metric: delta for metric, delta in diff.deltas.items() if metric in known} == result["deltas"]
    assert {m: d for m, d in diff.regressions.items() if m in known} == result["regressions"]


def test_a_swap_of_which_case_fails_passes_and_names_both_cases() -> None:
    """The peer is silent on it; the metric did not fall, but who lost and who gained is shown (G3)."""
    diff = against(suite(wrong("a"), right("b")), suite(right("a"), wrong("b")))
    found = change_of(diff, "total")
    assert diff.ok
    assert (found.lost, found.gained) == (("b",), ("a",))


# Pairing (G1).


def test_cases_new_gone_relabelled_and_not_run_are_listed_apart() -> None:
    """Only cases with the same label on both sides are compared."""
    before = suite(*map(right, "abcdef"), wrong("x", label="old"))
    after = suite(*map(right, "abcd"), wrong("x", label="new"), wrong("n"), skipped={"e": "broken scan"})
    found = against(before, after).suites[0]
    assert (found.compared, found.of) == (4, 7)
    assert (found.new, found.gone, found.relabelled, found.not_run) == (("n",), ("f",), ("x",), ("e",))
    assert found.ok


def test_in_a_partial_run_missing_cases_are_not_run_and_never_gone() -> None:
    """One case of three says nothing about the others, and too little pairs is no question."""
    found = against(suite(*map(right, "abc")), suite(right("a"), of=3)).suites[0]
    assert (found.not_run, found.gone, found.ok) == (("b", "c"), (), True)


def test_a_complete_run_that_pairs_with_less_than_half_of_its_baseline_fails() -> None:
    """Half is enough; skipped cases don't count."""
    before = suite(*map(right, "abcd"))
    assert against(before, suite(*map(right, "abxy"))).ok
    assert not against(before, suite(*map(right, "axyz"))).ok
    assert against(before, suite(right("a"), skipped={"b": "", "c": "", "d": ""})).ok


def test_a_complete_run_that_skips_all_of_its_baseline_fails() -> None:
    """Without a key, say: nothing was compared, so nothing passed."""
    before = suite(*map(right, "abc"))
    diff = against(before, suite(right("n"), skipped={"a": "no key", "b": "no key", "c": "no key"}))
    assert not diff.ok
    (problem,) = diff.suites[0].problems
    assert problem.startswith("nothing was compared: all 3 cases of the baseline were skipped; run them")
    assert against(before, suite(right("n"), of=4)).ok


MOVED = report(suite(right("a"), wrong("b"), key="tests/test_new.py::test_it"))
OLD_FILE = KEY.partition("::")[0]


@pytest.mark.parametrize("facts", [{"files": (OLD_FILE,)}, {"files": ("tests",)}, {"deleted": (OLD_FILE,)}])
def test_a_suite_that_moved_is_found_by_its_labels(facts: dict[str, Any]) -> None:
    """Its place was collected without it, or is no more; it is compared, and its regression is seen."""
    diff = against(suite(right("a"), right("b")), replace(MOVED, **facts))
    assert diff.suites[0].moved_from == KEY
    assert (diff.ok, diff.new_suites, diff.gone_suites, diff.not_run_suites) == (False, (), (), ())


@pytest.mark.parametrize("facts", [{}, {"files": ("tests/test_new.py",)}, {"deleted": ("tests/test.py",)}])
def test_a_suite_that_was_left_out_did_not_move(facts: dict[str, Any]) -> None:
    """Nothing says that it is gone, so the other one is new."""
    diff = against(suite(right("a"), right("b")), replace(MOVED, **facts))
    assert (diff.ok, diff.suites) == (True, ())
    assert (diff.new_suites, diff.not_run_suites) == (("tests/test_new.py::test_it",), (KEY,))


def test_outside_pytest_the_labels_alone_say_what_moved() -> None:
    """A target of another name, over the same cases; there is no selection that could have left one out."""
    diff = against(suite(right("a"), key="m:one"), suite(wrong("a"), key="m:two"))
    assert (diff.ok, [found.moved_from for found in diff.suites]) == (False, ["m:one"])


def test_a_suite_with_two_possible_origins_did_not_move() -> None:
    """Which of two is meant can't be known."""
    before = report(suite(right("a"), key="t.py::one"), suite(right("a"), key="t.py::two"))
    diff = against(before, report(suite(right("a"), key="u.py::three"), files=("t.py",)))
    assert (diff.suites, diff.new_suites, diff.gone_suites) == (
        (),
        ("u.py::three",),
        ("t.py::one", "t.py::two"),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["t.py::a[x]", "t.py::a[y]"], ["u.py::a[x]", "u.py::a[y]"]),
        (["t.py::a[x]", "t.py::a[y]"], ["t.py::b[x]", "t.py::b[y]"]),
        (["t.py::a", "t.py::b"], ["u.py::a", "u.py::b"]),
        (["t.py::a[x]", "t.py::a[y]"], ["t.py::a[x]", "t.py::a[z]"]),
    ],
)
def test_variants_that_move_together_are_told_apart_by_their_names(old: list[str], new: list[str]) -> None:
    """They share their cases: a renamed file, a renamed function, one renamed variant."""
    before = report(*(suite(right("a"), key=key) for key in old))
    diff = against(before, report(*(suite(right("a"), key=key) for key in new), files=("t.py",)))
    assert [found.moved_from or found.key for found in diff.suites] == old
    assert (diff.new_suites, diff.gone_suites) == ((), ())


@pytest.mark.parametrize(
    ("files", "gone"),
    [((), False), (("tests/test_a.py",), True), (("tests",), True), (("tests/test_a",), False)],
)
def test_a_suite_is_gone_only_where_its_file_was_collected(files: tuple[str, ...], gone: bool) -> None:
    """Otherwise it was not run, which never fails."""
    before = report(suite(right("z"), key="tests/test_a.py::test_z"), suite(right("a")))
    diff = against(before, report(suite(right("a")), files=files))
    assert diff.ok
    expected = ("tests/test_a.py::test_z",)
    assert (diff.gone_suites, diff.not_run_suites) == ((expected, ()) if gone else ((), expected))


def test_a_run_from_which_most_of_the_baseline_is_gone_fails() -> None:
    """Renaming a test and its labels at once must not switch the gate off."""
    before = report(suite(*map(right, "abc"), key="t.py::old"))
    diff = against(before, report(suite(*map(wrong, "xyz"), key="t.py::new"), files=("t.py",)))
    assert not diff.ok
    assert "3 of its 3 cases" in diff.problems[0]


def test_a_new_suite_that_ran_in_part_may_be_the_one_that_is_gone() -> None:
    """Only a complete run fails for what it doesn't pair."""
    before = report(suite(*map(right, "abc"), key="t.py::old"))
    partial = report(suite(right("a"), of=3, key="t.py::new"), files=("t.py",))
    assert against(before, partial).ok


def test_changed_rules_are_named() -> None:
    """Before and now; an empty text where there is none."""
    before = suite(right("a"), rules={"$default": "exact()", "total": "fuzzy(0.9)"})
    after = suite(right("a"), rules={"$default": "exact()", "vendor": "exact()"})
    found = against(before, after).suites[0]
    assert found.changed_rules == {"total": ("fuzzy(0.9)", ""), "vendor": ("", "exact()")}


def test_two_suites_of_other_names_are_compared_when_told_so() -> None:
    """Unknown names are errors with the nearest one."""
    before, after = report(suite(right("a"), key="gpt")), report(suite(wrong("a"), key="llama"))
    assert not compare(after, before, suites=[("gpt", "llama")]).ok
    with pytest.raises(UsageError, match=r"no suite 'lama' after .*did you mean 'llama'"):
        compare(after, before, suites=[("gpt", "lama")])


# Verdict (G2).


@pytest.mark.parametrize(
    ("max_drop", "status", "ok"),
    [(None, Status.REGRESSED, False), (0.09, Status.REGRESSED, False), (0.1, Status.TOLERATED, True)],
)
def test_a_drop_fails_only_beyond_max_drop(max_drop: float | None, status: Status, ok: bool) -> None:
    """Nine of ten after ten of ten; equal is fine, in spite of floating point."""
    names = [f"c{number}" for number in range(10)]
    after = suite(wrong("c0"), *map(right, names[1:]))
    diff = against(suite(*map(right, names)), after, GateSettings(max_drop=max_drop))
    assert change_of(diff, "total").status is status
    assert change_of(diff, "total").change == -0.1
    assert diff.ok is ok


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=3), min_size=1, max_size=12), st.randoms())
def test_a_run_held_against_its_own_baseline_never_changes(
    scores: list[list[float]], shuffler: random.Random
) -> None:
    """Whatever the scores, their rounding and the order of the cases."""
    cases = [
        case(f"c{number}", *(run(total=score, vendor=1 - score) for score in of_case))
        for number, of_case in enumerate(scores)
    ]
    shuffled = list(cases)
    shuffler.shuffle(shuffled)
    diff = against(suite(*cases), suite(*shuffled), GateSettings(max_drop=0.0))
    assert {change.status for change in diff.changes} == {Status.UNCHANGED}
    assert all(not change.lost and not change.gained for change in diff.changes)


def test_a_field_that_is_ignored_or_never_judged_now_has_vanished() -> None:
    """Both fail whatever max-drop allows, and name the cases."""
    before = suite(case("a", run(total=1, vendor=1)), case("b", run(total=1, vendor=0)))
    ignored = suite(case("a", run(total=1)), case("b", run(total=1)))
    unjudged = suite(case("a", run(total=1, vendor=None)), case("b", run(total=1, vendor=None)))
    for after in (ignored, unjudged):
        diff = against(before, after, GateSettings(max_drop=1.0))
        found = change_of(diff, "vendor")
        assert (found.status, found.lost, diff.ok) == (Status.VANISHED, ("a", "b"), False)
        assert "ignored, or never judged" in found.reason


def test_a_share_judged_that_falls_is_a_regression() -> None:
    """Half of the leaves are judged now."""
    before, after = suite(case("a", run(total=1, vendor=1))), suite(case("a", run(total=1, vendor=None)))
    diff = against(before, after)
    assert change_of(diff, "<judged>").change == -0.5


def test_inventing_values_is_a_regression_of_precision() -> None:
    """An invented value lowers accuracy and precision; extras are held per labelled leaf."""
    null = Leaf("vat", "vat", Outcome.CORRECT, 1.0, None, None, "exact()", "vat")
    invented = null._replace(outcome=Outcome.INVENTED, score=0.0, actual=5)
    extra = Leaf("total[1]", "total", Outcome.EXTRA, None, ABSENT, 2, "", "total[1]")
    total = run(total=1).leaves
    before = suite(case("a", RunResult((*total, null))))
    diff = against(before, suite(case("a", RunResult((*total, invented)))))
    assert (change_of(diff, "<precision>").before, change_of(diff, "<precision>").after) == (1.0, 0.5)
    diff = against(before, suite(case("a", RunResult((*total, null, extra)))))
    found = change_of(diff, "total <extra>")
    assert (found.before, found.after, found.status, found.lost) == (0.0, 1.0, Status.REGRESSED, ("a",))
    assert "rose by 100 points" in found.reason
    assert statuses(diff)["<overall>"] is Status.UNCHANGED


def test_giving_no_value_any_more_is_no_loss_of_precision() -> None:
    """There is no precision then; overall tells."""
    missing = run(total=0).leaves[0]._replace(outcome=Outcome.MISSING, actual=ABSENT)
    diff = against(suite(right("a")), suite(case("a", RunResult((missing,)))))
    assert statuses(diff)["<precision>"] is Status.UNCHANGED
    assert statuses(diff)["<overall>"] is Status.REGRESSED


def test_a_suite_without_any_valid_output_fails_whatever_is_allowed() -> None:
    """It fails if the baseline has a valid one, and only then."""
    loose = GateSettings(max_drop=1.0)
    diff = against(suite(right("a"), right("b")), suite(broken("a"), broken("b")), loose)
    assert (diff.ok, diff.suites[0].problems) == (
        False,
        ("no output is valid any more; the baseline has valid ones",),
    )
    assert against(suite(broken("a")), suite(broken("a")), loose).ok


def test_metrics_are_shown_in_a_fixed_order() -> None:
    """Suite metrics, fields as the report has them, then tags."""
    cases = [case("a", run(vendor=1, total=1), tags=("scanned", "dark"))]
    diff = against(suite(*cases), suite(*cases))
    assert [change.metric for change in diff.changes] == [
        "<overall>",
        "<validity>",
        "<precision>",
        "vendor",
        "total",
        "tag:dark",
        "tag:scanned",
    ]


def test_tags_are_those_of_now_on_both_sides() -> None:
    """A tag that was added compares the same cases before and after."""
    before = suite(right("a"), right("b"))
    after = suite(replace(wrong("a"), tags=("scanned",)), right("b"))
    found = change_of(against(before, after), "tag:scanned")
    assert (found.before, found.after) == (1.0, 0.0)


def test_distance_regresses_upwards_and_has_its_own_margin() -> None:
    """Three differing values where there was one."""

    def with_distance(value: float) -> SuiteResult:
        return suite(
            case("a", replace(run(total=1), measures={"distance": value})),
            gates={"<distance>": FieldGate(max_drop=2.0)},
        )

    assert against(with_distance(1), with_distance(3)).ok
    diff = against(with_distance(1), with_distance(4))
    found = change_of(diff, "<distance>")
    assert (found.status, found.change, found.lost) == (Status.REGRESSED, 3.0, ("a",))
    assert found.reason == "it rose by 3; allowed: 2"
    assert statuses(against(with_distance(3), with_distance(1)))["<distance>"] is Status.IMPROVED


def test_lost_cases_come_worst_first() -> None:
    """Ties go by id."""
    before = suite(*(case(name, run(total=1)) for name in "abcd"))
    after = suite(
        *(case(name, run(total=score)) for name, score in zip("abcd", (0.5, 0, 1, 0.5), strict=True))
    )
    assert change_of(against(before, after), "total").lost == ("b", "a", "d")


def test_weights_make_a_metric_of_their_own() -> None:
    """The field with weight 3 counts thrice on both sides."""
    before = replace(suite(case("a", run(total=1, vendor=1))), weights={"total": 3})
    after = replace(suite(case("a", run(total=0, vendor=1))), weights={"total": 3})
    assert change_of(against(before, after), "<weighted>").after == 0.25


# Floors and gates.


def test_floors_hold_without_a_baseline() -> None:
    """Only what has a floor is judged; a floor is inclusive."""
    half = report(suite(right("a"), wrong("b"), broken("c", Failure.SCHEMA), right("d")))
    assert compare(half, None).suites == ()
    assert compare(half, None, GateSettings(min_overall=0.5, min_validity=0.75, floors={"total": 0.5})).ok
    diff = compare(half, None, GateSettings(min_overall=0.51, min_validity=0.75))
    assert statuses(diff) == {"<overall>": Status.BELOW_FLOOR, "<validity>": Status.NEW}
    assert change_of(diff, "<overall>").reason == "it is 50 %, below its floor of 51 %"


def test_a_floor_is_held_against_all_cases_of_now() -> None:
    """New cases count for it, though they are not compared."""
    diff = against(suite(right("a")), suite(right("a"), wrong("b")), GateSettings(floors={"total": 0.9}))
    found = change_of(diff, "total")
    assert (found.before, found.after, found.status) == (1.0, 1.0, Status.BELOW_FLOOR)
    assert "50 %" in found.reason


def test_floors_apply_to_complete_suites_only_and_say_so() -> None:
    """A skipped case leaves no hole; a case that was not run, or an interrupt, does."""
    floors = GateSettings(floors={"total": 0.9})
    partial = compare(report(suite(wrong("a"), of=2)), None, floors)
    assert partial.ok
    assert partial.suites[0].notes == ("floors were not checked: 1 of 2 cases were run",)
    assert not compare(report(suite(wrong("a"), skipped={"b": "why"})), None, floors).ok
    assert compare(report(suite(wrong("a")), interrupted=True), None, floors).ok


def test_a_field_that_is_never_judged_does_not_meet_its_floor() -> None:
    """No value is no pass."""
    diff = compare(report(suite(case("a", run(total=None)))), None, GateSettings(floors={"total": 0.0}))
    assert not diff.ok
    assert "has no value" in change_of(diff, "total").reason


def test_a_floor_for_a_field_that_no_suite_has_fails_with_the_nearest_name() -> None:
    """A misspelt floor must not pass."""
    diff = compare(report(suite(right("a"))), None, GateSettings(floors={"totl": 0.5}))
    assert not diff.ok
    assert "did you mean 'total'?" in diff.problems[0]


def test_the_higher_floor_and_the_suites_own_margin_hold() -> None:
    """A gate's max_drop replaces the run's, for better or worse."""
    gates = {"total": FieldGate(max_drop=0.0, min=0.2)}
    before = suite(case("a", run(total=1, vendor=1)), case("b", run(total=1, vendor=1)))
    after = suite(case("a", run(total=1, vendor=1)), case("b", run(total=0, vendor=0)), gates=gates)
    diff = against(before, after, GateSettings(max_drop=0.5, floors={"total": 0.1}))
    assert {m: s for m, s in statuses(diff).items() if m in {"total", "vendor"}} == {
        "total": Status.REGRESSED,
        "vendor": Status.TOLERATED,
    }
    assert change_of(diff, "total").floor == 0.2


# Noise and evidence.


def twenty(wrong_ones: int, **more: Any) -> SuiteResult:
    """Return twenty cases of which the first *wrong_ones* are wrong."""
    names = [f"c{number:02}" for number in range(20)]
    return suite(*map(wrong, names[:wrong_ones]), *map(right, names[wrong_ones:]), **more)


def test_with_alpha_only_significant_drops_fail() -> None:
    """Two lost of twenty have p = 1/4, six lost p = 1/64 (a sign test); without alpha both fail."""
    alpha = GateSettings(alpha=0.05)
    few = against(twenty(0), twenty(2), alpha)
    assert (few.ok, statuses(few)["total"], few.suites[0].alpha) == (True, Status.WITHIN_NOISE, 0.05)
    assert change_of(few, "total").p_value == pytest.approx(1 / 4)
    many = against(twenty(0), twenty(6), alpha)
    assert (many.ok, statuses(many)["total"]) == (False, Status.REGRESSED)
    assert change_of(many, "total").p_value == pytest.approx(1 / 64)
    assert many.suites[0].power is not None


def test_without_alpha_the_output_says_which_drops_are_within_noise() -> None:
    """The evidence is there all the same."""
    diff = against(twenty(0), twenty(2))
    assert not diff.ok
    assert change_of(diff, "total").p_value == pytest.approx(1 / 4)
    assert any("within noise" in note and "total" in note for note in diff.suites[0].notes)
    assert not any("within noise" in note for note in against(twenty(0), twenty(6)).suites[0].notes)


def test_what_noise_could_hide_is_said_whoever_decides() -> None:
    """Where runs differ; the level is a supposed one unless a test at it decided (G6)."""
    asked = against(twenty(0), twenty(2), GateSettings(alpha=0.01)).suites[0].power
    unasked = against(twenty(0), twenty(2)).suites[0].power
    allowed = against(twenty(0), twenty(2), GateSettings(max_drop=0.2)).suites[0].power
    small = against(suite(*map(right, "abc")), suite(right("a"), *map(wrong, "bc"))).suites[0].power
    assert asked is not None
    assert unasked is not None
    assert allowed is not None
    assert small is not None
    assert [p.supposed_alpha for p in (asked, unasked, allowed, small)] == [None, 0.05, 0.05, 0.05]
    assert unasked.smallest_drop is not None
    assert asked.smallest_drop is not None
    assert 0 < unasked.smallest_drop < asked.smallest_drop
    assert small.smallest_drop is None
    assert small.more_cases
    assert against(twenty(2), twenty(2)).suites[0].power is None


def test_a_gated_field_fails_under_alpha_too() -> None:
    """What a suite's own gates name is always strict."""
    after = twenty(2, gates={"total": FieldGate(max_drop=0.0)})
    assert against(twenty(0), after, GateSettings(alpha=0.05)).regressions.keys() == {"total"}


def test_a_suite_too_small_to_test_is_judged_by_any_drop_and_says_so() -> None:
    """Three cases can't reach p = 0.05."""
    diff = against(suite(*map(right, "abc")), suite(right("a"), *map(wrong, "bc")), GateSettings(alpha=0.05))
    assert (diff.ok, diff.suites[0].alpha) == (False, None)
    assert "too few cases to test" in diff.suites[0].notes[0]


def test_untestable_metrics_are_listed_and_those_without_any_value_are_not() -> None:
    """Three cases have a unit; every other one's unit is not judged, and nobody's currency is."""
    rare = {"c00", "c01", "c02"}
    cases = [
        case(f"c{n:02}", run(total=1, unit=int(f"c{n:02}" in rare) or None, currency=None)) for n in range(20)
    ]
    notes = against(suite(*cases), suite(*cases), GateSettings(alpha=0.05)).suites[0].notes
    (listed,) = [note for note in notes if "too few cases have them" in note]
    assert "unit" in listed
    assert "currency" not in listed


def test_repeats_that_differ_in_the_baseline_switch_the_test_on_unless_told_otherwise() -> None:
    """Only where neither max-drop nor alpha is given."""
    names = [f"c{number:02}" for number in range(20)]
    before = suite(*(case(name, run(total=1), run(total=int(name != "c00"))) for name in names))
    after = suite(*(case(name, *[run(total=int(name not in {"c00", "c01"}))] * 2) for name in names))
    found = against(before, after).suites[0]
    assert (found.ok, found.alpha) == (True, 0.05)
    assert "repeats differ" in found.notes[0]
    assert found.flaky == ()
    assert not against(before, after, GateSettings(max_drop=0.0)).ok
    same = suite(*(case(name, run(total=1), run(total=1)) for name in names))
    assert not against(same, after).ok


def test_unequal_numbers_of_runs_are_averaged_within_cases() -> None:
    """One run before, three after of which one is right; the flaky field is named."""
    diff = against(suite(right("a")), suite(case("a", run(total=1), run(total=0), run(total=0))))
    assert change_of(diff, "total").after == pytest.approx(1 / 3)
    (flaky,) = diff.suites[0].flaky
    assert flaky.field == "total"
    assert flaky.flip_rate == pytest.approx(2 / 3)


def test_a_report_compares_itself_with_a_baseline_a_report_or_a_path_of_either(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """`Report.compare` gives the same verdict for all of them."""
    folder = tmp_path_factory.mktemp("sides")
    before, after = report(suite(right("a"))), report(suite(wrong("a")))
    before.save(folder / "report.json")
    (folder / "baseline.json").write_text(dump_baseline({KEY: before.suites[KEY].counts()}))
    for side in (before, str(folder / "report.json"), folder / "baseline.json"):
        diff = after.compare(side)
        assert diff.deltas == {"<overall>": -1.0, "<validity>": 0.0, "<precision>": -1.0, "total": -1.0}
        assert after.compare(side, max_drop=1.0).ok
