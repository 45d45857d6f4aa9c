"""Bibliographies and endnotes told by their look, and what only resembles them."""

from __future__ import annotations

import textwrap

import pytest
from reading_samples import PROSE

from lsum_cli import read
from lsum_cli.documents import Paragraph, Passage, SectionRole
from lsum_cli.reading.plain.document import read_plain
from lsum_cli.reading.references import divide_references
from lsum_cli.reading.registry import RawSource, ReadOptions

STYLES = {
    "author and year": "Abbott, A. B., and Cole, D. ({year}). The rise of rivers. J. Rivers {n}, 33–45.",
    "with full names": "Abbott, Anna. The Rise of Rivers. Cambridge: Cambridge University Press, {year}.",
    "numbered": "[{n}] A. B. Abbott and D. Cole, “The rise of rivers,” J. Rivers, vol. {n}, pp. 3–9, {year}.",
    "of medicine": "{n}. Abbott AB, Cole D. The rise of rivers. Rivers. {year};12(3):33-45.",
    "with particles": "{n}. van der Berg, K. and de la Cruz, M. ({year}) Ice. Springer, Berlin.",
}


def passage(*texts: str, heading: str | None = "Funding", level: int = 1) -> Passage:
    return Passage(heading=heading, level=level, paragraphs=tuple(map(Paragraph.of, texts)))


def shape(passages: list[Passage]) -> list[tuple[str | None, SectionRole, int]]:
    return [(each.heading, each.role, len(each.paragraphs)) for each in passages]


@pytest.mark.parametrize("style", STYLES)
def test_entries_in_a_row_are_a_bibliography_under_any_heading(style: str):
    entries = [STYLES[style].format(n=n, year=1990 + n) for n in range(1, 9)]
    divided = divide_references([passage(PROSE, *entries, PROSE + " " + PROSE * 2)])
    assert shape(divided) == [
        ("Funding", SectionRole.BODY, 1),
        (None, SectionRole.REFERENCES, 8),
        (None, SectionRole.BODY, 1),
    ]


def test_a_section_of_entries_alone_keeps_its_heading():
    entries = [STYLES["numbered"].format(n=n, year=1990 + n) for n in range(1, 9)]
    assert shape(divide_references([passage(*entries, heading="Works of the group")])) == [
        ("Works of the group", SectionRole.REFERENCES, 8)
    ]


def test_a_torn_entry_does_not_end_a_bibliography():
    entries = [STYLES["author and year"].format(n=n, year=1990 + n) for n in range(1, 9)]
    entries.insert(4, "Rothman Reprints, 18.")
    assert shape(divide_references([passage(*entries)])) == [("Funding", SectionRole.REFERENCES, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "Abbott, A. B. (1999) found that we know little of rivers, and our own results, vol. 3, agree.",
        "{n}. In 20{n}0 the government closed the mine, and 340 people lost their work there.",
        "J. Abbott ({n}) walked along the river, as he did each morning, and saw the ice.",
        "Version {n}.2 was released in 2019: see https://example.org/{n} for what is new.",
        "Water Act, 19{n}0. Its courts must hear whoever is harmed, see https://law.example/{n}.",
        "{n}. The Miller, 195{n}. A detective who was shot tells his story; the Press loved it.",
        "Miller, J. resigned in 200{n}. The Journal reported that he had sold his shares.",
        "Brown v. Board, 347 U. S. 483 (1954), decided what the schools of the county had to do.",
    ],
)
def test_other_lists_are_no_bibliography(text: str):
    texts = [text.format(n=n) for n in range(1, 9)]
    assert shape(divide_references([passage(*texts)])) == [("Funding", SectionRole.BODY, 8)]


def test_entries_of_a_plain_text_with_hanging_indents():
    entries = [
        textwrap.fill(STYLES["author and year"].format(n=n, year=1990 + n), 60, subsequent_indent="   ")
        for n in range(1, 9)
    ]
    text = "Acknowledgements\n\n" + PROSE + "\n\n" + "\n".join(entries) + "\n"
    raw = RawSource(id="d0", name="a.txt", content=text.encode(), media_type="text/plain")
    document = read_plain(raw, ReadOptions())
    references = [each for each in document.sections if each.role is SectionRole.REFERENCES]
    assert len(references) == 1
    assert len(list(references[0].paragraphs)) == 8
    assert PROSE in {
        s.text for each in document.sections if each.role is SectionRole.BODY for s in each.sentences
    }


def test_endnotes_under_the_titles_of_the_chapters():
    notes = [f"{n}. See Ada Abbott, The Rise of Rivers (New York: Rothman, 19{n}0), 12." for n in range(1, 7)]
    passages = [
        passage(PROSE, heading="Introduction"),
        passage(PROSE, heading="Chapter One: “Rivers”", level=2),
        passage("Links may change.", heading="NOTES"),
        passage(*notes, heading="INTRODUCTION"),
        passage(*notes, heading="Chapter One: Rivers", level=4),
        passage(PROSE, heading="Acknowledgments"),
    ]
    divided = divide_references(passages)
    assert [(each.level, each.role) for each in divided] == [
        (1, SectionRole.BODY),
        (2, SectionRole.BODY),
        (1, SectionRole.REFERENCES),
        (2, SectionRole.REFERENCES),
        (2, SectionRole.REFERENCES),
        (1, SectionRole.BODY),
    ]


def test_notes_that_are_text_are_no_references():
    passages = [
        passage(PROSE, heading="Introduction"),
        passage(PROSE, PROSE, PROSE, heading="Notes"),
        passage(PROSE, heading="Introduction"),
    ]
    assert divide_references(passages) == passages


def test_notes_to_the_accounts_are_no_references():
    notes = [
        "1. Basis of preparation. The statements for the year ended 31 December 2021 were approved in March 2022.",
        "2. Revenue rose to 431 million euros in 2021, from 402 million in 2020, as sales recovered in Asia.",
        "3. Borrowings were refinanced in June 2021 with a facility of 120 million euros that runs until 2026.",
        "4. The deficit of the pension scheme fell to 14 million euros (2020: 31 million), as rates rose.",
        "5. After the balance sheet date, in February 2022, the group sold its plant in Lyon.",
    ]
    passages = [passage(PROSE, heading="Business Review"), passage(*notes, heading="Notes")]
    assert divide_references(passages) == passages


def test_the_second_column_of_a_bibliography(shared):
    document = read(shared / "data/inputs/pdf/paper-2col-PMC7052325.pdf")
    body = " ".join(
        sentence.text
        for section in document.sections
        if section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    )
    assert "Goodenough, J. B., and Kim" not in body
    assert "Hundred Talents Project" in body
    assert "Conflict of Interest: The authors declare" in body


def test_the_endnotes_of_a_book(shared):
    document = read(shared / "data/inputs/pdf/book-352p-freeculture.pdf")
    introductions = [each for each in document.sections if (each.heading or "").casefold() == "introduction"]
    assert [each.role for each in introductions] == [SectionRole.BODY, SectionRole.REFERENCES]
    assert introductions[1].path == "NOTES › INTRODUCTION"
    assert [each.role for each in document.sections if each.heading == "CONCLUSION"] == [
        SectionRole.BODY,
        SectionRole.REFERENCES,
    ]
