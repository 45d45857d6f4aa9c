"""Fonts: weight and slant, widths, word spacing, encodings of simple fonts, pictures."""

from __future__ import annotations

import pytest
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, NumberObject, StreamObject

from lsum_cli.reading.pdf.fonts import Font, unknown_font


def objects(entries: dict[str, object]) -> DictionaryObject:
    return DictionaryObject({NameObject(key): value for key, value in entries.items()})


def font(
    name: str = "Test", subtype: str = "/Type1", descriptor: dict | None = None, **entries: object
) -> Font:
    given = {"/Subtype": NameObject(subtype), "/BaseFont": NameObject(f"/{name}")}
    if descriptor is not None:
        given["/FontDescriptor"] = objects(descriptor)
    return Font(objects(given | {f"/{key}": value for key, value in entries.items()}))


@pytest.mark.parametrize(
    ("name", "descriptor", "bold"),
    [
        ("Times-Roman", None, False),
        ("Times-Bold", None, True),
        ("CMBX10", None, True),
        ("CMR10", None, False),
        ("ABCDEF+Whatever", {"/Flags": NumberObject(4)}, False),
        ("ABCDEF+Whatever", {"/Flags": NumberObject(4 | 1 << 18)}, True),
        ("ABCDEF+Whatever", {"/FontWeight": NumberObject(700)}, True),
        ("ABCDEF+Whatever", {"/FontWeight": NumberObject(400)}, False),
    ],
)
def test_bold_by_name_flags_or_weight(name, descriptor, bold):
    assert font(name, descriptor=descriptor).bold is bold


@pytest.mark.parametrize(
    ("name", "descriptor", "italic"),
    [
        ("Times-Roman", None, False),
        ("Times-Italic", None, True),
        ("CMTI10", None, True),
        ("ABCDEF+Whatever", {"/Flags": NumberObject(1 << 6)}, True),
        ("ABCDEF+Whatever", {"/ItalicAngle": NumberObject(-12)}, True),
        ("ABCDEF+Whatever", {"/ItalicAngle": NumberObject(0)}, False),
    ],
)
def test_italic_by_name_flags_or_angle(name, descriptor, italic):
    assert font(name, descriptor=descriptor).italic is italic


def test_the_prefix_of_a_subset_is_no_part_of_the_name():
    assert font("ABCDEF+Minion").name == "Minion"


def test_word_spacing_is_for_single_bytes():
    assert font().decode(b"a b c")[3] == 2
    composite = Font(objects({"/Subtype": NameObject("/Type0"), "/Encoding": NameObject("/Identity-H")}))
    assert composite.decode(b"\x00 \x20\x20")[3] == 0


def test_widths_of_a_simple_font():
    widths = ArrayObject([NumberObject(300), FloatObject(612.5)])
    given = font(FirstChar=NumberObject(65), Widths=widths, descriptor={"/MissingWidth": NumberObject(250)})
    assert given.decode(b"ABC") == ("ABC", pytest.approx(0.3 + 0.6125 + 0.25), 3, 0)


def test_widths_of_a_composite_font():
    descendant = objects(
        {
            "/DW": NumberObject(800),
            "/W": ArrayObject(
                [
                    NumberObject(1),
                    ArrayObject([NumberObject(500), NumberObject(600)]),
                    *map(NumberObject, (5, 7, 250)),
                ]
            ),
        }
    )
    given = Font(
        objects(
            {
                "/Subtype": NameObject("/Type0"),
                "/Encoding": NameObject("/Identity-H"),
                "/DescendantFonts": ArrayObject([descendant]),
            }
        )
    )
    shown = given.decode(bytes.fromhex("0001000200050007000a"))
    assert shown == ("\ufffd" * 5, pytest.approx(0.5 + 0.6 + 0.25 + 0.25 + 0.8), 5, 0)


def test_the_text_of_a_map_goes_before_the_encoding_unless_it_says_nothing():
    stream = StreamObject()
    stream.set_data(b"3 beginbfchar <41> <0058> <42> <e000> <43> <0000> endbfchar")
    assert font(ToUnicode=stream).decode(b"ABCD")[0] == "XBCD"


def test_codes_without_a_character_are_unread():
    assert font(Encoding=NameObject("/WinAnsiEncoding")).decode(b"a\x07\x0b")[0] == "a\ufffd\ufffd"
    assert unknown_font().decode(b"caf\xe9")[0] == "café"


def test_signs_of_picture_fonts_are_no_letters():
    wingdings = font("ABCDEF+Wingdings-Regular", "/TrueType")
    assert wingdings.decode(b"\xa7l\xfc")[0] == "▪●✓"
    assert wingdings.decode(b"Z")[0] == "\ufffd"
    assert font("Symbol").decode(b"abx")[0] == "αβξ"
    stream = StreamObject()
    stream.set_data(b"3 beginbfchar <01> <f0a7> <02> <f0fe> <03> <f05a> endbfchar")
    assert font("ABCDEF+Wingdings", "/TrueType", ToUnicode=stream).decode(b"\x01\x02\x03")[0] == "▪☑\ufffd"
    assert font("ABCDEF+Logos", "/TrueType", ToUnicode=stream).decode(b"\x02")[0] == "\ufffd"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Asmall", "a"),
        ("oneoldstyle", "1"),
        ("parenleftBig", "("),
        ("summationdisplay", "∑"),
        ("f_f_i", "ffi"),
        (".notdef", ""),
    ],
)
def test_names_of_forms_and_sizes(name, text):
    differences = ArrayObject([NumberObject(65), NameObject(f"/{name}")])
    assert font(Encoding=objects({"/Differences": differences})).decode(b"A")[0] == text
