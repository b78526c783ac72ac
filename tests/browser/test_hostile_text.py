"""Hostile ids, keys, values, errors and tags in a real browser: nothing runs, nothing breaks the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.html_samples import HOSTILE, hostile_diff, hostile_suite, orders, report

if TYPE_CHECKING:
    from tests.browser.window import Window

TITLE = "Failed · schemascore report"


@pytest.mark.parametrize("width", [1280, 375])
def test_hostile_texts_neither_run_nor_widen_the_page(window: Window, width: int) -> None:
    """The overview and every case keep title and width; all cases can be opened by their links."""
    window.emulate(width=width, height=800)
    window.open(report(hostile_suite(), orders()), hostile_diff())
    assert (window.chrome.title, window.overflow()) == (TITLE, 0)
    assert len(window.all("section.suite")) == 1
    links = window.run("return [...document.querySelectorAll('#list a')].map((link) => link.hash)")
    assert len(links) == len(HOSTILE) + 1
    for link in links:
        window.run("location.hash = arguments[0]", link)
        assert window.one("#case h1").text != "No such case"
        window.run("document.querySelectorAll('details').forEach((block) => { block.open = true; })")
        assert (window.chrome.title, window.overflow()) == (TITLE, 0)
    assert window.run("return document.images.length") == 0


def test_the_texts_are_shown_as_they_are(window: Window) -> None:
    """Markup in a value is text for the reader."""
    window.open(report(hostile_suite()))
    window.follow("#" + window.run("return document.querySelector('#list a').hash").removeprefix("#"))
    assert window.one("#case h1").text == HOSTILE[0]


def test_a_link_can_not_smuggle_markup_in(window: Window) -> None:
    """The fragment comes from outside too."""
    window.open(report(orders()), None, "#case=%3Cimg%20src%3Dx%20onerror%3Ddocument.title%3D1%3E&q=%3Cb%3E")
    assert "<img src=x onerror=document.title=1>" in window.one("#case p").text
    assert window.run("return document.images.length") == 0


def test_the_policy_stops_a_script_that_got_in(window: Window) -> None:
    """Even if markup slipped through somewhere, it would not run."""
    window.open(report(orders()))
    title = window.chrome.title
    window.run("""
        const script = document.createElement("script");
        script.textContent = "document.title = 'owned'";
        document.body.append(script);
        const image = document.createElement("div");
        image.innerHTML = "<img src=x onerror=\\"document.title='owned'\\">";
        document.body.append(image);
    """)
    assert window.chrome.title == title
    refused = [entry["message"] for entry in window.take_log()]
    assert len(refused) >= 2
    assert all("Content Security Policy" in message for message in refused)
