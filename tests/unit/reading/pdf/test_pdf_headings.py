"""Headings: found by outline, numbers and type; lines of the body are not taken for them."""

from __future__ import annotations

import pytest
from pdf_making import WORDS, Typesetter, make_pdf, make_unicode_pdf, read_bytes, sentences
from reportlab.pdfgen.canvas import Canvas

from lsum_cli.reading.pdf.heading_candidates import is_usual
from lsum_cli.reading.pdf.typography import numbering_depth


def headings(content: bytes) -> list[tuple[int, str]]:
    return [(section.level, section.heading) for section in read_bytes(content).sections if section.heading]


def report(titles, *, outline: bool = False, prose: str = "") -> bytes:
    """A report with headings ``(level, text, size, font)``, each with a paragraph."""

    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, (level, text, size, font) in enumerate(titles):
            if outline:
                canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
                canvas.addOutlineEntry(text, text, level - 1)
            y = setter.heading(text, 60, y, size=size, font=font)
            y = setter.paragraph(" ".join(sentences(4, seed=seed)) + prose, 60, y, 480)
            y = setter.paragraph(" ".join(sentences(3, seed=100 + seed)), 60, y, 480, indent=12) - 8

    return make_pdf(draw)


def test_sizes_tell_levels():
    titles = [
        (1, "The river", 16, "Times-Bold"),
        (2, "Its bridges", 13, "Times-Bold"),
        (2, "Its castles", 13, "Times-Bold"),
        (1, "The forest", 16, "Times-Bold"),
    ]
    assert headings(report(titles)) == [(level, text) for level, text, _, _ in titles]


def test_numbers_tell_levels():
    titles = [
        (1, "1 The river", 11, "Times-Bold"),
        (2, "1.1 Its bridges", 11, "Times-Bold"),
        (3, "1.1.1 The old bridge", 11, "Times-Bold"),
        (1, "2. The forest", 11, "Times-Bold"),
    ]
    assert headings(report(titles)) == [(level, text) for level, text, _, _ in titles]


@pytest.mark.parametrize(
    ("following", "level"),
    [
        ((2, "4.6 The castles"), 3),
        ((1, "Chapter 5 The castles"), 3),
        # Another text, whose chapters begin anew.
        ((2, "1.1 The castles"), 1),
    ],
)
def test_items_of_a_list_between_two_sections_are_no_chapters(following, level):
    titles = [
        (1, "Chapter 4 The river", 11, "Times-Bold"),
        (2, "4.5 Its bridges", 11, "Times-Bold"),
        (level, "1. The old bridge", 11, "Times-Bold"),
        (level, "2. The new bridge", 11, "Times-Bold"),
        (*following, 11, "Times-Bold"),
    ]
    assert headings(report(titles)) == [(level, text) for level, text, _, _ in titles]


def test_a_heading_may_end_in_a_letter():
    titles = [
        (1, "The river", 13, "Times-Bold"),
        (1, "Part III-A", 13, "Times-Bold"),
        (1, "Appendix A", 13, "Times-Bold"),
        (1, "Appendix B", 13, "Times-Bold"),
    ]
    assert headings(report(titles)) == [(level, text) for level, text, _, _ in titles]


def test_the_outline_tells_headings_that_look_like_text():
    titles = [
        (1, "The river in winter", 10, "Times-Roman"),
        (2, "Bridges of stone", 10, "Times-Roman"),
        (2, "Bridges of wood", 10, "Times-Roman"),
        (1, "The forest in summer", 10, "Times-Roman"),
    ]
    assert headings(report(titles, outline=True)) == [(level, text) for level, text, _, _ in titles]


@pytest.mark.parametrize("name", ["Part A)", "Stage 2)", "IV)"])
def test_a_number_may_end_in_a_bracket(name):
    titles = [(1, f"{name} The river", 14, "Times-Bold"), (1, "The forest", 14, "Times-Bold")]
    assert headings(report(titles)) == [(1, f"{name} The river"), (1, "The forest")]
    # What ends in a bracket that opens above is a piece of a sentence.
    piece = (1, f"The river of {name} and its bridges", 14, "Times-Bold")
    assert headings(report([*titles, piece])) == headings(report(titles))


def test_bold_words_and_bold_sentences_in_the_text_are_no_headings():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("1 The river", 60, 740)
        for seed in range(4):
            y = setter.paragraph(" ".join(sentences(4, seed=seed)), 60, y, 480, indent=12)
            canvas.setFont("Times-Bold", 10)
            for line in setter.wrap(" ".join(sentences(3, seed=50 + seed)), 480):
                canvas.drawString(60, y, line)
                y -= 12

    assert headings(make_pdf(draw)) == [(1, "1 The river")]


