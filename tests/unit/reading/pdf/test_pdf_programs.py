"""Glyphs that only the embedded font program explains, and those that nothing explains."""

from __future__ import annotations

import io

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from lsum_cli.reading.pdf.fonts import Font
from lsum_cli.reading.pdf.programs import FontProgram, type1_encoding

GLYPHS = [".notdef", "element", "fi", "A", "Alpha", "void", "g77"]


def _draw(pen) -> None:
    pen.moveTo((0, 0))
    pen.lineTo((0, 500))
    pen.lineTo((500, 500))
    pen.closePath()


def true_type(names=GLYPHS, characters=None, *, symbols=None) -> bytes:
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(list(names))
    builder.setupCharacterMap(characters or {})
    glyphs = {}
    for name in names:
        pen = TTGlyphPen(None)
        if name != "void":
            _draw(pen)
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader()
    builder.setupPost(keepGlyphNames=names is GLYPHS)
    if symbols:
        table = builder.font["cmap"].tables[0]
        table.platformID, table.platEncID, table.cmap = 3, 0, symbols
        builder.font["cmap"].tables = [table]
    target = io.BytesIO()
    builder.save(target)
    return target.getvalue()


def compact(encoding: dict[int, str]) -> bytes:
    """A bare CFF program with an encoding of its own."""
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(GLYPHS)
    builder.setupCharacterMap({})
    strings = {}
    for name in GLYPHS:
        pen = T2CharStringPen(500, None)
        if name != "void":
            _draw(pen)
        strings[name] = pen.getCharString()
    builder.setupCFF("Test", {"FullName": "Test"}, strings, {})
    fonts = builder.font["CFF "].cff
    names = [".notdef"] * 256
    for code, name in encoding.items():
        names[code] = name
    fonts[0].Encoding = names
    target = io.BytesIO()
    fonts.compile(target, builder.font)
    return target.getvalue()


def stream_of(data: bytes) -> StreamObject:
    found = StreamObject()
    found.set_data(data)
    return found


def simple(subtype: str, key: str, program: bytes, **entries) -> Font:
    descriptor = DictionaryObject({NameObject(key): stream_of(program)})
    font = {"/Subtype": NameObject(subtype), "/BaseFont": NameObject("/Test"), "/FontDescriptor": descriptor}
    font |= {f"/{name}": value for name, value in entries.items()}
    return Font(DictionaryObject({NameObject(name): value for name, value in font.items()}))


def composite(key: str, program: bytes, cid_to_gid: bytes | None = None) -> Font:
    descendant = DictionaryObject(
        {NameObject("/FontDescriptor"): DictionaryObject({NameObject(key): stream_of(program)})}
    )
    if cid_to_gid:
        descendant[NameObject("/CIDToGIDMap")] = stream_of(cid_to_gid)
    return Font(
        DictionaryObject(
            {
                NameObject("/Subtype"): NameObject("/Type0"),
                NameObject("/Encoding"): NameObject("/Identity-H"),
                NameObject("/DescendantFonts"): ArrayObject([descendant]),
            }
        )
    )


def test_the_encoding_built_into_a_compact_font():
    """Mathematical fonts show ∈ by the code of "2", text fonts of TeX fi by a control character."""
    font = simple("/Type1", "/FontFile3", compact({50: "element", 12: "fi", 65: "A", 33: "void", 34: "g77"}))
    assert font.decode(b"2")[0] == "∈"
    assert font.decode(b"\x0c")[0] == "fi"
    assert font.decode(b"A!A")[0] == "A A"
    assert font.decode(b'A"A')[0] == "A\ufffdA"
    assert font.decode(b"9")[0] == "\ufffd"


def test_an_encoding_in_the_pdf_goes_before_that_of_the_program():
    font = simple("/Type1", "/FontFile3", compact({50: "element"}), Encoding=NameObject("/WinAnsiEncoding"))
    assert font.decode(b"2")[0] == "2"


def test_symbolic_true_type_fonts():
    program = true_type(symbols={0xF041: "element", 0xF042: "fi"})
    font = simple("/TrueType", "/FontFile2", program)
    assert font.decode(b"AB")[0] == "∈fi"


