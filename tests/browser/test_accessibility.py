"""axe-core finds no serious violation on any view, light, dark and on a phone.

Set AXE_CORE to the path of ``axe.min.js`` (``npm install axe-core``) to run it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.html_samples import orders, orders_diff, report, suite

if TYPE_CHECKING:
    from tests.browser.window import Window

VIEWS = (
    "",
    "#state=regressed&sort=accuracy.desc",
    "#case=paired",
    "#case=broken",
    "#case=repeated",
    "#case=x",
)


@pytest.fixture(scope="module")
def axe() -> str:
    """Return the text of axe-core."""
    path = Path(os.environ.get("AXE_CORE", ""))
    if not path.is_file():
        pytest.skip("needs AXE_CORE, the path of axe.min.js")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 375)])
@pytest.mark.parametrize("fragment", VIEWS)
def test_axe_finds_nothing_serious(window: Window, axe: str, fragment: str, scheme: str, width: int) -> None:
    """Names, roles, contrast, headings, landmarks."""
    window.emulate(scheme=scheme, width=width)
    window.open(report(orders(), suite("other", [])), orders_diff(), fragment)
    window.run(axe)
    result = window.chrome.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    serious = [
        (violation["id"], violation["nodes"][0]["html"])
        for violation in result["violations"]
        if violation["impact"] in {"serious", "critical"}
    ]
    assert serious == []
    assert result["passes"]
