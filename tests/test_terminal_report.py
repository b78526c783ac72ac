"""The terminal summary, the gate's failure text, and the table of a failing case."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.gate.diff import Diff, Power, SuiteDiff
from pytest_schemascore.gate.status import Status
from pytest_schemascore.report.examples import worst_examples
from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.results import RunError, RunResult
from pytest_schemascore.reporting import junit, numbers
from pytest_schemascore.reporting.case_table import case_table
from pytest_schemascore.reporting.terminal import summary_lines
from pytest_schemascore.reporting.values import value_pair
from pytest_schemascore.reporting.verdict_text import power_sentence, short_reason, verdict_text
from pytest_schemascore.reporting.widths import Console, clip, display_width, encodable, pad, printable
from pytest_schemascore.scoring.outcomes import Outcome
from tests.sample_report import KEY, case, change, invoices, leaf, regressed, report, suite

HINT = "pytest --schemascore-baseline baseline.json --schemascore-update"

REGRESSED = """\
tests/test_invoices.py::test_invoices
  4 cases  validity 75.0 %  overall 70.8 %
  invalid: 1 not JSON
    dune: the text ends inside an object (line 1 column 17)
  cost 0.04  tokens 4,400  latency p50 800 ms, p95 2.2 s
  regressed
    items[*].price  93.1 → 88.4  −4.7 pts  (20 lost, 1 gained, p = 0.03)
      lost: case-1, case-2, case-3, case-4, case-5, case-6, case-7, case-8 and
        12 more
  vanished
    total           75.0 → none
      it is no longer scored
  within noise
    <overall>       75.0 → 70.8  −4.2 pts  (1 lost, 0 gained, p = 0.25)
      lost: dune
  improved
    <precision>     90.0 → 94.4  +4.4 pts  (0 lost, 1 gained)
  compared: 4 of 5 cases in the baseline
  1 case gone: elm
  rule changed: total: exact() → ignore()
  2 fields can't be tested: vendor, notes
  flaky, runs of one case disagree: vendor 12.0 %
  could not have seen a drop under 4.1 points; 120 more cases would show 5
    points

record the run, regressions and all, with:
  pytest --schemascore-baseline baseline.json --schemascore-update
schemascore: 2 regressions against baseline.json
"""

FIELDS = """\
  fields
    vendor          62.5 %  of 4: 2 correct, 1 wrong, 1 missing
      rule exact(), from default
      wrong in birch: expected "Birch", got "Brich"
      missing in dune: expected 1, got absent
      not right in: birch, dune
    total           75.0 %  of 4: 3 correct, 1 missing
      rule numeric(abs_tol=0.01), from comparators['total']
      missing in dune: expected 1, got absent
      not right in: dune
    items[*].price  75.0 %  of 4: 3 correct, 1 missing
      missing in dune items[0].price: expected 1, got absent
      not right in: dune
"""

PASSED = """\
tests/test_invoices.py::test_invoices
  4 cases  validity 75.0 %  overall 70.8 %
  invalid: 1 not JSON
    dune: the text ends inside an object (line 1 column 17)
  cost 0.04  tokens 4,400  latency p50 800 ms, p95 2.2 s
  improved
    total  50.0 → 75.0  +25.0 pts  (0 lost, 1 gained)
  could not have seen a drop under 24.0 points

record the improvement with:
  pytest --schemascore-baseline baseline.json --schemascore-update
schemascore: gate passed against baseline.json (4 cases compared, 1 improvement)
"""

INTERRUPTED = """\
tests/test_invoices.py::test_invoices
  4 of 40 cases  validity 75.0 %  overall 70.8 %
  invalid: 1 not JSON
    dune: the text ends inside an object (line 1 column 17)
  cost 0.04  tokens 4,400  latency p50 800 ms, p95 2.2 s

schemascore: interrupted: 4 of 40 finished; not compared
"""

FAILURE = """\
items[*].price 93.1 → 88.4 (−4.7 pts), total vanished

