"""Plain text: what becomes a heading, a paragraph, or is left out."""

from __future__ import annotations

import functools
import itertools
import json
import lzma
import re
import textwrap
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli import read
from lsum_cli.documents import SectionRole
from lsum_cli.reading.blocks import Tally
from lsum_cli.reading.plain.document import parse_plain, read_plain
from lsum_cli.reading.plain.lines import without_stamps
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.sentences import joins_without_space


def read_text(text: str):
    return read_plain(
        RawSource(id="d0", name="a.txt", content=text.encode(), media_type="text/plain"), ReadOptions()
    )


def paragraphs(text: str) -> list[str]:
    return [block.text for block in parse_plain(text, Tally()).blocks if not block.level]


def test_hard_wrapped_lines_become_paragraphs():
    text = (
        "The quick brown fox jumps over the lazy dog and then it\n"
        "goes on to the next line, where it ends.\n\nA second paragraph follows here.\n"
    )
    assert paragraphs(text) == [
        "The quick brown fox jumps over the lazy dog and then it goes on to the next line, where it ends.",
        "A second paragraph follows here.",
    ]


def test_unwrapped_lines_are_paragraphs_of_their_own():
    lines = [PROSE + " " + PROSE, "Short one.", PROSE + " " + PROSE]
    assert paragraphs("\n".join(lines)) == lines


def test_every_turn_of_a_conversation_is_a_paragraph_even_if_it_breaks_off():
    turns = [
        "Anna: We need to talk about the roof of the depot today",
        "Ben: It leaks over bay three and",
        "bay four, since the storm.",
        "Anna: What would a new one cost us in the end",
        "Ben: Forty thousand, the builder said, but",
        "Carla: Wait",
        "Anna: The budget is spent",
        "Carla: Is it",
        "Ben: There is the reserve.",
    ]
    joined = [*turns[:1], f"{turns[1]} {turns[2]}", *turns[3:]]
    assert paragraphs("\n".join(turns)) == joined


SPOKEN = [
    ("Anna Berg", "So we have to find a place for the boats."),
    ("Ben Cole", "There is room for them in the old mill."),
    ("Anna Berg", "Then we should ask who owns it now."),
    ("Ben Cole", "My aunt sold it in the spring of last year."),
]


@pytest.mark.parametrize(
    "turn",
    [
        "[00:0{at}:15] {who}: {said}\n",
        "(0{at}:15) {who}: {said}\n\n",
        "00:0{at}:15 - {who}: {said}\n",
        "{who}   0:{at}5\n{said}\n\n",
        "00:0{at}:15 {who}\n{said}\n",
    ],
)
def test_the_turns_of_a_transcript_are_read_without_their_times(turn: str):
    text = "".join(turn.format(at=at, who=who, said=said) for at, (who, said) in enumerate(SPOKEN))
    assert paragraphs(text) == [f"{who}: {said}" for who, said in SPOKEN]


@pytest.mark.parametrize(
    "lines",
    [
        # Programmes and timetables, and times of one person.
        [
            f"{hour}:30 {what}: {who} on boats"
            for hour, what, who in (
                (10, "Talk", "Anna"),
                (11, "Break", "Ben"),
                (12, "Talk", "Carol"),
                (13, "Break", "Dora"),
            )
        ],
        ["Talk 0:15", "Break 0:30", "Talk 0:45", "Break 0:55", "We meet in the old mill."],
        [f"[0{at}:15] Anna: I rowed a mile." for at in range(5)],
    ],
)
def test_other_times_are_kept(lines: list[str]):
    assert without_stamps(lines) == lines


def test_a_log_is_no_conversation():
    levels = ["INFO", "Error", "INFO", "Error", "WARN"]
    log = [f"2025-01-02 10:00:0{second} {level}: gate {second} moved" for second, level in enumerate(levels)]
    assert without_stamps(log) == log
    assert without_stamps([line.replace("INFO", "Anna").replace("Error", "Bert") for line in log]) != log


def test_a_label_within_a_wrapped_paragraph_begins_no_turn():
    text = "The board set one rule for the\nRoof: it is mended before winter, and\nWalls: they wait until the spring."
    assert len(paragraphs(text)) == 1


def test_indented_first_lines_begin_paragraphs():
    text = (
        "  The first paragraph runs over several lines and it\nends here, short.\n"
        "  The second begins with an indentation as in books,\nand goes on.\n"
    )
    assert len(paragraphs(text)) == 2


def test_list_items_are_paragraphs_and_lose_their_bullets():
    text = (
        "- the first item of the list\n- the second item, which\n  goes on\n- the third\n\n1. one\n2. two\n"
    )
    assert paragraphs(text) == [
        "the first item of the list",
        "the second item, which goes on",
        "the third",
        "1. one",
        "2. two",
    ]


def test_items_directly_below_a_line_are_paragraphs():
    items = [f"{kind}: say which of the {count} gates of the county is open (Ada)" for count, kind in enumerate(("dnf", "apt", "zypp"), 3)]  # fmt: skip
    lines = "\n".join(f" - {each}" for each in items)
    assert paragraphs(f"{PROSE}\n\nNew:\n{lines}\n")[-4:] == ["New:", *items]
    lines = "\n".join(f"* say which of the {count} gates of the county\n  is open" for count in range(3))
    said = paragraphs(f"New gates of the county\n{lines}\nThe keeper needs more rope than before.\n")
    assert said[-2:] == [
        "say which of the 2 gates of the county is open",
        "The keeper needs more rope than before.",
    ]


def test_a_letter_may_be_a_bullet():
    text = "The news are these:\n o adds a gate to each of\n   the locks\n o adds a lamp\n o adds a bell\n"
    told = paragraphs(f"{text}\n{PROSE}\n")
    assert told[:4] == [
        "The news are these:",
        "adds a gate to each of the locks",
        "adds a lamp",
        "adds a bell",
    ]
    assert paragraphs(f"{text.replace(' o ', 'o ').replace('   the', '  the')}\n{PROSE}\n")[:4] == told[:4]
    # "o" is a word of some languages.
    text = (
        "    O guarda abriu a porta e\n    o sino tocou, de modo que\n    todos viram a ponte e\n    o rio.\n"
    )
    told = paragraphs(f"{text}\n{PROSE}\n")
    assert told[0] == "O guarda abriu a porta e o sino tocou, de modo que todos viram a ponte e o rio."


@pytest.mark.parametrize(
    "text",
    [
        "Todos queriam saber por que\no guarda ficou. Por fim ele contou\no que vira, e\no motivo.",
        "  Todos queriam saber por que\no guarda ficou, e\no motivo.",
        "- A ilha fica longe, e\n  o barco parte cedo.\n- A ponte fica perto, e\n  o guarda dorme.",
    ],
)
def test_no_word_is_taken_for_a_bullet_where_a_sentence_goes_on(text):
    told = " ".join(paragraphs(f"{text}\n\n{PROSE}\n"))
    assert " ".join(text.replace("- ", "").split()) in told


def test_lists_below_lines_that_follow_a_line_are_read_as_lists():
    text = (
        "43\n43.1\n - gates: closed at night\n - locks: opened by hand\n - weirs: painted in a style\n"
        "   that is thin\n42.0\n - gates: numbered\n41.0\n - locks: numbered\n - ponds: named\n"
    )
    told = paragraphs(f"{text}\n{PROSE}\n")
    assert "weirs: painted in a style that is thin" in told
    # What goes on at the margin is of its item.
    text = "There are two keepers of\nthe gates of this\nriver:\n - one sleeps in the\nday\n - one sleeps at night\n"
    assert "one sleeps in the day" in paragraphs(f"{text}\n{PROSE}\n")
    told = told[: told.index("ponds: named") + 1]
    assert told[-5:] == ["42.0", "gates: numbered", "41.0", "locks: numbered", "ponds: named"]