def test_a_numbered_name_is_looked_up_in_the_program():
    names = [".notdef", "glyph00001", "glyph00300"]
    program = true_type(names, {0x3B1: "glyph00001"})
    differences = ArrayObject(
        [NumberObject(65), *(NameObject(f"/glyph00{number:03}") for number in (1, 300))]
    )
    encoding = DictionaryObject({NameObject("/Differences"): differences})
    font = simple("/TrueType", "/FontFile2", program, Encoding=encoding)
    assert font.decode(b"A")[0] == "α"
    assert font.decode(b"B")[0] == "\ufffd"


def test_names_that_number_the_glyphs_of_the_font_are_no_codes():
    def font(*names):
        differences = ArrayObject([NumberObject(97), *(NameObject(f"/{name}") for name in names)])
        return Font(
            DictionaryObject(
                {
                    NameObject("/Subtype"): NameObject("/Type1"),
                    NameObject("/Encoding"): DictionaryObject({NameObject("/Differences"): differences}),
                }
            )
        )

    assert font("C72", "C105").decode(b"ab")[0] == "Hi"
    assert font("g72", "g305").decode(b"ab")[0] == "\ufffd\ufffd"
    assert font("g1", "g2", "g72").decode(b"abc")[0] == "\ufffd\ufffd\ufffd"
    assert font("cid72", "glyph105").decode(b"ab")[0] == "\ufffd\ufffd"


def test_composite_fonts_by_the_characters_or_names_of_their_program():
    by_name = composite("/FontFile2", true_type())
    assert by_name.decode(bytes.fromhex("000100020003"))[0] == "∈fiA"
    # An empty glyph is a space; .notdef and nameless glyphs say nothing.
    assert by_name.decode(bytes.fromhex("000500000006"))[0] == " \ufffd\ufffd"
    by_character = composite("/FontFile2", true_type(characters={0x416: "g77", 0xE000: "A"}))
    assert by_character.decode(bytes.fromhex("00060003"))[0] == "ЖA"


def test_a_map_from_cids_to_glyphs_is_followed():
    font = composite("/FontFile2", true_type(), cid_to_gid=bytes.fromhex("0000 0000 0004 0003"))
    assert font.decode(bytes.fromhex("00020003"))[0] == "ΑA"
    assert font.decode(bytes.fromhex("0009"))[0] == "\ufffd"


def test_composite_fonts_with_a_compact_program():
    assert composite("/FontFile3", compact({})).decode(bytes.fromhex("000100050006"))[0] == "∈ \ufffd"


@pytest.mark.parametrize("key", ["/FontFile", "/FontFile2", "/FontFile3"])
@pytest.mark.parametrize(
    "program", [b"", b"\x00\x01\x00\x00", b"\x01\x00\x04\x01", b"OTTO" + bytes(40), b"%!PS"]
)
def test_a_damaged_program_says_nothing(key, program):
    assert simple("/Type1", key, program).decode(b"A")[0] == "\ufffd"
    assert composite(key, program).decode(b"\x00A")[0] == "\ufffd"


def test_a_truncated_program_says_nothing_wrong():
    whole = true_type()
    for end in range(20, len(whole), 97):
        found = composite("/FontFile2", whole[:end]).decode(bytes.fromhex("0001"))[0]
        assert found in ("∈", "\ufffd")


def test_the_program_is_read_only_when_something_needs_it(monkeypatch):
    monkeypatch.setattr(FontProgram, "_data", lambda *_: pytest.fail("read for nothing"))
    font = simple("/Type1", "/FontFile3", b"x", Encoding=NameObject("/WinAnsiEncoding"))
    assert font.decode(b"plain text")[0] == "plain text"


def test_the_encoding_inside_a_type_1_font():
    program = b"%!PS-AdobeFont /Encoding 256 array dup 65 /alpha put dup 12 /fi put readonly def currentfile eexec \x00"
    assert type1_encoding(program) == {65: "α", 12: "ﬁ"}
    assert type1_encoding(b"%!PS-AdobeFont /Encoding StandardEncoding def eexec")[0o256] == "ﬁ"
    font = simple("/Type1", "/FontFile", program)
    assert font.decode(b"A\x0c")[0] == "αfi"
    assert font.decode(b"B")[0] == "\ufffd"