def test_captions_are_no_headings(texts):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("1 The river", 60, 740)
        y = setter.paragraph(" ".join(sentences(6, seed=1)), 60, y, 480)
        canvas.setFont("Times-Bold", 10)
        canvas.drawString(60, y - 20, "Figure 1. The bridges of the village")
        setter.heading("2 The forest", 60, y - 60)
        setter.paragraph(" ".join(sentences(6, seed=2)), 60, y - 80, 480)

    content = make_pdf(draw)
    assert headings(content) == [(1, "1 The river"), (1, "2 The forest")]
    assert "The bridges of the village" in " ".join(texts(read_bytes(content)))


def test_a_heading_of_two_lines_is_one():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, words in enumerate((("1 A long way down the", "river to the harbour"), ("2 The forest",))):
            canvas.setFont("Times-Bold", 14)
            for line in words:
                canvas.drawString(60, y, line)
                y -= 16
            y = setter.paragraph(" ".join(sentences(6, seed=seed)), 60, y - 4, 480) - 10

    assert headings(make_pdf(draw)) == [
        (1, "1 A long way down the river to the harbour"),
        (1, "2 The forest"),
    ]


def test_roman_numbers_alone_on_a_line_part_an_opinion():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, number in enumerate(("I", "II", "III")):
            canvas.setFont("Times-Roman", 10)
            canvas.drawCentredString(300, y - 4, number)
            y = setter.paragraph(" ".join(sentences(6, seed=seed)), 60, y - 20, 480) - 4

    assert headings(make_pdf(draw)) == [(1, "I"), (1, "II"), (1, "III")]


def test_bold_words_that_open_paragraphs_are_headings():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("1 The river", 60, 740, size=14)
        for seed, lead in enumerate(("Bridges of stone.", "Bridges of wood.", "Bridges of rope.")):
            canvas.setFont("Times-Bold", 10)
            canvas.drawString(60, y, lead)
            width = canvas.stringWidth(lead + " ", "Times-Bold", 10)
            y = setter.paragraph(" ".join(sentences(5, seed=seed)), 60, y, 480, indent=width) - 6

    content = make_pdf(draw)
    assert headings(content) == [
        (1, "1 The river"),
        (2, "Bridges of stone"),
        (2, "Bridges of wood"),
        (2, "Bridges of rope"),
    ]
    assert read_bytes(content).sections[1].sentences[0].text == sentences(5, seed=0)[0]


@pytest.mark.parametrize(
    ("text", "depth"),
    [("1 Rivers", 1), ("2.3 Bridges", 2), ("2.3.1. Stone", 3), ("IV. Rivers", 1), ("A.1 Proofs", 2), ("Rivers", 0),
     ("1990 was a year", 0), ("Appendix B Rivers", 1), ("I saw a river", 0), ("3 4 5", 0)],
)  # fmt: skip
def test_numbers_of_headings(text, depth):
    assert numbering_depth(text) == depth


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [
        ("The Long River", "The Long River"),
        ("untitled", "The Long River"),
        ("Microsoft Word - river_final2.docx", "The Long River"),
        ("river.dvi", "The Long River"),
        ("", "The Long River"),
        ("Something that is not on the page", "The Long River"),
    ],
)
def test_the_title_is_the_one_on_the_page(claimed, expected, texts):
    def draw(canvas):
        canvas.setTitle(claimed)
        setter = Typesetter(canvas)
        setter.heading("The Long River", 200, 730, size=20)
        y = setter.heading("1 Introduction", 60, 680)
        setter.paragraph(" ".join(sentences(6, seed=1)), 60, y, 480)

    document = read_bytes(make_pdf(draw))
    assert document.title == expected
    assert texts(document) == sentences(6, seed=1)


def test_no_title_where_nothing_stands_out():
    content = make_pdf(
        lambda canvas: Typesetter(canvas).paragraph(" ".join(sentences(9, seed=1)), 60, 700, 480)
    )
    assert read_bytes(content).title is None


def _with_bold_leads(count: int) -> bytes:
    """Three numbered sections; ``count`` of their paragraphs begin with bold words."""

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for page in range(3):
            y = setter.heading(f"{page + 1} The {WORDS[page]} of winter", 60, 720, size=14)
            for paragraph in range(2):
                number = 2 * page + paragraph
                x = 60.0
                if number < count:
                    canvas.setFont("Times-Bold", 10)
                    canvas.drawString(60, y, "Harbour lights")
                    x += canvas.stringWidth("Harbour lights ", "Times-Bold", 10)
                canvas.setFont("Times-Roman", 10)
                canvas.drawString(x, y, "The first line of this paragraph goes on to its right end here and")
                y = setter.paragraph(
                    "then on to the next. " + " ".join(sentences(4, seed=number)), 60, y - 12, 400
                )
                y -= 8
            canvas.showPage()

    return make_pdf(draw)