def test_words_broken_at_line_ends_are_joined_with_care():
    typeset = (
        "The computer is a machine for informa-\ntion that many people use. The well-\nknown author of the book "
        "wrote about infor-\nmation too. Then some more informa-\ntion came.\nOf the well-known kind.\n"
    )
    assert paragraphs(typeset)[0].count("information") == 3
    assert "well-known author" in paragraphs(typeset)[0]
    typed = "It was a half-\nhearted attempt. " + "\n".join([PROSE] * 60)
    assert "half-hearted attempt" in paragraphs(typed)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"1 Introduction\n\n{PROSE}\n\n2 Methods\n\n2.1 Data\n\n{PROSE}\n\n2.2 Models\n\n{PROSE}\n\n3. Results\n\n{PROSE}",
            [(1, "1 Introduction"), (1, "2 Methods"), (2, "2.1 Data"), (2, "2.2 Models"), (1, "3. Results")],
        ),
        (
            f"I. INTRODUCTION\n\n{PROSE}\n\nII. METHODS\n\n{PROSE}\n\nIII. RESULTS\n\n{PROSE}",
            [(1, "I. INTRODUCTION"), (1, "II. METHODS"), (1, "III. RESULTS")],
        ),
        (
            f"First Part\n==========\n\n{PROSE}\n\nSecond Part\n===========\n\n{PROSE}",
            [(1, "First Part"), (1, "Second Part")],
        ),
        (f"OVERVIEW\n\n{PROSE}\n\nWHAT FOLLOWS\n\n{PROSE}", [(1, "OVERVIEW"), (1, "WHAT FOLLOWS")]),
        (
            f"CHAPTER I\nDown the Rabbit-Hole\n\n{PROSE}\n\nCHAPTER II\nThe Pool of Tears\n\n{PROSE}",
            [(1, "CHAPTER I Down the Rabbit-Hole"), (1, "CHAPTER II The Pool of Tears")],
        ),
        (
            f"Chapter 1. The Pool\n\n{PROSE}\n\nChapter 2: The Race\n\n{PROSE}",
            [(1, "Chapter 1. The Pool"), (1, "Chapter 2: The Race")],
        ),
        (
            f"PART ONE\n\nCHAPTER I\n\n{PROSE}\n\nCHAPTER II\n\n{PROSE}\n\nPART TWO\n\nCHAPTER I\n\n{PROSE}",
            [(1, "PART ONE"), (2, "CHAPTER I"), (2, "CHAPTER II"), (1, "PART TWO"), (2, "CHAPTER I")],
        ),
        (
            f"ACT I\n\nSCENE I\n\n{PROSE}\n\nSCENE II\n\n{PROSE}\n\nACT II\n\nSCENE I\n\n{PROSE}",
            [(1, "ACT I"), (2, "SCENE I"), (2, "SCENE II"), (1, "ACT II"), (2, "SCENE I")],
        ),
        (
            f"I\n\n{PROSE}\n\nII\n\n{PROSE}\n\nIII\n\n{PROSE}\n\nEpilogue\n\n{PROSE}",
            [(1, "I"), (1, "II"), (1, "III"), (1, "Epilogue")],
        ),
        (
            f"BOOK ONE\n\n{PROSE}\n\nBOOK TWO\n\n{PROSE}",
            [(1, "BOOK ONE"), (1, "BOOK TWO")],
        ),
    ],
)
def test_headings_that_people_type(text, expected):
    assert headings_of(read_text(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"{PROSE}\n\n1. Wash the potatoes\n\n2. Peel the potatoes\n\n3. Boil the potatoes\n\n{PROSE}",
        f"{PROSE}\n\nChapter 4 was the best of all, he said.\n\n{PROSE}",
        f"{PROSE}\n\nI\n\n{PROSE}",
        f"{PROSE}\n\nJust a short line.\n\n{PROSE}",
    ],
)
def test_what_is_no_heading(text):
    assert headings_of(read_text(text)) == [(0, None)]


def test_page_numbers_are_no_chapters():
    pages = "\n\n".join(
        f"{PROSE} and this sentence goes on over the\n\n{page}\n\npage. {PROSE}" for page in range(1, 9)
    )
    assert headings_of(read_text(pages)) == [(0, None)]


def test_abstract_and_references_have_roles():
    text = (
        f"ABSTRACT\n\n{PROSE}\n\n1 Introduction\n\n{PROSE}\n\nREFERENCES\n\n[1] Somebody. Something. 1999.\n"
    )
    roles = {section.heading: section.role for section in read_text(text).sections}
    assert roles["ABSTRACT"] is SectionRole.ABSTRACT
    assert roles["1 Introduction"] is SectionRole.BODY
    assert roles["REFERENCES"] is SectionRole.REFERENCES


def test_the_only_heading_is_a_title_where_it_stands_first():
    document = read_text(f"Notes of the lathe\n==================\n\n{PROSE}\n\n{PROSE}")
    assert (document.title, headings_of(document)) == ("Notes of the lathe", [(0, None)])
    for part in ("Introduction", "2. Materials", "Chapter 4"):
        assert read_text(f"{part}\n{'=' * len(part)}\n\n{PROSE}").title is None


def test_a_title_and_its_author():
    document = read_text(f"The Great Book of Everything\n\nby Some Body\n\nI\n\n{PROSE}\n\nII\n\n{PROSE}\n")
    assert document.title == "The Great Book of Everything"
    assert headings_of(document) == [(1, "I"), (1, "II")]
    assert left_out_of(document) == {"author line": 3}


def test_a_table_of_contents_makes_no_sections():
    contents = "CONTENTS\n\n" + "\n\n".join(f"CHAPTER {number}" for number in ("I", "II", "III"))
    chapters = "\n\n".join(f"CHAPTER {number}\n\n{PROSE}" for number in ("I", "II", "III"))
    document = read_text(f"{contents}\n\n\n{chapters}\n")
    assert headings_of(document) == [(1, "CHAPTER I"), (1, "CHAPTER II"), (1, "CHAPTER III")]
    assert left_out_of(document) == {"table of contents": 7}


GUTENBERG = f"""\
The Project Gutenberg EBook of A Small Book, by Nobody

This eBook is for the use of anyone anywhere at no cost.

Title: A Small Book
       Of Few Words

Author: Nobody

Language: French

*** START OF THIS PROJECT GUTENBERG EBOOK A SMALL BOOK ***

Produced by A Volunteer and
the Proofreading Team

CHAPTER I

{PROSE}

CHAPTER II

{PROSE}

End of the Project Gutenberg EBook of A Small Book, by Nobody

*** END OF THIS PROJECT GUTENBERG EBOOK A SMALL BOOK ***

***** This file should be named 1.txt *****
Section 1. General Terms of Use
"""


def test_the_licence_of_project_gutenberg_is_taken_off_and_counted():
    document = read_text(GUTENBERG)
    assert document.title == "A Small Book Of Few Words"
    assert document.language == "fr"
    assert headings_of(document) == [(1, "CHAPTER I"), (1, "CHAPTER II")]
    assert "Gutenberg" not in document.text
    assert "Produced" not in document.text
    inside = document.text.split()
    assert left_out_of(document) == {
        "Project Gutenberg header and licence": len(GUTENBERG.split()) - len(inside)
    }


def test_a_book_that_has_lost_its_header_is_named_by_the_line_at_its_end():
    book = GUTENBERG.partition("BOOK ***\n\n")[2]
    document = read_text(book.replace("A Small Book, by Nobody", "A Small Book\nby Nobody"))
    assert document.title == "A Small Book"
    assert headings_of(document) == [(1, "CHAPTER I"), (1, "CHAPTER II")]
    assert "Produced" not in document.text
    assert "Gutenberg" not in document.text
    assert "General Terms" not in document.text
    assert left_out_of(document) == {"Project Gutenberg header and licence": 45}


def test_a_line_that_ends_a_book_ends_no_text_that_quotes_it():
    quoted = "End of the Project Gutenberg EBook of A Small Book, by Nobody"
    article = (
        f"How books are cleaned\n\n{PROSE}\n\n{quoted}\n\nBelow it is the licence, which a script removes.\n"
    )
    document = read_text(article)
    assert document.title == "How books are cleaned"
    assert document.text.endswith("Below it is the licence, which a script removes.")
    assert not left_out_of(document)


@pytest.mark.parametrize("licence", ["", "Updated editions will replace the previous one.\n"])
def test_of_two_books_without_headers_both_are_read(licence: str):
    end = "*** END OF THE PROJECT GUTENBERG EBOOK {} ***"
    books = [f"{PROSE.replace('This', name)}\n\n{end.format(name.upper())}\n\n" for name in ("Ely", "Bath")]
    document = read_text("".join(books) + licence)
    assert "Ely" in document.text
    assert "Bath" in document.text
    assert "BATH" not in document.text
    assert "Updated" not in document.text


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\r\r\n"])
def test_a_book_is_the_same_whatever_ends_its_lines(line_end):
    expected = read_text(GUTENBERG)
    document = read_text(GUTENBERG.replace("\n", line_end))
    assert document.text == expected.text
    assert headings_of(document) == headings_of(expected)


