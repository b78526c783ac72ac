"""One case in a browser: the tree, look-alikes, errors, repeated runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selenium.webdriver.common.by import By

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.window import Window


def _rows(page: Window) -> Iterator[list[str]]:
    for row in page.all("table.tree tbody tr"):
        yield [" ".join(cell.text.split()) for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]


def test_a_case_shows_paired_items_on_one_line(page: Window) -> None:
    """Expected and actual stand side by side with outcome, reason and rule."""
    page.follow("#case=paired")
    assert list(_rows(page)) == [
        ["items", "", "", "3 of 6 not right"],
        ["[0]", "", "paired with [2]", "2 right"],
        ["sku", "“A-1”", "“A-1”", "correct"],
        ["price", "10", "10", "correct"],
        ["[1]", "", "paired with [0]", "1 of 2 not right"],
        ["sku", "“B-2”", "“B-2”", "correct"],
        ["price", "20", "21", "wrong too high by 1 (5 %) exact()"],
        ["[1]", "not in the label", "", "2 of 2 not right"],
        ["sku", "nothing", "“C-3”", "extra not in the label"],
        ["price", "nothing", "5", "extra not in the label"],
        ["remark", "nothing", "“unlabelled”", "not scored"],
    ]
    assert "duplicate key 'sku'" in page.one(".warning", "Note.").text
    assert "judge timed out" in page.one(".warning", "A judge failed.").text


def test_only_what_is_not_right_can_be_shown(page: Window) -> None:
    """The choice is part of the view."""
    page.follow("#case=paired")
    page.one(".only input").click()
    assert [row[0] for row in _rows(page)] == ["items", "[1]", "price", "[1]", "sku", "price"]
    assert page.view() == {"case": "paired", "rows": "bad"}


def test_a_branch_of_the_tree_folds(page: Window) -> None:
    """What is folded inside stays folded when its parent opens again."""
    page.follow("#case=paired")
    folds = page.all("button.fold")
    folds[1].click()
    folds[0].click()
    assert [row[0] for row in _rows(page)] == ["items", "remark"]
    assert folds[0].get_attribute("aria-expanded") == "false"
    folds[0].click()
    assert [row[0] for row in _rows(page)][:4] == ["items", "[0]", "[1]", "sku"]


def test_look_alikes_are_told_apart(page: Window) -> None:
    """Composed against decomposed and a no-break space have their code points on the page."""
    page.follow("#case=look-alike")
    points = page.texts("table.tree .code-point")
    assert points == ["U+00E9", "U+0020", "U+0065", "U+0301", "U+00A0"]


def test_an_invalid_case_shows_error_and_raw_output(page: Window) -> None:
    """Kind, message and text are there without another click."""
    page.follow("#case=broken")
    assert page.one(".error .badge").text == "Invalid: not JSON"
    assert page.one(".error .text").text == "line 1 column 9: unexpected end"
    assert '{"total"' in page.texts("details .text")


def test_each_run_of_a_repeated_case_can_be_seen(page: Window) -> None:
    """The second run is the one that went wrong."""
    page.follow("#case=repeated")
    assert [row[3] for row in _rows(page)] == ["correct", "correct"]
    page.one(".runs a", "Run 2").click()
    page.one(".runs a[aria-current]", "Run 2")
    assert [row[3].split()[0] for row in _rows(page)] == ["wrong", "wrong"]
    assert page.view() == {"case": "repeated", "run": "2"}


def test_an_unknown_case_says_so(page: Window) -> None:
    """A link from another report is no blank page."""
    page.follow("#case=nobody")
    assert page.one("#case h1").text == "No such case"
