"""The page in a browser: sorting, filters, a case, shared links, keyboard, phone, print, no JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from pytest_schemascore.report.results import RunResult
from tests.html_samples import case, orders, orders_diff, report, right, suite, wrong

if TYPE_CHECKING:
    from tests.browser.window import Window

FIELDS = "table.fields tbody th > a, table.fields tbody th > bdi"


def _header(page: Window, title: str) -> str:
    header = page.one("table.fields thead th", title)
    return header.get_attribute("aria-sort") or ""


def test_a_click_on_a_header_sorts_and_says_so(page: Window) -> None:
    """Accuracies are sku 1, total 0.5, vendor 0.5, price 0.5; those without one stay last both ways."""
    before = page.texts(FIELDS)
    assert before == ["total", "vendor", "items[*].sku", "items[*].price", "gone_field"]
    page.one("table.fields thead button", "Accuracy").click()
    assert _header(page, "Accuracy") == "ascending"
    assert page.texts(FIELDS) == ["total", "vendor", "items[*].price", "items[*].sku", "gone_field"]
    page.one("table.fields thead button", "Accuracy").click()
    assert _header(page, "Accuracy") == "descending"
    assert page.texts(FIELDS) == ["items[*].sku", "total", "vendor", "items[*].price", "gone_field"]
    assert page.view() == {"sort": "accuracy.desc"}


def test_filters_narrow_the_list_and_the_address_has_them(page: Window) -> None:
    """State, field, tag and text all hold at once."""
    assert page.cases() == ["all-right", "total-off", "paired", "look-alike", "broken", "repeated"]
    page.one(".states label", "Regressed").click()
    assert page.cases() == ["total-off", "broken"]
    Select(page.one("#pick-tag")).select_by_visible_text("scanned")
    assert page.cases() == ["total-off"]
    assert page.view() == {"state": "regressed", "tag": "scanned"}
    page.one(".states label", "All").click()
    Select(page.one("#pick-tag")).select_by_visible_text("Any tag")
    Select(page.one("#pick-field")).select_by_visible_text("vendor")
    assert page.cases() == ["look-alike", "broken", "repeated"]
    page.one("#search").send_keys("unexpected END")
    page.wait_for_count("1 of 6 cases")
    assert page.cases() == ["broken"]
    assert page.view() == {"field": "vendor", "q": "unexpected END"}


def test_search_looks_into_documents(page: Window) -> None:
    """A value of an output finds its case."""
    page.one("#search").send_keys("unlabelled")
    page.wait_for_count("1 of 6 cases")
    assert page.cases() == ["paired"]


def test_a_shared_link_opens_the_same_view(page: Window) -> None:
    """Filters and order come from the address."""
    page.follow("#state=invalid&sort=accuracy.asc")
    page.wait_for_count("1 of 6 cases")
    assert page.cases() == ["broken"]
    assert page.one(".states input:checked + span").text.startswith("Invalid")
    assert _header(page, "Accuracy") == "ascending"


def test_a_field_of_the_table_leads_to_its_cases(page: Window) -> None:
    """The link filters by field and by what isn't right."""
    page.one("table.fields tbody a", "items[*].price").click()
    page.wait_for_count("1 of 6 cases")
    assert page.view()["state"] == "failing"
    assert page.cases() == ["paired"]


def test_a_lost_case_opens_from_the_regressions(page: Window) -> None:
    """The evidence leads to the case itself."""
    page.one(".regressions .lost a", "total-off").click()
    assert page.one("#case h1").text == "total-off"


def test_back_returns_to_the_list_as_it_was(page: Window) -> None:
    """Filters survive the visit of a case, and next goes through the filtered list."""
    page.one(".states label", "Regressed").click()
    page.one("#list a", "total-off").click()
    page.one(".case-nav a", "Next").click()
    page.one("#case h1", "broken")
    page.one(".case-nav a", "All cases").click()
    page.wait_for_count("2 of 6 cases")
    assert page.cases() == ["total-off", "broken"]
    page.chrome.back()
    page.one("#case h1", "broken")


