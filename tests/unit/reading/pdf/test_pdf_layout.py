"""Reading order: columns, what spans them, paragraphs over columns and pages."""

from __future__ import annotations

import pytest
from pdf_making import Typesetter, make_pdf, read_bytes, sentences
from reportlab.pdfgen.canvas import Canvas

from lsum_cli.documents import SectionRole


def two_columns(canvas: Canvas) -> None:
    setter = Typesetter(canvas)
    setter.heading("A Study of Rivers and Windows", 130, 730, size=20)
    canvas.setFont("Times-Roman", 11)
    canvas.drawCentredString(306, 700, "Ada Meadow and Carl Orchard")
    y = setter.heading("Abstract", 280, 670, size=11)
    setter.paragraph(" ".join(sentences(4, seed=1)), 100, y, 412)
    y = setter.heading("1 Introduction", 60, 560)
    for index, seed in enumerate((2, 3, 4)):
        y = setter.paragraph(" ".join(sentences(4, seed=seed)), 60, y, 235, indent=12 if index else 0)
    setter.paragraph(" ".join(sentences(3, seed=5)), 60, y, 235, indent=12)
    y = setter.paragraph(" ".join(sentences(5, seed=6)), 317, 560, 235, indent=12)
    y = setter.heading("2 Methods", 317, y - 10)
    setter.paragraph(" ".join(sentences(6, seed=7)), 317, y, 235)


def test_columns_are_read_one_after_the_other(texts):
    document = read_bytes(make_pdf(two_columns))
    expected = [
        sentence
        for seed in range(1, 8)
        for sentence in sentences({1: 4, 5: 3, 6: 5, 7: 6}.get(seed, 4), seed=seed)
    ]
    ours = [text for text in texts(document) if text.startswith("The ")]
    assert ours == expected


def test_what_spans_the_columns_is_title_and_abstract():
    document = read_bytes(make_pdf(two_columns))
    assert document.title == "A Study of Rivers and Windows"
    assert [section.heading for section in document.sections if section.heading] == [
        "Abstract",
        "1 Introduction",
        "2 Methods",
    ]
    abstract = next(section for section in document.sections if section.role is SectionRole.ABSTRACT)
    assert [sentence.text for sentence in abstract.sentences] == sentences(4, seed=1)


def test_a_narrow_gutter_still_parts_columns(texts):
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        for x, seed in ((60, 1), (309, 2)):
            setter.paragraph(" ".join(sentences(14, seed=seed)), x, 720, 236)

    assert texts(read_bytes(make_pdf(draw))) == sentences(14, seed=1) + sentences(14, seed=2)


def test_a_sentence_goes_on_over_columns_and_pages(texts):
    first, second = sentences(1, seed=1, length=40)[0], sentences(1, seed=2, length=40)[0]

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        lines = setter.wrap(f"{first} {second} " + " ".join(sentences(20, seed=3)), 235)
        canvas.setFont("Times-Roman", 10)
        for index, line in enumerate(lines):
            x = 60 if index < 4 else 317 if index < 8 else 60
            row = index if index < 4 else index - 4 if index < 8 else index - 8
            if index == 8:
                canvas.showPage()
                canvas.setFont("Times-Roman", 10)
            canvas.drawString(x, 700 - 12 * row, line)

    document = read_bytes(make_pdf(draw))
    found = {sentence.text: sentence.pdf_page for sentence in document.sentences}
    assert found[first] == 1
    assert second in found
    assert texts(document)[2:] == sentences(20, seed=3)
    assert {sentence.pdf_page for sentence in document.sentences} == {1, 2}


def test_notes_in_the_margin_stay_out_of_the_text(texts):
    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = 720.0
        for seed in range(4):
            y = setter.paragraph(" ".join(sentences(6, seed=seed)), 180, y, 370, indent=12)
        canvas.setFont("Helvetica", 7)
        for index, note in enumerate(
            ("Edited by a friend", "Received in winter", "Open licence", "Published in summer")
        ):
            canvas.drawString(60, 700 - 40 * index, note)

    document = read_bytes(make_pdf(draw))
    assert texts(document) == [sentence for seed in range(4) for sentence in sentences(6, seed=seed)]
    left = {each.what: each.words for each in document.metadata.left_out}
    assert left == {"notes in the margin": 12}


def test_a_table_does_not_break_the_sentence_around_it(texts):
    whole = sentences(1, seed=9, length=60)[0]

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = setter.paragraph(" ".join(sentences(12, seed=1)), 60, 740, 480)
        lines = setter.wrap(whole, 480)
        canvas.setFont("Times-Roman", 10)
        for line in lines[:2]:
            canvas.drawString(60, y, line)
            y -= 12
        y -= 20
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(60, y, "Table 1: Counts of things.")
        for row in range(6):
            y -= 12
            for column in range(4):
                canvas.drawString(60 + 110 * column, y, f"cell {row} {column}")
        y -= 30
        canvas.setFont("Times-Roman", 10)
        for line in lines[2:]:
            canvas.drawString(60, y, line)
            y -= 12
        setter.paragraph(" ".join(sentences(8, seed=2)), 60, y, 480, indent=12)

    found = texts(read_bytes(make_pdf(draw)))
    assert whole in found
    assert "cell 2 0 cell 2 1 cell 2 2 cell 2 3" in found