def test_a_text_with_an_empty_line_after_every_line_is_read_as_without_them():
    wrapped = "\n".join(textwrap.wrap(f"{BODY} {PROSE} " * 9, 68))
    text = f"THE WEIR\n\n{wrapped}\n\n{wrapped}"
    assert read_text(text.replace("\n", "\n\n")).text == read_text(text).text
    # A list is no paragraph.
    listed = "\n\n".join(
        f"the gate of the lake with the number {number} and {'the lamp ' * (number % 7)}"
        for number in range(40)
    )
    assert "the lamp\n\nthe gate" in read_text(listed).text


def test_who_typed_a_book_is_no_title_of_it():
    book = f"THE SMALL BOOK\n\nCHAPTER I\n\n{PROSE}\n\nCHAPTER II\n\n{PROSE}\n"
    expected = read_text(book)
    document = read_text(f"Produced by A Volunteer and\nthe Proofreading Team\n\n\n\n{book}")
    assert (document.title, document.text) == (expected.title, expected.text)
    # A paragraph among others may begin like that.
    report = f"Produced by the wardens of the lake, the bread is sold at the gate. {PROSE}\n\n{BODY}"
    assert "Produced by the wardens" in read_text(report).text
    # So may one of a few words, with no more than one empty line below it.
    assert "Produced by the mill." in read_text(f"Produced by the mill.\n\n{BODY}").text


@pytest.mark.parametrize(
    "opening",
    [
        "Produced water is what comes up with the oil.",
        "Scanned pages have no text.",
        f"Produced by the wardens of the lake, the bread is sold at the gate. {PROSE}",
        # Nor does it take long to tell.
        "Produced by hand" + 2_000 * "\n" + "Produced water is what comes up with the oil out of the ground.",
    ],
)
def test_the_first_paragraph_of_a_text_is_not_who_typed_it(opening):
    assert opening.split("\n")[-1] in read_text(f"{opening}\n\n\n{BODY}").text


def test_blank_lines_of_a_book_may_have_spaces():
    expected = read_text(GUTENBERG)
    document = read_text(GUTENBERG.replace("\n\n", "\n \n"))
    assert document.text == expected.text
    assert headings_of(document) == headings_of(expected)


def test_running_heads_of_a_paged_specification_are_taken_out():
    pages = []
    for page in range(1, 5):
        pages.append(
            f"{PROSE}\nThe sentence at the end of the page goes on\n\n\nSomebody        Expires 2015       [Page {page}]\n"
        )
        pages.append(
            "\f\nInternet-Draft          A Protocol            December 2014\n\n\nover to the next page.\n"
        )
    document = read_text("\n".join(pages))
    assert "goes on over to the next page." in document.text
    assert "[Page" not in document.text
    assert "Internet-Draft" not in document.text
    assert left_out_of(document) == {"running headers and footers": 4 * 5 + 4 * 5}


@pytest.mark.parametrize(
    ("book", "title"),
    [
        ("dorian-gray", "The Picture of Dorian Gray"),
        ("time-machine", "The Time Machine"),
        ("wind-in-the-willows", "The Wind in the Willows"),
        ("uncle-vanya", "UNCLE VANYA"),
    ],
)
def test_chapters_of_real_books(shared, book, title):
    with lzma.open(shared / "data/books/books.jsonl.xz", "rt", encoding="utf-8") as lines:
        expected = next(record for line in lines if (record := json.loads(line))["id"] == f"books/{book}")
    document = read(shared / "data/books" / f"{book}.txt")
    assert document.title == title
    headings = [section.heading for section in document.sections if section.heading]
    assert [heading.casefold() for heading in headings] == [
        section["title"].casefold() for section in expected["sections"]
    ]
    for section, wanted in zip(
        [s for s in document.sections if s.heading], expected["sections"], strict=True
    ):
        words = sum(len(sentence.text.split()) for sentence in section.sentences)
        assert words == pytest.approx(len(wanted["text"].split()), rel=0.02, abs=15)


def letters(text: str) -> str:
    return "".join(re.findall(r"[^\W_]", text))


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "", "CHAPTER I", "CHAPTER II", "I", "II", "1 Introduction", "CONTENTS", "=====", "by", "THE END",
             "*** START OF THIS PROJECT GUTENBERG EBOOK X ***", "Somebody   [Page 1]", "Abstract", "The open road", "What the captain saw", "A. Data", "- item", "hyphen-",
             "ated words and more of them here", PROSE]
        ),
        st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cf")), max_size=40),
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(LINES)
def test_no_word_of_any_text_is_lost(lines):
    """Title, headings and sentences hold all letters of the source, less those counted as left out."""
    text = "\n".join(lines)
    tally = Tally()
    plain = parse_plain(text, tally)
    kept = letters(" ".join([plain.title or "", *(block.text for block in plain.blocks)]))
    if not tally.left_out():
        assert kept == letters(text)
    missing = len(text.split()) - len(" ".join([plain.title or "", *(b.text for b in plain.blocks)]).split())
    counted = sum(left_out.words for left_out in tally.left_out())
    # Bullets and underlines are no words; broken words that were joined are one less, as are lines of
    # Chinese and Japanese.
    marks = sum(1 for word in text.split() if not letters(word)) + sum(
        line.strip().endswith("-") or joins_without_space(line.strip(), after.strip())
        for line, after in itertools.zip_longest(lines, lines[1:], fillvalue="")
    )
    assert counted - marks <= missing <= counted + marks


@settings(max_examples=100, deadline=None)
@given(LINES)
def test_documents_of_any_text_are_consistent(lines):
    document = read_text("\n".join(lines))
    for sentence in document.sentences:
        assert document.text[sentence.start : sentence.end] == sentence.text


BODY = "It was a bright day in the harbour, and the boats were rocking. Nobody had seen the captain since the morning."


def book_of(*headings: str, opening: str = "", gap: str = "\n\n\n") -> str:
    return opening + "".join(f"{gap}{heading}\n\n{BODY}\n\n{BODY}" for heading in headings)


@pytest.mark.parametrize(
    "titles",
    [
        ["The River Bank", "The Open Road", "Mr. Badger"],
        ["A Letter from the North", "Alone with the Sea", "Down into the Dark"],
        ["THE SISTERS", "AN ENCOUNTER", "ARABY"],
        ["Letter 1", "Letter 2", "Letter 4"],
        ["BOOK I", "BOOK II", "BOOK III"],
        ["THE FIRST BOOK", "THE SECOND BOOK", "THE THIRD BOOK"],
        ["First Day", "Second Day", "Third Day"],
        ["Erstes Kapitel", "Zweites Kapitel", "Drittes Kapitel"],
        ["ГЛАВА ПЕРВАЯ", "ГЛАВА ВТОРАЯ", "Глава 3"],
        ["Stave One: Marley's Ghost", "Stave Two: The Spirits"],
    ],
    ids=lambda titles: titles[0],
)
def test_chapter_titles_alone_on_a_line(write, titles):
    for opening in ("", "A Book of Tides\n\nby Ann Lee\n"):
        document = read(write("book.txt", book_of(*titles, opening=opening)))
        assert headings_of(document) == [(1, title) for title in titles]


def test_titles_with_as_much_space_as_paragraphs_need_company(write):
    report = book_of(
        "Revenue Growth", "Outlook", "Risks and Measures", opening="Quarterly Report", gap="\n\n"
    )
    document = read(write("report.txt", report))
    assert document.title == "Quarterly Report"
    assert [heading for _, heading in headings_of(document)] == [
        "Revenue Growth",
        "Outlook",
        "Risks and Measures",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"Dear Ann,\n\n{BODY}\n\n{BODY}\n\nYours Truly\n\nJohn Smith\n",
        "A Play\n\n" + "\n\n".join(f"{name}\n\n{BODY}" for name in ("Mole", "Rat", "Mole", "Rat", "Mole")),
        "A Play\n\n"
        + "\n\n\n".join(f"{name}\n\n{BODY}\n\n{BODY}" for name in ("Mole", "Toad", "Mole", "Toad")),
        f"{BODY}\n\nCopyright 1991 Network Devices\n\n{BODY}\n\nAll Rights Reserved\n\n{BODY}\n\nCopyright Acme\n\n{BODY}",
        f"{BODY} It ends with\n\nThe Open Road\n\n{BODY} It ends with\n\nThe Wild Wood\n\n{BODY} It ends with\n\nA Door\n\n{BODY}",
    ],
    ids=["signature", "speakers", "spaced speakers", "rights", "unfinished"],
)
def test_names_and_rights_are_no_headings(write, text):
    assert [heading for _, heading in headings_of(read(write("a.txt", text)))] == [None]


