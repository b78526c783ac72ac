"""A headless Chromium for the HTML report; its tests are skipped where there is none."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="the browser tests need selenium")

from tests.browser.window import Window, start_chromium
from tests.html_samples import orders, orders_diff, report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Yield one browser for the session, with a fresh profile and nothing running in the background."""
    binary = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("needs chromium and chromedriver")
    chrome = start_chromium(binary, driver, tmp_path_factory.mktemp("profile"))
    yield chrome
    chrome.quit()


@pytest.fixture
def window(chromium: Chrome, tmp_path: Path) -> Iterator[Window]:
    """Yield a desktop-sized light window; it must not have logged an error at the end."""
    found = Window(chromium, tmp_path)
    found.emulate()
    chromium.get("about:blank")
    found.take_log()  # what another test left
    yield found
    assert [entry for entry in found.take_log() if entry["level"] == "SEVERE"] == []


@pytest.fixture
def page(window: Window) -> Window:
    """Return a window with the report of `orders` and its regressions."""
    window.open(report(orders()), orders_diff())
    return window
