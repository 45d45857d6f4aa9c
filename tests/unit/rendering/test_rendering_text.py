"""Text and Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rendering_examples import abstractive_summary, extracted_summary, hostile_summary

from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.summaries import OutlineEntry, RestOfList

FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def test_text_is_a_sentence_a_line_with_its_origin() -> None:
    assert render(extracted_summary(), Format.TEXT).splitlines() == [
        "Tidal streams are predictable decades ahead, which sets them apart from wind and sun."
        " [1 Introduction, p. 1]",
        "Every turbine reported blade loads at 50 Hz between 2012 and 2022. [3 Methods, p. 7]",
        "Availability rose from 71% in the first year to 94% in the last. [4 Results, p. 9]",
        "Fatigue damage concentrated in the ebb phase, when the current shears most. [4 Results, p. 10]",
        "Coating pays for itself within eighteen months at current prices. [5 Discussion, p. 13]",
    ]


def test_what_is_left_of_a_list_stands_below_it() -> None:
    first, second, third, *_ = extracted_summary().sentences
    rest = RestOfList(count=2, names=("gates", "locks"))
    item = replace(second, is_item=True, rest=rest)
    summary = replace(extracted_summary(), sentences=(first, item, third))
    lines = render(summary, Format.TEXT, show_attribution=False).splitlines()
    assert lines == [first.text, f"- {second.text}", "- (and 2 more: gates; locks)", third.text]
    markdown = render(summary, Format.MARKDOWN, show_attribution=False)
    assert f"- {second.text}\n- *(and 2 more: gates; locks)*\n\n{third.text}" in markdown
    summary = replace(extracted_summary(), sentences=(first, replace(item, is_item=False), third))
    lines = render(summary, Format.TEXT, show_attribution=False).splitlines()
    assert lines == [first.text, second.text, "(and 2 more: gates; locks)", third.text]
    markdown = render(summary, Format.MARKDOWN, show_attribution=False)
    assert f"{second.text}\n\n*(and 2 more: gates; locks)*\n\n{third.text}" in markdown


def test_items_of_a_list_are_written_as_one() -> None:
    first, second, third, *_ = extracted_summary().sentences
    items = (replace(second, is_item=True), replace(third, is_item=True))
    summary = replace(extracted_summary(), sentences=(first, *items, first))
    lines = render(summary, Format.TEXT, show_attribution=False).splitlines()
    assert lines == [first.text, f"- {second.text}", f"- {third.text}", first.text]
    tokens = MarkdownIt().parse(render(summary, Format.MARKDOWN, show_attribution=False))
    opened = [token.type.removesuffix("_open") for token in tokens if token.type.endswith("_open")]
    assert opened[opened.index("paragraph") :][:7] == [
        "paragraph",
        "bullet_list",
        "list_item",
        "paragraph",
        "list_item",
        "paragraph",
        "paragraph",
    ]


def test_text_names_every_heavy_page() -> None:
    first = render(abstractive_summary(), Format.TEXT).splitlines()[0]
    assert first.endswith(
        "before. [Tidal Turbines in Narrow Straits: 3 Methods, p. 7; Tidal Turbines in Narrow Straits: 1 Introduction, p. 2]"
    )


def test_text_without_attribution_is_the_sentences_alone() -> None:
    summary = extracted_summary()
    text = render(summary, Format.TEXT, show_attribution=False)
    assert text == "".join(f"{sentence.text}\n" for sentence in summary.sentences)


def test_several_texts_have_underlined_titles() -> None:
    text = render_many([abstractive_summary(), extracted_summary()], Format.TEXT)
    assert text.startswith("2 documents\n===========\nFour tidal turbines")
    title = "Tidal Turbines in Narrow Straits: Ten Years of Measurements (papers/tidal energy.pdf)"
    assert f"\n\n{title}\n{'=' * len(title)}\nTidal streams" in text
    wide = replace(extracted_summary(), title="潮流")
    assert render_many([wide], Format.TEXT).startswith(
        "潮流 (papers/tidal energy.pdf)\n==============================\n"
    )


@pytest.mark.parametrize(
    ("source", "own", "title"),
    [
        ("a/notes.md", "Notes", "Notes (a/notes.md)"),
        ("a/notes.md", None, "a/notes.md"),
        ("inbox.mbox", "inbox", "inbox.mbox"),
        ("https://example.org/a", "Notes", "Notes (https://example.org/a)"),
        ("-", "Notes", "Notes (standard input)"),
    ],
)
def test_of_several_texts_each_says_where_it_is_from(source: str, own: str | None, title: str) -> None:
    summary = extracted_summary()
    documents = (replace(summary.documents[0], source=source, title=own),)
    assert render_many([replace(summary, title=own, documents=documents)], Format.TEXT).startswith(
        f"{title}\n=="
    )


@pytest.mark.parametrize("format", [Format.TEXT, Format.MARKDOWN, Format.HTML, Format.JSON])
def test_no_control_character_leaves(format: Format) -> None:
    for text in (render(hostile_summary(), format), render_many([hostile_summary()] * 2, format)):
        assert not FORBIDDEN.search(text)
        assert text.endswith("\n")
        text.encode("utf-8")


@pytest.mark.parametrize("format", [Format.TEXT, Format.MARKDOWN, Format.HTML, Format.JSON])
def test_a_summary_without_sentences_or_attribution_is_rendered(format: Format) -> None:
    empty = replace(extracted_summary(), sentences=(), title=None, seconds={})
    assert render_many([empty], format)
    unattributed = tuple(replace(sentence, attribution=None) for sentence in extracted_summary().sentences)
    rendered = render(replace(extracted_summary(), sentences=unattributed), format)
    assert rendered == render(
        replace(extracted_summary(), sentences=unattributed), format, show_attribution=False
    )


def test_rich_is_no_string() -> None:
    with pytest.raises(ValueError, match="console"):
        render(extracted_summary(), Format.RICH)


def test_markdown_links_pages_relative_to_its_folder() -> None:
    text = render(extracted_summary(), Format.MARKDOWN, base_path=Path("out"))
    assert text.startswith("# Tidal Turbines in Narrow Straits: Ten Years of Measurements\n\nTidal streams")
    assert "sun. ([1 Introduction, p. 1](../papers/tidal%20energy.pdf#page=1))\n" in text
    assert "\n## Sources\n\n- Tidal Turbines" in text
    assert "109 of 109 tokens read, left out: references (2,301 tokens), running headers" in text
    assert "## Evidence" not in text


def test_markdown_quotes_evidence_and_tells_losses() -> None:
    text = render(abstractive_summary(), Format.MARKDOWN)
    assert (
        "  > Biofouling lowered the yield by 3% per year until blades were coated. "
        "([Tidal Turbines in Narrow Straits: 4 Results, p. 11](papers/tidal%20energy.pdf#page=11))"
    ) in text
    assert text.count("412 of 2,882 tokens were dropped") == 1
    assert "- **Note:** no text could be read on PDF page 6" in text
    plain = render(abstractive_summary(), Format.MARKDOWN, show_attribution=False)
    assert "p. 11" not in plain
    assert "## Evidence" not in plain


def test_markdown_of_a_hostile_document_has_the_usual_structure() -> None:
    tokens = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .parse(render(hostile_summary(), Format.MARKDOWN))
    )
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings[1:] == ["Sources", "Evidence"]
    inline = [child for token in tokens for child in token.children or ()]
    assert {token.type for token in tokens + inline} <= {
        *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
        *("blockquote_open", "blockquote_close", "link_open", "link_close"),
        *("text", "text_special", "softbreak", "strong_open", "strong_close"),
    }
    addresses = [str(child.attrs["href"]) for child in inline if child.type == "link_open"]
    assert addresses
    assert all(address.startswith("https://example.org/") for address in addresses)


def test_several_markdowns_follow_one_another() -> None:
    text = render_many([abstractive_summary(), extracted_summary()], Format.MARKDOWN)
    headings = re.findall(r"^#+ .*$", text, flags=re.MULTILINE)
    assert headings == [
        "# 2 documents",
        "## Sources",
        "## Evidence",
        "# Tidal Turbines in Narrow Straits: Ten Years of Measurements",
        "## Sources",
    ]


def test_a_part_that_repeats_the_title_is_not_named_twice() -> None:
    summary = extracted_summary()
    told = OutlineEntry(heading="Bug fixes", level=2, document_id=None, sentences=summary.sentences)
    title = summary.title or ""
    notes = replace(summary, outline=(OutlineEntry(heading=title, level=1, document_id=None), told))
    headline = f"{title} (papers/tidal energy.pdf)"
    many, marked = render_many([notes, notes], Format.TEXT), render(notes, Format.MARKDOWN)
    assert many.startswith(f"{headline}\n{'=' * len(headline)}\nBug fixes\n---------\n")
    assert f"## {title}" not in marked
    assert "\n## Bug fixes\n" in marked
    # Alone it has no title but that.
    assert render(notes, Format.TEXT).startswith(f"{title}\n{'-' * len(title)}\n")
    other = replace(notes, outline=(replace(notes.outline[0], heading="Lathe 3.1"), told))
    assert "Lathe 3.1\n---------\n" in render_many([other, notes], Format.TEXT)
