"""Right-to-left lines: from the order of display to the order of reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.reading.pdf.bidi import as_displayed, displayed, is_logical, is_mirror_image, logical

LINES = [
    "שלום עולם",
    "המחיר 95 שקל",
    "בשנת 2010-2020 היה",
    "קורס Python 3.12 למתחילים",
    "(ראו פרק 3)",
    'הוא אמר: "שלום".',
    "C++ היא שפה",
    "זה abc (def) סוף",
    "מחיר 50% הנחה",
    "תוספת של $5 בלבד",
    "בְּרֵאשִׁית בָּרָא אֱלֹהִים",
    "السعر 50% خصم",
    "في عام 2010-2020 كان",
    "تاريخ 12/5/2020 هو",
    "الرقم ١٢٫٥ هو",
    "وشملت ١٬٢٣٤ مريضا عام 1,234.",
    "اللغة Python (الإصدار 3.12) جيدة.",
    "[1] انظر «الكتاب»",
    "قال: نعم؟",
    "إنَّ العِلْمَ نورٌ",
]


@pytest.mark.parametrize("line", LINES)
def test_a_displayed_line_is_read_as_it_was_written(line):
    assert displayed(line) != line
    assert logical(displayed(line)) == line


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("אב 12 (גד)", "(דג) 12 בא"),
        ("אב ABC 12", "ABC 12 בא"),
        ("اب 12-34", "34-12 با"),
        ("אב 12-34", "12-34 בא"),
        ("אב 5%", "5% בא"),
        ("اب 5%", "%5 با"),
    ],
)
def test_display_follows_the_algorithm_of_unicode(line, shown):
    assert displayed(line) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [("He said שלום עולם today.", "He said םלוע םולש today."), ("the word كتاب", "the word باتك")],
)
def test_words_within_a_line_that_runs_rightwards(line, shown):
    assert displayed(line, right_to_left=False) == shown
    assert logical(shown, right_to_left=False) == line


WORDS = st.sampled_from(["שלום", "עולם", "כתב", "ABC", "Def", "12", "3.5", "(אב)", "(XY)", "סוף.", "מה?"])


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_what_is_read_would_be_displayed_the_same(words):
    shown = displayed(" ".join(["אמר", *words, "אז"]))
    assert displayed(logical(shown)) == shown


@given(st.text(alphabet="אבج دa1-(.%»", max_size=20))
def test_no_character_is_lost_or_invented(text):
    shown = displayed(text)
    faces = str.maketrans("()»«", "((««")
    assert sorted(logical(shown).translate(faces)) == sorted(text.translate(faces))


def test_presentation_forms_become_letters_and_hidden_marks_go():
    assert logical("\ufeee\ufef4\ufe91") == "بيو"
    # The ligature of lam and alef is one glyph with two letters.
    assert logical("\u0645" + as_displayed("لا") + "\u0633") == "سلام"
    assert logical("\u200fבא\u200e") == "אב"


def test_brackets_that_are_given_as_typed_stay():
    assert logical("דג )12( בא", as_typed=True) == "אב (12) גד"
    assert logical("דג (12) בא") == "אב (12) גד"
    assert is_mirror_image("(", ")")
    assert not is_mirror_image("(", "(")
    assert not is_mirror_image("a", "b")


def test_the_order_of_letters_shows_in_finals_articles_and_forms():
    assert is_logical(["הבית והגן שלהם וגם הים"])
    assert not is_logical(["םיה םגו םהלש ןגהו תיבה"])
    assert is_logical(["الكتاب في المكتبة الكبيرة"])
    assert not is_logical([displayed("الكتاب في المكتبة الكبيرة")])
    assert is_logical(["\ufe91\ufef4\ufeea"])
    assert not is_logical(["\ufeea\ufef4\ufe91"])
    assert not is_logical(["אבג"])


def test_vowel_signs_follow_their_letter_whichever_way_they_were_put():
    word = "בָּרָא שָׁלוֹם"
    assert logical(displayed(word)) == word
    before = "".join(reversed([*"ב", *"\u05b8", *"ר", *"\u05b8", *"א"]))
    assert logical(before) == "ב\u05b8ר\u05b8א"
    after = "א" + "ר\u05b8" + "ב\u05b8"  # as displayed, each sign behind its letter
    assert logical(after) == "ב\u05b8ר\u05b8א"


def test_a_latin_word_broken_at_the_end_of_a_line_keeps_its_hyphen():
    assert logical("MS- םקר") == "רקם MS-"
