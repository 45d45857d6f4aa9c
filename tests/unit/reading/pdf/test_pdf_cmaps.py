"""Codes of composite fonts: predefined, embedded and unknown CMaps, ToUnicode maps, collections."""

from __future__ import annotations

import pytest
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from lsum_cli.reading.pdf.cmaps import (
    EmbeddedCodeMap,
    UnicodeMap,
    code_as_text,
    collection_texts,
    predefined_code_map,
)
from lsum_cli.reading.pdf.fonts import Font

CHINESE, TAIWAN, JAPANESE, KOREAN = "中文报纸", "中文報紙", "日本語の新聞", "한국어 신문"


def stream_of(data: bytes, **entries: object) -> StreamObject:
    found = StreamObject()
    found.set_data(data)
    found.update({NameObject(f"/{key}"): value for key, value in entries.items()})
    return found


def composite(
    encoding: object, ordering: str, *, widths: list[object] | None = None, to_unicode: bytes | None = None
) -> Font:
    system = {"/Registry": "Adobe", "/Ordering": ordering}
    descendant = DictionaryObject(
        {
            NameObject("/Subtype"): NameObject("/CIDFontType0"),
            NameObject("/CIDSystemInfo"): DictionaryObject(
                {NameObject(key): TextStringObject(value) for key, value in system.items()}
            ),
        }
    )
    if widths:
        descendant[NameObject("/W")] = ArrayObject(widths)
    font = DictionaryObject(
        {
            NameObject("/Subtype"): NameObject("/Type0"),
            NameObject("/BaseFont"): NameObject("/Song"),
            NameObject("/Encoding"): encoding,
            NameObject("/DescendantFonts"): ArrayObject([descendant]),
        }
    )
    if to_unicode is not None:
        font[NameObject("/ToUnicode")] = stream_of(to_unicode)
    return Font(font)


@pytest.mark.parametrize(
    ("name", "ordering", "codec", "text"),
    [
        ("GB-EUC-H", "GB1", "gb2312", CHINESE),
        ("GBpc-EUC-H", "GB1", "gb2312", CHINESE),
        ("GBK-EUC-H", "GB1", "gbk", CHINESE + "镕"),
        ("GBK-EUC-V", "GB1", "gbk", CHINESE),
        ("GBKp-EUC-H", "GB1", "gbk", CHINESE + "镕"),
        ("GBK2K-H", "GB1", "gb18030", CHINESE + "镕㐀"),
        ("B5pc-H", "CNS1", "big5", TAIWAN),
        ("HKscs-B5-H", "CNS1", "big5hkscs", TAIWAN + "嘅"),
        ("ETen-B5-H", "CNS1", "big5", TAIWAN),
        ("ETenms-B5-V", "CNS1", "big5", TAIWAN),
        ("83pv-RKSJ-H", "Japan1", "shift_jis", JAPANESE),
        ("90ms-RKSJ-H", "Japan1", "cp932", JAPANESE + "①"),
        ("90msp-RKSJ-H", "Japan1", "cp932", JAPANESE),
        ("90pv-RKSJ-H", "Japan1", "shift_jis", JAPANESE),
        ("Add-RKSJ-H", "Japan1", "shift_jis", JAPANESE),
        ("Ext-RKSJ-V", "Japan1", "shift_jis", JAPANESE),
        ("EUC-H", "Japan1", "euc_jp", JAPANESE),
        ("KSC-EUC-H", "Korea1", "euc_kr", KOREAN),
        ("KSCms-UHC-H", "Korea1", "cp949", KOREAN + "똠"),
        ("KSCms-UHC-HW-H", "Korea1", "cp949", KOREAN),
        ("KSCpc-EUC-H", "Korea1", "euc_kr", KOREAN),
        ("UniGB-UCS2-H", "GB1", "utf-16-be", CHINESE),
        ("UniCNS-UTF16-H", "CNS1", "utf-16-be", TAIWAN),
        ("UniJIS-UTF16-H", "Japan1", "utf-16-be", JAPANESE + "𠮷"),
        ("UniKS-UTF16-V", "Korea1", "utf-16-be", KOREAN),
        ("UniJIS-UCS2-HW-H", "Japan1", "utf-16-be", JAPANESE),
    ],
)
def test_predefined_maps(name, ordering, codec, text):
    font = composite(NameObject(f"/{name}"), ordering)
    assert font.decode(text.encode(codec))[0] == text
    assert font.vertical == name.endswith("V")


