"""The HTML report as a file: what it links to and what it may not hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from rendering_examples import (
    abstractive_summary,
    extracted_summary,
    hostile_summary,
    windowed_summary,
    zoomed_summary,
)

from lsum_cli.locality import Locality, paginate
from lsum_cli.reading.sources import read
from lsum_cli.rendering.escaping import clean
from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.rendering.view import HUES, SummaryView
from lsum_cli.summaries import Flag, FlagKind, RestOfList, ShortForm, Style, Summary


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
    assert text.count("<script>") == 1  # ours
    assert not {"img", "iframe", "link", "object", "form", "base"} & set(report.tags)
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


def test_without_attribution_there_are_no_marks_but_the_source_stays() -> None:
    text = render(abstractive_summary(), Format.HTML, show_attribution=False)
    report = _Links(text)
    assert not any("-origin" in link or "-s" in link for link in report.links)
    assert "Where it comes from" not in text
    assert "Few turbines have been observed" in text


def test_without_the_source_its_text_is_not_there() -> None:
    text = render(extracted_summary(), Format.HTML, show_source=False)
    assert "Few turbines have been observed" not in text
    assert "Availability rose from 71%" in text  # quoted by the summary
    report = _Links(text)
    assert {link[1:] for link in report.links if link.startswith("#")} <= set(report.ids)
    assert 'value="full" ' not in text


@pytest.mark.parametrize("make", [abstractive_summary, extracted_summary, hostile_summary, zoomed_summary])
def test_every_sentence_of_the_source_is_in_the_report_once(make: Callable[[], Summary]) -> None:
    summary = make()
    source = BeautifulSoup(html_of(summary), "lxml").select_one(".source")
    assert source is not None
    for mark in source.select(".by, .sheet"):
        mark.decompose()
    paragraphs = [paragraph.get_text() for paragraph in source.select(".block p")]
    wanted = [
        clean("".join(f"{s.text} " for s in paragraph)).split()
        for document in summary.documents
        for section in document.sections
        for paragraph in section.paragraphs
    ]
    assert [paragraph.split() for paragraph in paragraphs] == wanted


def test_the_source_is_read_from_the_document_not_from_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("The harbour was closed in March. It was opened again in May.\n")
    document = read(str(path))
    path.unlink()
    pages = paginate([document], Locality.SPATIAL, 100)
    summary = replace(extracted_summary(), documents=(document,), pages=pages, sentences=())
    assert "It was opened again in May." in render(summary, Format.HTML, base_path=tmp_path)


def test_citations_lead_both_ways() -> None:
    soup = BeautifulSoup(html_of(abstractive_summary()), "lxml")
    sentences = soup.select(".sentence[data-evidence]")
    assert len(sentences) == 3
    for sentence in sentences:
        ids = str(sentence["data-evidence"]).split()
        assert sentence.select_one(".mark")["href"] == f"#{ids[0]}"  # type: ignore[index]
        for source_id in ids:
            place = soup.find(id=source_id)
            assert place is not None
            assert f"#{sentence['id']}" in [link["href"] for link in place.select(".by")]


def test_the_mark_of_a_sentence_names_its_section_even_where_its_label_does() -> None:
    summary = extracted_summary()
    view = SummaryView(summary)
    sentence = next(each for each in summary.sentences if view.mention(view.cite(each)))
    labelled = replace(sentence, label=view.cite(sentence)[0].name)
    soup = BeautifulSoup(html_of(replace(summary, sentences=(labelled,))), "lxml")
    assert soup.select_one("a.mark")["title"] == view.mention(view.cite(sentence))  # type: ignore[index]


def test_what_somebody_says_begins_a_line() -> None:
    summary = extracted_summary()
    first, second, *_ = summary.sentences
    plain = BeautifulSoup(html_of(replace(summary, sentences=(first, second))), "lxml")
    said = BeautifulSoup(html_of(replace(summary, sentences=(first, replace(second, label="Ben")))), "lxml")
    assert not plain.select("p > br")
    assert [each.find_next(class_="sentence").get_text(strip=True)[:4] for each in said.select("p > br")] == [
        "Ben:"
    ]


def test_items_of_a_list_begin_lines() -> None:
    summary = extracted_summary()
    first, second, third, *_ = summary.sentences
    items = (replace(second, is_item=True), replace(third, is_item=True))
    soup = BeautifulSoup(html_of(replace(summary, sentences=(first, *items, first))), "lxml")
    lines = [each.find_next(class_="sentence").get_text(strip=True)[:1] for each in soup.select("p > br")]
    assert lines == ["•", "•", first.text[:1]]
    bullets = BeautifulSoup(html_of(replace(summary, sentences=items, style=Style.BULLETS)), "lxml")
    assert "•" not in bullets.select_one("ul li").get_text()  # type: ignore[union-attr]


def test_what_is_left_of_a_list_stands_below_it() -> None:
    summary = extracted_summary()
    first, second, *_ = summary.sentences
    item = replace(first, is_item=True, rest=RestOfList(count=2, names=("gates", "locks")))
    for style, line in ((Style.PROSE, "p"), (Style.BULLETS, "ul li:nth-child(2)")):
        shown = replace(summary, sentences=(item, second), style=style)
        soup = BeautifulSoup(html_of(shown), "lxml")
        assert [each.get_text() for each in soup.select(f"{line} .rest")] == ["(and 2 more: gates; locks)"]


def test_references_are_folded_and_there() -> None:
    soup = BeautifulSoup(html_of(extracted_summary()), "lxml")
    folded = soup.select(".source details.folded")
    assert [each.get("open") for each in folded] == [None]
    assert "A reference that is not read." in folded[0].get_text()


def test_a_very_long_text_is_folded_by_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lsum_cli.rendering.html_report.MOST_OPEN_CHARACTERS", 100)
    soup = BeautifulSoup(html_of(extracted_summary()), "lxml")
    assert len(soup.select(".source details.folded")) == len(extracted_summary().documents[0].sections)


def test_the_zoom_has_a_stop_for_every_length_that_there_is() -> None:
    def stops(summary: Summary, **how: bool) -> list[str]:
        soup = BeautifulSoup(render(summary, Format.HTML, **how), "lxml")
        return [label.get_text() for label in soup.select(".zoom .stop")]

    assert stops(zoomed_summary()) == ["Sentence", "Short", "Medium", "Outline", "Full text"]
    assert stops(zoomed_summary(), show_source=False) == ["Sentence", "Short", "Medium", "Outline"]
    assert stops(extracted_summary()) == ["Summary", "Full text"]
    assert stops(extracted_summary(), show_source=False) == []


def test_a_stop_that_would_say_nothing_more_is_left_out() -> None:
    summary = zoomed_summary()
    *_, medium = summary.lengths
    soup = BeautifulSoup(
        html_of(replace(summary, lengths=(*summary.lengths, replace(medium, name="long")))), "lxml"
    )
    stops = [label.get_text() for label in soup.select(".zoom .stop")]
    assert stops == ["Sentence", "Short", "Medium", "Outline", "Full text"]


def test_a_sentence_without_evidence_leads_to_the_section_that_weighs_most() -> None:
    summary = abstractive_summary()
    first, *others = summary.sentences
    assert first.attribution is not None
    first = replace(first, attribution=replace(first.attribution, evidence=()))
    soup = BeautifulSoup(html_of(replace(summary, sentences=(first, *others))), "lxml")
    mark = soup.select_one("#summary-1 .mark")
    assert mark is not None
    section = soup.select_one(str(mark["href"]))
    assert section is not None
    assert section.get_text().startswith("3 Methods")


def test_the_zoom_opens_at_the_length_that_suits_the_source() -> None:
    def opened(words: int | str) -> str:
        soup = BeautifulSoup(html_of(replace(zoomed_summary(), options={"length": words})), "lxml")
        chosen = soup.select_one(".zoom input[checked]")
        assert chosen is not None
        return chosen.find_next("span").get_text()  # type: ignore[union-attr]

    assert [opened(words) for words in (1, 30, 500, "all")] == ["Sentence", "Short", "Medium", "Medium"]


def test_doubts_stand_at_the_words_they_concern() -> None:
    summary = extracted_summary()
    flag = Flag(kind=FlagKind.NUMBER, text="71%")
    flagged = replace(summary.sentences[2], flags=(flag,))
    text = html_of(replace(summary, sentences=(*summary.sentences[:2], flagged, *summary.sentences[3:])))
    assert 'rose from <span class="doubted">71%</span> in the first' in text
    assert "check: number “71%”" in text


def test_places_are_named_by_the_path_of_their_section() -> None:
    summary = extracted_summary()
    document = summary.documents[0]
    sections = tuple(replace(each, path=f"Part I › {each.heading}") for each in document.sections)
    text = html_of(replace(summary, documents=(replace(document, sections=sections),)))
    assert "Part I › 3 Methods</a>" in text


def test_headings_descend_one_by_one() -> None:
    for text in (
        html_of(abstractive_summary()),
        html_of(zoomed_summary()),
        render_many([abstractive_summary(), hostile_summary()], Format.HTML),
    ):
        levels = [int(tag[1]) for tag in _Links(text).tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_contents_name_every_document_and_its_coverage() -> None:
    soup = BeautifulSoup(render_many([abstractive_summary(), extracted_summary()], Format.HTML), "lxml")
    contents = [item.get_text() for item in soup.select("nav li")]
    assert len(contents) == 2
    assert "All read" in contents[1]
    listed = [item.get_text() for item in soup.select("#\\31 -report .documents li")]
    assert "14 PDF pages · 109 tokens read · no text on PDF page 6" in listed[0]
    assert "潮流発電の十年" in listed[1]


def test_the_language_of_the_summary_is_told() -> None:
    assert 'aria-label="Summary" dir="auto" lang="en">' in html_of(extracted_summary())
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


def test_what_is_not_quoted_is_named_below() -> None:
    summary = extracted_summary()
    sections = tuple(f"Tide & pool {number}" for number in range(12))
    assert '<p class="others"><b>Other sections:</b> Tide &amp; pool 0; Tide &amp; pool 1; ' in (
        named := html_of(replace(summary, other_sections=sections))
    )
    assert "Tide &amp; pool 9; and 2 more</p>" in named
    assert '<p class="others">' not in html_of(replace(summary, other_sections=()))


def test_the_topics_of_a_conversation_are_named_above() -> None:
    summary = extracted_summary()
    named = html_of(replace(summary, topics=("tide & pool", "weir")))
    assert '<p class="topics"><b>Topics:</b> tide &amp; pool; weir</p>' in named
    assert named.index('class="topics"') < named.index('class="summary"')
    assert '<p class="topics">' not in html_of(replace(summary, topics=()))


def test_abbreviations_are_told_below_the_first_six() -> None:
    summary = extracted_summary()
    forms = tuple(
        ShortForm(short=f"P{number}", long=f"pond & {number}", document_id="d0", sentence_index=0)
        for number in range(8)
    )
    named = html_of(replace(summary, abbreviations=forms))
    assert '<p class="abbreviations"><b>Abbreviations:</b> P0, pond &amp; 0; P1, pond &amp; 1; ' in named
    assert "P5, pond &amp; 5; and 2 more</p>" in named
    both = (
        replace(forms[0], short="CPA", long="Clean Ponds Act"),
        replace(forms[0], short="Act", long="Clean Ponds Act"),
    )
    assert "<b>Abbreviations:</b> CPA or Act, Clean Ponds Act</p>" in html_of(
        replace(summary, abbreviations=both)
    )
    assert '<p class="abbreviations">' not in html_of(summary)
    bare = render(replace(summary, abbreviations=forms), Format.HTML, show_attribution=False)
    assert '<p class="abbreviations">' not in bare


def test_people_are_introduced_below() -> None:
    mill = ShortForm(short="Mill", long="respondent Jane <Mill>", document_id="d0", sentence_index=0)
    named = html_of(replace(extracted_summary(), people=(mill,)))
    assert '<p class="people"><b>People:</b> respondent Jane &lt;Mill&gt;</p>' in named