def test_a_turn_of_a_conversation_is_no_heading():
    said = (
        "We should talk about the price of the case before the end of the meeting, and then of the buttons. "
    )
    speakers = ("Project Manager", "User Interface", "Marketing Expert")
    turns = [f"{speakers[number % 3]}: {said * 3}" for number in range(24)]
    for number, short in (
        (6, "User Interface: But"),
        (13, "Marketing Expert: Okay"),
        (20, "User Interface: Uh"),
    ):
        turns.insert(number, short)
    assert [name for _, name in headings_of(read_text("\n\n".join(turns))) if name] == []


SENTENCE_CASE = ["Cross-attention back down", "Results and discussion", "Who took part and why"]
CASES = {
    "sentence case": SENTENCE_CASE,
    "title case": ["Backwards Compatibility", "Security Considerations", "Open Questions"],
    "questions": ["How do I install it?", "Does it run without a network?", "Who wrote it?"],
    "names and signs": ["eBay and its rivals", "C++ in the kernel", "Knock-down of LsFoxO, step by step"],
}


@pytest.mark.parametrize("width", [72, None], ids=["wrapped", "unwrapped"])
@pytest.mark.parametrize("indent", ["", "    "], ids=["flush", "indented"])
@pytest.mark.parametrize("titles", CASES.values(), ids=CASES)
def test_lines_alone_between_paragraphs_are_headings(titles, indent, width):
    wrap = functools.partial(textwrap.fill, width=width or 10_000)
    parts = "\n\n".join(f"{indent}{title}\n\n{wrap(PROSE)}\n\n{wrap(PROSE)}" for title in titles)
    document = read_text(f"A Report of the Tides\n\n{wrap(PROSE)}\n\n{parts}\n")
    assert document.title == "A Report of the Tides"
    assert headings_of(document) == [(0, None), *((1, title) for title in titles)]


def test_a_heading_too_long_for_a_line_is_one():
    long = "The effect of sertraline on the healing of bones in mice bred for that purpose"
    text = f"{PROSE}\n\n{textwrap.fill(long, 60)}\n\n{PROSE}\n\nResults\n\n{PROSE}\n\nWhat comes next\n\n{PROSE}\n"
    assert [heading for _, heading in headings_of(read_text(text))] == [
        None,
        long,
        "Results",
        "What comes next",
    ]


def test_numbered_headings_and_headings_without_numbers_stand_together():
    text = "\n\n".join(
        ["Background of the study", PROSE, "2.1 Participants", PROSE, "2.2 Data", PROSE, "Funding", PROSE]
    )
    assert [heading for _, heading in headings_of(read_text(f"{PROSE}\n\n{text}"))] == [
        None,
        "Background of the study",
        "2.1 Participants",
        "2.2 Data",
        "Funding",
    ]


NO_HEADINGS = {
    "one line only": ["Just a short line"],
    "sentences without a stop": ["It was raining again", "We went home", "They had nothing to say about it"],
    "captions": ["Figure 2 The pier at dusk", "Table 3", "Photo by Ann Lee"],
    "dates": ["14 March 2021", "March 15, 2021", "Monday, 16 March 2021"],
    "addresses": ["https://example.org/tides", "ann@example.org", "www.example.org"],
    "cells": ["Total 12 34 56", "Bath   12   Bristol", "3 of 7"],
    "items": ["- the harbour", "* the pier", "(a) the lamps"],
    "letters": ["Dear Ann", "Yours sincerely", "Kind regards"],
    "quotations": ["“Keep out”", "'The Open Road'", '"No entry"'],
    "two sentences": ["Okay. So we", "Really? Not me", "Well. Hm"],
    "broken off": ["The end of the", "Because of a", "Something about their"],
    "furniture": ["Advertisement", "Read more", "Image caption"],
    "colons": ["The result is:", "For example:", "The harbour:"],
}


@pytest.mark.parametrize("lines", NO_HEADINGS.values(), ids=NO_HEADINGS)
def test_short_lines_that_are_no_headings(lines):
    text = f"{PROSE}\n\n" + "\n\n".join(f"{line}\n\n{PROSE}\n\n{PROSE}" for line in lines)
    assert headings_of(read_text(text)) == [(0, None)]


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join(["Alone I walked the shore", "The waves came in, the waves went out", "And nothing more was said"] * 9),
        "\n\n".join([PROSE, "Apples from the north", "Pears of the south", "Plums", "Cherries", PROSE] * 3),
        "\n\n".join([PROSE, "Yeah", "Okay", "Right", PROSE.rstrip("."), "Then you", "Mm.", PROSE.rstrip(".")] * 4),
        "\n\n".join([f"ANNA\n\n{PROSE}\n\nBERT\n\n{PROSE}"] * 4),
    ],
    ids=["verse", "items without marks", "talk", "speakers in capitals"],
)  # fmt: skip
def test_texts_of_short_lines_have_no_headings(text):
    assert headings_of(read_text(text)) == [(0, None)]


def test_numbered_lists_among_headings_are_no_headings():
    steps = "\n\n".join(f"{number}. Turn the key once\n\n{PROSE}" for number in (1, 2, 3))
    text = "\n\n".join(f"{title}\n\n{PROSE}\n\n{steps}" for title in SENTENCE_CASE)
    assert [name for _, name in headings_of(read_text(f"{PROSE}\n\n{text}"))] == [None, *SENTENCE_CASE]


def test_numbered_steps_within_a_numbered_section_are_no_chapters():
    names = ["1. Mills", "2. Locks", "2.1 Gates", "1. Fetch the old keys", "3. Turn the wheel", "2.2 Weirs"]
    text = "\n\n".join(f"{name}\n\n{PROSE}" for name in [*names, "3. Thanks"])
    assert headings_of(read_text(text)) == [
        (1, "1. Mills"),
        (1, "2. Locks"),
        (2, "2.1 Gates"),
        (2, "2.2 Weirs"),
        (1, "3. Thanks"),
    ]


def headings_typed(*names: str) -> list[tuple[int, str]]:
    """The headings that are found among these lines, each above a paragraph."""
    return headings_of(read_text("\n\n".join(f"{name}\n\n{PROSE}" for name in names)))


def test_a_colon_may_end_the_number_of_a_section():
    names = ["Chapter 1: Locks", "1.1: Gates", "1.1.1: CHAR", "1.1.2: Hinges", "Chapter 2: Mills"]
    assert headings_typed(*names) == [
        (1, names[0]),
        (3, names[1]),
        (4, names[2]),
        (4, names[3]),
        (1, names[4]),
    ]


def test_a_numbered_section_is_no_title_of_the_chapter_above_it():
    text = f"Chapter 1: Locks\n\n1.1: Gates\n\n{PROSE}\n\nChapter 2: Mills\n\n{PROSE}"
    assert headings_of(read_text(text)) == [
        (1, "Chapter 1: Locks"),
        (3, "1.1: Gates"),
        (1, "Chapter 2: Mills"),
    ]


def test_numbered_names_in_lower_case_are_headings_where_their_numbers_go_on():
    names = ["1. Options", "1.1. beep", "1.2. art_help_line", "2. Functions", "2.5 litres"]
    assert [level for level, _ in headings_typed(*names)] == [1, 2, 2, 1, 1]


def test_notes_within_a_numbered_chapter_begin_none():
    names = ["1. Locks", "1.1 Gates", "Notes:", "1.2 Hinges", "2. Mills"]
    assert headings_typed(*names) == [(1, names[0]), (2, names[1]), (2, names[3]), (1, names[4])]


def test_sections_that_each_chapter_counts_anew_are_no_steps_of_those_of_the_last_one():
    names = ["Chapter 1: Locks", "1. Gates", "1.1 Hinges", "Chapter 2: Mills", "1. Wheels", "1.1 Axles"]
    assert [name for _, name in headings_typed(*names)] == names


def test_titles_between_two_numbered_sections_are_below_the_first():
    names = ["1. Locks", "2. Variables", "COLORTERM", "Printer of it", "3. Mills", "Afterwards"]
    assert headings_typed(*names) == [
        (1, names[0]),
        (1, names[1]),
        (2, names[2]),
        (2, names[3]),
        (1, names[4]),
        (1, names[5]),
    ]


def test_a_title_with_a_number_stands_where_that_puts_it():
    names = [
        "1. Locks",
        "2. Weirs",
        "2.1 Gates",
        "Kapitel 3. Mühlen",
        "3.1 wheels of oak",
        "Kind of it",
        "3.2 Axles",
    ]
    assert headings_typed(*names) == [
        (1, names[0]),
        (1, names[1]),
        (2, names[2]),
        (1, names[3]),
        (2, names[4]),
        (3, names[5]),
        (2, names[6]),
    ]


