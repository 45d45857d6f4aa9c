"""A summary on a terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rendering_examples import (
    abstractive_summary,
    changed_summary,
    extracted_summary,
    hostile_summary,
    windowed_summary,
)
from rich.cells import cell_len
from rich.console import Console

from lsum_cli.rendering.console import ResultConsole, SummaryPrinter
from lsum_cli.summaries import OutlineEntry, RestOfList, Summary


def show(
    summary: Summary,
    width: int = 80,
    *,
    encoding: str = "utf-8",
    attribution: bool = True,
    is_verbose: bool = False,
) -> str:
    """What the terminal gets, without colour."""
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding=encoding, errors="strict")
    console = Console(file=stream, width=width, force_terminal=True, no_color=True, color_system=None)
    SummaryPrinter(console, show_attribution=attribution, is_verbose=is_verbose).finish(summary)
    stream.flush()
    return buffer.getvalue().decode(encoding)


def test_a_summary_at_80_columns() -> None:
    assert show(abstractive_summary()) == (
        """\
2 documents
14 pages · 51 of 138 words · 29% read but 1 page without text

Four tidal turbines in a narrow strait were measured for ten years, longer than
any installation before.
  ▆▆▆▁▁ Tidal Turbines in Narrow Straits: 3 Methods · p. 7
  ▆▁▁▁▁ Tidal Turbines in Narrow Straits: 1 Introduction · p. 2
  p. 7 “We instrumented four turbines in the strait with strain gauges and
  current profilers.”

Availability grew to 94%, while fouling cost three per cent of the yield a year
until the blades were coated.
  ▆▆▆▆▁ Tidal Turbines in Narrow Straits: 4 Results · pp. 9, 11
  p. 11 “Biofouling lowered the yield by 3% per year until blades were coated.”

十年間の観測により、稼働率の着実な向上が確認された。
  ▆▆▆▁▁ 潮流発電の十年: 概要   ▆▆▁▁▁ 潮流発電の十年: Outlook
  “稼働率は最終年に九割を超えた。”