@pytest.mark.parametrize(("count", "expected"), [(1, 0), (2, 0), (3, 3), (6, 6)])
def test_bold_words_that_open_paragraphs_are_headings_only_where_several_do(count, expected):
    document = read_bytes(_with_bold_leads(count))
    assert [section.heading for section in document.sections].count("Harbour lights") == expected


def test_an_outline_entry_that_no_line_spells_is_a_heading_before_its_text():
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for page in range(4):
            canvas.bookmarkPage(f"p{page}")
            canvas.addOutlineEntry(f"Part {page} of the tale", f"p{page}", 0)
            setter.paragraph(" ".join(sentences(12, seed=page)), 60, 700, 480)
            canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert [section.heading for section in document.sections] == [f"Part {n} of the tale" for n in range(4)]
    assert [len(section.sentences) for section in document.sections] == [12] * 4


@pytest.mark.parametrize(
    ("bookmark", "printed"),
    [
        (r"1.2 The type {\ttfam \tentt t_LIST}", "1.2 The type t_LIST"),
        ("Cac goi", "Các gói"),
        ("2.1 $F_{l^2}$ for $l$", "2.1 Fields of order two"),
    ],
)
def test_a_bookmark_may_spell_a_heading_otherwise(bookmark, printed):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, (entry, text) in enumerate(
            [("1 Rivers", "1 Rivers"), (bookmark, printed), ("3 Castles", "3 Castles")]
        ):
            canvas.bookmarkPage(entry, fit="XYZ", left=0, top=y + 14)
            canvas.addOutlineEntry(entry, entry, int("." in entry))
            y = setter.heading(text, 60, y)
            y = setter.paragraph(" ".join(sentences(9, seed=seed)), 60, y, 480) - 12

    assert [text for _, text in headings(make_pdf(draw))] == ["1 Rivers", printed, "3 Castles"]


def test_numbered_headings_below_the_outline_are_below_its_headings():
    titles = [
        (1, "1 The river", 13, "Times-Bold"),
        (2, "1.1 Its bridges", 11, "Times-Bold"),
        (1, "2 The forest", 13, "Times-Bold"),
        (2, "2.1 Its meadows", 11, "Times-Bold"),
        (2, "2.1.1 A meadow", 11, "Times-Bold"),
        (1, "3 The harbour", 13, "Times-Bold"),
    ]

    def draw(canvas):
        setter = Typesetter(canvas)
        y = 760.0
        for seed, (level, text, size, font) in enumerate(titles):
            if text.count(".") < 2:
                canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
                canvas.addOutlineEntry(text, text, level - 1)
            y = setter.heading(text, 60, y, size=size, font=font)
            y = setter.paragraph(" ".join(sentences(5, seed=seed)), 60, y, 480) - 8

    assert headings(make_pdf(draw)) == [
        (3 if text.count(".") == 2 else level, text) for level, text, _, _ in titles
    ]


def test_steps_are_below_the_headings_of_an_outline_without_numbers():
    titles = [
        (1, "The river", 13, "Times-Bold"),
        (2, "Its bridges", 13, "Times-Roman"),
        (1, "The forest", 13, "Times-Bold"),
        (2, "Its meadows", 13, "Times-Roman"),
        (3, "1. Cross the meadow", 12, "Times-Bold"),
        (3, "2. Find the castle", 12, "Times-Bold"),
        (1, "The harbour", 13, "Times-Bold"),
    ]

    def draw(canvas):
        setter = Typesetter(canvas)
        y = 760.0
        for seed, (level, text, size, font) in enumerate(titles):
            if level < 3:
                canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
                canvas.addOutlineEntry(text, text, level - 1)
            y = setter.heading(text, 60, y, size=size, font=font)
            y = setter.paragraph(" ".join(sentences(5, seed=seed)), 60, y, 480) - 8

    assert headings(make_pdf(draw)) == [(level, text) for level, text, _, _ in titles]