def test_questions_below_one_label_are_titles():
    names = ["1. Locks", "Subject: What is it?", "2. Mills", "Subject: Who is he?", "3. Weirs"]
    names += ["Subject: Is it old?", "4. Gates"]
    assert [name for _, name in headings_typed(*names)] == names


def test_fields_of_numbered_sections_are_no_titles():
    names = [
        "1. Locks",
        "2. Mills",
        "Default: Red",
        "3. Weirs",
        "Default: Green",
        "4. Gates",
        "Default: Blue",
    ]
    assert [name for _, name in headings_typed(*names)] == [names[0], names[1], names[3], names[5]]


@pytest.mark.parametrize("gap", ["\n\n", "\n"], ids=["below a blank line", "on the next line"])
def test_titles_below_the_numbers_of_chapters(gap):
    titles = ["The beginning of it", "What the captain saw", "The End"]
    text = "\n\n".join(
        f"{number}{gap}{title}\n\n{PROSE}" for number, title in zip(("I", "II", "III"), titles, strict=True)
    )
    assert headings_of(read_text(text)) == [
        (1, "I The beginning of it"),
        (1, "II What the captain saw"),
        (1, "III The End"),
    ]


def test_acts_and_scenes_without_the_names_of_speakers():
    scene = f"SCENE I\n\nHAMLET\n\n{PROSE}\n\nOPHELIA\n\n{PROSE}\n\nHAMLET\n\n{PROSE}\n\nOPHELIA\n\n{PROSE}"
    assert headings_of(read_text(f"ACT FIRST\n\n{scene}\n\nACT SECOND\n\n{scene}")) == [
        (1, "ACT FIRST"),
        (2, "SCENE I"),
        (1, "ACT SECOND"),
        (2, "SCENE I"),
    ]


def test_articles_and_sections_of_a_charter_are_its_parts():
    articles = [
        "\n\n".join([f"Article. {number}.", *(f"Section. {at}.\n\n{PROSE}" for at in (1, 2))])
        for number in ("I", "II", "III")
    ]
    assert headings_of(read_text("\n\n".join([PROSE, *articles])))[1:] == [
        entry
        for number in ("I", "II", "III")
        for entry in ((1, f"Article. {number}."), (2, "Section. 1."), (2, "Section. 2."))
    ]
    assert headings_of(read_text(f"{PROSE}\n\nSection 7.1.3 of the charter says:\n\n{PROSE}")) == [(0, None)]


def test_release_notes_with_underlines_of_two_kinds():
    items = f" * {PROSE}\n\n * Tide tables update.\n\n * {PROSE}"
    text = (
        "Tide 2.30 Release Notes\n=======================\n\nUpdates since v2.29\n-------------------\n\n"
        f"UI, Workflows & Features\n\n{items}\n\nPerformance, Internal Implementation etc.\n\n{items}\n\n"
        f"Fixes since v2.29\n-----------------\n{items}\n"
    )
    document = read_text(text)
    assert document.title == "Tide 2.30 Release Notes"
    assert headings_of(document) == [
        (1, "Updates since v2.29"),
        (2, "UI, Workflows & Features"),
        (2, "Performance, Internal Implementation etc."),
        (1, "Fixes since v2.29"),
    ]


def test_lettered_headings_below_numbered_ones():
    text = "\n\n".join(
        f"{heading}\n\n{PROSE}"
        for heading in ("I. INTRODUCTION", "A. The background", "B. The question", "II. METHODS", "A. Data", "B. Models")
    )  # fmt: skip
    assert headings_of(read_text(text)) == [
        (1, "I. INTRODUCTION"),
        (2, "A. The background"),
        (2, "B. The question"),
        (1, "II. METHODS"),
        (2, "A. Data"),
        (2, "B. Models"),
    ]


@pytest.mark.parametrize("last", ["Appendix A", "Schedule A", "Phase I"])
def test_a_title_may_end_in_a_letter_or_a_number(last):
    text = "\n\n".join(f"{title}\n\n{PROSE}" for title in ("The plan", "How it works", last))
    assert [name for _, name in headings_of(read_text(f"{PROSE}\n\n{text}"))][-1] == last


@pytest.mark.parametrize(
    ("line", "following"),
    [
        ("The judge found that the claim of the petitioner arose under section two of 8 U.", "S. C. §1252 and held it void."),
        ("The court said nothing of the kind in its decision of last year in Powerex Corp.", "v. Reliant Energy Services, or so."),
        ("The rules for the stay of such a removal order are set out at some length in Part", "2. of the decision of the court."),
        ("Somebody who signed all of his letters to the newspaper of this town with Peter J.", "M. Smith has now come forward."),
    ],
)  # fmt: skip
def test_initials_and_numbers_at_the_beginning_of_a_line_begin_no_item(line, following):
    (paragraph,) = paragraphs(f"{line}\n{following}\n")
    assert paragraph == f"{line} {following}"


def test_a_list_within_a_paragraph_begins_with_its_first_item():
    first = "There are three ways to go on from here, and each of them has been tried already:"
    assert paragraphs(f"{first}\n1. one\n2. two\n") == [first, "1. one", "2. two"]
    assert paragraphs(f"{first}\n(a) one\n(b) two\n") == [first, "(a) one", "(b) two"]


def test_a_chapter_called_reference_is_no_list_of_references():
    roles = {
        section.heading: section.role
        for section in read_text(f"1 Usage\n\n{PROSE}\n\n2 Reference\n\n{PROSE}\n").sections
    }
    assert roles["2 Reference"] is SectionRole.BODY


STORY = (
    "Three schools in the county were closed on Tuesday after a storm tore off their roofs.\n"
    "Nobody was hurt, the county said, and the schools will be open again on Friday.\n"
)
HEADLINE = "Storm closes three schools in northern county"


@pytest.mark.parametrize(
    ("opening", "signed"),
    [
        (f"{HEADLINE}\n", 0),
        (f"{HEADLINE}\n\n", 0),
        (f"{HEADLINE}\nBy Jane Miller\n12 March 2024\n\n", 6),
        (f"{HEADLINE}\n\nBy Jane Miller, Reporter\nPublished: March 12, 2024\n\n", 8),
        (f"{HEADLINE}\nTuesday, 12 March 2024, 14:05 CET\nVon Karin Groß\n", 9),
    ],
)
def test_the_headline_of_a_short_text_is_its_title(opening: str, signed: int):
    document = read_text(opening + STORY)
    assert document.title == HEADLINE
    assert document.sentences[0].text.startswith("Three schools")
    assert left_out_of(document).get("author line", 0) == signed


@pytest.mark.parametrize("end", [" jm/kb (Reuters)", " Source: The Herald"])
def test_a_headline_stands_above_one_paragraph_that_its_agency_signs(end: str):
    document = read_text(f"{HEADLINE} in Mosul\n\n{STORY}{STORY.strip()}{end}\n")
    assert document.title == f"{HEADLINE} in Mosul"
    assert read_text(f"{HEADLINE}\n\nThree of the nine were closed{end}\n").title is None


@pytest.mark.parametrize("opening", ["Dear Ann", "Sehr geehrte Frau Groß", "Dear all", "12 March 2021"])
def test_neither_salutation_nor_date_is_a_title(opening: str):
    document = read_text(f"{opening}\n\n{STORY}\n{STORY}")
    assert document.title is None
    assert document.sentences[0].text == opening
    assert read_text(f"Dear Diary, A Novel of the North\n\n{STORY}\n{STORY}").title


def test_a_question_above_a_text_is_its_title():
    assert read_text(f"Why is the river rising?\n\n{STORY}\n{STORY}").title == "Why is the river rising?"
    interview = "".join(f"Why is river {n} rising?\n\n{STORY}\n" for n in range(3))
    assert read_text(interview).title is None


@pytest.mark.parametrize(
    "text",
    [
        "It was a dark night and we were lost\nso we walked on until the dawn came.\n",
        "The river runs\nFrom mountain tops to the wide sea\nAnd sings to all that it has seen along the way.\n",
        "By the river stood a house\nin which an old man lived with his dog and seven cats for many years.\n",
        "Dear all,\nThank you for coming to the meeting of the county on Tuesday, it was a pleasure.\n",
        "The storm of Tuesday was the worst that the\nNorthern county has seen since the year 1953, it said.\n",
    ],
)
def test_the_first_line_of_prose_is_no_headline(text: str):
    document = read_text(text)
    assert document.title is None
    assert document.text.split() == text.split()


