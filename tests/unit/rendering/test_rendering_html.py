"""The HTML report as a file: what it links to and what it may not hold."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest
from rendering_examples import abstractive_summary, extracted_summary, hostile_summary, windowed_summary

from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.rendering.view import HUES
from lsum_cli.summaries import Summary


def html_of(summary: Summary) -> str:
    return render(summary, Format.HTML, base_path=Path())


class _Links(HTMLParser):
    """Collects ids, links and attributes of a report."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)
        values = dict(attrs)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag == "a":
            self.links.append(str(values["href"]))


@pytest.mark.parametrize(
    "text",
    [
        html_of(abstractive_summary()),
        html_of(hostile_summary()),
        render_many([abstractive_summary(), extracted_summary(), hostile_summary()], Format.HTML),
    ],
    ids=["usual", "hostile", "many"],
)
def test_links_lead_into_the_page_or_to_the_sources(text: str) -> None:
    report = _Links(text)
    assert len(report.ids) == len(set(report.ids))
    inner = [link for link in report.links if link.startswith("#")]
    assert inner
    assert {link[1:] for link in inner} <= set(report.ids)
    for link in set(report.links) - set(inner):
        assert link.startswith(("papers/tidal%20energy.pdf", "file:///", "https://example.org/")), link
    assert not {"script", "img", "iframe", "link", "object", "form", "base"} & set(report.tags)
    assert not {name for name in report.attributes if name.startswith("on")} | ({"style"} & report.attributes)


def test_pdf_pages_are_linked_one_by_one() -> None:
    links = _Links(html_of(abstractive_summary())).links
    for page in (1, 2, 7, 9, 11, 13):
        assert f"papers/tidal%20energy.pdf#page={page}" in links
    absolute = _Links(render(abstractive_summary(), Format.HTML)).links
    assert f"{(Path.cwd() / 'papers/tidal energy.pdf').as_uri()}#page=7" in absolute


def test_the_report_says_what_json_says() -> None:
    text = html_of(abstractive_summary())
    for sentence in abstractive_summary().sentences:
        assert sentence.text in text
        assert sentence.attribution is not None
        for evidence in sentence.attribution.evidence:
            assert evidence.text in text
    for phrase in ("61%", "24%", "15%", "pagesum-arxiv", "412 of 2,882 tokens were dropped", "beams"):
        assert phrase.casefold() in text.casefold()


def test_without_attribution_there_are_no_marks() -> None:
    report = _Links(render(abstractive_summary(), Format.HTML, show_attribution=False))
    assert "aside" not in report.tags
    assert not any("source-" in link for link in report.links)


def test_headings_descend_one_by_one() -> None:
    one = _Links(html_of(abstractive_summary())).tags
    assert [tag for tag in one if tag in {"h1", "h2", "h3"}] == ["h1", "h2"]
    many = _Links(render_many([abstractive_summary()] * 2, Format.HTML)).tags
    assert [tag for tag in many if tag in {"h1", "h2", "h3"}] == ["h1", "h2", "h3", "h2", "h3"]


def test_the_language_of_the_summary_is_told() -> None:
    assert '<section class="summary" aria-label="Summary" dir="auto" lang="en">' in html_of(
        extracted_summary()
    )
    assert 'dir="auto"><p>' in html_of(abstractive_summary())  # documents in two languages: not told
    assert '<p dir="auto" lang="ja">稼働率' in html_of(abstractive_summary())


def test_shares_of_pages_sum_to_the_summary() -> None:
    text = html_of(extracted_summary())
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    assert [table.count(share) for share in ("20%", "40%")] == [3, 1]


def test_many_pages_are_folded() -> None:
    summary = extracted_summary()
    assert "<details open>" in html_of(summary)
    pages = tuple(replace(summary.pages[index % 4], index=index) for index in range(40))
    assert "<details open>" not in html_of(replace(summary, pages=pages))


def test_windows_have_colours_that_can_be_read_and_names() -> None:
    report = html_of(windowed_summary())
    assert re.search(r'<span class="window">[^<]+</span> <span class="sentence hue-\d"', report)
    assert '<ul class="hues" aria-label="Colours of the windows"><li class="hue-' in report
    style = (resources.files("lsum_cli.rendering") / "report.css").read_text(encoding="utf-8")
    light, dark = style.split("@media (prefers-color-scheme: dark) {\n  .hue-0")
    for ink, hues in (("#23211d", light), ("#e6e3dc", ".hue-0" + dark)):
        found = re.findall(r"\.hue-\d \{ background: (#[0-9a-f]{6})", hues)
        assert len(found) == len(HUES)
        assert min(contrast(ink, hue) for hue in found) >= 7
    assert min(contrast(hue, ground) for hue in HUES for ground in ("#ffffff", "#000000")) >= 4.5


def contrast(first: str, second: str) -> float:
    """The contrast of two colours, as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)
