"""What sections are for: abstract, reference list, index; notes that stand below the text."""

from __future__ import annotations

from pdf_making import Typesetter, make_pdf, read_bytes, sentences

from lsum_cli.documents import SectionRole

REFERENCES = [
    f"[{n}] A. Meadow and B. Orchard. On bridges number {n}. Journal of Rivers, {1980 + n}."
    for n in range(1, 9)
]


def sections(content: bytes) -> list[tuple[str | None, SectionRole]]:
    return [(section.heading, section.role) for section in read_bytes(content).sections]


def paper(front, rest) -> bytes:
    """A title, then ``front``, an introduction, and ``rest`` as pairs of heading and paragraphs."""

    def draw(canvas):
        setter = Typesetter(canvas)
        setter.heading("The Long River of the Village", 150, 740, size=20)
        y = 700.0
        for text in front:
            y = setter.paragraph(text, 60, y, 480) - 10
        for heading, paragraphs in [("1 Introduction", [" ".join(sentences(6, seed=1))]), *rest]:
            if heading:
                y = setter.heading(heading, 60, y - 6)
            for text in paragraphs:
                if y < 60:
                    canvas.showPage()
                    y = 740.0
                y = setter.paragraph(text, 60, y, 480) - 3

    return make_pdf(draw)


def test_an_abstract_that_runs_in():
    abstract = sentences(5, seed=7)
    content = paper(["Abstract—" + " ".join(abstract), "Keywords: river, bridge, castle"], [])
    document = read_bytes(content)
    found = next(section for section in document.sections if section.role is SectionRole.ABSTRACT)
    assert found.heading == "Abstract"
    assert [sentence.text for sentence in found.sentences] == abstract


def test_an_abstract_ends_before_the_notes_to_the_title():
    abstract = sentences(5, seed=7)
    note = "†We thank the sailors of the village, and all those who have read what we wrote."
    content = paper(["Abstract—" + " ".join(abstract), note], [])
    found = [section for section in read_bytes(content).sections if section.role is SectionRole.ABSTRACT]
    assert [[sentence.text for sentence in section.sentences] for section in found] == [abstract]


def test_an_abstract_without_a_heading():
    abstract = sentences(6, seed=7)
    content = paper(["Ada Meadow, Carl Orchard", " ".join(abstract)], [])
    found = [section for section in read_bytes(content).sections if section.role is SectionRole.ABSTRACT]
    assert [[sentence.text for sentence in section.sentences] for section in found] == [abstract]


def test_parts_of_a_structured_abstract_belong_to_it():
    def draw(canvas):
        setter = Typesetter(canvas)
        y = setter.heading("Abstract", 60, 740, size=14)
        for seed, part in enumerate(("Background", "Methods", "Results")):
            y = setter.heading(part, 60, y, size=11)
            y = setter.paragraph(" ".join(sentences(3, seed=seed)), 60, y, 480) - 8
        for seed, part in enumerate(("Introduction", "Methods")):
            y = setter.heading(part, 60, y, size=14)
            y = setter.paragraph(" ".join(sentences(6, seed=10 + seed)), 60, y, 480) - 8

    abstract, body = SectionRole.ABSTRACT, SectionRole.BODY
    assert sections(make_pdf(draw)) == [
        ("Abstract", abstract),
        ("Background", abstract),
        ("Methods", abstract),
        ("Results", abstract),
        ("Introduction", body),
        ("Methods", body),
    ]


def test_references_end_where_an_appendix_begins(texts):
    content = paper(
        [], [("References", REFERENCES), ("A Proofs of the bridges", [" ".join(sentences(6, seed=4))])]
    )
    assert sections(content)[-2:] == [
        ("References", SectionRole.REFERENCES),
        ("A Proofs of the bridges", SectionRole.BODY),
    ]
    assert texts(read_bytes(content))[-6:] == sentences(6, seed=4)


def test_a_reference_list_without_a_heading():
    content = paper([], [("2 Methods", [" ".join(sentences(6, seed=2))]), (None, REFERENCES)])
    document = read_bytes(content)
    assert document.sections[-1].role is SectionRole.REFERENCES
    assert len(document.sections[-1].sentences) >= 8
    assert document.sections[-2].heading == "2 Methods"


def test_an_index_is_left_out_and_counted(texts):
    entries = [f"bridges of kind {n}, {3 * n + 1}, {3 * n + 7}" for n in range(40)]
    content = paper([], [("2 Methods", [" ".join(sentences(6, seed=2))]), ("Index", entries)])
    document = read_bytes(content)
    assert texts(document)[-1] == sentences(6, seed=2)[-1]
    assert {each.what: each.words for each in document.metadata.left_out}["index"] == 40 * 6 + 1


def test_a_footnote_does_not_part_a_sentence(texts):
    whole = sentences(1, seed=5, length=60)[0]

    def draw(canvas):
        setter = Typesetter(canvas)
        lines = setter.wrap(" ".join(sentences(40, seed=1)), 480)
        y = 740.0
        canvas.setFont("Times-Roman", 10)
        for line in [*lines, *setter.wrap(whole, 480)[:2]]:
            canvas.drawString(60, y, line)
            y -= 12
        canvas.setFont("Times-Roman", 7)
        canvas.drawString(60, 73, "1")
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(64, 70, "A note on the orchard, which stands by the river and is old.")
        canvas.showPage()
        y = 740.0
        canvas.setFont("Times-Roman", 10)
        for line in [*setter.wrap(whole, 480)[2:], *setter.wrap(" ".join(sentences(9, seed=2)), 480)]:
            canvas.drawString(60, y, line)
            y -= 12

    found = texts(read_bytes(make_pdf(draw)))
    assert whole in found
    assert any("A note on the orchard" in text for text in found)
