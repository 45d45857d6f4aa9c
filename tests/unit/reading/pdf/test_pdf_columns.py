"""Columns are found before lines and formulas are placed, and read one after the other."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pdf_making import Typesetter, make_pdf, read_bytes, sentences
from reportlab.pdfgen.canvas import Canvas

from lsum_cli.reading.pdf.columns import find_gutters, split_columns


@dataclass(frozen=True)
class Text:
    text: str
    x0: float
    x1: float
    y: float
    size: float = 10.0


def column(x0: float, x1: float, rows: int, *, top: float = 700, word: str = "text") -> list[Text]:
    """Lines that fill a column."""
    return [Text(f"{word} {row} of words that fill a line", x0, x1, top - 12 * row) for row in range(rows)]


def test_a_gutter_is_between_the_columns_it_parts():
    page = [Text("A title over both columns", 60, 540, 740), *column(60, 290, 20), *column(310, 540, 20)]
    (gutter,) = find_gutters(page, 600)
    assert (gutter.x0, gutter.x1) == (290, 310)
    assert (gutter.top, gutter.bottom) == (700, 700 - 12 * 19)


def test_three_columns_have_two_gutters():
    page = [*column(40, 200, 20), *column(215, 375, 20), *column(390, 550, 20)]
    assert sorted(gutter.x1 for gutter in find_gutters(page, 600)) == [215, 390]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(column(60, 540, 30), id="one column"),
        pytest.param([*column(60, 72, 20, word="1."), *column(80, 540, 20)], id="numbers of a list"),
        pytest.param(
            [
                Text(cell, x, x + 30, 700 - 12 * row)
                for row in range(12)
                for x, cell in ((60, "name"), (200, "4.5"), (340, "77"), (480, "no"))
            ],
            id="table",
        ),
        pytest.param(
            [
                *column(60, 250, 8),
                *(Text("# a remark on this line", 310, 420, 700 - 12 * row) for row in range(8)),
            ],
            id="program with remarks",
        ),
    ],
)
def test_what_stands_side_by_side_is_not_always_a_column(page):
    assert find_gutters(page, 600) == ()


def test_a_line_over_both_columns_parts_what_is_above_from_what_is_below():
    page = [
        *column(60, 290, 10, word="one"),
        *column(310, 540, 10, word="two"),
        Text("A wide line between", 60, 540, 570),
        *column(60, 290, 10, top=540, word="three"),
        *column(310, 540, 10, top=540, word="four"),
    ]
    parts = split_columns(page, find_gutters(page, 600))
    assert [part[0].text.split()[0] for part in parts] == ["one", "two", "A", "three", "four"]
    assert sum(map(len, parts)) == len(page)


def test_the_first_line_of_a_column_belongs_to_it_though_it_is_a_little_higher():
    page = [*column(60, 290, 20, word="left"), *column(310, 540, 20, top=701.5, word="right")]
    left, right = split_columns(page, find_gutters(page, 600))
    assert {text.text.split()[0] for text in left} == {"left"}
    assert {text.text.split()[0] for text in right} == {"right"}


def two_columns(draw_left=None):
    """A page of two columns of eight paragraphs each; ``draw_left`` sets what follows the fourth."""

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for side, x in enumerate((60, 316)):
            y = 700.0
            for paragraph in range(8):
                text = " ".join(sentences(3, seed=10 * side + paragraph))
                y = setter.paragraph(text, x, y, 236, indent=10)
                if side == 0 and paragraph == 3 and draw_left:
                    y = draw_left(canvas, x, y)
        canvas.showPage()

    return make_pdf(draw)


EVERYTHING = [s for side in range(2) for p in range(8) for s in sentences(3, seed=10 * side + p)]


def test_a_displayed_formula_does_not_break_the_order_of_columns(texts):
    def formula(canvas: Canvas, x: float, y: float) -> float:
        y -= 14
        canvas.setFont("Times-Italic", 10)
        canvas.drawString(x + 40, y, "L(q, p) =")
        canvas.drawString(x + 105, y + 7, "e")
        canvas.setFont("Times-Italic", 7)
        canvas.drawString(x + 110, y + 11, "sim(q,p)")
        canvas.setFont("Times-Italic", 10)
        canvas.drawString(x + 100, y - 7, "Σ e + n")
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(x + 222, y, "(2)")
        return y - 26

    found = texts(read_bytes(two_columns(formula)))
    assert [text for text in found if text in set(EVERYTHING)] == EVERYTHING


def test_line_numbers_between_the_columns_of_a_draft_are_left_out(texts):
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for x, seed in ((60, 0), (316, 10)):
            setter.paragraph(" ".join(sentences(12, seed=seed)), x, 700, 236)
        canvas.setFont("Times-Roman", 6)
        for row in range(6):
            canvas.drawRightString(310, 700 - 48 * row, str(88 + 4 * row))
        canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == [*sentences(12, seed=0), *sentences(12, seed=10)]
    assert sum(each.words for each in document.metadata.left_out) == 6


def test_a_line_that_begins_with_a_word_of_another_font_is_not_cut_off(texts):
    def draw(canvas: Canvas) -> None:
        for x in (60, 316):
            y = 700.0
            for row in range(20):
                canvas.setFont("Times-Roman", 10)
                if row % 5 == 2:
                    canvas.setFont("Courier", 11.5)
                    canvas.drawString(x, y, "Channels.jl and Arrays.jl")
                    canvas.setFont("Times-Roman", 10)
                    canvas.drawString(x + 181, y, "join nodes,")
                elif row % 5 == 4:
                    canvas.drawString(x, y, "this is how the whole sentence ends.")
                else:
                    canvas.drawString(x, y, f"line {row} of words which go on to the end of it, that")
                y -= 12
        canvas.showPage()

    found = texts(read_bytes(make_pdf(draw)))
    assert len(found) == 8
    assert all("that Channels.jl and Arrays.jl join nodes, line" in text for text in found)


def test_a_line_that_justification_spreads_is_one_line(texts):
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = setter.paragraph(" ".join(sentences(6, seed=1)), 60, 700, 236)
        block = canvas.beginText(60, y)
        words = ["We", "evaluate", "these", "outcomes", "using"]
        room = 236 - sum(canvas.stringWidth(word, "Times-Roman", 10) for word in words)
        x = 60.0
        for word in words:
            canvas.drawString(x, y, word)
            x += canvas.stringWidth(word, "Times-Roman", 10) + room / 4
        assert block is not None
        setter.paragraph("the library of the river and " + " ".join(sentences(6, seed=2)), 60, y - 12, 236)
        setter.paragraph(" ".join(sentences(20, seed=3)), 316, 700, 236)
        canvas.showPage()

    assert "We evaluate these outcomes using the library of the river and The" in " ".join(
        texts(read_bytes(make_pdf(draw)))
    )


def test_bullets_of_two_columns_are_read_down_one_and_then_the_other(texts):
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 24)
        canvas.drawString(60, 700, "Findings of the year")
        canvas.setFont("Helvetica", 14)
        for side, x in enumerate((60, 320)):
            for item in range(5):
                y = 640 - 44 * item
                canvas.drawString(x, y, f"• Finding {side}{item} is about rivers")
                canvas.drawString(x + 14, y - 18, "and the houses beside")
        canvas.showPage()

    found = texts(read_bytes(make_pdf(draw)))
    expected = [
        f"Finding {side}{item} is about rivers and the houses beside"
        for side in range(2)
        for item in range(5)
    ]
    assert found == expected


@pytest.mark.parametrize("gap", [8, 14, 30])
@pytest.mark.parametrize(("left", "right"), [(2, 1), (6, 1), (40, 1), (40, 2), (3, 3), (12, 12)])
def test_the_last_page_is_read_in_columns_though_its_second_has_few_lines(gap: int, left: int, right: int):
    text: list[str] = []

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        lines = iter(setter.wrap(" ".join(sentences(120, seed=1)), 240))

        def column(x: float, count: int) -> None:
            for row in range(count):
                line = next(lines)
                text.append(line)
                block = canvas.beginText(x, 740 - 12 * row)
                block.setFont(setter.font, setter.size)
                room = 240 - canvas.stringWidth(line, setter.font, setter.size)
                block.setWordSpace(room / line.count(" "))
                block.textOut(line)
                block.setWordSpace(0)
                canvas.drawText(block)

        for count in (50, 50):
            column(290 + gap if text else 50, count)
        canvas.showPage()
        column(50, left)
        column(290 + gap, right)

    document = read_bytes(make_pdf(draw))
    assert [word for sentence in document.sentences for word in sentence.text.split()] == " ".join(
        text
    ).split()


def test_a_full_page_below_two_columns_has_none():
    (gutter,) = find_gutters([*column(60, 290, 20), *column(310, 540, 20)], 600)
    page = [*column(60, 540, 20), Text("A cell", 60, 100, 400), Text("Another cell", 310, 360, 400)]
    assert find_gutters(page, 600, (gutter,)) == ()


def test_three_justified_columns_of_words_shown_one_by_one_are_read_whole(texts):
    """As browsers print them; the last line of a paragraph is no note in the margin."""
    parts = [sentences(5, seed=seed, length=11) for seed in range(3)]

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for column, part in enumerate(parts):
            x, y, width = 40 + 185 * column, 740.0 - 4 * column, 165.0
            for sentence in part:
                lines = setter.wrap(sentence, width)
                canvas.setFont("Times-Roman", 10)
                for index, line in enumerate(lines):
                    words = line.split()
                    widths = [canvas.stringWidth(word, "Times-Roman", 10) for word in words]
                    room = (width - sum(widths)) / max(len(words) - 1, 1) if index < len(lines) - 1 else 3.0
                    at = x
                    for word, wide in zip(words, widths, strict=True):
                        canvas.drawString(at, y, word)
                        at += wide + room
                    y -= 13
                y -= 6
        setter.paragraph(" ".join(sentences(4, seed=9)), 40, 300, 340)
        canvas.showPage()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == [sentence for part in parts for sentence in part] + sentences(4, seed=9)
    assert document.metadata.left_out == ()
