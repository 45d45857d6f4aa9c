"""Chromium for the tests of reports, and a report opened in it."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

# The browser tests render the same summaries as the tests of rendering.
sys.path.append(str(Path(__file__).resolve().parent.parent / "unit" / "rendering"))

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

Open = Callable[..., "Page"]


def wait_until(page: Page, expression: str, arg: object = None, *, seconds: float = 5) -> None:
    """Wait until an expression holds in a report.

    Playwright's own ``wait_for_function`` evaluates the expression again from the page's own script, which a
    report's content security policy forbids: it works only where the expression holds at once.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"never true: {expression}"
        page.wait_for_timeout(20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests; where none is installed they are skipped."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def open_report(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a report from a file; no test ends with an error in its script or a request beyond it."""
    contexts, requested, faults = [], [], []

    def open_report(text: str, *, width: int = 1280, height: int = 900, **how: Any) -> Page:
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        how = {"reduced_motion": "reduce", "color_scheme": "light", **how}
        context = browser.new_context(viewport={"width": width, "height": height}, **how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("request", lambda request: requested.append(request.url))
        page.on("requestfailed", lambda request: request.failure == "csp" and requested.remove(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert not faults
    assert {url.partition("#")[0] for url in requested} <= {(tmp_path / "report.html").as_uri()}
