"""Word documents: styles, tables, changes, notes, damage."""

from __future__ import annotations

import zipfile

import pytest
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STRICT = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'

STYLES = f"""<w:styles {W}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="Meine"><w:name w:val="Meine Art"/><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="Kreis"><w:name w:val="Kreis"/><w:basedOn w:val="Kreis"/></w:style></w:styles>"""


def paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def document_of(body: str, namespace: str = W) -> dict[str, str]:
    return {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f'<?xml version="1.0"?><w:document {namespace}><w:body>{body}</w:body></w:document>',
        "word/styles.xml": STYLES,
    }


def test_headings_by_styles_in_any_language(pack):
    body = (
        paragraph("Der Titel", "Titel")
        + paragraph("Eins", "berschrift1")
        + paragraph(PROSE)
        + paragraph("Tiefer", "Meine")
        + paragraph(PROSE, "Kreis")
        + '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Zwei</w:t></w:r></w:p>'
        + paragraph(PROSE)
    )
    document = read(pack("a.docx", document_of(body)))
    assert (document.title, document.language) == ("Der Titel", "de")
    assert headings_of(document) == [(1, "Eins"), (2, "Tiefer"), (1, "Zwei")]


def test_headings_without_a_list_of_styles(pack):
    body = paragraph("One", "Heading1") + paragraph(PROSE) + paragraph("Two", "Heading1") + paragraph(PROSE)
    parts = document_of(body)
    del parts["word/styles.xml"]
    assert headings_of(read(pack("a.docx", parts))) == [(1, "One"), (1, "Two")]


def test_runs_are_joined_and_breaks_are_spaces(pack):
    body = (
        '<w:p><w:r><w:t>Be</w:t></w:r><w:r><w:t xml:space="preserve">gin </w:t><w:tab/><w:t>here</w:t><w:br/><w:t>and</w:t></w:r>'
        "<w:hyperlink><w:r><w:t> follow</w:t></w:r></w:hyperlink><w:r><w:noBreakHyphen/><w:t>up</w:t><w:softHyphen/></w:r>"
        "<w:r><w:instrText>PAGEREF x</w:instrText></w:r></w:p>"
    )
    assert read(pack("a.docx", document_of(body))).text == "Begin here and follow-up"


def test_tracked_changes_stand_as_accepted(pack):
    body = (
        '<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r><w:del><w:r><w:delText>very bad</w:delText></w:r></w:del>'
        "<w:ins><w:r><w:t>good</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom></w:p>"
    )
    document = read(pack("a.docx", document_of(body)))
    assert document.text == "It is good"
    assert left_out_of(document) == {"tracked deletions": 4}


def test_tables_are_read_by_rows_and_nested_ones_within(pack):
    cell = "<w:tc>{}</w:tc>"
    inner = f"<w:tbl><w:tr>{cell.format(paragraph('deep'))}</w:tr></w:tbl>"
    body = f"<w:tbl><w:tr>{cell.format(paragraph('Name'))}{cell.format(paragraph('Size'))}</w:tr><w:tr>{cell.format(paragraph('Thing') + inner)}{cell.format(paragraph('3'))}</w:tr></w:tbl>"
    assert [s.text for s in read(pack("a.docx", document_of(body))).sentences] == [
        "Name | Size",
        "Thing deep | 3",
    ]


def test_a_table_that_lays_out_text_is_read_cell_by_cell(pack):
    body = f"<w:tbl><w:tr><w:tc>{paragraph(PROSE * 4)}</w:tc><w:tc>{paragraph('Beside it.')}</w:tc></w:tr></w:tbl>"
    assert read(pack("a.docx", document_of(body))).sentences[-1].text == "Beside it."


def test_text_boxes_are_read_once(pack):
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    body = (
        f"<w:p {mc}><w:r><w:t>Before.</w:t><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>" + paragraph("After.")
    )
    assert [s.text for s in read(pack("a.docx", document_of(body))).sentences] == [
        "Before.",
        "In the box.",
        "After.",
    ]