tests/test_invoices.py::test_invoices
  items[*].price  93.1 → 88.4  −4.7 pts  (20 lost, 1 gained, p = 0.03)
    fell by 4.7 points, max-drop is 0
    lost: case-1, case-2, case-3, case-4, case-5, case-6, case-7, case-8, case-9, case-10 and 10 more
  total  75.0 → none
    it is no longer scored
"""

CASE = """\
path            expected    actual    score  outcome     rule
vendor          "Birch"     "Brich"    0.50  wrong       exact()
items[1→0].sku  "a"         "b"        0.00  wrong       exact()
note            null        "n/a"      0.00  invented    exact()
items[2].sku    absent      "c"              extra       exact()
summary         "the text"  "a text"         not judged  judge(f)
1 leaf correct
"""


def text_of(found: Diff | None, *, verbosity: int = 0, interrupted: bool = False) -> str:
    """Return the summary of the invoices as one text."""
    measured = replace(invoices(), of=40) if interrupted else invoices()
    lines = summary_lines(
        report(measured, interrupted=interrupted), found, verbosity=verbosity, width=80, update_hint=HINT
    )
    return "".join(f"{line.text}\n" for line in lines)


def passed() -> Diff:
    """Return a comparison that passes with one improvement."""
    improved = change("total", 0.5, 0.75, Status.IMPROVED, gained=("cedar",))
    one = SuiteDiff(KEY, (improved,), compared=4, of=4, power=Power(0.24, 4, None))
    return Diff((one,), baseline="baseline.json")


def test_the_summary_shows_what_got_worse_and_ends_in_the_verdict() -> None:
    """Figures, changes by status with names, facts, the command, the verdict: all in 80 columns."""
    assert text_of(regressed()) == REGRESSED


def test_a_passed_gate_says_what_improved_how_to_record_it_and_what_it_could_not_see() -> None:
    """G6 and G8 in the summary of a run that passes."""
    assert text_of(passed()) == PASSED


@pytest.mark.parametrize(
    ("power", "sentence"),
    [
        (
            Power(0.041, 50, 20),
            "could not have seen a drop under 4.1 points; 20 more cases would show 5 points",
        ),
        (Power(0.041, 50, 0), "could not have seen a drop under 4.1 points"),
        (Power(None, 4, 90), "could not have seen any drop; 90 more cases would show 5 points"),
        (Power(None, 0, None), ""),
        (
            Power(0.1, 50, 0, supposed_alpha=0.05),
            "at alpha 0.05, could not have told a drop under 10.0 points from noise",
        ),
    ],
)
def test_power_is_one_sentence(power: Power, sentence: str) -> None:
    """With the level it supposes, where no test at one decided."""
    assert power_sentence(power) == sentence


def test_quiet_leaves_only_the_verdict() -> None:
    """``-q`` prints one line."""
    assert text_of(regressed(), verbosity=-1) == "schemascore: 2 regressions against baseline.json\n"


def test_verbose_lists_every_field_with_outcomes_rule_and_worst_examples() -> None:
    """``-vv`` holds the field table, intervals, gained cases and all lost cases by name."""
    text = text_of(regressed(), verbosity=2)
    assert FIELDS in text
    assert "      90 % interval −8.1 to −1.2 pts, unadjusted p = 0.012\n" in text
    assert "      gained: cedar\n" in text
    assert "case-19, case-20\n" in text
    assert "      fell by 4.7 points, max-drop is 0\n" in text
    assert "  an extractor that returns nothing would get: overall 0.0 %\n" in text


def test_verbose_says_why_judges_failed() -> None:
    """Before notes on outputs, however many these are; without ``-v`` there is only their number."""
    noted = case("b", leaf("a", 1, 1, 1))
    failed = case("z", leaf("a", 1, 2, None, Outcome.NOT_JUDGED))
    measured = suite(
        replace(noted, runs=(replace(noted.runs[0], notes=("duplicate key 'a'",) * 9),)),
        replace(failed, runs=(replace(failed.runs[0], judge_errors=("m:ask raised OSError: down",)),)),
    )
    short, long = (
        [text.text for text in summary_lines(report(measured), None, verbosity=v, width=80, update_hint="")]
        for v in (0, 1)
    )
    assert "  judges failed: 1 time (-v says why)" in short
    assert "  judges failed: 1 time" in long
    assert not any("down" in text for text in short)
    place = long.index("  judge failed on z: m:ask raised OSError: down")
    assert long[place + 1] == "  note on b: duplicate key 'a'"
    assert "  and 5 more notes, see the report" in long


def test_an_interrupted_run_says_so_and_compares_nothing() -> None:
    """The verdict of a stopped run counts what finished."""
    assert text_of(None, interrupted=True) == INTERRUPTED


def test_without_a_baseline_the_summary_says_how_to_record_one() -> None:
    """No comparison is not a pass."""
    record = f"record this run as the baseline with:\n  {HINT}\n"
    assert text_of(None).endswith(f"\n{record}schemascore: not compared, no baseline was named\n")


def test_problems_and_suites_that_stand_alone_are_named() -> None:
    """Too little overlap, new, gone, moved and not-run suites each have their sentence."""
    one = SuiteDiff(
        KEY, (), 1, 9, moved_from="old.py::test", problems=("only 1 of 9 cases pair",), not_run=("a", "b")
    )
    found = Diff((one,), ("new::t",), ("gone::t",), ("idle::t",), ("nothing pairs",), baseline="b.json")
    text = text_of(found)
    for sentence in (
        "  problem: only 1 of 9 cases pair",
        "  moved: the baseline has it as old.py::test",
        "  compared: 1 of 9 cases in the baseline",
        "  2 cases not run: a, b",
        "problem: nothing pairs",
        "suite new, not in the baseline: new::t",
        "suite gone, only in the baseline: gone::t",
        "suite not run: idle::t",
        "schemascore: 2 problems against b.json",
    ):
        assert f"{sentence}\n" in text


def test_losses_that_gains_cancel_are_not_hidden() -> None:
    """A metric that is equal because cases swapped is pointed out."""
    swapped = change("total", 0.5, 0.5, Status.UNCHANGED, lost=("a",), gained=("b",))
    found = Diff((SuiteDiff(KEY, (swapped,), 4, 4),), baseline="b.json")
    assert "  unchanged, though cases differ: 1 metric\n" in text_of(found)
    assert "    total  (1 lost, 1 gained)\n      lost: a\n      gained: b\n" in text_of(found, verbosity=1)


def test_a_value_below_its_floor_names_the_floor() -> None:
    """A floor can fail without any baseline."""
    low = change("total", None, 0.75, Status.BELOW_FLOOR, floor=0.95, reason="below its floor")
    found = Diff((SuiteDiff(KEY, (low,), 0, 0),))
    assert "    total  none → 75.0  (floor 95.0 %)\n" in text_of(found)
    assert text_of(found).endswith("schemascore: 1 value below its floor\n")
    assert short_reason(found.suites[0]) == "total 75.0 % below its floor of 95.0 %"


def test_repeats_judges_and_repairs_are_counted_apart() -> None:
    """What went wrong beside the scores stands under the figures."""
    unsure = leaf("total", 1, 2, None, Outcome.NOT_JUDGED)
    run = RunResult((unsure, leaf("vendor", "a", "a", 1)), judge_errors=("timed out",), repaired=True)
    measured = suite(replace(case("a"), runs=(run, run)))
    text = "\n".join(
        line.text for line in summary_lines(report(measured), None, verbosity=0, width=80, update_hint="")
    )
    assert "  1 case in 2 runs  validity 100.0 %  overall 100.0 %\n" in text
    assert "  judges failed: 2 times (-v says why)\n  not judged: 2 leaves\n" in text
    assert "\n  needed lenient reading: 2 answers\n" in text


def test_markup_only_supports_the_text() -> None:
    """The verdict is red or green, and the same text without it."""
    lines = summary_lines(report(invoices()), regressed(), verbosity=0, width=80, update_hint="")
    assert lines[-1].segments[0].markup == ("red", "bold")
    lines = summary_lines(report(invoices()), passed(), verbosity=0, width=80, update_hint="")
    assert lines[-1].segments[0].markup == ("green", "bold")


def test_a_console_that_is_not_utf8_gets_plain_signs() -> None:
    """Every line can be encoded, and no sign is lost."""
    lines = summary_lines(
        report(invoices()), regressed(), verbosity=2, width=80, update_hint=HINT, encoding="ascii"
    )
    assert "    items[*].price  93.1 -> 88.4  -4.7 pts  (20 lost, 1 gained, p = 0.03)" in [
        line.text for line in lines
    ]
    assert all(line.text.isascii() for line in lines)


@settings(deadline=None, max_examples=60)
@given(
    names=st.lists(st.text(min_size=1, max_size=90), min_size=1, max_size=4, unique=True),
    width=st.integers(60, 120),
    encoding=st.sampled_from(["utf-8", "ascii", "cp1252"]),
    verbosity=st.integers(-1, 2),
)
def test_no_line_is_wider_than_the_terminal(
    names: list[str], width: int, encoding: str, verbosity: int
) -> None:
    """Whatever names hold, lines fit, encode, and carry nothing that steers the terminal."""
    statuses = [Status.REGRESSED, Status.IMPROVED, Status.UNCHANGED, Status.VANISHED]
    changes = tuple(
        change(name, 0.5, 0.25, status, lost=tuple(names), gained=tuple(names), reason=name, p_value=0.5)
        for name, status in zip(names, statuses, strict=False)
    )
    found = Diff((SuiteDiff(KEY, changes, 4, 5, new=tuple(names), notes=tuple(names)),), baseline=names[0])
    measured = suite(
        *(case(name, leaf("total", name, name + "x", 0)) for name in names[:2]),
        *(case(name, error=RunError(Failure.RAISED, name * 2)) for name in names[2:]),
    )
    lines = summary_lines(
        report(measured), found, verbosity=verbosity, width=width, update_hint="", encoding=encoding
    )
    assert lines
    for line in lines:
        assert display_width(line.text) <= width
        line.text.encode(encoding)
        assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in line.text)


def test_why_an_output_is_invalid_is_said_whole() -> None:
    """What to type next stands at the end of the message: it may take a second line. A page is cut."""
    advice = (
        "the extractor returned None; return the output (JSON text, a dict or a model), not what was printed"
    )
    measured = suite(
        case("a", error=RunError(Failure.NOT_JSON, advice)),
        case("b", error=RunError(Failure.RAISED, "word " * 5_000)),
    )
    lines = [
        line.text for line in summary_lines(report(measured), None, verbosity=0, width=80, update_hint="")
    ]
    assert advice in " ".join(line.strip() for line in lines)
    assert len(lines) < 15
    assert max(map(len, lines)) <= 80


def test_the_failure_text_begins_with_the_reason() -> None:
    """pytest's short summary shows the first line only."""
    assert verdict_text(regressed()) + "\n" == FAILURE
    assert short_reason(regressed().suites[0]) == FAILURE.split("\n")[0]