@pytest.mark.parametrize(("head", "level"), [("content", 2), ("Content", 1)])
def test_the_head_of_a_column_is_no_chapter_beside_an_outline(head, level):
    titles = ["1 Rivers", "2 Castles", "3 Letters"]

    def draw(canvas):
        setter = Typesetter(canvas)
        y = 760.0
        for seed, text in enumerate(titles):
            canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
            canvas.addOutlineEntry(text, text, 0)
            y = setter.heading(text, 60, y, size=14)
            y = setter.paragraph(" ".join(sentences(5, seed=seed)), 60, y, 480) - 14
            if seed == 1:
                y = setter.heading(head, 60, y, size=11) - 4
                y = setter.paragraph(" ".join(sentences(2, seed=9)), 60, y, 480) - 8

    assert (level, head) in headings(make_pdf(draw))


def test_bookmarks_that_number_the_pages_are_no_headings():
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for page in range(5):
            canvas.bookmarkPage(f"p{page}")
            canvas.addOutlineEntry(f"Page {page + 1}" if page % 2 else str(page + 1), f"p{page}", 0)
            setter.paragraph(" ".join(sentences(12, seed=page)), 60, 700, 480)
            canvas.showPage()

    assert [section.heading for section in read_bytes(make_pdf(draw)).sections] == [None]


def test_the_heads_of_the_columns_of_a_table_are_no_headings():
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for page in range(3):
            y = setter.heading(f"{page + 1} The {WORDS[page]} of winter", 60, 720, size=14)
            y = setter.paragraph(" ".join(sentences(8, seed=page)), 60, y, 480) - 20
            canvas.setFont("Times-Bold", 12)
            canvas.drawString(60, y, "Code")
            canvas.drawString(160, y, "Meaning of the code")
            canvas.setFont("Times-Roman", 10)
            for row in range(5):
                canvas.drawString(60, y - 16 * (row + 1), f"H{row}000")
                canvas.drawString(160, y - 16 * (row + 1), f"Referred to the committee number {row}")
            canvas.showPage()

    headings = [section.heading for section in read_bytes(make_pdf(draw)).sections]
    assert headings == [f"{page + 1} The {WORDS[page]} of winter" for page in range(3)]


def test_a_heading_may_end_in_a_verb_and_not_in_an_article():
    titles = [
        (1, "Where we are", 16, "Times-Bold"),
        (1, "What comes of the", 16, "Times-Bold"),
        (1, "The forest", 16, "Times-Bold"),
    ]
    assert headings(report(titles)) == [(1, "Where we are"), (1, "The forest")]


def test_scripts_without_capitals_have_headings_too():
    def shown(text: str, size: int, y: int) -> bytes:
        return b"BT /U %d Tf 72 %d Td <%s> Tj ET\n" % (size, y, text.encode("utf-16-be").hex().encode())

    chapters = ["첫째 이야기의 강물", "둘째 이야기의 바다", "셋째 이야기의 나무"]
    stream = b"".join(
        shown(chapter, 20, 740 - 200 * number)
        + b"".join(
            shown("강은 산에서 바다로 흐르고 사람들은 그 물을 마신다.", 10, 700 - 200 * number - 12 * line)
            for line in range(8)
        )
        for number, chapter in enumerate(chapters)
    )
    assert headings(make_unicode_pdf([stream])) == [(1, chapter) for chapter in chapters]


def test_an_abstract_run_in_below_the_authors_is_not_one_paragraph_with_them():
    def draw(canvas):
        setter = Typesetter(canvas)
        authors = "Anna Berg, Luis Ortega, Maria Lindqvist and Peter Hoffmann, all of the Marine Institute in Bergen"
        y = setter.heading("Bridges of the old river", 60, 740, size=18)
        y = setter.paragraph(authors, 60, y, 480)
        y = setter.paragraph("Abstract—" + " ".join(sentences(6, seed=1)), 60, y, 480)
        y = setter.heading("1 Introduction", 60, y - 8, size=12)
        setter.paragraph(" ".join(sentences(8, seed=2)), 60, y, 480)

    abstract = next(s for s in read_bytes(make_pdf(draw)).sections if s.heading == "Abstract")
    assert abstract.role == "abstract"
    assert abstract.sentences[0].text == sentences(6, seed=1)[0]


