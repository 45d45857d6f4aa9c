"""Running heads, footers and page numbers leave the text, and only they."""

from __future__ import annotations

import pytest
from pdf_making import Typesetter, make_pdf, read_bytes, sentences
from reportlab.pdfgen.canvas import Canvas

FURNITURE = "running headers, footers, page and line numbers"


def book(pages: int, *, top: float = 760, number_first: int = 1):
    def draw(canvas: Canvas) -> None:
        for page in range(pages):
            setter = Typesetter(canvas)
            canvas.setFont("Times-Italic", 9)
            if page % 2:
                canvas.drawString(60, top, f"{page + number_first} The Book of Rivers")
            else:
                canvas.drawRightString(540, top, f"Chapter of Bridges {page + number_first}")
            canvas.drawCentredString(306, 30, "www.example.org")
            y = top - 40
            for paragraph in range(3):
                y = setter.paragraph(
                    " ".join(sentences(5, seed=10 * page + paragraph)), 60, y, 480, indent=12
                )
            canvas.showPage()

    return make_pdf(draw)


@pytest.mark.parametrize("top", [760, 660])
def test_running_heads_are_counted_and_left_out(texts, top):
    document = read_bytes(book(8, top=top))
    assert texts(document) == [
        s for page in range(8) for p in range(3) for s in sentences(5, seed=10 * page + p)
    ]
    left = {each.what: each.words for each in document.metadata.left_out}
    assert left == {FURNITURE: 4 * 5 + 4 * 4 + 8}


def test_roman_and_plain_page_numbers_are_left_out(texts):
    def draw(canvas: Canvas) -> None:
        for page, label in enumerate(("ii", "iii", "iv", "1", "2", "3")):
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.drawCentredString(306, 40, label)
            canvas.showPage()

    assert texts(read_bytes(make_pdf(draw))) == [s for page in range(6) for s in sentences(9, seed=page)]


def test_a_line_of_text_at_the_top_of_pages_stays(texts):
    def draw(canvas: Canvas) -> None:
        for page in range(6):
            Typesetter(canvas).paragraph(" ".join(sentences(30, seed=page)), 60, 770, 480)
            canvas.showPage()

    assert texts(read_bytes(make_pdf(draw))) == [s for page in range(6) for s in sentences(30, seed=page)]


def test_pages_know_their_number():
    document = read_bytes(book(5))
    for sentence in document.sentences:
        seed = int(sentence.text.split("number")[1].split("x")[0])
        assert sentence.pdf_page == seed // 10 + 1


def test_a_table_of_contents_is_left_out_and_counted(texts):
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = setter.heading("Contents", 60, 740, size=16)
        for chapter in range(6):
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(
                60,
                y,
                f"{chapter + 1} The chapter of {sentences(1, seed=chapter, length=2)[0][4:-12]}"
                + "." * 60
                + f" {3 * chapter + 2}",
            )
            y -= 14
        canvas.showPage()
        for page in range(4):
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == [s for page in range(4) for s in sentences(9, seed=page)]
    assert "table of contents" in {each.what for each in document.metadata.left_out}


ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def novel(*, bookmarks: bool, name=lambda number: f"Chapter {ROMAN[number]}", size: float = 14):
    """Twelve chapters of two pages, each with its name at one height; running heads on second pages."""

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for number in range(12):
            if bookmarks:
                canvas.bookmarkPage(f"c{number}")
                canvas.addOutlineEntry(name(number), f"c{number}", 0)
            for half in range(2):
                canvas.setFont("Times-Roman", size if half == 0 else 9)
                canvas.drawCentredString(306, 740, name(number) if half == 0 else "The River House")
                canvas.setFont("Times-Roman", 9)
                canvas.drawCentredString(306, 40, str(2 * number + half + 5))
                setter.paragraph(" ".join(sentences(20, seed=2 * number + half)), 60, 690, 480)
                canvas.showPage()

    return make_pdf(draw)