def test_notes_come_last_and_contents_and_running_heads_are_left_out(pack):
    members = document_of(
        paragraph("Chapter one 3", "Verzeichnis1")
        + f"<w:sdt><w:sdtContent>{paragraph(PROSE)}</w:sdtContent></w:sdt>"
        + '<w:p><w:r><w:t>Noted.</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    members["word/footnotes.xml"] = (
        f'<w:footnotes {W}><w:footnote w:type="separator" w:id="0">{paragraph("x")}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph("The note.")}</w:footnote></w:footnotes>'
    )
    members["word/header1.xml"] = f"<w:hdr {W}>{paragraph('Running head')}</w:hdr>"
    document = read(pack("a.docx", members))
    assert headings_of(document) == [(0, None), (1, "Footnotes")]
    assert document.sentences[-1].text == "The note."
    assert left_out_of(document) == {"table of contents": 3, "running headers and footers": 2}


def test_the_strict_format_is_read_too(pack):
    body = "".join(paragraph(title, "berschrift1") + paragraph(PROSE) for title in ("Eins", "Zwei"))
    members = document_of(body, STRICT) | {"word/styles.xml": STYLES.replace(W, STRICT)}
    assert headings_of(read(pack("a.docx", members))) == [(1, "Eins"), (1, "Zwei")]


def test_the_main_part_may_have_another_name(pack):
    members = document_of(paragraph(PROSE))
    members["word/document2.xml"] = members.pop("word/document.xml")
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    members["[Content_Types].xml"] = (
        f'<Types><Override PartName="/word/document2.xml" ContentType="{kind}"/></Types>'
    )
    assert read(pack("a.docx", members)).text == PROSE


def test_the_title_of_the_properties_is_the_last_resort(pack):
    members = document_of(paragraph(PROSE))
    members["docProps/core.xml"] = (
        '<x xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>From properties</dc:title></x>'
    )
    assert read(pack("a.docx", members)).title == "From properties"


def test_damage_is_named(pack, write):
    members = document_of(paragraph(PROSE))
    with pytest.raises(SourceError, match=r"word/document\.xml is missing"):
        read(pack("a.docx", {"[Content_Types].xml": "<Types/>", "word/styles.xml": STYLES}))
    with pytest.raises(SourceError, match="damaged"):
        read(pack("b.docx", members | {"word/document.xml": "<w:document><unclosed>"}))
    whole = pack("c.docx", members).read_bytes()
    with pytest.raises(SourceError, match="damaged"):
        read(write("d.docx", whole[:-60]))
    with pytest.raises(SourceError, match="contains no text"):
        read(pack("e.docx", document_of("")))


def test_nesting_beyond_reason_is_refused(pack):
    body = "<w:sdt>" * 5_000 + paragraph(PROSE) + "</w:sdt>" * 5_000
    with pytest.raises(SourceError, match="damaged"):
        read(pack("a.docx", document_of(body)))
    nested = "<w:sdtContent>" * 240 + paragraph(PROSE) + "</w:sdtContent>" * 240
    assert PROSE in read(pack("b.docx", document_of(nested))).text


def test_entities_are_refused(pack):
    laughs = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    members = document_of("")
    members["word/document.xml"] = (
        laughs + f"<w:document {W}><w:body>{paragraph('&b;')}</w:body></w:document>"
    )
    with pytest.raises(SourceError, match=r"entities|damaged"):
        read(pack("a.docx", members))


def test_a_password_on_the_archive(pack):
    path = pack("a.docx", document_of(paragraph(PROSE)))
    content = bytearray(path.read_bytes())
    # Set the flag for encryption in the local and the central record of each member.
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        position = content.find(mark)
        while position >= 0:
            content[position + offset] |= 1
            position = content.find(mark, position + 4)
    path.write_bytes(bytes(content))
    with pytest.raises(SourceError, match="protected by a password"):
        read(path)


def test_packing_methods_without_bounds_are_refused(tmp_path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for member, content in document_of(paragraph(PROSE)).items():
            archive.writestr(member, content)
    with pytest.raises(SourceError, match="packed in a way"):
        read(path)