def test_the_failure_text_names_every_metric_that_fails() -> None:
    """However many: with ``-q`` no summary names them. The first ten come with the cases they lost."""
    changes = tuple(
        change(f"field{n:02}", 1.0, 0.5 + n / 100, Status.REGRESSED, lost=(f"case{n:02}",)) for n in range(17)
    )
    lines = verdict_text(Diff((SuiteDiff(KEY, changes, 4, 4),))).split("\n")[1:]
    assert [n for n in range(17) if any(f"field{n:02}" in text for text in lines)] == [*range(17)]
    assert [n for n in range(17) if any(f"lost: case{n:02}" in text for text in lines)] == [*range(10)]
    assert "more" not in "".join(lines)


def test_the_failure_text_of_several_suites_begins_with_the_count() -> None:
    """With more than one failing suite no single reason stands for all."""
    one = regressed().suites[0]
    found = replace(regressed(), suites=(one, replace(one, key="other")))
    assert verdict_text(found).startswith("4 regressions against baseline.json\n\ntests/test_invoices.py")
    assert "\n\nother\n" in verdict_text(found)


def test_the_short_reason_names_fields_before_suite_metrics_and_the_worst_first() -> None:
    """Three reasons at most, in the order of what helps."""
    drops = {"<overall>": 0.4, "a": 0.1, "b": 0.3, "c": 0.2}
    changes = tuple(change(name, 0.9, 0.9 - drop, Status.REGRESSED) for name, drop in drops.items())
    assert short_reason(SuiteDiff(KEY, changes, 4, 4)) == (
        "b 90.0 → 60.0 (−30.0 pts), c 90.0 → 70.0 (−20.0 pts), a 90.0 → 80.0 (−10.0 pts) and 1 more"
    )