CHINESE = [
    "今年夏天，长江三角洲发生了严重的洪水。",
    "专家们说：“这是五十年来最大的一次洪水。我们必须加固堤坝。”",
    "你相信吗？",
    "“水位下降得很慢。”一位工程师说。",
    "由于降雨量仍然很大，许多道路仍然无法通行。",
]
JAPANESE = [
    "今年の夏、長江では大きな洪水が起きた。",
    "専門家は「これは五十年で最大の洪水だ。堤防を強くしなければならない。」と述べた。",
    "本当だろうか？",
    "雨がまだ多く降っているため、多くの道路が通れない。",
]
HEBREW = [
    "בקיץ הזה היה שיטפון גדול בנהר.",
    'המומחים אמרו: "זה השיטפון הגדול ביותר מזה חמישים שנה."',
    'צה"ל סייע לתושבים (בצפון).',
]


@pytest.mark.parametrize("suffix", [".txt", ".html", ".md"])
@pytest.mark.parametrize("sentences", [CHINESE, JAPANESE, HEBREW], ids=["zh", "ja", "he"])
def test_sentences_of_scripts_without_spaces_or_from_right_to_left(sentences, suffix, tmp_path):
    spaced = " " if sentences is HEBREW else ""
    text = spaced.join(sentences)
    # A line ends within a sentence; between Chinese and Japanese characters that is no space.
    place = text.index(" ", 55) if spaced else text.index(sentences[-1]) + 6
    broken = f"{text[:place]}\n{text[place + len(spaced) :]}"
    path = tmp_path / f"a{suffix}"
    path.write_text(f"<p>{broken}</p>" if suffix == ".html" else broken + "\n", "utf-8")
    assert [sentence.text for sentence in read(path).sentences] == sentences


def test_the_end_of_a_line_is_a_space_in_korean_and_between_scripts():
    text = "올해 여름에 큰 홍수가\n났습니다. 그는 여기에\n삽니다.\n"
    assert " ".join(paragraphs(text)) == "올해 여름에 큰 홍수가 났습니다. 그는 여기에 삽니다."
    assert paragraphs("这是\nPython 的\n文档。\n") == ["这是 Python 的文档。"]


@pytest.mark.parametrize("suffix", [".txt", ".html"])
def test_asterisks_between_parts_begin_no_sentence(suffix: str, tmp_path):
    path = tmp_path / f"a{suffix}"
    texts = [PROSE.replace("ordinary", word) for word in ("ordinary", "common", "usual")]
    parts = [texts[0], f"* * * {texts[1]}", texts[2]]
    path.write_text("\n\n".join(f"<p>{part}</p>" if suffix == ".html" else part for part in parts), "utf-8")
    assert [sentence.text for sentence in read(path).sentences] == texts


