"""RTF: styles, code pages, notes, tables, changes; damage and depth."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.rtf import read_rtf

STYLES = (
    r"{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2\sbasedon1\outlinelevel1 heading 2;}"
    r"{\*\cs3 Strong;}{\s4 Title;}{\s5 toc 1;}{\s6\sbasedon1 Mein Kapitel;}}"
)
FONTS = r"{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Times Cyr;}{\f2\fcharset128 Mincho;}}"


def rtf(body: str, head: str = FONTS + STYLES) -> bytes:
    return rf"{{\rtf1\ansi\ansicpg1252\deff0{head}{body}}}".encode("latin-1")


def read_text(content: bytes):
    return read_rtf(
        RawSource(id="d0", name="a.rtf", content=content, media_type="application/rtf"), ReadOptions()
    )


def texts(content: bytes) -> list[str]:
    return [sentence.text for sentence in read_text(content).sentences]


def test_headings_title_and_contents_by_style(write):
    body = (
        r"\pard\s4 The Tide\par\pard\s5 One 3\par\pard\s1 One\par\pard It rises.\par\pard\s2 Deeper\par\pard It falls.\par"
        r"\pard\s6 Zwei\par\pard\plain End.\par\pard\outlinelevel0 Three\par\pard Done."
    )
    document = read(write("a.rtf", rtf(body)))
    assert document.title == "The Tide"
    assert headings_of(document) == [(1, "One"), (2, "Deeper"), (1, "Zwei"), (1, "Three")]
    assert left_out_of(document) == {"table of contents": 2}


def test_code_pages_unicode_and_symbols():
    body = (
        r"caf\'e9 \u233?t\u233\'e9 {\f1 \'cf\'f0\'e8\'e2\'e5\'f2} {\f2 \'82\'a0\'83A} \ldblquote so\rdblquote\emdash no\~break \{x\}"
        r" \u-10179?\u-8704? {\uc2 \u8364 xx}5 {\uc0 \u8364}6"
    )
    (text,) = texts(rtf(body))
    assert text == "café été Привет あア “so”—no break {x} 😀 €5 €6"


def test_notes_boxes_fields_and_what_is_left_out():
    body = (
        r"{\header Running head\par}\pard It rises.{\footnote\pard\plain {\chftn} Twice a day.} It falls."
        r"{\footnote\ftnalt An endnote.}{\*\annotation\pard please check} {\field{\*\fldinst HYPERLINK x}"
        r"{\fldrslt See it.}}"
        r"{\deleted gone words}{\v unseen}{\*\unknown{\deep word}}{\pict\wmetafile8 0102030405}\par"
        r"{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt\pard In a box.\par}}{\shprslt\pard In a box.\par}}After."
    )
    document = read_text(rtf(body))
    assert [s.text for s in document.sentences] == [
        "It rises.", "It falls.", "See it.", "After.", "In a box.", "Twice a day.", "An endnote.",
    ]  # fmt: skip
    assert headings_of(document)[1:] == [(1, "Footnotes"), (1, "Endnotes")]
    assert left_out_of(document) == {
        "running headers and footers": 2, "comments": 2, "tracked deletions": 2, "hidden text": 1,
    }  # fmt: skip


def test_tables_lists_and_binary_data():
    row = r"\trowd\pard\intbl Name\cell Size\cell\row"
    body = rf"Before.\par{row}\trowd\pard\intbl Dover\cell 6.7 m\cell\row\pard{{\pntext 1.}}First.\par"
    assert texts(rtf(body)) == ["Before.", "Name | Size", "Dover | 6.7 m", "First."]
    binary = rtf(r"One.\par{\pict\bin10 @@}Two.").replace(b"@@", b" }{\\par}{}")
    assert texts(binary) == ["One.", "Two."]


def test_what_is_cut_off_is_read_as_far_as_it_goes_and_said():
    document = read_text(rtf(r"It rises.\par It falls.")[:-1])
    assert len(document.sentences) == 2
    assert document.metadata.unknown == ("the file is cut off: its last part is missing",)
    assert read_text(rtf("It rises.")).metadata.unknown == ()


def test_groups_without_end_are_refused_and_long_files_are_quick(write):
    with pytest.raises(SourceError, match="too deeply"):
        read(write("deep.rtf", rb"{\rtf1 " + b"{" * 1_000_000))
    with pytest.raises(SourceError, match="contains no text"):
        read(write("empty.rtf", rb"{\rtf1 }"))
    began = time.process_time()
    read(
        write(
            "long.rtf", rtf(r"{\b The} tide \i rises.\par " * 100_000 + r"{\pict " + "0f" * 5_000_000 + "}")
        )
    )
    assert time.process_time() - began < 25


@given(st.text(alphabet="\\{}abpr u123'*\n-", max_size=200))
@settings(max_examples=300, deadline=None)
def test_no_input_breaks_the_reader(text):
    document = read_text(b"{\\rtf1 " + text.encode())
    assert all(document.text[each.start : each.end] == each.text for each in document.sentences)
