"""Flags in every format."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import jsonschema
from rendering_examples import extracted_summary, hostile_summary
from rich.console import Console

from lsum_cli.rendering.console import SummaryPrinter
from lsum_cli.rendering.formats import Format, render
from lsum_cli.rendering.json_object import read_schema
from lsum_cli.summaries import CopiedSpan, Flag, FlagKind, Summary

FLAGS = (
    Flag(kind=FlagKind.NUMBER, text="50 Hz"),
    Flag(kind=FlagKind.SPLICE, text="loads at <b>50</b>\nHz"),
    Flag(kind=FlagKind.WEAK_EVIDENCE, text="Every turbine reported blade loads."),
)
PHRASE = "number “50 Hz”; splice “loads at <b>50</b> Hz”; weak evidence"


def flagged(summary: Summary | None = None) -> Summary:
    """A summary whose second sentence is flagged."""
    summary = summary or extracted_summary()
    first, second, *others = summary.sentences
    span = CopiedSpan(
        start=0, end=5, document_id="d0", sentence_index=3, page=1, pdf_page=7, source_start=2, source_end=7
    )
    second = replace(second, flags=FLAGS, copied_share=0.5, copied=(span,))
    return replace(summary, sentences=(first, second, *others))


def show(summary: Summary) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=90, force_terminal=True, no_color=True, color_system=None)
    SummaryPrinter(console).finish(summary)
    return stream.getvalue()


def test_a_terminal_shows_them_below_the_sentence_and_its_origin():
    lines = show(flagged()).splitlines()
    (place,) = (number for number, line in enumerate(lines) if "! check:" in line)
    assert lines[place] == f"  ! check: {PHRASE}"
    assert "p. 7" in lines[place - 1]
    assert "check:" not in show(extracted_summary())


def test_text_marks_the_line_of_the_sentence():
    lines = render(flagged(), Format.TEXT).splitlines()
    assert lines[1].endswith(f" [3 Methods, p. 7] [check: {PHRASE}]")
    assert sum("check:" in line for line in lines) == 1
    bare = render(flagged(), Format.TEXT, show_attribution=False)
    assert "check:" not in bare


def test_markdown_and_html_show_them_and_are_not_misled_by_them():
    markdown = render(flagged(), Format.MARKDOWN)
    assert markdown.count("**Check:**") == 1
    assert "\\<b>50\\</b>" in markdown
    html = render(flagged(), Format.HTML)
    assert html.count('class="check"') == 1
    assert html.count('<span class="doubted">') == 1
    assert "<b>50" not in html
    assert "splice “loads at &lt;b&gt;50&lt;/b&gt; Hz”" in html


def test_json_keeps_the_schema():
    for summary in (flagged(), flagged(hostile_summary())):
        value = json.loads(render(summary, Format.JSON))
        jsonschema.validate(value, read_schema())
        first, second = value["sentences"][:2]
        assert (first["flags"], first["copied_share"], first["copied"]) == ([], None, [])
        assert [flag["kind"] for flag in second["flags"]] == ["number", "splice", "weak-evidence"]
        (span,) = second["copied"]
        assert span["text"] == second["text"][:5]
        assert (span["sentence"], span["pdf_page"], second["copied_share"]) == (3, 7, 0.5)