def test_a_long_rule_below_a_headline_takes_no_longer_than_its_length(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("The tide\n" + "- " * 15_000 + "\n\nThe tide rises.\n", "utf-8")
    started = time.process_time()
    assert read(path).text.endswith("The tide rises.")
    assert time.process_time() - started < 3


def test_the_first_date_of_a_diary_is_no_byline(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"My diary\n\n12 March 2024\n\n{PROSE}\n\n13 March 2024\n\n{PROSE}\n", "utf-8")
    document = read(path)
    assert document.title == "My diary"
    assert "12 March 2024" in document.text
    assert left_out_of(document) == {}


CHARTER = """Project charter

1. Purpose
This project replaces the pumps of the north station before the winter.

2. Scope
The four main pumps and their controls are replaced. The building stays.

3. Costs
The pumps cost 310,000 euros, and the work costs 90,000 euros.
"""


def test_numbered_headings_directly_above_their_text():
    document = read_text(CHARTER)
    assert [heading for _, heading in headings_of(document)] == ["1. Purpose", "2. Scope", "3. Costs"]
    assert (
        document.sentences[0].text
        == "This project replaces the pumps of the north station before the winter."
    )


CLAUSES = ("Use of the Dam", "Water", "Duties of the Keeper", "End")


def contract(*names: str) -> str:
    said = "The keeper opens the gates in spring and closes\n   them again before the first of June.\n"
    return "\n".join(f"{number}. {name}. {said}" for number, name in enumerate(names, start=1))


def test_clauses_of_a_contract_are_named_in_their_first_line():
    document = read_text(contract(*CLAUSES))
    assert [heading for _, heading in headings_of(document)] == [
        f"{number}. {name}" for number, name in enumerate(CLAUSES, start=1)
    ]
    assert (
        document.sentences[0].text
        == "The keeper opens the gates in spring and closes them again before the first of June."
    )


def test_names_of_clauses_that_are_no_headings_stay_with_what_they_name():
    text = (
        "1. Open Gate. The keeper opens the gate at six.\n\n2. Close Gate. The keeper closes it.\n\n"
        "3. Ring Bell. The bell is rung twice.\n\n4. Pay Toll. Boats pay a toll of four coins.\n"
    )
    document = read_text(text)
    assert [section.heading for section in document.sections] == [None]
    assert "2. Close Gate. The keeper closes it." in document.text


@pytest.mark.parametrize(
    "text",
    [
        contract(*CLAUSES[:3]),
        contract("Lower the water", "Open the gates", "Call the keeper", "Close the gates"),
        contract(*CLAUSES).replace("3.", "5."),
    ],
)
def test_other_numbered_paragraphs_name_no_clauses(text: str):
    assert not [heading for _, heading in headings_of(read_text(text)) if heading]


def test_a_list_whose_items_run_on_is_no_row_of_headings():
    items = [
        f"{number}. The board of the harbour met again in the evening hall of\nOldport and heard the report.\n"
        for number in (1, 2, 3)
    ]
    assert not [heading for _, heading in headings_of(read_text("\n".join(items))) if heading]


def test_the_news_of_gnu_are_an_outline():
    text = (
        "GNU frob NEWS                              -*- outline -*-\n\n* Changes in release 3.2 (2024-02-10)\n\n"
        "** Bug fixes\n\n  frob no longer crashes when its input is closed by another process.\n\n"
        "** New features\n\n  frob accepts the option --zero now, to end records with NUL instead.\n"
    )
    document = read_text(text)
    assert document.title == "GNU frob NEWS"
    assert headings_of(document) == [
        (1, "Changes in release 3.2 (2024-02-10)"),
        (2, "Bug fixes"),
        (2, "New features"),
    ]


def test_chinese_numbered_headings():
    text = (
        "长江流域水质监测报告\n\n一、概述\n\n2023年，长江流域水质总体良好，比上年有所改善。\n\n"
        "二、主要问题\n\n部分支流的总磷浓度仍然偏高，农业面源污染是主要原因。\n\n"
        "三、措施\n\n各省已关闭或搬迁沿江化工企业一千二百余家，投入三百亿元。\n"
    )
    assert [heading for _, heading in headings_of(read_text(text))] == [
        "一、概述",
        "二、主要问题",
        "三、措施",
    ]


def test_a_table_of_contents_of_questions_is_left_out():
    text = (
        "Questions and answers\n\nTable of Contents\n\n1. Definitions\n    1.1. What is this FAQ?\n"
        "    1.2. OK, now I know that. What is the kernel of the system and\n    where is it found?!\n"
        "    1.3. Does it run elsewhere?\n\n1. Definitions\n\n1.1. What is this FAQ?\n\n"
        "This document answers questions that are asked again and again.\n"
    )
    document = read_text(text)
    assert [sentence.text for sentence in document.sentences] == [
        "This document answers questions that are asked again and again."
    ]
    assert left_out_of(document)["table of contents"] > 10


def test_an_underlined_line_directly_below_a_sentence_is_a_heading():
    text = (
        "Lathe 1.2\n=========\n\nSince 1.1:\n\nBelts\n-----\n\nThe belt runs faster than it did before, and it makes less noise.\n"
        "It can be changed while the lathe runs.\nLathe 1.1\n=========\n\nSince 1.0:\n\nMotors\n------\n\nThe motor is "
        "stronger than the old one, and it does not get hot.\n"
    )
    assert headings_of(read_text(text)) == [(1, "Lathe 1.2"), (2, "Belts"), (1, "Lathe 1.1"), (2, "Motors")]
    table = "We measured two basins for a year.\nBasin\n-----\nupper\nlower\n"
    assert [heading for _, heading in headings_of(read_text("Depths in\n" + table.partition(".\n")[2]))] == [
        None
    ]


def test_a_list_of_names_is_one_entry_a_line():
    text = (
        "pond_depth_new: added, with the depth of the pond in metres\n"
        "pond_depth_old: removed\n"
        "pond_area(): reads the map\n"
        "of the pond\n"
    )
    assert paragraphs(text) == [
        "pond_depth_new: added, with the depth of the pond in metres",
        "pond_depth_old: removed",
        "pond_area(): reads the map of the pond",
    ]


def test_lines_in_capitals_directly_above_text_are_headings():
    text = (
        "HOW TO OPEN THE GATE\n1. Turn the wheel to the left.\n2. Wait until the basin is full.\n\n"
        "WHEN IT DOES NOT OPEN\nLook for wood between the gate and the wall, and pull it out with the hook.\n"
    )
    document = read_text(text)
    assert headings_of(document) == [(1, "HOW TO OPEN THE GATE"), (1, "WHEN IT DOES NOT OPEN")]
    assert "Look for wood between the gate and the wall, and pull it out with the hook." in document.text
    ruled = "THE GATE\n========\nIt opens at noon, if the tide is high enough by then.\n\n"
    ruled += "THE LOCK\n========\nIt is emptied at night, when no boat is on the river.\n"
    assert headings_of(read_text(ruled)) == [(1, "THE GATE"), (1, "THE LOCK")]
    japanese = "URL の表を読み，番号を振\nります．次に表を出します．\n\nHTML の表を読み，番号を\n振ります．次に表を出します．\n"
    assert {heading for _, heading in headings_of(read_text(japanese))} == {None}
    play = "".join(
        f"{name}\nThe gate is shut, and nobody has the key to it.\n\n"
        for name in ("ANNA", "BEN", "ANNA", "BEN")
    )
    assert {heading for _, heading in headings_of(read_text(play))} == {None}


@pytest.mark.parametrize(
    "opening",
    [
        "[12/03/2025, 09:01:12] {}: ",
        "12/03/25, 9:01 AM - {}: ",
        "\u200e[2025-03-12 09.01] {}: ",
        "12.03.25, 09:01 - {}: ",
    ],
)
def test_a_chat_has_its_turns(opening):
    said = ["The key is in the drawer.", "I gave it to Cleo.", "It opens the gate.", "Nobody else has one."]
    lines = [opening.format(name) + text for name, text in zip(["Ada", "Ben"] * 2, said, strict=True)]
    lines.insert(2, "and the lock")
    assert paragraphs("\n".join(lines)) == [
        "Ada: The key is in the drawer.",
        "Ben: I gave it to Cleo. and the lock",
        "Ada: It opens the gate.",
        "Ben: Nobody else has one.",
    ]


def test_dated_entries_of_one_name_are_no_chat():
    log = (
        "12/03/2025, 09:01 - Gate: opened\n12/03/2025, 09:05 - Gate: closed\n12/03/2025, 09:07 - Gate: opened"
    )
    assert without_stamps(log.split("\n")) == log.split("\n")


def test_minutes_open_with_a_title_above_who_was_there():
    text = (
        "Minutes of the board, 12 March 2025\nPresent: A. Berg, B. Clark.\nApologies: D. Evans.\n\n"
        "The board discussed the offer of the landlord at length, and it agreed to accept it.\n"
    )
    assert read_text(text).title == "Minutes of the board, 12 March 2025"
    assert paragraphs(text)[:2] == ["Present: A. Berg, B. Clark.", "Apologies: D. Evans."]


def test_releases_directly_above_their_changes_are_lines_of_their_own():
    releases = ("2.1.0 - 4 May 2021 [WITHDRAWN]", "2.0 (2020-03-01):", "Version 1.9")
    changes = "    *   The gate opens at noon and closes\n        at night.\n    *   The lid is green.\n"
    text = PROSE + "\n\n" + "\n".join(f"{each}\n{changes}" for each in releases)
    said = [each.text for each in read_text(text).sentences][len(read_text(PROSE).sentences) :]
    assert said == [text for each in releases for text in (each, "The gate opens at noon and closes at night.", "The lid is green.")]  # fmt: skip


def test_lines_of_few_words_directly_above_lists_and_prose_are_headings():
    text = (
        "Keeper of the gates\nThe county, Kelby - full time\n\n"
        "About us\nThe county keeps forty gates along the river. Our team of six opens them for boats, day and "
        "night, from the lake to the sea.\n\n"
        "What you will do\n- Open the gates for the boats at noon\n- Count the boats that pass the gates\n\n"
        "What you bring\n- Three years or more on a boat\n- A good eye for the water\n\n"
        "What we offer\nA house at the lock, a boat of your own, and thirty days of leave in every year of work.\n\n"
        "Write to us by 30 April.\n"
    )
    assert [heading for _, heading in headings_of(read_text(text)) if heading] == [
        "About us",
        "What you will do",
        "What you bring",
        "What we offer",
    ]
    fields = "".join(
        f"Gate: {name}\nIt was built of oak by the county in the year of the great flood.\n\n"
        for name in "ABC"
    )
    assert {heading for _, heading in headings_of(read_text(fields))} == {None}
    verse = (
        "The gate is shut\nAnd nobody knows\n\nThe lock is dry\nAnd the river slows\n\n"
        "The boat is gone\nAs the cold wind blows\n"
    )
    assert {heading for _, heading in headings_of(read_text(verse))} == {None}


def headings_in(text: str) -> list[str]:
    return [heading for _, heading in headings_of(read_text(text)) if heading]


@pytest.mark.parametrize(
    "line",
    [
        "/GATE/SLUICE/DEPTH[+STUCK]/OPTIONS",
        "GNAME/SLUICE/DEPTH",
        ":LOCK[;OPTION=ARG...]:OTHER_LOCKS",
        "GATE[,GATE]",
        "DEPTH=WIDTH",
        "$ GATE OPEN",
        "MILL> OPEN THE GATE",
        "OPEN THE GATE OF THE",
    ],
)
def test_a_grammar_in_capitals_is_no_heading(line):
    assert headings_in(f"THE GATES\n\n{PROSE}\n\n{line}\n\n{PROSE}\n\nTHE MILLS\n\n{PROSE}\n") == [
        "THE GATES",
        "THE MILLS",
    ]


def test_titles_in_the_middle_are_headings_however_long():
    titles = [
        "THE LOCKS",
        "THE HISTORY OF THE GREAT WEIRS AND OF THE DAMS ABOVE THE TOWN",
        "INPUT/OUTPUT/ERROR HANDLING",
        "THE TOLLS",
    ]
    lines = textwrap.fill(f"{PROSE} {PROSE}", 70)
    text = "\n\n".join(part for title in titles for part in (title.center(70).rstrip(), lines))
    assert headings_in(text) == titles


def test_capitals_among_numbered_titles_with_rules_are_no_headings():
    titles = {"1 Locks": "OPEN AT NOON", "1.1 Gates": "CLOSED AT NIGHT", "1.2 Mills": "NO CARTS"}
    parts = "\n".join(
        f"{title}\n{'=' * len(title)}\n\n{PROSE}\n\n{sign}\n\n{PROSE}\n" for title, sign in titles.items()
    )
    assert headings_in(parts) == [*titles]


@pytest.mark.parametrize(
    "line", ["GATE DEPTH NAME", "Gate at the depth of the mill", "Gate depth\n     of the mill"]
)
def test_what_an_indent_sets_off_is_an_example(line):
    chapters = "".join(
        f"{number}. {title}\n\n  {PROSE}\n\n"
        for number, title in enumerate(("Locks", "Mills", "Keepers"), start=1)
    )
    text = f"{chapters}  {PROSE}\n\n       {line}\n\n  {PROSE}\n"
    assert headings_in(text) == ["1. Locks", "2. Mills", "3. Keepers"]
    underlined = "".join(f"{title}\n-----\n\n  {PROSE}\n\n" for title in ("Locks", "Mills", "Boats"))
    assert headings_in(f"{underlined}       {line}\n\n  {PROSE}\n") == ["Locks", "Mills", "Boats"]


def test_a_title_in_the_middle_is_none_that_an_indent_sets_off():
    prose = textwrap.fill(f"{PROSE} {PROSE}", 72)
    text = "".join(f"{title.center(72).rstrip()}\n\n{prose}\n\n" for title in ("THE LOCKS", "THE OLD MILLS"))
    assert headings_in(f"PREFACE\n\n{prose}\n\nNOTES\n\n{prose}\n\n{text}") == [
        "PREFACE",
        "NOTES",
        "THE LOCKS",
        "THE OLD MILLS",
    ]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("   Letters in colour are not read by the keeper.", "     " + "_" * 65),
        ("   Letters in colour are not read by the keeper.", "   " + "_" * 45),
        ("   Letters in colour are not read by the keeper.", "   " + "-" * 65),
        ("   See the mill at Weir Street", "     " + "_" * 27),
        ("   See the mill at Weir Street", "   " + "_" * 40),
    ],
)
def test_a_rule_across_the_page_underlines_nothing(line, rule):
    document = read_text(f"Locks\n-----\n\n{PROSE}\n\n{line}\n{rule}\n\n{PROSE}\n\nMills\n-----\n\n{PROSE}\n")
    assert headings_of(document) == [(1, "Locks"), (1, "Mills")]
    assert line.strip() in document.text
    if "_" in rule:
        assert "_" not in document.text