def test_bold_words_that_fill_most_of_a_line_open_its_paragraph():
    leads = [
        "Selection of positive passages",
        "Cross-dataset generalization",
        "In-batch negative training now",
    ]
    bodies = ["Because only " + " ".join(sentences(3, seed=seed)).lower() for seed in range(3)]

    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("1 Introduction", 60, 740, size=14)
        y = setter.paragraph(" ".join(sentences(8, seed=9)), 60, y, 240) - 12
        for lead, body in zip(leads, bodies, strict=True):
            # The line holds the lead and two words; the paragraph goes on below it.
            first, rest = body[: len("Because only")], body[len("Because only") :].strip()
            canvas.setFont("Times-Bold", 10)
            canvas.drawString(60, y, lead)
            x = 60 + canvas.stringWidth(lead + "  ", "Times-Bold", 10)
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(x, y, first)
            y = setter.paragraph(rest, 60, y - 12, 240) - 12

    document = read_bytes(make_pdf(draw))
    assert [section.heading for section in document.sections if section.heading][1:] == leads
    openings = [section.sentences[0].text for section in document.sections if section.heading in leads]
    assert all(opening.startswith("Because only the ") for opening in openings)


@pytest.mark.parametrize(
    "text", ["Loans (of the first two", "Two years) and later", "(In thousands of crowns)"]
)
def test_what_is_cut_in_parentheses_or_all_within_them_is_no_heading(text):
    titles = ["The river", text, "1) Loans (of the first)", "The forest"]
    found = headings(report([(1, title, 13, "Times-Bold") for title in titles]))
    assert [heading for _, heading in found] == ["The river", "1) Loans (of the first)", "The forest"]


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("2015 年的河流与森林", True),
        ("2015 年的河流，森林与港口", True),
        ("2015 年的河流很高。森林与港口", False),
        ("2015 年的河流很高，村里的人们把船拉到岸上，等着水退下去", False),
        ("2015 年的河流很高" + "村里的人们把船拉到岸上等着水" * 3, False),
    ],
)
def test_a_sentence_without_spaces_is_no_heading(line, is_heading):
    def shown(text: str, size: int, y: int) -> bytes:
        return b"BT /U %d Tf 60 %d Td <%s> Tj ET\n" % (size, y, text.encode("utf-16-be").hex().encode())

    lines = ["第一章 河流", *(["村里的人们在河边种树和打鱼" * 3] * 12)]
    lines += [line, *lines[1:]]
    stream = b"".join(
        shown(text, 10 if number % 13 else 13, 740 - 14 * number) for number, text in enumerate(lines)
    )
    assert (line in [heading for _, heading in headings(make_unicode_pdf([stream]))]) == is_heading


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("The ferries of the lake and", ["The ferries of the lake and The boats of the river"]),
        ("The ferries of the lake", ["The ferries of the lake", "The boats of the river"]),
    ],
)
def test_a_heading_goes_on_in_italics_where_it_cannot_end(first, expected):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("The harbour", 60, 740, size=18)
        y = setter.paragraph(" ".join(sentences(6, seed=1)), 60, y, 480) - 12
        setter.heading(first, 60, y, size=13)
        setter.heading("The boats of the river", 60, y - 15, size=13, font="Times-BoldItalic")
        y = setter.paragraph(" ".join(sentences(6, seed=2)), 60, y - 36, 480) - 12
        y = setter.heading("The forest", 60, y, size=13)
        setter.paragraph(" ".join(sentences(6, seed=3)), 60, y, 480)

    assert [heading for _, heading in headings(make_pdf(draw))] == ["The harbour", *expected, "The forest"]


@pytest.mark.parametrize("number", ["2", "IV", "A", "1.3.2.1.1", "A.1.2"])
def test_a_heading_keeps_its_number_where_items_of_lists_are_aligned_with_its_words(number):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("All the rivers", 200, 740, size=20) - 10
        for part in range(3):
            canvas.setFont("Times-Bold", 12)
            canvas.drawString(60, y, number)
            canvas.drawString(60 + canvas.stringWidth(number, "Times-Bold", 12) + 12, y, f"The river {part}x")
            y = setter.paragraph(" ".join(sentences(2, seed=part)), 60, y - 18, 480) - 4
            for item in range(4):
                x = 60 + canvas.stringWidth(number, "Times-Bold", 12) + 12
                y = setter.paragraph(sentences(1, seed=10 * part + item + 20)[0], x, y, 380) - 4

    assert [text for _, text in headings(make_pdf(draw))] == [f"{number} The river {n}x" for n in range(3)]


TITLES = ("The old river", "Castles of the north", "A letter from home")


def _chapters(*labels: str, size: float = 20, titles: tuple[str, ...] = TITLES) -> bytes:
    def draw(canvas):
        setter = Typesetter(canvas)
        for part, label in enumerate(labels):
            y = 700.0
            for line in label.split("\n"):
                y = setter.heading(line, 60, y, size=size)
            y = setter.heading(titles[part], 60, y - 20, size=24) - 20
            for seed in range(4):
                y = setter.paragraph(" ".join(sentences(4, seed=10 * part + seed)), 60, y, 480) - 12
            canvas.showPage()
            for more in range(part + 1):
                setter.paragraph(" ".join(sentences(40, seed=10 * part + more + 50)), 60, 700, 480)
                canvas.showPage()

    return make_pdf(draw)