def test_predefined_maps_that_no_codec_knows():
    assert composite(NameObject("/H"), "Japan1").decode(bytes.fromhex("467C4B5C"))[0] == "日本"
    # CNS 11643: plane 1 in two bytes, plane 2 in four.
    assert composite(NameObject("/CNS-EUC-H"), "CNS1").decode(bytes.fromhex("c4a1 8ea2a1a1"))[0] == "一乂"


def test_an_unknown_map_is_never_taken_for_unicode():
    font = composite(NameObject("/Invented-Map-H"), "GB1")
    assert set(font.decode("中文".encode("gbk"))[0]) == {"\ufffd"}
    assert predefined_code_map("../etc/passwd") is None
    assert predefined_code_map("to-unicode-Adobe-GB1") is None


def test_what_is_no_code_is_unread_and_does_not_shift_the_rest():
    font = composite(NameObject("/GBK-EUC-H"), "GB1")
    assert font.decode("中".encode("gbk") + b"\xff" + "文".encode("gbk"))[0] == "中\ufffd文"


def test_widths_belong_to_cids_not_to_codes():
    cid = predefined_code_map("GBK-EUC-H").cid(int.from_bytes("中".encode("gbk"), "big"))
    font = composite(
        NameObject("/GBK-EUC-H"), "GB1", widths=[NumberObject(cid), ArrayObject([NumberObject(700)])]
    )
    assert font.decode("中文".encode("gbk"))[1] == pytest.approx(1.7)


def test_collections_explain_identity_fonts():
    texts = collection_texts("Adobe-Japan1")
    # Also the forms for vertical lines: the comma, and a small kana.
    assert [texts[number] for number in (1, 843, 1125, 7887, 7918)] == [" ", "あ", "亜", "、", "ぁ"]
    assert composite(NameObject("/Identity-H"), "Japan1").decode(bytes.fromhex("034b0465"))[0] == "あ亜"
    assert collection_texts("Adobe-Nonsense") == {}
    assert collection_texts("Adobe-GB1")[574] == "。"


def test_the_code_of_a_unicode_map_is_a_text():
    assert code_as_text("UniGB-UTF16-H", 0x4E2D) == "中"
    assert code_as_text("UniGB-UTF16-H", 0xD842DFB7) == "𠮷"
    assert code_as_text("GBK-EUC-H", 0x4E2D) is None
    assert code_as_text("UniGB-UTF16-H", 0xD842) is None


def test_embedded_maps():
    data = (
        b"1 begincodespacerange <00> <7f> endcodespacerange 1 begincodespacerange <8000> <ffff> endcodespacerange"
        b" 1 begincidrange <20> <7e> 1 endcidrange 2 begincidchar <8001> 633 <8002> 843 endcidchar"
    )
    found = EmbeddedCodeMap(data, None)
    assert found.decode(b"A\x80\x01B\x80\x02") == [(65, 34), (0x8001, 633), (66, 35), (0x8002, 843)]
    font = composite(stream_of(data), "Japan1")
    assert font.decode(b"A\x80\x02")[0] == "Aあ"
    assert not font.vertical
    assert composite(stream_of(data, WMode=NumberObject(1)), "Japan1").vertical


def test_an_embedded_map_may_build_on_a_predefined_one():
    based = EmbeddedCodeMap(b"/90ms-RKSJ-V usecmap 1 begincidchar <41> 843 endcidchar", None)
    assert based.vertical
    assert [cid for _, cid in based.decode("A日".encode("cp932"))] == [
        843,
        predefined_code_map("90ms-RKSJ-H").cid(int.from_bytes("日".encode("cp932"), "big")),
    ]
    identity = EmbeddedCodeMap(b"1 begincodespacerange <0000> <ffff> endcodespacerange", None)
    assert identity.decode(b"\x00\x05") == [(5, 5)]


