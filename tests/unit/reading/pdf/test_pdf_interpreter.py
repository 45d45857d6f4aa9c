"""From operators to text: gaps, kerning, accents, ligatures, escapes, inline images."""

from __future__ import annotations

import io
import itertools
import time

import pypdf
import pytest
from pdf_making import make_pdf, make_unicode_pdf, read_bytes, shown
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NullObject,
    NumberObject,
    StreamObject,
)

from lsum_cli.reading.pdf.cmaps import UnicodeMap
from lsum_cli.reading.pdf.fonts import Font
from lsum_cli.reading.pdf.glyphs import glyph_text, tidy
from lsum_cli.reading.pdf.interpreter import Interpreter
from lsum_cli.reading.pdf.lines import read_lines
from lsum_cli.reading.pdf.text_operators import PageTooComplex


def page_of(stream: bytes):
    """A page in Helvetica (/F1) that shows what ``stream`` says."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(lambda canvas: canvas.drawString(72, 700, "x"))))
    content = StreamObject()
    content.set_data(stream)
    writer.pages[0][NameObject("/Contents")] = writer._add_object(content)
    target = io.BytesIO()
    writer.write(target)
    return pypdf.PdfReader(target).pages[0]


def lines_of(stream: bytes) -> list[str]:
    content = Interpreter().read_page(page_of(stream))
    return [line.text for line in read_lines(content, 1, (0, 0, 612, 792)).lines]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (b"(Hello world) Tj", "Hello world"),
        (b"[(Hel) 20 (lo) -300 (wor) -15 (ld)] TJ", "Hello world"),
        (b"[(Hel) () 20 <6c6f> -300 (world)] TJ", "Hello world"),
        (b"(Hel) Tj 7 Tj () Tj (lo) Tj", "Hello"),
        (
            rb"(\(a\) \134 \101\102 c\
d) Tj",
            "(a) \\ AB cd",
        ),
        (b"<48656C6C6F> Tj", "Hello"),
        (b"(nested (inner (deep)) done) Tj", "nested (inner (deep)) done"),
        (b"(a) Tj 200 0 Td (b) Tj", None),
        (b"(first) ' (second) '", None),
        (b"(caf) Tj (\\351) Tj", "café"),
        # A tight line of TeX, and its mathematical italics.
        (b"[(Names)-150(into)-150(the)-150(list)]TJ", "Names into the list"),
        (b"[(P)-139(aris)]TJ", "Paris"),
        # Capitals set apart, also as kerned, and the words between them.
        (b"[(P)-160(A)-88(C)-160(K)-160(A)-160(G)-160(E)-546(O)-160(N)-160(E)]TJ", "PACKAGE ONE"),
        # A producer sets a character spacing of half an em and undoes it after each letter.
        (
            b"6.0384 Tc [(T)499(h)498(e)178(f)507(i)506(r)499(s)502(t)177(l)506(i)506(n)498(e)]TJ 0 Tc",
            "The first line",
        ),
        # Initials and short words do not make letters of a spaced word.
        (b"[(K)-226(S)0(.)-1(,)-226(e)0(t)-226(a)1(l)0(.)]TJ", "K S., et al."),
    ],
)
def test_strings(shown, expected):
    found = lines_of(b"BT /F1 12 Tf 72 700 Td 14 TL " + shown + b" ET")
    if expected is None:
        assert len(found) == 2
    else:
        assert found == [expected]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (b"[(of all par) -10 (ts.) -120 (W) 20 (e go.)] TJ", "of all parts. We go."),
        (b"[(in 1750.) -120 (We go.)] TJ", "in 1750. We go."),
        (b"[(\\223parts.\\224) -120 (\\223We\\224 go.)] TJ", "“parts.” “We” go."),
        (b"[(parts.) -20 (We go.)] TJ", "parts.We go."),
        (b"[(U.) -120 (S.)] TJ", "U.S."),
        (b"[(parts.) -120 (we go.)] TJ", "parts.we go."),
        (b"[(parts) -120 (We go.)] TJ", "partsWe go."),
        (b"(parts.) Tj 31.3 0 Td (We go.) Tj", "parts. We go."),
        (b"(partsa) Tj 34.6 0 Td (We go.) Tj", "partsaWe go."),
    ],
)
def test_less_of_a_gap_stands_between_two_sentences(shown, expected):
    assert lines_of(b"BT /F1 12 Tf 72 700 Td " + shown + b" ET") == [expected]


def test_a_raised_number_after_a_word_is_a_reference_and_after_a_unit_an_exponent():
    def raised(before: bytes, width: int, after: bytes) -> str:
        return lines_of(
            b"BT /F1 12 Tf 72 700 Td (%s) Tj ET BT /F1 7 Tf %d 704.5 Td (2) Tj ET BT /F1 12 Tf %d 700 Td (%s) Tj ET"
            % (before, 72 + width, 72 + width + 4, after)
        )[0]

    assert raised(b"the bridges.", 64, b" Then").replace("  ", " ") == "the bridges [2]. Then"
    assert raised(b"10", 14, b" cats") == "10² cats"


def test_text_is_found_where_matrices_put_it():
    content = Interpreter().read_page(
        page_of(b"q 2 0 0 2 10 20 cm BT /F1 6 Tf 1 0 0 1 30 40 Tm (far) Tj ET Q")
    )
    run = content.runs[0]
    assert (run.x0, run.y, run.size) == pytest.approx((70, 100, 12))
    assert run.x1 - run.x0 == pytest.approx(12 * (0.278 + 0.556 + 0.333))


def test_an_inline_image_is_no_text():
    stream = b"BI /W 4 /H 4 /BPC 8 /CS /G ID (x) Tj [ ( EI Q BT /F1 12 Tf 72 700 Td (after) Tj ET"
    content = Interpreter().read_page(page_of(stream))
    assert [run.text for run in content.runs] == ["after"]
    assert content.drawn


def test_what_the_file_says_a_text_means_counts():
    shown = b"/Span << /ActualText (fire) >> BDC (f1re) Tj EMC"
    assert lines_of(b"BT /F1 12 Tf 72 700 Td " + shown + b" ET") == ["fire"]
    hyphen = b"(ulti) Tj /Span << /ActualText (\xfe\xff) >> BDC (-) Tj EMC"
    assert lines_of(b"BT /F1 12 Tf 72 700 Td " + hyphen + b" ET") == ["ulti\u00ad"]


def test_text_printed_twice_as_a_shadow_is_read_once():
    twice = b"BT /F1 12 Tf 72 700 Td (Shadow) Tj ET BT /F1 12 Tf 72.4 699.6 Td (Shadow) Tj ET"
    assert lines_of(twice) == ["Shadow"]


def test_a_justified_line_of_japanese_has_no_spaces():
    # A letter and its comma are shown together.
    parts = ["す", "る", "と，", "行", "送", "り", "が", "通", "常", "の", "倍"]
    array = b"-158 ".join(b"<%s>" % part.encode("utf-16-be").hex().encode() for part in parts)
    document = read_bytes(make_unicode_pdf([b"BT /U 10 Tf 72 700 Td [" + array + b"]TJ ET"]))
    assert document.text == "".join(parts)


def test_a_number_shown_in_the_margin_first_leaves_the_words_of_its_line_apart():
    found = lines_of(b"BT /F1 12 Tf 172 700 Td [(7)-20000(8)19000(His)-333(house)]TJ ET")
    assert sorted(found) == ["7", "8", "His house"]


def test_what_another_font_shows_in_the_gap_of_a_line_stands_there():
    line = b"BT /F1 10 Tf 72 700 Td [(See A)-700(B and)-300( C)] TJ ET"
    arrow = b"BT /F1 10 Tf 99.8 700 Td (>) Tj ET"
    mark = b"BT /F1 10 Tf 132.5 700 Td (.) Tj ET"
    assert lines_of(b" ".join((line, arrow, mark))) == ["See A>B and.C"]
    assert lines_of(b" ".join((mark, arrow, line))) == ["See A>B and.C"]
    assert lines_of(line) == ["See A B and C"]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"76.1 702.9 Td (\\303) Tj -4.1 -2.9 Td (V is) Tj", "V\u0302 is"),
        (b"73.9 702.9 Td (\\310) Tj -2 -2.9 Td (U is) Tj", "Ü is"),
        (b"73.2 700 Td (\\303) Tj -1.2 0 Td (x is) Tj", "x\u0302 is"),
        (b"72 700 Td (\\303) Tj 1 0 Td (\\365le) Tj", "île"),
        (b"72 701 Td (~) Tj 5.5 -1 Td (user) Tj", "~user"),
        (b"72 716 Td (\\303) Tj -2 -16 Td (V) Tj", "V"),
    ],
)
def test_an_accent_above_a_letter_is_part_of_it(stream, expected):
    page = page_of(b"BT /F1 10 Tf " + stream + b" ET")
    del page["/Resources"]["/Font"]["/F1"]["/Encoding"]
    page["/Resources"]["/Font"]["/F1"][NameObject("/BaseFont")] = NameObject("/Times-Roman")
    lines = read_lines(Interpreter().read_page(page), 1, (0, 0, 612, 792)).lines
    assert expected in [line.text for line in lines]


def test_a_line_drawn_after_a_word_is_an_underscore():
    before, after = b"BT /F1 10 Tf 72 700 Td (get) Tj ET ", b" BT /F1 10 Tf %d 700 Td (value) Tj ET"
    tex = before + b"q 1 0 0 1 86.5 700.2 cm []0 d 0 J 0.4 w 0 0 m 3 0 l S Q" + after % 90
    assert lines_of(tex) == ["get_value"]
    ghostscript = before + b"q 0.1 0 0 0.1 0 0 cm 4 w 0 G 865 7002 m 895 7002 l S Q" + after % 90
    assert lines_of(ghostscript) == ["get_value"]
    assert lines_of(b"BT /F1 10 Tf 72 700 Td (f\\)) Tj ET 78.2 700.2 m 81.2 700.2 l S") == ["f)"]
    for rule in (b"86.5 704 m 89.5 704 l", b"86.5 700 m 106.5 700 l", b"90 700 m 93 700 l"):
        drawn = before + rule + b" S" + after % (110 if b"106" in rule else 94)
        assert [line.replace(" ", "") for line in lines_of(drawn)] in (["getvalue"], ["get", "value"])
    figures = b"BT /F1 10 Tf 81 700 Td (14) Tj ET 92.1 700 m 95.1 700 l S BT /F1 10 Tf 95.5 700 Td (7) Tj ET"
    assert "_" not in "".join(lines_of(figures))
    numbered = b"BT /F1 10 Tf 72 700 Td (a) Tj ET 77.4 700 m 80.6 700 l S " + figures
    assert lines_of(numbered) == ["a_14_7"]


def test_a_lowered_letter_of_a_logo_stays_in_its_word():
    logo = b"BT /F1 10 Tf 72 700 Td [(by T)] TJ 17.8 -2.2 Td (E) Tj 5.4 2.2 Td (X alone) Tj ET"
    assert lines_of(logo) == ["by TEX alone"]
    below = b"BT /F1 10 Tf 72 700 Td (by T) Tj 20 -2.2 Td (E) Tj ET"
    assert lines_of(below) == ["by T", "E"]


@pytest.mark.parametrize(
    "stream", [b"BT Tj ET", b"BT /F1 Tf (x", b"[ ( ] TJ", b"<< /A", b"1 2 3 cm Q Q Q EMC", b"\xff\xfe(("]
)
def test_broken_content_does_not_stop_the_reading(stream):
    assert lines_of(stream + b"\nBT /F1 12 Tf 72 700 Td (still here) Tj ET")[-1:] in (["still here"], [])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fi", "ﬁ"),
        ("a", "a"),
        ("uni0041", "A"),
        ("u1D49C", "𝒜"),
        ("f_f_i", "ffi"),
        ("a.sc", "a"),
        ("g17q", "\ufffd"),
        ("eacute", "é"),
        # Fonts of Devanagari name letters so, too.
        ("ka", "\ufffd"),
        ("java:a", "ꦄ"),
    ],
)
def test_glyph_names(name, text):
    assert tidy(glyph_text(name)) == tidy(text)


def test_unicode_maps():
    found = UnicodeMap(
        b"1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <0041> <0002> <00660069>"
        b" endbfchar 2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0078> <FB01>] endbfrange"
    )
    assert found.texts == {1: "A", 2: "fi", 16: "a", 17: "b", 18: "c", 32: "x", 33: "fi"}
    assert found.code_map().decode(b"\x00\x01\x00\x20") == [(1, 1), (32, 32)]


TEXT_CODES = [*b"aeinorstxyz,."]


@pytest.mark.parametrize(
    ("codes", "shown", "text"),
    [
        (
            [*TEXT_CODES, 27, 28, 29, 30, 31, 21, 16, 39],
            b"\x1b\x1c\x1d\x1e\x1f\x15\x10\x27",
            "fffiflffiffl–“’",
        ),
        ([*TEXT_CODES, 11, 12, 13, 14, 15, 34, 123], b"\x0b\x0c\x0d\x0e\x0f\x22\x7b", "fffiflffiffl”–"),
        ([*TEXT_CODES, 12, 28], b"\x0c\x1c", "fiø"),
        ([*TEXT_CODES, 34, 92], b"\x22\x5c", '"\\'),
        ([*b"aeinorstxyz", 12, 28], b"a\x0c\x1c", "a\ufffd\ufffd"),
        ([*b"2Trading", 27, 28], b"Tra\x1bing", "Traffing"),
        ([*b"2einr", 27, 28], b"\x1b\x1c", "\ufffd\ufffd"),
        ([*"Введение".encode("cp1251")], "Введение".encode("cp1251"), "Введение"),
        (
            [*TEXT_CODES, *range(0xE0, 0x100), 0xBC, 0xBE, 0xBF],
            b"\xbe" + "твердый ".encode("cp1251").strip() + b"\xbc\xbf",
            "«твердыйё»",
        ),
        ([*TEXT_CODES, 28, 0xE9, 0xE8, 0xE0, 0xC9], b"\xe9\xe8\xe0\xc9", "éèàÉ"),
        ([*range(0xE0, 0xFB)], b"\xe0", "à"),
        ([0x88, 0xB0], b"\x88\xb0", "•°"),
    ],
    ids=[
        "T1",
        "OT1",
        "OT1 with a Danish letter",
        "neither",
        "mathematical letters",
        "a heading",
        "signs at the places of letters",
        "Cyrillic",
        "Cyrillic and Latin",
        "French",
        "Hebrew",
        "TS1",
    ],
)
def test_ligatures_of_bitmap_fonts_of_tex(codes, shown, text):
    """Such fonts name no glyph; their ligatures would be missing from the words."""
    assert Font(bitmap_font(codes)).decode(shown)[0] == text


@pytest.mark.parametrize(
    ("widths", "text"),
    [
        ({"a": 500, "t": 389, "s": 394, "e": 444, "i": 278, "n": 556}, "shapefiles"),
        ({"a": 529, "t": 361, "s": 469, "e": 466, "i": 345, "n": 600}, "shape\ufffdles"),
    ],
    ids=["words", "formulas"],
)
def test_a_font_of_few_letters_is_one_of_words_by_their_widths(widths, text):
    font = bitmap_font([*b"Hacdeghiklnpst", 28])
    font[NameObject("/Widths")] = ArrayObject(NumberObject(widths.get(chr(code), 0)) for code in range(128))
    assert Font(font).decode(b"shape\x1cles")[0] == text


def bitmap_font(codes):
    differences = ArrayObject()
    for code in codes:
        differences += [NumberObject(code), NameObject(f"/a{code}")]
    return DictionaryObject(
        {
            NameObject("/Subtype"): NameObject("/Type3"),
            NameObject("/Encoding"): DictionaryObject({NameObject("/Differences"): differences}),
            NameObject("/CharProcs"): DictionaryObject(
                {NameObject(f"/a{code}"): NullObject() for code in codes}
            ),
        }
    )


def test_a_map_that_takes_numbers_of_glyphs_for_names_of_dingbats_is_wrong():
    """Ghostscript writes it: the whole text of a document would be pictures."""
    font = bitmap_font([*TEXT_CODES, 27])
    unicode_map = StreamObject()
    unicode_map.set_data(b"2 beginbfrange <61><61><275b> <6e><6e><2665> endbfrange")
    font[NameObject("/ToUnicode")] = unicode_map
    assert Font(font).decode(b"an\x1b")[0] == "anff"


def test_a_map_is_right_that_has_a_dingbat_among_letters():
    font = bitmap_font([1, 2, 3, 33])
    unicode_map = StreamObject()
    unicode_map.set_data(b"3 beginbfrange <01><01><0052> <02><03><0065> <21><21><2713> endbfrange")
    font[NameObject("/ToUnicode")] = unicode_map
    assert Font(font).decode(b"\x21\x01\x02\x03")[0] == "✓Ref"


@pytest.mark.parametrize("is_mapped", [False, True])
def test_glyphs_of_a_bitmap_font_may_be_named_by_their_characters(is_mapped):
    """Old versions of dvips write it, and Ghostscript adds a map of the letters alone."""
    codes = [12, *b'".0139:aeinorst']
    font = bitmap_font(codes)
    differences = ArrayObject()
    for code in codes:
        differences += [NumberObject(code), NameObject(f"/{chr(code)}")]
    font[NameObject("/Encoding")] = DictionaryObject({NameObject("/Differences"): differences})
    font[NameObject("/CharProcs")] = DictionaryObject(
        {NameObject(f"/{chr(code)}"): NullObject() for code in codes}
    )
    if is_mapped:
        unicode_map = StreamObject()
        unicode_map.set_data(b"1 beginbfrange <61><69><0061> endbfrange")
        font[NameObject("/ToUnicode")] = unicode_map
    assert Font(font).decode(b'\x0cnest 3.1: 90"')[0] == "finest 3.1: 90”"


def test_the_name_of_a_greek_letter_goes_before_a_map_to_latin_1():
    unicode_map = StreamObject()
    unicode_map.set_data(b"2 beginbfrange <1b><1b><00c3> <0c><0c><03d0> endbfrange")
    differences = ArrayObject(
        [NumberObject(12), NameObject("/beta"), NumberObject(27), NameObject("/sigma"), NameObject("/Atilde")]
    )
    font = Font(
        DictionaryObject(
            {
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/Encoding"): DictionaryObject({NameObject("/Differences"): differences}),
                NameObject("/ToUnicode"): unicode_map,
            }
        )
    )
    assert font.decode(b"\x0c\x1b\x1c")[0] == "ϐσÃ"


@pytest.mark.parametrize("height", [30, 90])
def test_the_size_of_a_drawn_font_shows_in_its_letters(height):
    """The box around the few glyphs of a heading may be low, though its type is large."""
    widths = dict.fromkeys(range(97, 123), 0.0)
    widths.update(zip(b"aeinorst", (50, 44.4, 27.8, 55.6, 50, 39.2, 39.4, 38.9), strict=True))
    font = Font(
        DictionaryObject(
            {
                NameObject("/Subtype"): NameObject("/Type3"),
                NameObject("/FontMatrix"): ArrayObject(map(FloatObject, (0.02, 0, 0, 0.02, 0, 0))),
                NameObject("/FontBBox"): ArrayObject(map(NumberObject, (0, 0, 60, height))),
                NameObject("/FirstChar"): NumberObject(97),
                NameObject("/Widths"): ArrayObject(map(FloatObject, widths.values())),
            }
        )
    )
    assert font.scale == pytest.approx(2.0)


def test_a_drawn_font_is_not_smaller_than_a_fourth_of_its_widest_glyph():
    """Ghostscript writes the box of one dot, and a font of formulas has few letters."""
    font = Font(
        DictionaryObject(
            {
                NameObject("/Subtype"): NameObject("/Type3"),
                NameObject("/FontMatrix"): ArrayObject(map(NumberObject, (1, 0, 0, -1, 0, 0))),
                NameObject("/FontBBox"): ArrayObject(map(NumberObject, (0, 0, 1, -1))),
                NameObject("/FirstChar"): NumberObject(69),
                NameObject("/Widths"): ArrayObject([NumberObject(61)]),
            }
        )
    )
    assert font.scale == pytest.approx(61)


def runs_of(stream: bytes, page=None):
    return Interpreter().read_page(page or page_of(stream)).runs


def test_horizontal_scaling_stretches_widths_and_spaces():
    plain, wide = runs_of(b"BT /F1 10 Tf 72 700 Td (Hello) Tj 200 Tz 0 -20 Td (Hello) Tj ET")
    assert wide.x1 - wide.x0 == pytest.approx(2 * (plain.x1 - plain.x0))
    # What follows on the line moves with it.
    first, second = runs_of(b"BT /F1 10 Tf 50 Tz 72 700 Td (Hello) Tj ( you) Tj ET")
    assert second.x0 == pytest.approx(first.x1 + 0.5 * 2.78)


def test_character_and_word_spacing_widen_a_run():
    plain, spaced, apart = runs_of(
        b"BT /F1 10 Tf 72 700 Td (a b) Tj 3 Tw 0 -20 Td (a b) Tj 0 Tw 1 Tc 0 -20 Td (a b) Tj ET"
    )
    assert spaced.x1 - spaced.x0 == pytest.approx(plain.x1 - plain.x0 + 3)
    assert apart.x1 - apart.x0 == pytest.approx(plain.x1 - plain.x0 + 3)


def test_word_spacing_does_not_touch_composite_fonts():
    content = pypdf.PdfReader(
        io.BytesIO(make_unicode_pdf([shown("a b", 72, 700) + b"30 Tw " + shown("a b", 72, 650)]))
    ).pages[0]
    plain, spaced = runs_of(b"", content)
    assert spaced.x1 - spaced.x0 == pytest.approx(plain.x1 - plain.x0)


def test_a_wide_last_space_does_not_reach_the_next_word():
    """A running head "MONTEJO v.", whose words are set apart by word spacing."""
    first, second = runs_of(
        b"BT /F1 9 Tf 9 Tw 72 700 Td (MONTEJO ) Tj 0 Tw 9 0 Td ET BT /F1 9 Tf 125 700 Td (v.) Tj ET"
    )
    assert first.text == "MONTEJO"
    assert first.x1 - first.x0 == pytest.approx(9 * (0.833 + 0.778 + 0.722 + 0.611 + 0.667 + 0.5 + 0.778))
    assert second.x0 - first.x1 > 0.4 * 9


def form_page(form_matrix: list[float], stream: bytes, inner: bytes):
    page = page_of(stream)
    form = StreamObject()
    form.set_data(inner)
    form.update(
        {
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/Matrix"): ArrayObject(map(FloatObject, form_matrix)),
            NameObject("/Resources"): page["/Resources"],
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {**page["/Resources"], NameObject("/XObject"): DictionaryObject({NameObject("/X"): form})}
    )
    return page


def test_the_matrix_of_a_form_applies_before_that_of_the_page():
    page = form_page(
        [1, 0, 0, 1, 100, 0], b"q 2 0 0 2 10 20 cm /X Do Q", b"BT /F1 6 Tf 1 0 0 1 5 30 Tm (inner) Tj ET"
    )
    run = runs_of(b"", page)[0]
    assert (run.x0, run.y, run.size) == pytest.approx((2 * (100 + 5) + 10, 2 * 30 + 20, 12))


def test_a_form_leaves_the_state_of_the_page_alone():
    page = form_page(
        [1, 0, 0, 1, 0, 0],
        b"BT /F1 10 Tf 72 700 Td (before) Tj ET /X Do BT 72 600 Td (after) Tj ET",
        b"2 0 0 2 0 0 cm BT /F1 30 Tf 50 Tz 10 10 Td (inner) Tj ET",
    )
    before, _, after = runs_of(b"", page)
    assert (after.size, after.x0) == (before.size, before.x0)


def test_a_page_that_takes_too_long_is_given_up():
    busy = b"BT /F1 12 Tf 72 700 Td " + b"(word) Tj 1 0 Td " * 20_000 + b"ET"
    with pytest.raises(PageTooComplex):
        Interpreter(page_seconds=-1.0).read_page(page_of(busy))
    assert len(Interpreter(page_seconds=60.0).read_page(page_of(busy)).runs) == 20_000


def test_a_page_is_not_given_up_because_the_machine_is_busy(monkeypatch):
    """Its own processor time counts, not the time that others take."""
    hours = itertools.count(step=3600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    busy = b"BT /F1 12 Tf 72 700 Td " + b"(word) Tj 1 0 Td " * 20_000 + b"ET"
    assert len(Interpreter(page_seconds=60.0).read_page(page_of(busy)).runs) == 20_000


def test_forms_that_take_too_long_are_given_up():
    page = form_page([1, 0, 0, 1, 0, 0], b"/X Do", b"BT /F1 6 Tf (inner) Tj ET")
    with pytest.raises(PageTooComplex):
        Interpreter(page_seconds=-1.0).read_page(page)


def test_a_sign_between_two_shifts_opens_no_gap():
    """Marks are set back over their letter; the pen then goes on where the letter ended."""
    assert lines_of(b"BT /F1 12 Tf 72 700 Td [(na) 400 (i) -700 (ve)] TJ ET") == ["nai ve"]
    assert lines_of(b"BT /F1 12 Tf 72 700 Td [(na) 500 (') -400 (ve)] TJ ET") == ["na've"]


@pytest.mark.parametrize(
    ("stream", "drawn"),
    [
        (b"q 0 0 0 rg /GS0 gs 0 0 612 792 re W n Q", False),
        (b"% nothing but remarks\n0 0 m 9 9 l n", False),
        (b"0 0 m 9 9 l S", True),
        (b"0 0 m 9 9 l s", True),
        (b"0 0 9 9 re f", True),
    ],
)
def test_a_page_is_drawn_on_where_something_is_painted(stream, drawn):
    assert Interpreter().read_page(page_of(stream)).drawn is drawn


def test_numbers_without_an_operator_take_time_that_grows_with_their_number():
    """Looking for the operator after each of them would take hours."""
    started = time.process_time()
    content = Interpreter(page_seconds=60.0).read_page(page_of(b"1 2 3 4 5\n" * 100_000))
    assert not content.drawn
    assert time.process_time() - started < 10.0


@pytest.mark.parametrize("state", [b"", b"4 Tc", b"3 Tw", b"60 Tz", b"-80 Tz 2 Tw", b"5 Ts", b"-0.2 Tc"])
@pytest.mark.parametrize("text", [b"(Two words)", b"( x )", b"()", b"<48 49>", rb"(\050a\051)"])
def test_a_string_is_shown_as_an_array_of_one_is(state: bytes, text: bytes) -> None:
    def runs(operator: bytes) -> list[tuple[object, ...]]:
        stream = b"BT /F1 12 Tf 72 700 Td %b %b (after) Tj ET" % (state, operator)
        content = Interpreter().read_page(page_of(stream))
        return [(run.text, run.x0, run.x1, run.y, run.size, run.direction) for run in content.runs]

    assert runs(b"%b Tj" % text) == runs(b"[%b] TJ" % text)