def test_the_case_table_shows_what_is_not_right() -> None:
    """Path, expected, actual, score, outcome and rule stand in aligned columns."""
    moved = leaf("items[1].sku", "a", "b", 0)._replace(actual_path="items[0].sku")
    run = RunResult(
        (
            leaf("total", 1, 1, 1),
            leaf("vendor", "Birch", "Brich", 0.5),
            moved,
            leaf("note", None, "n/a", 0, Outcome.INVENTED),
            leaf("items[2].sku", ABSENT, "c", None, Outcome.EXTRA),
            leaf("summary", "the text", "a text", None, Outcome.NOT_JUDGED, "judge(f)"),
        )
    )
    assert "\n".join(case_table(run)) + "\n" == CASE


def test_the_case_table_of_an_invalid_output_says_why_and_shows_the_text() -> None:
    """The error and the beginning of what the extractor returned stand above the table."""
    run = RunResult((), RunError(Failure.NOT_JSON, "line 1 column 3"), output='{"a\n')
    assert case_table(run) == ["invalid (not JSON): line 1 column 3", 'output: {"a\\n']


def test_the_case_table_is_capped() -> None:
    """Past fifty leaves the table says how many there are."""
    run = RunResult(tuple(leaf(f"a[{n}]", 1, 2, 0) for n in range(51)))
    lines = case_table(run)
    assert len(lines) == 52
    assert lines[-1] == "and 1 more leaf, see the report"


