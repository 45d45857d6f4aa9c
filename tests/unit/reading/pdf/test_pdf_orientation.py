"""Pages whose lines run leftwards or downwards."""

from __future__ import annotations

import textwrap

import pytest
from pdf_making import make_unicode_pdf, read_bytes, shown

from lsum_cli.reading.pdf.bidi import displayed
from lsum_cli.reading.registry import Ocr

ARABIC = [
    "كان النهر يجري بهدوء بين الحقول الخضراء في الصباح الباكر.",
    "هل وصلت الرحلة رقم 804 إلى القاهرة عند الساعة 14:30؟",
    "قال الكاتب (في مجلة Nature Medicine عام 2019) إن العلم نور.",
    "بلغ السعر 12.50 دولارا، أي بزيادة كبيرة عن العام الماضي.",
]
HEBREW = [
    "הנהר זרם בשקט בין השדות הירוקים בשעת בוקר מוקדמת.",
    "האם הטיסה מספר 315 הגיעה לתל אביב בשעה 14:30?",
    "הסופר אמר (בכתב העת Nature Medicine בשנת 2019) שהדעת היא אור.",
]
JAPANESE = [
    "わたくしといふ現象は仮定された有機交流電燈のひとつの青い照明です。",
    "どうしてこうなったのか？",
    "「はい。」と彼は言った。",
    "これらは二十二箇月の過去とかんずる方角から紙と鉱質インクをつらねたものです。",
]


def set_leftwards(
    sentences: list[str], right: float, width: int, *, top: float = 740, as_read: bool = False
) -> bytes:
    """Lines that end at ``right``; every character is 5 points wide."""
    parts = []
    for number, line in enumerate(textwrap.wrap(" ".join(sentences), width)):
        text = line if as_read else displayed(line)
        parts.append(shown(text, right - 5 * len(line), top - 14 * number))
    return b"".join(parts)


@pytest.mark.parametrize("sentences", [ARABIC, HEBREW], ids=["Arabic", "Hebrew"])
def test_lines_that_run_leftwards(texts, sentences):
    pages = [set_leftwards(part * 2, 540, 60) for part in (sentences, sentences[::-1])]
    document = read_bytes(make_unicode_pdf(pages))
    assert texts(document) == sentences * 2 + sentences[::-1] * 2
    assert [sentence.pdf_page for sentence in document.sentences] == [1] * 2 * len(sentences) + [2] * 2 * len(
        sentences
    )


@pytest.mark.parametrize("sentences", [ARABIC, HEBREW], ids=["Arabic", "Hebrew"])
def test_columns_follow_one_another_leftwards(texts, sentences):
    page = set_leftwards(sentences * 3, 560, 44) + set_leftwards(sentences[::-1] * 3, 290, 44)
    assert texts(read_bytes(make_unicode_pdf([page]))) == sentences * 3 + sentences[::-1] * 3


def test_words_that_the_file_gives_in_the_order_of_reading(texts):
    plain = [sentence for sentence in ARABIC if "(" not in sentence and not any(map(str.isdigit, sentence))]
    words: list[bytes] = []
    x, y = 540.0, 740.0
    for word in " ".join(plain * 4).split():
        if x - 5 * len(word) < 60:
            x, y = 540.0, y - 14
        x -= 5 * len(word)
        words.append(shown(word, x, y))
        x -= 5
    assert texts(read_bytes(make_unicode_pdf([b"".join(words)]))) == plain * 4


def test_recognised_text_that_runs_leftwards_in_a_mirror(texts):
    """So Tesseract puts invisible Arabic: each word in the order of reading, its letters turned over."""
    parts = []
    for number, line in enumerate(textwrap.wrap(" ".join(HEBREW[:1] * 6), 60)):
        x, y = 540.0, 740 - 14 * number
        for word in line.split():
            parts.append(
                b"BT /U 10 Tf -1 0 0 1 %g %g Tm <%s> Tj ET\n"
                % (x, y, word.encode("utf-16-be").hex().encode())
            )
            x -= 5 * len(word) + 5
    assert texts(read_bytes(make_unicode_pdf([b"".join(parts)]))) == HEBREW[:1] * 6