! the model has not seen Japanese in training
! 412 of 2,882 tokens were dropped
! no text could be read on PDF page 6
"""
    )


def test_an_extraction_shows_no_quotations_and_no_bars() -> None:
    shown = show(extracted_summary())
    assert shown.count("Every turbine reported blade loads") == 1
    assert "  3 Methods · p. 7\n" in shown
    assert not re.search("[▆▁“”]", shown)
    assert "tidal energy.pdf · 14 pages · 61 of 102 words · all read" in shown


def test_how_it_was_made_is_said_on_request() -> None:
    shown = show(abstractive_summary(), is_verbose=True)
    assert (
        """
  Tidal Turbines in Narrow Straits: Ten Years of Measurements (tidal energy.pdf)
  潮流発電の十年 (https://example.org/news/strait?id=7)
pagesum · discourse · pagesum-arxiv · 6 parts
169 of 581 tokens read, left out: references (2,301 tokens), running headers and
footers (182 words)
"""
        in shown
    )


@pytest.mark.parametrize("width", [20, 40, 80, 120, 300])
@pytest.mark.parametrize("summary", [abstractive_summary(), hostile_summary()], ids=["usual", "hostile"])
def test_no_line_is_wider_than_the_terminal_or_a_comfortable_measure(summary: Summary, width: int) -> None:
    lines = show(summary, width).splitlines()
    assert max(cell_len(line) for line in lines) <= min(width, 100)
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [32, 40, 80])
def test_nothing_of_a_sentence_is_lost_by_wrapping(width: int) -> None:
    shown = re.sub(r"\s", "", show(abstractive_summary(), width))
    for sentence in abstractive_summary().sentences:
        assert re.sub(r"\s", "", sentence.text) in shown


def test_without_attribution_the_summary_is_a_paragraph() -> None:
    shown = show(extracted_summary(), 100, attribution=False)
    assert "p. 7" not in shown
    paragraph = " ".join(shown.split("\n\n")[1].split())
    assert paragraph == extracted_summary().text
    unattributed = tuple(replace(sentence, attribution=None) for sentence in extracted_summary().sentences)
    assert show(replace(extracted_summary(), sentences=unattributed), 100) == shown


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "cp1252"])
def test_a_terminal_of_few_characters_gets_signs_it_has(encoding: str) -> None:
    shown = show(abstractive_summary(), encoding=encoding)
    assert "  ###-- Tidal Turbines in Narrow Straits: 3 Methods | p. 7\n" in shown
    assert '"We instrumented four turbines' in shown
    assert "▆" not in shown


def test_documents_cannot_command_the_terminal() -> None:
    shown = show(hostile_summary())
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert "[bold]x[/bold]" in shown
    assert "[31mred[0m" in shown


def show_links(summary: Summary, *, has_links: bool) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=80, force_terminal=True, _environ={"TERM": "xterm-256color"})
    SummaryPrinter(console, has_links=has_links).finish(summary)
    return stream.getvalue()


LINK = re.compile(r"\x1b\]8;id=\d+;([^\x1b]*)\x1b\\(?:\x1b\[[\d;]*m)?([^\x1b]*)(?:\x1b\[0m)?\x1b\]8;;\x1b\\")


def test_citations_are_links_where_the_terminal_has_them() -> None:
    links = LINK.findall(show_links(abstractive_summary(), has_links=True))
    pages = [address for address, text in links if text == "p. 7"]
    assert pages
    assert all(address.startswith("file:///") for address in pages)
    assert all(address.endswith("/tidal%20energy.pdf#page=7") for address in pages)
    assert any(address.startswith("https://example.org/news/strait?id=7") for address, _ in links)
    assert "\x1b]8" not in show_links(abstractive_summary(), has_links=False)


def test_a_label_that_names_the_section_is_its_link() -> None:
    summary = extracted_summary()
    first = summary.sentences[1]
    labelled = replace(summary, sentences=(replace(first, label="3 Methods"), replace(first, label="Ben")))
    unpaged = tuple(
        replace(page, sentences=tuple(replace(each, pdf_page=None) for each in page.sentences))
        for page in summary.pages
    )
    evidence = tuple(replace(each, pdf_page=None) for each in first.attribution.evidence)
    attribution = replace(first.attribution, evidence=evidence)
    said = tuple(replace(each, attribution=attribution) for each in labelled.sentences)
    links = LINK.findall(show_links(replace(labelled, pages=unpaged, sentences=said), has_links=True))
    assert [text for _, text in links if text in ("3 Methods", "Ben")] == ["3 Methods", "3 Methods"]


def test_hostile_names_open_no_escape_of_their_own() -> None:
    summary = hostile_summary()
    for source in ("a\x1b]8;;http://evil\x1b\\.pdf", "x\x07\x9c\n.pdf", "https://h/\x1b\\\x1b[2J?q=\x9c"):
        named = replace(summary, documents=tuple(replace(each, source=source) for each in summary.documents))
        shown = show_links(named, has_links=True)
        rest = re.sub(r"\x1b\[[\d;]*m", "", LINK.sub("", shown))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", rest)
        for address, _ in LINK.findall(shown):
            assert re.fullmatch(r"[!-~]*", address)


def test_colour_is_used_unless_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown_with(**environment: str) -> str:
        stream = io.StringIO()
        console = Console(
            file=stream, width=80, force_terminal=True, _environ={"TERM": "xterm-256color", **environment}
        )
        SummaryPrinter(console).finish(abstractive_summary())
        return stream.getvalue()

    assert "\x1b[36m▆▆▆▁▁\x1b[0m" in shown_with()
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", shown_with(NO_COLOR="1"))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown_with())
    assert plain == show(abstractive_summary())


def test_warnings_can_be_left_to_others() -> None:
    stream = io.StringIO()
    SummaryPrinter(Console(file=stream, width=80)).finish(abstractive_summary(), show_warnings=False)
    assert "tokens were dropped" not in stream.getvalue()
    assert "\n!" not in stream.getvalue()


def test_a_long_quotation_is_shortened() -> None:
    summary = abstractive_summary()
    attribution = summary.sentences[0].attribution
    assert attribution is not None
    evidence = replace(attribution.evidence[0], text="word " * 200 + "end")
    sentence = replace(summary.sentences[0], attribution=replace(attribution, evidence=(evidence,)))
    shown = show(replace(summary, sentences=(sentence,)))
    assert "word word…”" in shown
    assert "end" not in shown.split("“")[1].split("”")[0]


def test_neighbours_of_one_origin_share_a_paragraph() -> None:
    summary = extracted_summary()
    sentences = (summary.sentences[1], replace(summary.sentences[1], text="So did the profilers."))
    shown = show(replace(summary, sentences=sentences))
    assert (
        "\nEvery turbine reported blade loads at 50 Hz between 2012 and 2022. So did the\n"
        "profilers.\n  3 Methods · p. 7\n"
    ) in shown
    assert shown.count("3 Methods") == 1


def test_what_somebody_says_begins_a_line() -> None:
    summary = extracted_summary()
    first = summary.sentences[1]
    said = (first, replace(first, label="Ben", text="I doubt it."), replace(first, text="So do we."))
    shown = show(replace(summary, sentences=said))
    assert "2012 and 2022.\nBen: I doubt it. So do we.\n" in shown


def test_items_of_a_list_are_written_as_one() -> None:
    summary = extracted_summary()
    first = replace(summary.sentences[1], text="The weir has two gates:")
    items = tuple(replace(first, text=text, is_item=True) for text in ("The upper gate", "The lower gate"))
    shown = show(replace(summary, sentences=(first, *items, replace(first, text="Both are old."))))
    assert "The weir has two gates:\n• The upper gate\n• The lower gate\nBoth are old.\n" in shown


@pytest.mark.parametrize("is_item", [True, False])
def test_what_is_left_of_a_list_stands_below_it(is_item: bool) -> None:
    summary = extracted_summary()
    first, last = summary.sentences[1], replace(summary.sentences[1], text="Both are old.")
    item = replace(first, text="The upper gate", is_item=is_item, rest=RestOfList(count=1, names=("locks",)))
    bullet = "• " if is_item else ""
    told = f"{bullet}The upper gate\n{bullet}(and 1 more: locks)\nBoth are old.\n"
    assert told in show(replace(summary, sentences=(item, last)))
    part = OutlineEntry(heading="Gates", level=1, document_id="d1", sentences=(item, last))
    told = f"Gates\n{bullet}The upper gate [p. 7]\n{bullet}(and 1 more: locks)\nBoth are old. [p. 7]\n"
    assert told in show(replace(summary, sentences=(item, last), outline=(part,)), width=200)


def test_documents_are_listed_on_request() -> None:
    summary = abstractive_summary()
    many = tuple(replace(summary.documents[0], id=f"d{n}", title=f"Report {n}") for n in range(30))
    cited = replace(summary, documents=many, sentences=())
    assert "Report 7" not in show(cited)
    assert "Report 29" in show(cited, is_verbose=True)


@pytest.mark.parametrize("attribution", [True, False])
@pytest.mark.parametrize("summary", [abstractive_summary(), extracted_summary(), windowed_summary()])
def test_a_summary_shown_as_it_is_written_is_shown_the_same(summary: Summary, attribution: bool) -> None:
    stream = io.StringIO()
    printer = SummaryPrinter(Console(file=stream, width=60), show_attribution=attribution)
    lengths = []
    printer.begin(replace(summary, sentences=()))
    for sentence in summary.sentences:
        printer.add(sentence)
        lengths.append(len(stream.getvalue()))
    printer.finish(summary)
    whole = io.StringIO()
    SummaryPrinter(Console(file=whole, width=60), show_attribution=attribution).finish(summary)
    # How long the summary is can only be said of a whole one.
    known = re.sub(r"[\d,]+\sof\s(?=[\d,]+\swords?\b)", "", whole.getvalue()).split()
    assert stream.getvalue().split() == known
    assert lengths == sorted(set(lengths))


def test_windows_have_colours_and_names() -> None:
    stream = io.StringIO()
    environment = {"TERM": "xterm", "COLORTERM": "truecolor"}
    console = Console(file=stream, width=80, force_terminal=True, _environ=environment)
    SummaryPrinter(console).finish(windowed_summary())
    shown = stream.getvalue()
    assert len(set(re.findall(r"\x1b\[38;2;[0-9;]+m", shown))) == 3
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "▆▆▆▁▁ Tidal Turbines in Narrow Straits: 3 Methods · p. 7" in plain
    assert "■ 3 Methods" in plain
    # Without colours the names say it all.
    console = Console(
        file=io.StringIO(), width=80, force_terminal=True, _environ={**environment, "NO_COLOR": "1"}
    )
    SummaryPrinter(console).finish(windowed_summary())
    refused = console.file.getvalue()
    assert "38;2" not in refused
    assert "■" not in refused
    assert "▆▆▆▁▁ Tidal Turbines in Narrow Straits: 3 Methods · p. 7" in re.sub(
        r"\x1b\[[0-9;]*m", "", refused
    )


class Deserted(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_reader_that_went_away_is_left_to_the_caller() -> None:
    with pytest.raises(BrokenPipeError):
        ResultConsole(file=Deserted()).print("A result.")


@pytest.mark.parametrize("width", [32, 40, 80])
def test_the_signs_of_changes_stand_by_themselves(width: int) -> None:
    shown = show(changed_summary(), width)
    changes = shown[shown.index("(altered)") :].splitlines()[1:]
    assert all(cell_len(line) <= width for line in changes)
    signs = [line[:4] for line in changes if line[:3].strip()]
    assert signs[:2] == ["  + ", "  ~ "]
    assert all(line.startswith(("  ~ ", "  + ", "  - ", "    ", "  and ")) for line in changes if line)
    assert sum(line.startswith("    ") for line in changes) > 1


def test_a_part_that_repeats_the_title_is_not_named_again_below_it() -> None:
    summary = extracted_summary()
    title = summary.title or ""
    told = OutlineEntry(heading="Bug fixes", level=2, document_id=None, sentences=summary.sentences)
    notes = replace(summary, outline=(OutlineEntry(heading=title, level=1, document_id=None), told))
    lines = show(notes, 100).splitlines()
    assert lines.count(title) == 1
    assert "Bug fixes" in lines


def test_what_is_in_a_part_is_named_below_it() -> None:
    summary = extracted_summary()
    entry = OutlineEntry(
        heading="4 Results",
        level=1,
        document_id=None,
        sentences=summary.sentences,
        sections=("Tides", "Pools"),
    )
    lines = show(replace(summary, outline=(entry,)), 100).splitlines()
    assert "Sections: Tides; Pools" in [line.strip() for line in lines]