@pytest.mark.parametrize("bookmarks", [True, False])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(lambda number: f"Chapter {ROMAN[number]}", id="Chapter I"),
        pytest.param(lambda number: ROMAN[number], id="I"),
        pytest.param(lambda number: f"CHAPTER {number + 1}", id="CHAPTER 1"),
    ],
)
def test_chapters_that_differ_by_their_numeral_are_not_running_heads(texts, bookmarks, name):
    document = read_bytes(novel(bookmarks=bookmarks, name=name))
    assert [section.heading for section in document.sections] == [name(number) for number in range(12)]
    assert texts(document) == [s for page in range(24) for s in sentences(20, seed=page)]
    assert {each.what: each.words for each in document.metadata.left_out} == {FURNITURE: 12 * 3 + 24}


def test_a_list_of_parts_above_each_page_is_no_heading_of_an_appendix(texts):
    def draw(canvas: Canvas) -> None:
        for page in range(6):
            canvas.setFont("Times-Roman", 8)
            for x, name in ((60, "Introduction"), (150, "People"), (240, "Appendix")):
                canvas.drawString(x, 760, name)
            # The number of the page is set a little lower.
            canvas.drawRightString(540, 759.9, str(page + 1))
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == [s for page in range(6) for s in sentences(9, seed=page)]
    assert [section.heading for section in document.sections] == [None]


def test_a_line_of_the_outline_stays_though_it_looks_like_a_running_head():
    """The name is set like the text and steps with the pages, so that only the bookmarks tell."""
    document = read_bytes(novel(bookmarks=True, name=lambda number: f"Day {2 * number + 1}", size=10))
    assert [section.heading for section in document.sections] == [f"Day {2 * n + 1}" for n in range(12)]


def test_of_a_notice_repeated_on_every_page_the_first_copy_stays(texts):
    notice = (
        "This offer is open to all who live on the river and it may end on any day without a word to you",
        "and the rates that are shown here are those of the day on which this page was made for you.",
    )

    def draw(canvas: Canvas) -> None:
        for page in range(6):
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.setFont("Times-Roman", 8)
            for line, text in enumerate(notice):
                canvas.drawString(60, 60 - 10 * line, text)
            canvas.showPage()

    found = texts(read_bytes(make_pdf(draw)))
    assert found.count(" ".join(notice)) == 1
    assert len(found) == 6 * 9 + 1


def test_a_file_that_marks_all_of_its_text_as_artifacts_is_read(texts):
    def draw(canvas: Canvas) -> None:
        for page in range(2):
            canvas._code.append("/Artifact BMC")
            Typesetter(canvas).paragraph(" ".join(sentences(30, seed=page)), 60, 770, 480)
            canvas._code.append("EMC")
            canvas.showPage()

    assert texts(read_bytes(make_pdf(draw))) == [s for page in range(2) for s in sentences(30, seed=page)]


def test_running_heads_at_the_side_leave_the_text(texts):
    def draw(canvas: Canvas) -> None:
        for page in range(6):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(556, 430, "Rivers")
            Typesetter(canvas).paragraph(" ".join(sentences(30, seed=page)), 60, 700, 470)
            canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == [s for page in range(6) for s in sentences(30, seed=page)]
    assert {each.what: each.words for each in document.metadata.left_out} == {FURNITURE: 6}


def test_a_running_head_that_stands_once_repeats_its_chapter_in_small_type(texts):
    def draw(canvas: Canvas) -> None:
        for page in range(4):
            canvas.setFont("Times-Bold", 16)
            if page == 0:
                canvas.drawString(60, 720, "The Market Town")
            canvas.setFont("Times-Italic", 9)
            if page == 1:
                canvas.drawCentredString(306, 760, "THE MARKET TOWN")
            Typesetter(canvas).paragraph(" ".join(sentences(20, seed=page)), 60, 690, 480)
            canvas.showPage()

    assert texts(read_bytes(make_pdf(draw))) == [s for page in range(4) for s in sentences(20, seed=page)]


def test_dots_that_lead_to_prices_are_no_table_of_contents(texts):
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = setter.paragraph(" ".join(sentences(9, seed=1)), 60, 700, 480)
        for item, price in (("Check of the wiring", "$85"), ("New wiring", "$6,205"), ("Other work", "$10")):
            y -= 14
            canvas.drawString(60, y, f"{item} {'.' * 40}")
            canvas.drawString(400, y, price)
        canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert "Check of the wiring" in document.text
    assert document.metadata.left_out == ()