def test_a_range_of_everything_is_what_it_says():
    """Tesseract gives its invisible text such a map."""
    found = UnicodeMap(b"1 beginbfrange <0000> <ffff> <0000> endbfrange")
    assert [found.get(code) for code in (0x41, 0x3042, 0xFFFD)] == ["A", "あ", "\ufffd"]
    assert found.get(0) is None
    assert found
    assert (
        composite(
            NameObject("/Identity-H"),
            "Identity",
            to_unicode=b"1 beginbfrange <0000> <ffff> <0000> endbfrange",
        ).decode("Hé日".encode("utf-16-be"))[0]
        == "Hé日"
    )


@pytest.mark.parametrize("last", [10, 400])
def test_ranges_that_begin_with_nothing_go_on(last):
    found = UnicodeMap(b"1 beginbfrange <0000> <%04x> <0000> endbfrange" % last)
    assert found.get(0) is None
    assert found.get(7) == "\x07"
    assert found.get(last) == (" " if last == 10 else chr(last))
    assert found.get(last + 1) is None


def test_nul_means_that_nobody_knows_and_no_text_that_others_say_it():
    found = UnicodeMap(
        b"2 beginbfchar <01> <0000> <02> <> endbfchar 1 beginbfrange <05> <06> [<0000> <0042>] endbfrange"
    )
    assert (found.get(1), found.get(2), found.get(5), found.get(6)) == (None, "", None, "B")


def test_a_map_may_be_a_name_or_build_on_a_collection():
    based = UnicodeMap(b"/Adobe-Japan1-UCS2 usecmap 1 beginbfchar <0001> <0058> endbfchar")
    assert (based.get(1), based.get(843)) == ("X", "あ")
    font = composite(NameObject("/Identity-H"), "Identity")
    assert font.decode(b"\x00A")[0] == "\ufffd"


def test_radicals_and_private_characters_of_a_map():
    found = UnicodeMap(b"2 beginbfchar <01> <2f00> <02> <e123> endbfchar")
    assert (found.get(1), found.get(2)) == ("一", "\ue123")


def test_ghostscript_swaps_the_bytes_of_ligatures():
    found = UnicodeMap(
        b"4 beginbfchar <01> <6600> <02> <66006c00> <03> <660066006900> <04> <06444427> endbfchar"
    )
    assert [found.get(code) for code in range(1, 5)] == ["昀", "fl", "ffi", "\u0644\u0627"]


@pytest.mark.parametrize(
    "wrong",
    [
        b"<01> <0061> <02> <" + "הנמל נבנה בשנת 1820 על ידי".encode("utf-16-be").hex().encode() + b">",
        b"<01> <05d305d50020 05d4> <02> <05d005d1002005d405d0> <03> <0061>",
        b"<01> <0061> <02> <> <03> <> <04> <> <05> <>",
        b"<01> <0061> <02> <00ff> <03> <00ff> <04> <00ff>",
        b"<01> <0627> <02> <00ff> <03> <0100>",
    ],
    ids=["all that follows", "several words", "nothing", "one name", "two names"],
)
def test_a_map_that_cannot_be_right_says_nothing(wrong):
    found = UnicodeMap(
        b"1 begincodespacerange <00> <ff> endcodespacerange 5 beginbfchar " + wrong + b" endbfchar"
    )
    assert not found
    assert found.get(1) is None
    assert found.code_map().decode(b"ab") == [(0x61, 0x61), (0x62, 0x62)]


def test_phrases_of_one_glyph_and_letters_with_marks_are_right():
    phrase = "صلى الله عليه وسلم".encode("utf-16-be").hex().encode()
    found = UnicodeMap(
        b"6 beginbfchar <01> <%s> <02> <0061 0020 0062> <03> <00ff> <04> <0100> <05> <0065> <06> <> endbfchar"
        % phrase
    )
    assert [found.get(code) for code in (1, 3, 4, 6)] == ["صلى الله عليه وسلم", "ÿ", "Ā", ""]