@pytest.mark.parametrize("size", [10, 20])
@pytest.mark.parametrize(
    "labels",
    [
        ("Chapter 1", "Chapter 2", "Appendix A"),
        ("Kapitel I", "Kapitel II", "Kapitel III"),
        ("CHAPTER\nONE", "CHAPTER\nTWO", "CHAPTER\nTHREE"),
    ],
)
def test_the_number_of_a_chapter_is_in_its_heading(labels, size):
    expected = [f"{label} {title}".replace("\n", " ") for label, title in zip(labels, TITLES, strict=True)]
    assert headings(_chapters(*labels, size=size)) == [(1, text) for text in expected]


def test_a_part_is_no_label_of_the_chapter_below_it():
    titles = ("Chapter 1: Rivers", "Chapter 2: Castles", "Chapter 3: Letters")
    found = headings(_chapters("Part I", "Part II", "Part III", size=30, titles=titles))
    assert [text for _, text in found] == ["Part I", titles[0], "Part II", titles[1], "Part III", titles[2]]


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("ΕΥΧΑΡΙΣΤΙΕΣ", True),
        ("Danksagung", True),
        ("1. Einführung", True),
        ("Lời cảm ơn", True),
        ("Введение", True),
        ("まえがき", True),
        ("참고 문헌", True),
        ("Samenvatting", True),
        ("Inhaltsverzeichnis", True),
        ("Die Donau", False),
        ("まえかき", False),
    ],
)
def test_usual_headings_are_known_in_many_languages(name, usual):
    assert is_usual(name) is usual


def test_the_summary_before_the_outline_is_a_heading_in_other_languages():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("All the rivers", 200, 740, size=22)
        y = setter.heading("Kurzfassung", 60, y - 20, size=16)
        y = setter.paragraph(" ".join(sentences(5, seed=50)), 60, y, 480) - 12
        for seed, text in enumerate(["1 Rivers", "2 Castles", "3 Letters"]):
            canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
            canvas.addOutlineEntry(text, text, 0)
            y = setter.heading(text, 60, y, size=14)
            y = setter.paragraph(" ".join(sentences(5, seed=seed)), 60, y, 480) - 12

    document = read_bytes(make_pdf(draw))
    assert [(section.heading, section.role) for section in document.sections][:2] == [
        ("Kurzfassung", "abstract"),
        ("1 Rivers", "body"),
    ]


def test_a_heading_of_two_lines_is_one_in_double_spaced_text_too():
    name = ("1.2 Introduction, or what the rivers are to those", "who live beside them")

    def draw(canvas):
        setter = Typesetter(canvas, leading=24)
        y = setter.paragraph(" ".join(sentences(5, seed=1)), 60, 740, 480, indent=20)
        for line in name:
            setter.heading(line, 60, y, size=10)
            y -= 24
        setter.paragraph(" ".join(sentences(9, seed=2)), 60, y, 480, indent=20)

    document = read_bytes(make_pdf(draw))
    assert [section.heading for section in document.sections] == [None, " ".join(name)]
    assert [sentence.text for sentence in document.sections[1].sentences] == sentences(9, seed=2)


def test_text_among_long_listings_is_no_heading_for_its_larger_type():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for part in range(3):
            y = setter.heading(f"{part + 1} Castles of the north", 60, y, size=14)
            for seed in range(2):
                y = setter.paragraph(" ".join(sentences(2, seed=10 * part + seed)), 60, y, 480) - 4
                canvas.setFont("Courier", 8)
                for line in range(9):
                    canvas.drawString(
                        60, y, f"copy the river {line} to the castle {part} of the north and so on"
                    )
                    y -= 9
                y -= 6

    assert [text for _, text in headings(make_pdf(draw))] == [
        f"{part + 1} Castles of the north" for part in range(3)
    ]


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("The rivers rise. The castles stay. All of them are old and are visited by few.", False),
        ("[1] Lee, Ann: Rivers and castles", False),
        ("(2003). Rivers of the north and their old castles", False),
        ("Dr. Lee and the rivers of the north, or how they were seen by many in 1820", True),
        ("(1) Rivers of the north", True),
    ],
)
def test_sentences_and_entries_of_lists_of_works_are_no_headings(line, is_heading):
    titles = [(1, text, 13, "Times-Bold") for text in ("The harbour", line, "The forest", "The meadow")]
    assert (line in [text for _, text in headings(report(titles))]) is is_heading


