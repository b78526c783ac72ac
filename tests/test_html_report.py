"""The page as text: self-contained, its policy, its data, its sizes, what the template says."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from pytest_schemascore.report.measured import Failure
from pytest_schemascore.report.results import RunError, RunResult
from pytest_schemascore.reporting.html import page_data, render_html
from pytest_schemascore.reporting.html.case_list import link, link_key
from pytest_schemascore.reporting.html.details import LEAF_LIMIT
from pytest_schemascore.reporting.html.embed import json_text
from pytest_schemascore.reporting.html.histogram import histogram
from tests.html_samples import (
    HOSTILE,
    case,
    hostile_diff,
    hostile_suite,
    orders,
    orders_diff,
    report,
    right,
    suite,
    wrong,
)


def _data(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def _visible_text(page: str) -> str:
    """Return what a reader without JavaScript sees, tags removed and spaces collapsed."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def test_the_page_loads_nothing() -> None:
    """No tag or style of the page names a resource."""
    page = render_html(report(orders()), orders_diff())
    assert not re.search(r"<(link|img|iframe|object|embed)\b|\bsrc=|url\(|@import|https?://", page)


def test_the_policy_allows_the_pages_own_script_and_style_only() -> None:
    """The hashes in the policy are those of the inline texts, and there is no unsafe-inline."""
    page = render_html(report(orders()))
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])  # type: ignore[index]  # a miss fails the test
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(text) == 1
        digest = base64.b64encode(hashlib.sha256(text[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r'\sstyle="|\son\w+="', re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL))


@pytest.mark.parametrize("text", HOSTILE[:10], ids=range(10))
def test_data_can_not_end_its_script(text: str) -> None:
    """Whatever a text holds, it reads back the same and holds no markup."""
    embedded = json_text({text: [text]})
    assert not re.search("[<>&\u2028\u2029\ud800-\udfff]", embedded)
    assert json.loads(embedded) == {text: [text]}


def test_data_without_json_form_is_refused() -> None:
    """NaN would make the browser reject all of the data."""
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text([float("nan")])


def test_hostile_texts_are_escaped_wherever_they_stand() -> None:
    """No tag but the template's own is in the page, and it can be written as UTF-8."""
    page = render_html(report(hostile_suite(), orders()), hostile_diff())
    page.encode()
    assert len(re.findall("<script", page)) == 3
    assert "<img" not in page
    assert page.count("<style>") == 1
    assert "49" not in _visible_text(page).split("{{ 7 * 7 }}")[0][-20:]
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", markup)


def test_verdict_and_regressions_come_first() -> None:
    """The failing metrics stand above everything else, with evidence, reason and lost cases."""
    text = _visible_text(render_html(report(orders()), orders_diff()))
    top = text[text.index("Failed") : text.index("Fields")]
    for part in (
        "2 regressions against base.json",
        "total",
        "80.0 → to 50.0 −30.0 pts",
        "total fell by 30 points",
        "2 lost, 0 gained, p = 0.03, 90 % interval −60.0 to −10.0 pts",
        "Lost: total-off , broken",
        "gone_field",
        "vanished",
    ):
        assert part in top
    assert top.index("total") < top.index("Cases")


def test_fields_have_counts_evidence_and_rules() -> None:
    """Of six runs, total is right three times, off twice and missing once."""
    text = _visible_text(render_html(report(orders()), orders_diff()))
    row = text[text.index("total regressed numeric() by comparators['total']") :]
    assert "was 80.0 % → 50.0 % −30.0 pts −60.0 to −10.0 0.03 6 3 2 1 0 0" in row


@pytest.mark.parametrize(("alpha", "level"), [(None, "90 %"), (0.05, "90 %"), (0.01, "98 %")])
def test_the_table_says_what_its_intervals_hold_and_which_p_stands_beside_them(
    alpha: float | None, level: str
) -> None:
    """Both invert the same test, so the p isn't the one adjusted for the number of metrics."""
    diff = orders_diff()
    diff = replace(diff, suites=tuple(replace(suite, alpha=alpha) for suite in diff.suites))
    text = _visible_text(render_html(report(orders()), diff))
    assert f"Change {level} interval, pts Unadjusted p Labelled" in text


def test_without_a_baseline_the_page_says_so() -> None:
    """There is no verdict, and no column for a change."""
    text = _visible_text(render_html(report(orders(), interrupted=True)))
    assert "Measured No baseline was compared with" in text
    assert "Interrupted." in text
    assert "interval" not in text


def test_a_report_without_suites_is_a_page() -> None:
    """A run that measured nothing still opens."""
    assert "Measured" in render_html(report())


def test_every_case_knows_its_states_and_wrong_fields() -> None:
    """The states are what the filters go by; a case that is lost and invalid is both."""
    index = _data(render_html(report(orders()), orders_diff()), "index")
    names = index["states"]
    states = {entry["key"]: [names[int(n)] for n in entry["states"]] for entry in index["suites"][0]["cases"]}
    assert states == {
        "all-right": ["fixed", "passed"],
        "total-off": ["regressed", "failing"],
        "paired": ["failing"],
        "look-alike": ["failing"],
        "broken": ["regressed", "failing", "invalid"],
        "repeated": ["failing"],
    }
    fields = [name for name, _ in index["suites"][0]["fields"]]
    bad = {entry["key"]: [fields[n] for n in entry.get("bad", [])] for entry in index["suites"][0]["cases"]}
    assert bad["total-off"] == ["total"]
    assert bad["paired"] == ["items[*].sku", "items[*].price"]


def test_ten_thousand_failing_cases_stay_below_twenty_megabytes() -> None:
    """Regressed and failing cases keep their documents as far as they fit, and what is left out is said."""
    text = "some text, <as> it is " * 200
    cases = [
        case(f"case-{n:05}", RunResult((wrong("a", n, n + 1), right("b", text))), document=text)
        for n in range(10_000)
    ]
    page = render_html(report(suite("big", cases)))
    assert len(page.encode()) < 20_000_000
    assert len(_data(page, "index")["suites"][0]["cases"]) == 10_000
    kept = len(_data(page, "details"))
    assert 0 < kept < 10_000
    assert f"{10_000 - kept:,} failing cases (beyond 8 MB)" in _visible_text(page)


def test_passed_cases_beyond_a_number_are_summarised() -> None:
    """Failing cases come first, then passed ones up to the limit."""
    passed = [case(f"ok-{n}", RunResult((right("a", 1),))) for n in range(page_data.PASSED_LIMIT + 50)]
    failing = case("not-ok", RunResult((wrong("a", 1, 2),)))
    page = render_html(report(suite("many", [*passed, failing])))
    details = _data(page, "details")
    assert len(details) == page_data.PASSED_LIMIT + 1
    assert f"0:{len(passed)}" in details
    assert "50 passed cases (beyond 200)" in _visible_text(page)


def test_an_output_of_many_leaves_keeps_those_that_are_not_right() -> None:
    """The wrong leaf at the very end is on the page, and how many are left out is said."""
    leaves = (*(right(f"a[{n}]", n) for n in range(5_000)), wrong("z", 1, 2))
    run = _data(render_html(report(suite("long", [case("c", RunResult(leaves))]))), "details")["0:0"]["runs"][
        0
    ]
    assert run["leavesLeftOut"] == 5_001 - LEAF_LIMIT
    assert run["rows"][-1]["outcome"] == "wrong"


def test_a_long_document_is_cut_with_a_note() -> None:
    """The note gives both sizes."""
    page = render_html(report(suite("s", [case("c", RunResult(()), document="y" * 1_000_000)])))
    document = _data(page, "details")["0:0"]["input"]
    assert document["parts"] == ["y" * 20_000]
    assert document["note"] == "The first 20,000 of 1,000,000 characters; the rest is left out."


def test_numbers_reach_the_page_exactly() -> None:
    """JavaScript would round them, so they travel as text."""
    run = RunResult((wrong("n", 2**63 + 1, 1.0),))
    row = _data(render_html(report(suite("s", [case("c", run)]))), "details")["0:0"]["runs"][0]["rows"][0]
    assert row["expected"] == ["integer", ["9223372036854775809"]]
    assert row["actual"] == ["number", ["1.0"]]


def test_an_invalid_run_tells_its_error_and_shows_the_output_as_it_came() -> None:
    """Kind, message and raw text are there."""
    run = RunResult((), error=RunError(Failure.RAISED, "ValueError: no\nsecond line"), output="raw <text>")
    found = _data(render_html(report(suite("s", [case("c", run)]))), "details")["0:0"]["runs"][0]
    assert found["error"] == ["raised", {"parts": ["ValueError: no\nsecond line"], "note": ""}]
    assert found["output"]["parts"] == ["raw <text>"]


def test_links_hold_any_id() -> None:
    """Ids with spaces, slashes, ampersands and surrogates survive; long ones are told apart by a hash."""
    assert link(case="a b&c=d/e", state="") == "#case=a+b%26c%3Dd%2Fe"
    assert link_key("a\ud800") == "a\\ud800"
    long, other = link_key("x" * 500), link_key("x" * 501)
    assert len(long) < 140
    assert long != other


def test_a_histogram_counts_every_value_once_and_says_what_it_shows() -> None:
    """Eight values; the median of 1 to 8 is 4.5."""
    plot = histogram("Time", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], lambda value: f"{value:g} s")
    assert plot is not None
    assert sum(int(bar.text.rpartition(" ")[2]) for bar in plot.bars) == 8
    assert plot.summary.startswith("8 runs, from 1 s to 8 s; half take at most 4.5 s")
    assert not plot.logarithmic


def test_a_histogram_with_a_long_tail_is_logarithmic() -> None:
    """One run that hangs doesn't squeeze all others into one bar."""
    plot = histogram("Time", [1.0, 1.1, 1.2, 1.3, 1_000.0], str)
    assert plot is not None
    assert plot.logarithmic


def test_a_histogram_of_equal_or_no_values() -> None:
    """Equal values make one bar, no values no plot."""
    plot = histogram("Cost", [0.0, 0.0], str)
    assert plot is not None
    assert len(plot.bars) == 1
    assert histogram("Cost", [], str) is None
