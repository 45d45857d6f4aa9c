"""The HTML report in a real browser: styled, inert, readable, and its marks lead somewhere."""

from __future__ import annotations

import functools
import html
import http.server
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from rendering_examples import abstractive_summary, extracted_summary, hostile_summary

from lsum_cli.rendering.formats import Format, render
from lsum_cli.summaries import Summary

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

# Opens the report in a frame of the given width, runs a probe in it, and leaves the answer as text.
PROBE_PAGE = """<!doctype html>
<iframe src="/report.html" width="{width}" height="900"></iframe><pre></pre>
<script>
document.querySelector('iframe').addEventListener('load', async () => {{
  const frame = document.querySelector('iframe'), page = frame.contentDocument, view = frame.contentWindow;
  const pause = () => new Promise(done => setTimeout(done, 400));
  const answer = await (async () => {{ {probe} }})();
  document.querySelector('pre').textContent = JSON.stringify(answer);
}}, {{once: true}});
</script>"""

Ask = Callable[..., Any]


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    requested: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: object) -> None:
        self.requested.append(self.path)


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    """Ask a probe script something about a report."""
    site = tmp_path / "site"
    site.mkdir()
    _QuietHandler.requested.clear()
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_QuietHandler, directory=str(site))
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def ask_browser(report: str, probe: str, *, width: int = 1280, dark: bool = False) -> Any:
        (site / "report.html").write_text(report, encoding="utf-8")
        (site / "probe.html").write_text(PROBE_PAGE.format(width=width, probe=probe), encoding="utf-8")
        address = f"http://127.0.0.1:{server.server_address[1]}/probe.html"
        dom = browse(tmp_path / "profile", address, dark=dark)
        found = re.search("<pre>(.+)</pre>", dom)
        assert found, dom[-2000:]
        return json.loads(html.unescape(found.group(1)))

    yield ask_browser
    server.shutdown()
    server.server_close()
    thread.join()


def browse(profile: Path, address: str, *, dark: bool) -> str:
    """The document that a headless browser has after a few seconds of its own time."""
    assert CHROMIUM is not None
    command = [
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        *(f"--user-data-dir={profile}", "--window-size=1400,1000", "--virtual-time-budget=6000"),
        "--force-prefers-reduced-motion",  # transitions would need frames, which are not drawn here
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
        *("--dump-dom", address),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout


def html_of(summary: Summary) -> str:
    return render(summary, Format.HTML, base_path=Path())


@needs_browser
def test_the_style_is_accepted_and_follows_light_and_dark(ask: Ask) -> None:
    probe = "return view.getComputedStyle(page.body).backgroundColor"
    assert ask(html_of(extracted_summary()), probe) == "rgb(253, 252, 249)"
    assert ask(html_of(extracted_summary()), probe, dark=True) == "rgb(25, 26, 28)"


@needs_browser
def test_a_hostile_document_runs_nothing_and_loads_nothing(ask: Ask) -> None:
    probe = """
      const inert = page.createElement('script');
      inert.textContent = 'window.ran = true';
      page.body.append(inert);
      const image = page.createElement('img');
      image.src = '/beacon.png';
      page.body.append(image);
      await pause();
      return {ran: view.ran === undefined ? 'no' : 'yes', scripts: page.scripts.length,
              handlers: page.querySelectorAll('[onerror],[onload],[style]').length,
              text: page.querySelector('h1').textContent};
    """
    answer = ask(html_of(hostile_summary()), probe)
    assert answer["ran"] == "no"
    assert answer["scripts"] == 1  # the probe's own
    assert answer["handlers"] == 0
    assert answer["text"].startswith(
        "[bold]x[/bold] [31mred[0m 31m   over </script><script>alert(1)</script>"
    )
    assert sorted(set(_QuietHandler.requested) - {"/favicon.ico"}) == ["/probe.html", "/report.html"]


@needs_browser
def test_a_mark_leads_to_its_origin_and_lights_both(ask: Ask) -> None:
    probe = """
      const background = id => view.getComputedStyle(page.getElementById(id)).backgroundColor;
      const before = [background('sentence-2'), background('source-2')];
      page.querySelectorAll('.summary .mark')[1].click();
      await pause();
      const card = page.querySelector(':target').getBoundingClientRect();
      return {before, after: [background('sentence-2'), background('source-2')],
              other: background('sentence-1'), target: page.querySelector(':target').id,
              visible: card.top >= 0 && card.top < 900};
    """
    answer = ask(html_of(abstractive_summary()), probe)
    assert answer["target"] == "source-2"
    assert answer["visible"]
    assert answer["after"][0] != answer["before"][0]
    assert answer["after"][1] != answer["before"][1]
    assert answer["other"] == answer["before"][0]


@needs_browser
@pytest.mark.parametrize("width", [320, 420, 1280])
def test_no_width_makes_the_page_scroll_sideways(ask: Ask, width: int) -> None:
    probe = """
      const side = page.querySelector('aside').getBoundingClientRect();
      const summary = page.querySelector('.summary').getBoundingClientRect();
      return {overflow: page.documentElement.scrollWidth - page.documentElement.clientWidth,
              beside: side.left >= summary.right, below: side.top >= summary.bottom};
    """
    for summary in (abstractive_summary(), hostile_summary()):
        answer = ask(html_of(summary), probe, width=width)
        assert answer["overflow"] <= 0
        assert answer["beside" if width > 1000 else "below"]


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_enough_contrast(ask: Ask, dark: bool) -> None:
    probe = """
      const channels = colour => colour.match(/[\\d.]+/g).map(Number);
      const light = colour => channels(colour).slice(0, 3).map(c => c / 255)
        .map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
      const ground = element => {
        const colour = view.getComputedStyle(element).backgroundColor;
        return channels(colour)[3] === 0 && element.parentElement ? ground(element.parentElement) : colour;
      };
      const worst = [];
      for (const element of page.body.querySelectorAll('*')) {
        if (![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
        const pair = [view.getComputedStyle(element).color, ground(element)].map(light).sort((a, b) => b - a);
        worst.push([(pair[0] + .05) / (pair[1] + .05), element.tagName + '.' + element.className]);
      }
      return worst.sort((a, b) => a[0] - b[0])[0];
    """
    ratio, element = ask(html_of(abstractive_summary()), probe, dark=dark)
    assert ratio >= 4.5, element
