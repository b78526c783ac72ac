"""What the browser tests do with a page: open a report, look, click, type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from pytest_schemascore.reporting.html import render_html

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver.remote.webelement import WebElement

    from pytest_schemascore.gate.diff import Diff
    from pytest_schemascore.report.report import Report

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE = 20


def start_chromium(binary: str, driver: str, profile: Path) -> Chrome:
    """Start a headless browser with *profile* as its folder."""
    options = ChromeOptions()
    options.binary_location = binary
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options, Service(driver))


class Window:
    """A browser window with a report in it."""

    def __init__(self, chrome: Chrome, folder: Path) -> None:
        self.chrome = chrome
        self.page = folder / "report.html"

    def emulate(
        self, *, width: int = 1280, height: int = 900, scheme: str = "light", media: str = ""
    ) -> None:
        """Set size, colour scheme and media type."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})

    def open(self, report: Report, diff: Diff | None = None, fragment: str = "") -> None:
        """Write *report* and open it at *fragment*, as a shared link does."""
        self.page.write_text(render_html(report, diff), encoding="utf-8", newline="")
        self.chrome.get("about:blank")
        self.follow(fragment)

    def follow(self, fragment: str) -> None:
        """Open the report that was written last at *fragment*."""
        self.chrome.get(f"{self.page.as_uri()}{fragment}")

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements of *selector* that are on the screen."""
        return [e for e in self.chrome.find_elements(By.CSS_SELECTOR, selector) if e.is_displayed()]

    def one(self, selector: str, text: str = "") -> WebElement:
        """Return the only visible element of *selector* whose text holds *text*; waits for it."""

        def found(_: Chrome) -> list[WebElement]:
            return [e for e in self.all(selector) if text in e.text]

        elements = WebDriverWait(self.chrome, _PATIENCE).until(found)
        assert len(elements) == 1
        return elements[0]

    def texts(self, selector: str) -> list[str]:
        """Return the texts of the visible elements of *selector*."""
        return [element.text for element in self.all(selector)]

    def wait_for_count(self, text: str) -> None:
        """Wait until the list says how many cases it shows."""
        self.one("#count", text)

    def cases(self) -> list[str]:
        """Return the ids in the list."""
        return self.texts("#list .case-link")

    def view(self) -> dict[str, str]:
        """Return the view that the address names."""
        fragment = self.chrome.current_url.partition("#")[2]
        return {name: values[0] for name, values in parse_qs(fragment).items()}

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        ActionChains(self.chrome).send_keys(*keys).perform()

    def focused(self) -> WebElement:
        """Return the element that has the focus."""
        return self.chrome.switch_to.active_element

    def run(self, script: str, *arguments: object) -> Any:
        """Run *script* in the page."""
        return self.chrome.execute_script(script, *arguments)

    def take_log(self) -> list[dict[str, Any]]:
        """Return what the console has logged since the last time."""
        return list(self.chrome.get_log("browser"))  # type: ignore[no-untyped-call]  # selenium leaves it untyped

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        return int(
            self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        )