def test_long_values_keep_their_difference_in_sight() -> None:
    """A megabyte that differs in one place shows that place."""
    start = "x" * 500_000
    expected, actual = value_pair(start + "A" + start, start + "B" + start, Console(), 30)
    assert "xA" in expected
    assert "xB" in actual
    assert len(expected) <= 30


@pytest.mark.parametrize(
    ("expected", "actual", "shown"),
    [
        ("caf\u00e9", "cafe\u0301", ('"caf<U+00E9>"', '"cafe<U+0301>"')),
        ("a b", "a\u00a0b", ('"a b"', '"a<U+00A0>b"')),
        ("ab", "a\u200bb", ('"ab"', '"a<U+200B>b"')),
        ("1", 1, ('"1"', "1")),
        (None, ABSENT, ("null", "absent")),
        ("a\nb", "a b", ('"a\\nb"', '"a b"')),
    ],
)
def test_differences_nobody_sees_are_written_as_code_points(
    expected: str | None, actual: str, shown: tuple[str, str]
) -> None:
    """Unicode forms, odd spaces and zero-width characters can be told apart; so can types."""
    assert value_pair(expected, actual, Console(), 40) == shown


def test_integers_of_any_size_can_be_shown() -> None:
    """Python's own limit on digits does not stop a report."""
    assert value_pair(10**5000, 1, Console(), 10) == ("100000000…", "1")