@pytest.mark.parametrize(
    ("shown", "title"),
    [
        ("The rivers of the north*†", "The rivers of the north"),
        ("The rivers of the north ‡,§", "The rivers of the north"),
        ("Castles on the river C*", "Castles on the river C"),
        ("Literaturverzeichnis", None),
        ("RIVERS2021-0003", None),
    ],
)
def test_marks_usual_headings_and_numbers_are_no_part_of_a_title(shown, title):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading(shown, 150, 740, size=20)
        setter.paragraph(" ".join(sentences(30, seed=1)), 60, y - 20, 480)

    assert read_bytes(make_pdf(draw)).title == title


@pytest.mark.parametrize(
    ("name", "below", "title"),
    [
        ("Weirbook", ("$Date: 2006-11-09 08:27:47 -0800 (Thu, 09 Nov 2006) $",), "Weirbook"),
        ("Rivers", ("Meadow Society", "June 29, 2025"), "Rivers"),
        ("Weirbook", ("by Ada B. Meadow",), "Weirbook"),
        ("Weirbook", ("Ada Meadow, ada@rivers.example and others",), "Weirbook"),
        ("Weirbook", ("A keeper of rivers",), "A keeper of rivers"),
    ],
)
def test_dates_and_authors_are_no_title(name, below, title):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading(name, 250, 740, size=24) - 40
        for text in below:
            y = setter.heading(text, 150, y, size=15)
        setter.paragraph(" ".join(sentences(30, seed=1)), 60, y - 20, 480)

    assert read_bytes(make_pdf(draw)).title == title


@pytest.mark.parametrize(
    ("below", "is_heading"),
    [("to care with a wound that does not heal.", False), ("To care for them takes time.", True)],
)
def test_a_bold_item_whose_sentence_goes_on_below_is_no_heading(below, is_heading):
    item = "2. Travellers who need a physician: those who come"

    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, title in enumerate(("1 The river", "2 The forest", "3 The road")):
            y = setter.heading(title, 60, y, size=11, font="Times-Bold")
            y = setter.paragraph(" ".join(sentences(6, seed=seed)), 60, y, 480)
        y = setter.heading(item, 60, y, size=10, font="Times-Bold")
        setter.paragraph(f"{below} {' '.join(sentences(3, seed=9))}", 60, y, 480)

    found = [text for _, text in headings(make_pdf(draw))]
    assert found[:3] == ["1 The river", "2 The forest", "3 The road"]
    assert (item in found) == is_heading


def test_a_command_may_stand_below_a_heading():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, title in enumerate(("1 The river", "2 Installation", "3 The road")):
            y = setter.heading(title, 60, y, size=10, font="Times-Bold")
            text = "install the lathe first. " if seed == 1 else ""
            y = setter.paragraph(text + " ".join(sentences(6, seed=seed)), 60, y, 480)

    assert "2 Installation" in [text for _, text in headings(make_pdf(draw))]


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("Bridge = river(Stone)", False),
        ("Harbour: the old village", False),
        ("Of stone, with castle 2", False),
        # As the font of a book for its headings, and the names of programs that are described.
        ("REGISTRATION OF “BRIDGES”", True),
        ("2.1 Managing rivers.conf", True),
    ],
)
def test_samples_in_a_font_for_programs_are_no_headings(line, is_heading):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for number, title in enumerate(("1 The river", "2 The forest", "3 The castle"), start=1):
            y = setter.heading(title, 60, y, size=13)
            y = setter.paragraph(" ".join(sentences(4, seed=number)), 60, y, 480) - 12
            y = setter.heading(
                f"{line} {number}" if number > 1 else line, 60, y, size=10, font="Courier-Bold"
            )
            y = setter.paragraph(" ".join(sentences(4, seed=9 + number)), 60, y, 480) - 12

    found = [text for _, text in headings(make_pdf(draw))]
    assert [text for text in found if text[0].isdigit() and "conf" not in text] == [
        "1 The river",
        "2 The forest",
        "3 The castle",
    ]
    assert (line in found) is is_heading