def _below_commands(above: str, below: str, command: str = "river(12, bridge)") -> list[str]:
    """The sentences of a page on which a command stands between two lines, and of one of text."""

    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.paragraph(" ".join(sentences(3, seed=1)), 90, 740, 420) - 20
        for text, code in ((above, command), (below, "castle(meadow)")):
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(60, y, text)
            canvas.setFont("Courier", 10)
            canvas.drawString(60, y - 24, code)
            y -= 48
        canvas.showPage()
        setter.paragraph(" ".join(sentences(6, seed=2)), 60, 740, 480)

    document = read_bytes(make_pdf(draw))
    return [sentence.text for sentence in document.sentences]


def test_a_line_ends_early_by_the_columns_of_the_next_page():
    above, below = "The tables can be read in the usual way", "The older ones can be had as well."
    found = _below_commands(above, below)
    assert above in found
    assert below in found


def test_what_begins_with_a_capital_below_a_command_is_a_new_paragraph():
    above = (
        "The tables can be read in the usual way of all those who have read other tables, "
        "be it long before or only just now, by"
    )
    found = _below_commands(above, "Once they are read, they can be shown.")
    assert above in found
    assert "Once they are read, they can be shown." in found


def test_a_command_is_part_of_the_sentence_that_goes_on_below_it():
    above, below = "The tables can be shown by the command", "which says all that they hold, as they hold it."
    assert f"{above} river(12, bridge) {below}" in _below_commands(above, below)
    assert f"{above} {below}" in _below_commands(above, below, command="(12)")


def test_initials_at_the_beginning_of_a_line_begin_no_item_of_a_list(texts):
    """Wherever "8 U. S. C." and "Corp. v." are broken, the sentence goes on."""
    sentence = (
        "The river of the village arose under 8 U. S. C. as Powerex Corp. v. Garden Corp. v. Castle Corp. v. Window"
        " and 12 U. S. C. and 18 U. S. C. of the harbour and the lantern of the captain said."
    )
    for width in range(150, 300, 15):

        def draw(canvas: Canvas, width: float = float(width)) -> None:
            Typesetter(canvas).paragraph(sentence, 60, 740, width)

        assert [" ".join(texts(read_bytes(make_pdf(draw))))] == [sentence], width
        document = read_bytes(make_pdf(draw))
        assert sum(1 for section in document.sections for _ in section.paragraphs) == 1, width


def test_items_of_a_list_are_paragraphs_without_their_bullets():
    items = [" ".join(sentences(3, seed=seed)) for seed in range(3)]

    def draw(canvas: Canvas) -> None:
        setter, y = Typesetter(canvas), 740.0
        for item in items:
            y = setter.paragraph(f"\u2022 {item}", 60, y, 300)

    (section,) = read_bytes(make_pdf(draw)).sections
    assert [" ".join(each.text for each in paragraph) for paragraph in section.paragraphs] == items
    assert len(section.sentences) == 9


@pytest.mark.parametrize(
    ("marks", "drop"),
    [
        # Far apart, each item is a block of its own.
        ("o o o", 22),
        ("a. b. c.", 22),
        ("1.1: 1.2: 1.3:", 12),
    ],
)
def test_items_without_stops_are_paragraphs(marks, drop):
    items = [
        f"{mark} {words}" for mark, words in zip(marks.split(), ("rivers", "bridges", "castles"), strict=True)
    ]

    def draw(canvas: Canvas) -> None:
        y = Typesetter(canvas).paragraph(" ".join(sentences(6, seed=2)), 60, 740, 300)
        y = Typesetter(canvas).paragraph("The village has several of these:", 60, y - 12, 300)
        for item in items:
            canvas.drawString(72, y, item)
            y -= drop

    (section,) = read_bytes(make_pdf(draw)).sections
    found = [" ".join(each.text for each in paragraph) for paragraph in section.paragraphs]
    assert found[-4:] == ["The village has several of these:", *items]


def test_the_centred_number_of_a_section_does_not_begin_its_first_sentence(texts):
    text = " ".join(sentences(6, seed=3))

    def draw(canvas: Canvas) -> None:
        y = Typesetter(canvas).paragraph(" ".join(sentences(6, seed=2)), 60, 740, 300)
        canvas.drawString(205, y, "II")
        Typesetter(canvas).paragraph(text, 60, y - 13, 300, indent=12)

    read = texts(read_bytes(make_pdf(draw)))
    assert "II" in read
    assert read[-6:] == sentences(6, seed=3)


def test_tables_of_a_cv_are_read_row_by_row_each_below_its_heading():
    parts = [
        (
            "Positions",
            [
                ("1998–2000", "Fellow of the Division of Rivers and Harbours at the Institute"),
                ("2001–2004", "Lecturer at the Department of Bridges of the College of the Valley"),
                ("2005–", "Professor at the Department of Castles of the University of the North"),
            ],
        ),
        (
            "Memberships",
            [
                ("1995–", "Member of the Society of Letters"),
                ("1998–", "Fellow of the Academy of Lanterns"),
                ("2003–", "Adviser to the Board of Orchards"),
            ],
        ),
    ]

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        y = setter.paragraph(" ".join(sentences(9, seed=1)), 60, 740, 480) - 10
        for name, rows in parts:
            y = setter.heading(name, 60, y, size=11)
            canvas.setFont("Times-Roman", 10)
            for left, right in rows:
                canvas.drawString(70, y, left)
                canvas.drawString(150, y, right)
                y -= 13
            y -= 4
        setter.paragraph(" ".join(sentences(9, seed=2)), 60, y - 10, 480)

    document = read_bytes(make_pdf(draw))
    found = {section.heading: [s.text for s in section.sentences] for section in document.sections}
    for name, rows in parts:
        assert found[name][:3] == [f"{left} {right}" for left, right in rows]