def test_an_english_page_with_a_word_that_runs_leftwards(texts):
    line = displayed("The word שלום means peace.", right_to_left=False)
    page = b"".join(shown(line, 60, 740 - 30 * number) for number in range(3))
    assert texts(read_bytes(make_unicode_pdf([page]))) == ["The word שלום means peace."] * 3


def test_vowel_signs_above_the_line_stay_with_their_letters(texts):
    """Base letters and signs of LibreOffice: each sign on its own, raised, before its letter."""
    word = [("ב", "\u05b8"), ("ר", "\u05b8"), ("א", "")]
    parts = [set_leftwards(HEBREW[:1] * 3, 540, 60)]
    x = 300.0
    for letter, sign in reversed(word):
        if sign:
            parts.append(shown(sign, x - 2.5, 602.6))
        parts.append(shown(letter, x, 600))
        x += 5
    assert "בָרָא" in "".join(texts(read_bytes(make_unicode_pdf([b"".join(parts)]))))


def columns(sentences: list[str], rows: int) -> list[str]:
    text = "".join(sentences)
    return [text[start : start + rows] for start in range(0, len(text), rows)]


def test_a_vertical_font_is_read_downwards_and_leftwards(texts):
    pages = [
        b"".join(
            shown(column, 560 - 20 * number, 740, 12) for number, column in enumerate(columns(part * 3, 50))
        )
        for part in (JAPANESE, JAPANESE[::-1])
    ]
    document = read_bytes(make_unicode_pdf(pages, encoding="Identity-V"))
    assert texts(document) == JAPANESE * 3 + JAPANESE[::-1] * 3
    assert [sentence.pdf_page for sentence in document.sentences] == [1] * 12 + [2] * 12


def test_upright_characters_below_one_another_are_read_downwards(texts):
    """Browsers set vertical lines so, in an ordinary font."""
    page = b"".join(
        shown(character, 560 - 22 * number, 740 - 12 * row, 12)
        for number, column in enumerate(columns(JAPANESE * 3, 50))
        for row, character in enumerate(column)
    )
    assert texts(read_bytes(make_unicode_pdf([page]))) == JAPANESE * 3


def test_a_grid_of_characters_is_not_taken_for_vertical_lines(texts):
    page = b"".join(
        shown(character, 60 + 6 * column, 740 - 20 * row, 12)
        for row, line in enumerate(columns(JAPANESE * 3, 36))
        for column, character in enumerate(line)
    )
    assert texts(read_bytes(make_unicode_pdf([page]))) == JAPANESE * 3


def leftwards(text: str, x: float, y: float) -> bytes:
    """``text`` letter by letter from right to left in the order of reading, with gaps for spaces, as LuaTeX does."""
    items = " ".join(
        "300" if letter == " " else f"<{letter.encode('utf-16-be').hex()}> 1000" for letter in text
    )
    return b"BT /U 10 Tf %g %g Td [%s] TJ ET\n" % (x, y, items.encode())


@pytest.mark.parametrize("num_latin", [0, 8])
def test_letters_placed_from_right_to_left_are_read_in_that_order(texts, num_latin):
    latin = b"".join(
        shown(f"These words fill the line {row} of a page.", 72, 600 - 14 * row) for row in range(num_latin)
    )
    page = leftwards("كان الجسر قديما وكان النهر عريضا.", 400, 700) + latin
    assert texts(read_bytes(make_unicode_pdf([page])))[0] == "كان الجسر قديما وكان النهر عريضا."


def test_latin_letters_within_most_arabic_words_are_a_font_without_a_table():
    sound, wrong = "كان API للجسر قديما جدا في المدينة", "كan الjسر قdيما جdا في المdينة"
    pages = [
        b"".join(shown(displayed(text), 72, 700 - 20 * row) for row in range(4)) for text in (sound, wrong)
    ]
    document = read_bytes(make_unicode_pdf(pages), ocr=Ocr.NEVER)
    assert {sentence.pdf_page for sentence in document.sentences} == {1}
    assert any("PDF page 2 cannot be decoded" in warning for warning in document.metadata.warnings)
