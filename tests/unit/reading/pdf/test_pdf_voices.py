"""The running heads of a decision say whose opinion a page holds."""

from __future__ import annotations

from pdf_making import Typesetter, make_pdf, read_bytes, sentences
from reportlab.pdfgen.canvas import Canvas

from lsum_cli.documents import SectionRole

HEADS = (
    ("Syllabus", 2),
    ("Opinion of the Court", 3),
    ("ALITO, J., concurring", 2),
    ("STEVENS, J., dissenting", 3),
    ("BREYER, J., dissenting", 1),
)


def decision(*, openings: bool, heads=HEADS):
    first_words = {
        "Opinion of the Court": "JUSTICE SCALIA delivered the opinion of the Court.",
        "STEVENS, J., dissenting": "JUSTICE STEVENS, with whom JUSTICE SOUTER joins, dissenting.",
    }

    def draw(canvas: Canvas) -> None:
        setter = Typesetter(canvas)
        page = 0
        for head, count in heads:
            for number in range(count):
                page += 1
                canvas.setFont("Times-Roman", 9)
                canvas.drawCentredString(306, 750, head)
                canvas.drawString(60, 765, f"Cite as: 556 U. S. 778 (2009) {page}")
                y = 700.0
                if number == 0 and openings and head in first_words:
                    y = setter.paragraph(first_words[head], 60, y, 480, indent=12)
                for paragraph in range(3):
                    y = setter.paragraph(
                        " ".join(sentences(5, seed=10 * page + paragraph)), 60, y, 480, indent=12
                    )
                canvas.showPage()

    return make_pdf(draw)


def test_each_opinion_is_a_section_with_its_role():
    document = read_bytes(decision(openings=False))
    assert [(section.heading, section.role) for section in document.sections] == [
        ("Syllabus", SectionRole.SYLLABUS),
        ("Opinion of the Court", SectionRole.OPINION),
        ("ALITO, J., concurring", SectionRole.CONCURRENCE),
        ("STEVENS, J., dissenting", SectionRole.DISSENT),
        ("BREYER, J., dissenting", SectionRole.DISSENT),
    ]
    pages = [sorted({sentence.pdf_page for sentence in section.sentences}) for section in document.sections]
    assert pages == [[1, 2], [3, 4, 5], [6, 7], [8, 9, 10], [11]]


def test_the_words_that_open_an_opinion_do_not_divide_it_again():
    document = read_bytes(decision(openings=True))
    assert [section.heading for section in document.sections] == [head for head, _ in HEADS]
    assert document.sections[3].sentences[0].text.startswith("JUSTICE STEVENS, with whom")


def test_a_syllabus_of_a_course_is_no_decision():
    document = read_bytes(decision(openings=False, heads=(("Syllabus", 3), ("Rivers of the North", 3))))
    assert {section.role for section in document.sections} == {SectionRole.BODY}
