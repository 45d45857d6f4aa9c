"""Running heads, footers and page numbers leave the text, and only they."""

from __future__ import annotations

import pytest
from pdf_making import Typesetter, make_pdf, read_bytes, sentences
from reportlab.pdfgen.canvas import Canvas

FURNITURE = "running headers, footers and page numbers"


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
