"""OpenDocument texts: styles, tables, changes, notes, damage."""

from __future__ import annotations

import pytest
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError

NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing", "svg": "svg-compatible",
        "fo": "xsl-fo-compatible", "manifest": "manifest",
    }.items()
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip
STYLES = f"""<office:document-styles {NAMES}><office:styles>
<style:default-style style:family="paragraph"><style:text-properties fo:language="de"/></style:default-style>
<style:style style:name="Title" style:family="paragraph"/><style:style style:name="P1" style:parent-style-name="Title"/>
<style:style style:name="Kapitel" style:family="paragraph" style:default-outline-level="1"/>
<style:style style:name="Hid" style:family="text"><style:text-properties text:display="none"/></style:style>
</office:styles><office:master-styles><style:master-page><style:header><text:p>Running head</text:p></style:header>
</style:master-page></office:master-styles></office:document-styles>"""


def document_of(body: str) -> dict[str, str]:
    return {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content {NAMES}><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>",
        "styles.xml": STYLES,
    }


def paragraph(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def heading(text: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def texts(document):
    return [sentence.text for sentence in document.sentences]


def test_title_headings_lists_and_language(pack):
    body = (
        paragraph("Der Titel", "P1") + heading("Eins", 1) + paragraph("Anfang <text:span>hier</text:span>.")
        + "<text:list><text:list-item><text:p>Punkt eins.</text:p><text:list><text:list-item><text:p>Tiefer.</text:p>"
        "</text:list-item></text:list></text:list-item></text:list>"
        + heading("Tiefer", 2) + paragraph("Ende.") + paragraph("Zwei", "Kapitel") + paragraph(PROSE)
    )  # fmt: skip
    document = read(pack("a.odt", document_of(body)))
    assert (document.title, document.language) == ("Der Titel", "de")
    assert headings_of(document) == [(1, "Eins"), (2, "Tiefer"), (1, "Zwei")]
    assert texts(document)[:4] == ["Anfang hier.", "Punkt eins.", "Tiefer.", "Ende."]
    assert left_out_of(document) == {"running headers and footers": 2}


def test_spaces_tabs_breaks_and_hidden_text(pack):
    body = paragraph(
        'one<text:s text:c="3"/>two<text:tab/>three<text:line-break/>four<text:span text:style-name="Hid"> secret</text:span> five'
    )
    document = read(pack("a.odt", document_of(body)))
    assert document.text == "one two three four five"
    assert left_out_of(document)["hidden text"] == 1


def test_tracked_changes_comments_notes_and_contents(pack):
    note = (
        '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation><text:note-body><text:p>{}</text:p>'
        "</text:note-body></text:note>"
    )
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Ann</dc:creator>"
        "</office:change-info><text:p>gone for good</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>Eins 3</text:p></text:index-body></text:table-of-content>"
        + paragraph(
            "It is"
            + note.format("footnote", "The footnote.")
            + " good.<office:annotation><dc:creator>Bob</dc:creator><text:p>is it?</text:p></office:annotation>"
            + note.format("endnote", "The endnote.")
        )
    )
    document = read(pack("a.odt", document_of(body)))
    assert texts(document) == ["It is good.", "The footnote.", "The endnote."]
    assert headings_of(document)[1:] == [(1, "Footnotes"), (1, "Endnotes")]
    assert left_out_of(document) == {
        "tracked deletions": 3, "table of contents": 2, "comments": 2, "running headers and footers": 2,
    }  # fmt: skip


def test_tables_and_boxes(pack):
    cell = "<table:table-cell>{}</table:table-cell>"
    row = (
        f"<table:table-row>{cell.format(paragraph('Name'))}{cell.format(paragraph('Size'))}</table:table-row>"
    )
    body = (
        f"<table:table><table:table-header-rows>{row}</table:table-header-rows>{row}</table:table>"
        "<text:p><draw:frame><draw:text-box><text:p>In the box.</text:p></draw:text-box><svg:desc>a tide</svg:desc>"
        "</draw:frame>Before it.</text:p>"
    )
    document = read(pack("a.odt", document_of(body)))
    assert texts(document) == ["Name | Size", "Name | Size", "Before it.", "In the box."]
    assert left_out_of(document)["image descriptions"] == 2


def test_a_password_damage_and_emptiness_are_named(pack, write):
    members = document_of(paragraph(PROSE))
    locked = f"<manifest:manifest {NAMES}><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    with pytest.raises(SourceError, match="protected by a password; open it with the password"):
        read(pack("a.odt", members | {"META-INF/manifest.xml": locked}))
    with pytest.raises(SourceError, match=r"content\.xml is missing"):
        read(pack("b.odt", {"mimetype": members["mimetype"]}))
    with pytest.raises(SourceError, match="damaged"):
        read(pack("c.odt", members | {"content.xml": "<open>"}))
    with pytest.raises(SourceError, match="contains no text"):
        read(pack("d.odt", document_of("")))
    laughs = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    with pytest.raises(SourceError, match=r"entities|damaged"):
        read(pack("e.odt", members | {"content.xml": laughs + members["content.xml"].replace(PROSE, "&b;")}))


def test_an_archive_bomb_is_refused(pack):
    body = "<text:p>" + " " * 80_000_000 + "</text:p>"
    with pytest.raises(SourceError, match="unpacks to more than the limit"):
        read(pack("bomb.odt", document_of(body)))


def test_repeated_rows_and_spaces_do_not_multiply(pack):
    row = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell><text:p>x<text:s text:c="999999999"/>y</text:p>'
        "</table:table-cell></table:table-row>"
    )
    assert texts(read(pack("a.odt", document_of(f"<table:table>{row}</table:table>")))) == ["x y"] * 3
