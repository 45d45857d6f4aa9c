"""Questions in paragraphs: which head their answers, in every format, and which are rhetoric, talk or contents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reading_samples import left_out_of

from lsum_cli import read
from lsum_cli.documents import Document, Paragraph, Passage, Piece, SectionRole
from lsum_cli.reading.questions import divide_questions

QUESTIONS = ("How high is the weir?", "Who opens the gates?", "May I fish there?")
ANSWERS = ("It is four metres high.", "The keeper opens them at dawn.", "Only with a card of the county.")
PAIRS = tuple(zip(QUESTIONS, ANSWERS, strict=True))
NAMES = ("The keeper has a boat.", "The dam is old.", "The lake is deep.", "The path is steep.")

Write = Callable[[str, str | bytes], Path]


def asked(*paragraphs: str, heading: str | None = None, level: int = 0) -> Passage:
    return Passage(heading=heading, level=level, paragraphs=tuple(map(Paragraph.of, paragraphs)))


def headed(passages: list[Passage]) -> list[tuple[str | None, int, list[str]]]:
    return [(each.heading, each.level, [below.text for below in each.paragraphs]) for each in passages]


def answers_of(document: Document) -> list[tuple[str | None, str]]:
    return [(each.heading, " ".join(s.text for s in each.sentences)) for each in document.sections]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "faq.html",
            f"<h1>Weirs</h1><p>{' '.join(NAMES * 4)}</p><dl>"
            + "".join(f"<dt>{question}</dt><dd>{answer}</dd>" for question, answer in PAIRS)
            + "</dl>",
        ),
        ("faq.rst", "".join(f"{question}\n   {answer}\n\n" for question, answer in PAIRS)),
        ("faq.adoc", "[qanda]\n" + "".join(f"{question}::\n  {answer}\n\n" for question, answer in PAIRS)),
        ("faq.md", "".join(f"**{question}**\n\n{answer}\n\n" for question, answer in PAIRS)),
        ("faq.txt", "".join(f"Q: {question}\nA: {answer}\n\n" for question, answer in PAIRS)),
        ("marked.md", "".join(f"**Q: {question}**\n\nAnswer: {answer}\n\n" for question, answer in PAIRS)),
    ],
)
def test_questions_head_their_answers(write: Write, name: str, text: str) -> None:
    found = [
        ((heading or "").removeprefix("Q: "), answer)
        for heading, answer in answers_of(read(write(name, text)))
        if heading is not None
    ]
    assert found == list(PAIRS)


def test_marks_of_answers_are_left_out_and_counted(write: Write) -> None:
    document = read(
        write("faq.txt", "".join(f"Q: {question}\nA: {answer}\n\n" for question, answer in PAIRS))
    )
    assert left_out_of(document) == {"marks of answers": 3}


def test_a_question_stands_below_the_heading_of_its_section_and_on_its_page() -> None:
    passages = [
        Passage(
            heading="Water",
            level=2,
            paragraphs=(
                Paragraph.of("The weir has a keeper."),
                *(Paragraph(pieces=(Piece(text=text, pdf_page=4),)) for pair in PAIRS for text in pair),
                Paragraph.of("It costs little."),
            ),
        )
    ]
    divided = divide_questions(passages).passages
    assert headed(divided) == [
        ("Water", 2, ["The weir has a keeper."]),
        (QUESTIONS[0], 3, [ANSWERS[0]]),
        (QUESTIONS[1], 3, [ANSWERS[1]]),
        (QUESTIONS[2], 3, [ANSWERS[2], "It costs little."]),
    ]
    assert divided[1].paragraphs[0].pieces[0].pdf_page == 4


def test_what_is_marked_needs_no_question_mark() -> None:
    pairs = (
        "Q. The gate sticks.",
        "A. Oil it.",
        "Q. The chain is rusty.",
        "A. A. Tarn sells chains.",
        *PAIRS[0],
    )
    assert headed(divide_questions([asked(*pairs)]).passages) == [
        ("Q. The gate sticks.", 1, ["Oil it."]),
        ("Q. The chain is rusty.", 1, ["A. Tarn sells chains."]),
        (QUESTIONS[0], 1, [ANSWERS[0]]),
    ]
    unmarked = [text for question, _ in PAIRS for text in (question, "A. Tarn knows it.")]
    assert [each.paragraphs[0].text for each in divide_questions([asked(*unmarked)]).passages] == [
        "A. Tarn knows it."
    ] * 3


def test_contents_are_left_out() -> None:
    contents = [f"{number}. {question}" for number, question in enumerate(QUESTIONS, 1)]
    text = [text for question, answer in PAIRS for text in (question, answer)]
    divided = divide_questions([asked("The weir has a keeper.", *contents, *text)])
    assert divided.contents == tuple(contents)
    assert headed(divided.passages) == [
        (None, 0, ["The weir has a keeper."]),
        *((question, 1, [answer]) for question, answer in PAIRS),
    ]


PROSE = [text for pair in PAIRS for text in (*pair, *(NAMES * 7))]
TALK = [text for pair in PAIRS for text in pair]


@pytest.mark.parametrize(
    "passages",
    [
        [asked(*TALK[:4])],  # too few
        [asked(*PROSE)],  # here and there
        [asked(*(NAMES * 2), *TALK)],  # below another text
        [asked(*TALK), *(asked("It is so.", heading=name, level=1) for name in NAMES * 2)],  # among headings
        [
            asked(*TALK),
            *(asked("So.", heading=f"{n}. Why so?", level=1) for n in range(40)),
        ],  # all others are
        [asked(*(f"“{text}”" for text in TALK))],
        [asked(*(f"EDWIN TARN. {text}" for text in TALK))],
        [asked(*(f"Edwin Tarn: {text}" for text in TALK))],
        [asked(*TALK, *("Why?", "Because it is so.") * 4)],
        [asked(*(text.replace("How", "No. How") for text in TALK[:2]), *TALK[2:])],  # an answer asks back
        [asked(*QUESTIONS, ANSWERS[0])],  # none but the last is answered
        [asked(*(text for question in QUESTIONS for text in (f"See “{question}”", ANSWERS[0])))],
        [asked(*(text for question in QUESTIONS for text in (question, "The gates of the weir")))],
        [Passage(paragraphs=tuple(map(Paragraph.of, TALK)), role=SectionRole.REFERENCES)],
    ],
)
def test_talk_rhetoric_and_lists_are_no_headings(passages: list[Passage]) -> None:
    assert divide_questions(passages).passages == passages


def test_contents_in_other_words_head_nothing() -> None:
    text = [text for question, answer in PAIRS for text in (question, answer)]
    passages = divide_questions([asked("1. How high is that weir?", *QUESTIONS, *text)]).passages
    assert headed(passages)[0] == (None, 0, ["1. How high is that weir?"])


def test_contents_of_a_page_stay_as_they_are(write: Write) -> None:
    links = "".join(
        f'<dt>{n}. <a href="#q{n}">{q}</a></dt><dd>Ask there.</dd>' for n, q in enumerate(QUESTIONS)
    )
    page = f"<h1>Weirs</h1><p>{' '.join(NAMES * 9)}</p><dl>{links}</dl><p>{' '.join(NAMES * 9)}</p>"
    assert not any(heading and "?" in heading for heading, _ in answers_of(read(write("faq.html", page))))


def test_entries_of_a_checklist_are_no_headings() -> None:
    items = [Paragraph(pieces=(Piece(text=text),), is_item=True) for text in TALK]
    passages = [Passage(paragraphs=tuple(items))]
    assert divide_questions(passages).passages == passages