def test_wide_and_combining_characters_stay_aligned() -> None:
    """CJK takes two columns, a combining accent none."""
    assert display_width("価格") == 4
    assert display_width("e\u0301") == 1
    assert pad("価格", 6) == "価格  "
    assert clip("価格価格価格", 7) == "価格…格"
    assert clip("cafe\u0301cafe\u0301", 5) == "ca…fe\u0301"
    assert clip("abcdefghij", 5) == "ab…ij"


def test_text_that_steers_a_terminal_is_escaped() -> None:
    """Escape sequences, direction overrides, newlines and lone surrogates become visible."""
    assert printable("a\x1b[31m\u202eb\nc\ud800") == "a\\x1b[31m\\u202eb\\nc\\ud800"
    assert printable("\U0001f468\u200d\U0001f33e") == "\U0001f468\u200d\U0001f33e"


def test_signs_fall_back_where_the_stream_cannot_take_them() -> None:
    """The arrow, the minus and the ellipsis have plain twins; other characters become escapes."""
    assert encodable("a → b − c…", "ascii") == "a -> b - c..."
    assert encodable("a…é", "cp1252") == "a…é"
    assert encodable("猫", "latin-1") == "\\u732b"
    assert encodable("→", "no-such-encoding") == "->"


def test_worst_examples_are_the_lowest_scores_of_different_cases() -> None:
    """Graded misses come worst first, one a case, and unread outputs last."""
    measured = suite(
        case("good", leaf("a", 1, 1, 1)),
        case("unread", leaf("a", 1, ABSENT, 0, Outcome.MISSING), error=RunError(Failure.TIMED_OUT, "10 s")),
        case("half", leaf("a", 1, 2, 0.5), leaf("b[0]", 1, 2, 0.9), leaf("b[1]", 1, 2, 0.1)),
        case("none", leaf("a", 1, 3, 0)),
        case("most", leaf("a", 1, 2, 0.9)),
    )
    found = worst_examples(measured)
    assert [example.case for example in found["a"]] == ["none", "half", "most"]
    assert [example.leaf.path for example in found["b[*]"]] == ["b[1]"]
    assert [example.case for example in worst_examples(measured, limit=9)["a"]][-1] == "unread"


def test_figures_read_as_people_write_them() -> None:
    """A share near 0 or 1 never reads as it, and a change never reads as none."""
    assert numbers.percent(0.61) == "61.0 %"
    assert numbers.percent(0.99996) == "99.996 %"
    assert numbers.percent(1.0) == "100.0 %"
    assert numbers.percent(None) == "none"
    assert numbers.percent_pair(0.8841, 0.8842) == ("88.41", "88.42")
    assert numbers.points(-0.047) == "−4.7 pts"
    assert numbers.points(0.0001) == "+0.01 pts"
    assert numbers.points(0.000001) == "+0.0001 pts"
    assert [numbers.points(tiny) for tiny in (1e-8, 0.0, -1e-8)] == ["0.0 pts"] * 3
    assert numbers.p_value(0.0004) == "p < 0.001"
    assert [numbers.seconds(s) for s in (0.84, 2.14, 95, 720)] == ["840 ms", "2.1 s", "95 s", "12 min"]


def test_junit_properties_say_score_and_failed_fields() -> None:
    """Two small properties a case, the fields capped at ten."""
    one = case("a", leaf("vendor", "a", "a", 1), leaf("total", 1, 2, 0), leaf("b[0]", 1, 2, 0.5))
    assert junit.properties(one) == [
        ("schemascore.score", "0.5000"),
        ("schemascore.failed_fields", "total, b[*]"),
    ]
    many = case("b", *(leaf(f"f{n}", 1, 2, 0) for n in range(12)))
    assert junit.properties(many)[1][1].endswith("f8, f9 and 2 more")
    assert junit.properties(case("c"))[0] == ("schemascore.score", "")