def test_a_rule_of_the_length_of_its_title_underlines_it():
    title = "The locks of the upper basin"
    assert headings_in(f"{title}\n{'_' * len(title)}\n\n{PROSE}\n\nMills\n_____\n\n{PROSE}\n") == [
        title,
        "Mills",
    ]


def test_a_contents_whose_parts_are_indented_ends_where_its_first_entry_comes_again():
    entries = [
        "1. Locks",
        "2. Mills",
        "          2.1. Old mills",
        "3. Keepers",
        "          3.1. Their houses",
    ]
    contents = "\n\n".join(f"   {entry}" for entry in entries)
    text = (
        f"{PROSE}\n\nTable of Contents\n\n{contents}\n\n1.  Locks\n\n   {PROSE}\n\n2.  Mills\n\n   {PROSE}\n\n   {PROSE}\n\n"
        f"  2.1.  Old mills\n\n   {PROSE}\n\n3.  Keepers\n\n  3.1.  Their houses\n\n   {PROSE}\n"
    )
    document = read_text(text)
    assert [heading and " ".join(heading.split()) for _, heading in headings_of(document)] == [
        None,
        "1. Locks",
        "2. Mills",
        "2.1. Old mills",
        "3. Keepers",
        "3.1. Their houses",
    ]
    assert left_out_of(document) == {"table of contents": 15}


def test_titles_between_marks_are_headings():
    text = f"=== Goals of the lock ===\n\n{PROSE}\n\n==== Gates/mills ====\n\n{PROSE}\n\n=== Plans ===\n\n{PROSE}\n"
    assert headings_of(read_text(text)) == [(1, "Goals of the lock"), (2, "Gates/mills"), (1, "Plans")]


def test_titles_between_marks_right_above_their_text_are_headings():
    text = f"== GOALS ==\n{PROSE}\n\n== Gates/mills ==\n{PROSE}\n\n{PROSE}\n\n== Plans ==\n{PROSE}\n"
    assert headings_of(read_text(text)) == [(1, "GOALS"), (1, "Gates/mills"), (1, "Plans")]


def test_words_in_italics_are_read_without_their_signs():
    typed = f"{BODY} The _Weir_ is old. _It holds the water. It holds the boats._ {BODY}"
    assert "The Weir is old. It holds the water. It holds the boats." in read_text(typed).text
    # Names of code and a single pair of signs stay.
    code = f"{BODY} Set _depth_ in pond_depth and lake_depth, and call _open_ or get_gate. {BODY}"
    assert "_depth_ in pond_depth" in read_text(code).text


def test_propositions_of_a_treatise_are_headings_below_others():
    stated = "The Light of the lamp is refracted by the water. For I saw it bent where it came out of the weir again."
    text = "\n\n\n".join(
        f"{above}\n\n" + "\n\n".join(f"{name} {number}.\n\n{stated} {PROSE}" for number in ("I", "II"))
        for above, name in (("AXIOMS", "AX."), ("PROPOSITIONS", "THEOR. I. PROP."))
    )
    expected = [(1, "AXIOMS"), (2, "AX. I."), (2, "AX. II.")]
    expected += [(1, "PROPOSITIONS"), (2, "THEOR. I. PROP. I."), (2, "THEOR. I. PROP. II.")]
    assert headings_of(read_text(text)) == expected


@pytest.mark.parametrize("name", ["LECTURE", "Essay", "Sermon"])
def test_numbered_essays_and_lectures_are_chapters(name):
    text = "\n\n\n".join(f"{name} {number}.\n\n{PROSE} {PROSE}" for number in ("I", "II", "III"))
    assert [heading for _, heading in headings_of(read_text(text))] == [
        f"{name} {n}." for n in ("I", "II", "III")
    ]


def test_functions_named_by_a_sign_of_italics_keep_it():
    typed = f'Mark what is shown with _("…") or N_("…"). In headers use _(x) and N_(x). {BODY}'
    assert 'with _("…") or N_("…"). In headers use _(x) and N_(x).' in read_text(typed).text


def test_headings_in_italics_are_read_without_their_signs():
    text = f"_PART I._\n\n{PROSE}\n\n_AXIOMS._\n\n{PROSE}\n\n_PART II._ _The mills._\n\n{PROSE}\n\n"
    assert headings_in(text) == ["PART I.", "AXIOMS.", "PART II. The mills."]
    titles = "".join(
        f"_{title}_ of the lake\n\n{PROSE}\n\n{PROSE}\n\n" for title in ("Gates", "Mills", "Weirs", "Boats")
    )
    assert headings_in(f"{PROSE}\n\n{titles}") == [
        f"{title} of the lake" for title in ("Gates", "Mills", "Weirs", "Boats")
    ]


def test_parts_directly_below_books_are_one_level_down():
    text = "".join(
        f"THE {book} BOOK\n\nPART I.\n\nCHAPTER I\n\n{PROSE}\n\nPART II.\n\nCHAPTER I\n\n{PROSE}\n\n"
        for book in ("FIRST", "SECOND")
    )
    assert headings_of(read_text(text)) == [
        (1, "THE FIRST BOOK"),
        (2, "PART I."),
        (3, "CHAPTER I"),
        (2, "PART II."),
        (3, "CHAPTER I"),
        (1, "THE SECOND BOOK"),
        (2, "PART I."),
        (3, "CHAPTER I"),
        (2, "PART II."),
        (3, "CHAPTER I"),
    ]


def test_numbers_within_chapters_are_parts_of_them_and_chapters_go_on_without_the_word():
    text = (
        f"ADVENTURE I. THE LOST GATE\n\nI.\n\n{PROSE}\n\nII.\n\n{PROSE}\n\nADVENTURE II. THE MILLER\n\n{PROSE}\n\n"
        f"III. THE ADVENTURE OF THE WEIR\n\n{PROSE}\n\nIV. THE ADVENTURE OF THE KEEPER\n\n{PROSE}\n"
    )
    assert headings_of(read_text(text)) == [
        (1, "ADVENTURE I. THE LOST GATE"),
        (2, "I."),
        (2, "II."),
        (1, "ADVENTURE II. THE MILLER"),
        (1, "III. THE ADVENTURE OF THE WEIR"),
        (1, "IV. THE ADVENTURE OF THE KEEPER"),
    ]


def test_a_date_below_a_title_is_none():
    asked = [
        "Who opens it?",
        "Where is the mill?",
        "When does it close?",
        "Why is it dry?",
        "Who lives there?",
    ]
    unfinished = "   More is on the board of the mill\n   at the weir\n\n"
    text = "".join(
        f"{title}\n\n   Date: May 2{day}, 1996\n\n   {PROSE}\n\n{unfinished if day == 2 else ''}"
        for day, title in enumerate(asked)
    )
    assert headings_in(f"{PROSE}\n\n{text}") == asked


@pytest.mark.parametrize("line", ["If you want the mill to stop, use", "See the list of the mills"])
def test_what_tells_a_reader_what_to_do_is_no_title(line):
    titles = ["Gates", "Mills of the lake", "Weirs"]
    text = "".join(f"{title}\n\n{PROSE}\n\n{PROSE}\n\n" for title in titles)
    assert headings_in(f"{PROSE}\n\n{text}{line}\n\n{PROSE}\n") == titles


@pytest.mark.parametrize(
    "name", ["2.0 (2019-12-20)", "Lathe 2.0 - 20 December 2019", "v2.0:", "0.3 (unreleased)"]
)
def test_the_name_of_a_release_is_apart_from_what_is_set_in_below_it(name):
    text = f"3.0 (2025-08-17)\n\n    - Gates are raised by day.\n\n{name}\n    The gates of the lake have new\n    lamps.\n"
    assert paragraphs(text)[-2:] == [name, "The gates of the lake have new lamps."]
    # What goes on in lines that are set in is one paragraph.
    assert paragraphs("2.0 gates of the lake\n    have new lamps now.\n") == [
        "2.0 gates of the lake have new lamps now."
    ]