def test_the_page_works_by_keyboard_alone(page: Window) -> None:
    """Skip link, states by arrow keys, a case by Enter, and the focus comes along both ways."""
    page.press(Keys.TAB)
    assert page.focused().text == "Skip to the report"
    page.press(Keys.ENTER)
    assert page.focused().get_attribute("id") == "main"
    page.run("document.querySelector('.states input').focus()")
    page.press(Keys.ARROW_RIGHT)
    page.wait_for_count("2 of 6 cases")
    while page.focused().get_attribute("class") != "case-link":
        page.press(Keys.TAB)
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.press(Keys.ENTER)
    page.one("#case h1", "total-off")
    assert page.focused().get_attribute("id") == "case-title"
    page.run("document.querySelector('.case-nav a').focus()")
    page.press(Keys.ENTER)
    page.wait_for_count("2 of 6 cases")
    assert page.focused().text == "total-off"
    page.run("document.querySelector('table.fields button').focus()")
    page.press(Keys.ENTER)
    assert _header(page, "Field") == "ascending"


def test_one_of_several_suites_is_shown(window: Window) -> None:
    """The others are one click away, and their cases are their own."""
    other = suite("other", [case("theirs", RunResult((wrong("b", 1, 2),)))])
    window.open(report(orders(), other), orders_diff())
    assert window.texts("section.suite h2") == ["orders"]
    window.one("nav.suites a", "other").click()
    window.wait_for_count("1 case")
    assert window.texts("section.suite h2") == ["other"]
    assert window.cases() == ["theirs"]
    assert window.one("nav.suites a[aria-current]").text == "other"


def test_ten_thousand_cases_are_listed_in_pages(window: Window) -> None:
    """Only one page of the list is in the document; the last one can be opened."""
    cases = [case(f"case-{n:05}", RunResult((wrong("a", n, n + n % 2),))) for n in range(10_000)]
    window.open(report(suite("big", cases)))
    window.wait_for_count("10,000 cases")
    assert len(window.cases()) == 50
    window.follow("#page=200")
    window.one("#pages", "Page 200 of 200")
    assert window.cases()[-1] == "case-09999"
    window.one("#search").send_keys("case-04321")
    window.wait_for_count("1 of 10,000 cases")
    window.one("#list a").click()
    window.one("#case h1", "case-04321")


@pytest.mark.parametrize("fragment", ["", "#case=paired", "#case=look-alike", "#state=regressed"])
def test_a_phone_needs_no_sideways_scrolling(window: Window, fragment: str) -> None:
    """At 375 pixels the page is as wide as the window."""
    window.emulate(width=375, height=740)
    window.open(report(orders()), orders_diff(), fragment)
    assert window.overflow() == 0


def test_dark_mode_follows_the_system(window: Window) -> None:
    """Dark ground with light text, and the reverse by day."""
    luminance = """
        const [r, g, b] = getComputedStyle(document.body)[arguments[0]].match(/\\d+/g).map(Number);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    """
    found = {}
    for scheme in ("light", "dark"):
        window.emulate(scheme=scheme)
        window.open(report(orders()), orders_diff())
        found[scheme] = window.run(luminance, "backgroundColor") > window.run(luminance, "color")
    assert found == {"light": True, "dark": False}


def test_print_shows_all_suites_and_no_controls(window: Window) -> None:
    """Paper has nothing to click."""
    other = suite("other", [case("theirs", RunResult((right("b", 1),)))])
    window.open(report(orders(), other), orders_diff())
    window.emulate(media="print")
    assert window.texts("section.suite h2") == ["orders", "other"]
    assert window.all("#filters") == []
    window.emulate()


def test_without_javascript_the_summary_is_there(window: Window) -> None:
    """Verdict, regressions and fields don't need a script, and what does says so."""
    window.chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        window.open(report(orders()), orders_diff())
        assert window.one("h1").text == "Failed"
        assert len(window.all("table.fields tbody tr")) == 5
        assert "need JavaScript" in window.one("main").text
    finally:
        window.chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_page_asks_the_network_for_nothing(page: Window) -> None:
    """Not even for an icon."""
    assert page.run("return performance.getEntriesByType('resource').length") == 0