@pytest.mark.parametrize(
    ("pages", "is_contents"),
    [
        (("1-1", "1-4", "2-1", "10-2", "A-1"), True),
        (("3-2", "1-4", "2-2", "0-1", "5-0"), False),
    ],
    ids=["pages of chapters", "results of games"],
)
def test_pages_may_be_numbered_by_chapter(pages, is_contents):
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        for index, number in enumerate(pages):
            canvas.drawString(60, 700 - 14 * index, f"Harbour of village {index} {'. ' * 50}")
            canvas.drawString(500, 700 - 14 * index, number)
        canvas.showPage()
        for page in range(4):
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert ("Harbour of village" not in document.text) is is_contents
    assert bool(document.metadata.left_out) is is_contents


def test_dot_leaders_are_not_counted_as_words():
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        for chapter in range(6):
            canvas.drawString(60, 700 - 14 * chapter, f"River chapter {'. ' * 50} {3 * chapter + 2}")
        canvas.showPage()
        for page in range(4):
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.showPage()

    left = {each.what: each.words for each in read_bytes(make_pdf(draw)).metadata.left_out}
    assert left == {"table of contents": 6 * 3}


def _listing(name: str, *, dots: bool = True, heading: bool = True) -> bytes:
    """A page with a table of contents as articles have it, and pages of text."""

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = setter.paragraph(" ".join(sentences(3, seed=9)), 60, 740, 480)
        if heading:
            y = setter.heading(name, 60, y - 20, size=14)
        for chapter in range(1, 4):
            canvas.setFont("Times-Bold", 10)
            canvas.drawString(60, y, str(chapter))
            canvas.drawString(80, y, f"Harbours of village {chapter}")
            canvas.drawRightString(540, y, str(3 * chapter))
            y -= 20
            canvas.setFont("Times-Roman", 10)
            for part in range(1, 4) if dots else ():
                canvas.drawString(80, y, f"{chapter}.{part} Lanterns of the captain {'. ' * 50}")
                canvas.drawRightString(540, y, str(3 * chapter + part))
                y -= 12
        canvas.showPage()
        for page in range(3):
            Typesetter(canvas).paragraph(" ".join(sentences(9, seed=page)), 60, 700, 480)
            canvas.showPage()

    return make_pdf(draw)


@pytest.mark.parametrize("name", ["Contents", "Inhaltsverzeichnis", "Table des matières", "Índice general"])
@pytest.mark.parametrize("dots", [True, False])
def test_chapters_without_dots_are_entries_of_a_table_of_contents_too(texts, name, dots):
    document = read_bytes(_listing(name, dots=dots))
    assert texts(document) == [
        s for seed, n in ((9, 3), (0, 9), (1, 9), (2, 9)) for s in sentences(n, seed=seed)
    ]
    assert [section.heading for section in document.sections] == [None]


def test_without_a_heading_the_dots_of_sections_tell_the_chapters_beside_them(texts):
    document = read_bytes(_listing("", heading=False))
    assert texts(document) == [
        s for seed, n in ((9, 3), (0, 9), (1, 9), (2, 9)) for s in sentences(n, seed=seed)
    ]


def test_the_last_entry_of_a_list_may_stand_above_the_text_of_the_next_page(texts):
    def draw(canvas: Canvas) -> None:
        for page, entries in enumerate((range(1, 40), (40,))):
            y = Typesetter(canvas).heading("Contents", 60, 740, size=14) if page == 0 else 700
            canvas.setFont("Times-Roman", 10)
            for entry in entries:
                canvas.drawString(80, y, f"1.{entry} Lanterns {'. ' * 50} {entry + 3}")
                y -= 12
            if page == 0:
                canvas.showPage()
        Typesetter(canvas).paragraph(" ".join(sentences(9, seed=1)), 60, y - 20, 480)
        canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == sentences(9, seed=1)