def test_a_typewritten_report_has_headings_in_its_font():
    def draw(canvas):
        setter = Typesetter(canvas, font="Courier")
        y = 740.0
        for number, title in enumerate(("The river", "The forest", "The castle")):
            y = setter.heading(title, 60, y, size=10, font="Courier-Bold")
            y = setter.paragraph(" ".join(sentences(5, seed=number)), 60, y, 480) - 12

    assert [text for _, text in headings(make_pdf(draw))] == ["The river", "The forest", "The castle"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Length of", "the bridges"), ("C", "22.1")),
        (("2.1. The bridges", "of stone"), ("C", "22.1")),
        (("Length of", "the bridges"), ("Number",)),
    ],
)
def test_cells_of_several_lines_beside_others_are_no_headings(first, second):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for number, title in enumerate(("The river", "The forest", "The castle")):
            y = setter.heading(title, 60, y, size=10)
            y = setter.paragraph(" ".join(sentences(4, seed=number)), 60, y, 480) - 12
        canvas.setFont("Times-Bold", 10)
        for index, words in enumerate(first):
            canvas.drawString(60, y - 12 * index, words)
        for index, words in enumerate(second):
            # Those of one row are centred.
            canvas.drawString(200 + 120 * index, y - 6 * (len(first) - 1), words)
        setter.paragraph(" ".join(sentences(4, seed=8)), 60, y - 60, 480)

    assert [text for _, text in headings(make_pdf(draw))] == ["The river", "The forest", "The castle"]


def test_a_heading_set_like_the_text_makes_no_headings_of_other_lines():
    titles = [
        (1, "The river in winter", 13, "Times-Bold"),
        (2, "Bridges of stone", 10, "Times-Roman"),
        (1, "Castles of wood", 13, "Times-Bold"),
        (1, "The forest in summer", 13, "Times-Bold"),
    ]

    def draw(canvas):
        setter = Typesetter(canvas)
        y = 740.0
        for seed, (level, text, size, font) in enumerate(titles):
            canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
            canvas.addOutlineEntry(text, text, level - 1)
            y = setter.heading(text, 60, y, size=size, font=font)
            y = setter.paragraph(" ".join(sentences(4, seed=seed)), 60, y, 480) - 12
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(60, y, f"GARDEN_{'ABCD'[seed]}_OF_THE_VILLAGE")
            y = setter.paragraph(" ".join(sentences(3, seed=100 + seed)), 60, y - 24, 480) - 8

    assert headings(make_pdf(draw)) == [(level, text) for level, text, _, _ in titles]


def test_the_first_heading_below_a_title_is_no_part_of_it():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("rivers-conf", 60, 740, size=14)
        for seed, text in enumerate(("Name", "Synopsis", "Description")):
            canvas.bookmarkPage(text, fit="XYZ", left=0, top=y + 14)
            canvas.addOutlineEntry(text, text, 0)
            y = setter.heading(text, 60, y, size=12)
            y = setter.paragraph(" ".join(sentences(4, seed=seed)), 60, y, 480) - 12

    content = make_pdf(draw)
    assert read_bytes(content).title == "rivers-conf"
    assert [text for _, text in headings(content)] == ["Name", "Synopsis", "Description"]


@pytest.mark.parametrize(
    ("front", "found"),
    [
        (("Ann Miller", "March 3, 2019"), []),
        (("Ann Miller", "3 March 2019"), []),
        (("Ann Miller", "March Rivers"), ["Ann Miller", "March Rivers"]),
    ],
)
def test_names_and_a_date_below_a_title_are_no_headings(front, found):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("Rivers and Their Bridges", 60, 740, size=18)
        for text in front:
            y = setter.heading(text, 60, y, size=12, font="Times-Roman") - 12
        for seed, text in enumerate(("The river", "The forest", "The castle")):
            y = setter.paragraph(" ".join(sentences(3, seed=20 + seed)), 60, y, 480) - 12
            y = setter.heading(text, 60, y, size=14)
            y = setter.paragraph(" ".join(sentences(4, seed=seed)), 60, y, 480) - 12

    expected = [*found, "The river", "The forest", "The castle"]
    assert [text for _, text in headings(make_pdf(draw))] == expected


@pytest.mark.parametrize(
    ("front", "later"),
    [
        (["March 2024"], ["April 2024", "August 2024"]),
        (["Preparations", "3 March 2024"], ["Decisions", "Outlook"]),
    ],
)
def test_a_date_in_the_type_of_headings_is_one_too(front, later):
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("A Diary of the River", 60, 740, size=18)
        for text in front:
            y = setter.heading(text, 60, y, size=12) - 12
        y = setter.paragraph(" ".join(sentences(4, seed=20)), 60, y, 480)
        canvas.showPage()
        y = 740.0
        for seed, text in enumerate(later):
            y = setter.heading(text, 60, y, size=12)
            y = setter.paragraph(" ".join(sentences(4, seed=seed)), 60, y, 480) - 12

    assert [text for _, text in headings(make_pdf(draw))] == [*front, *later]
