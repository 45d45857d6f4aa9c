"""Opinions: whose words each section of a decision holds, however the voices are announced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.documents import Paragraph, Passage, Piece, SectionRole, compose_document
from lsum_cli.reading.opinions import divide_opinions, voice_of

COURT = "JUSTICE BREYER delivered the opinion of the Court."
DISSENT = "JUSTICE STEVENS, with whom JUSTICE SOUTER and JUSTICE GINSBURG join, dissenting."


def passage(heading: str | None, *paragraphs: str) -> Passage:
    return Passage(
        heading=heading,
        level=1 if heading else 0,
        paragraphs=tuple(Paragraph.of(text, pdf_page=3) for text in paragraphs),
    )


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Syllabus", SectionRole.SYLLABUS),
        ("Opinion of the Court", SectionRole.OPINION),
        ("Opinion of the Court / Part II-A", SectionRole.OPINION),
        ("Per Curiam", SectionRole.OPINION),
        ("STEVENS, J., dissenting", SectionRole.DISSENT),
        ("ROBERTS, C. J., dissenting", SectionRole.DISSENT),
        ("ALITO, J., concurring in judgment", SectionRole.CONCURRENCE),
        ("THOMAS, J., concurring in part and dissenting in part", SectionRole.DISSENT),
        ("Opinion of KENNEDY, J.", SectionRole.CONCURRENCE),
        ("Posner, Circuit Judge, dissenting.", SectionRole.DISSENT),
        ("Justice Kagan, with whom Justice Breyer joins, concurring.", SectionRole.CONCURRENCE),
        (COURT, SectionRole.OPINION),
        (DISSENT, SectionRole.DISSENT),
        ("Dissenting opinions", SectionRole.DISSENT),
        ("I", None),
        ("The dissenting view in the literature", None),
        ("Justice and dissent in the city", None),
        ("MONTEJO v. LOUISIANA", None),
    ],
)
def test_a_heading_or_running_head_names_its_voice(line: str, role: SectionRole | None) -> None:
    assert voice_of(line) is role


def test_what_a_syllabus_says_the_court_concluded_is_no_heading() -> None:
    held = (
        "JUSTICE REED delivered the opinion of the Court, concluding that no fine is due without a hearing."
    )
    divided = divide_opinions(
        [
            passage("Syllabus", "Marsh keeps herons.", held, "(a) The history of the rule shows it."),
            passage("Opinion of the Court", COURT, "We affirm."),
        ]
    )
    assert [(part.heading, part.role) for part in divided] == [
        ("Syllabus", SectionRole.SYLLABUS),
        ("Opinion of the Court", SectionRole.OPINION),
    ]


def test_the_parts_of_an_opinion_that_announces_the_judgment_belong_to_it() -> None:
    announced = "JUSTICE KENNEDY announced the judgment of the Court."
    divided = divide_opinions(
        [
            passage("Opinion of KENNEDY, J.", f"{announced} A court needs power over the person."),
            passage("Opinion of KENNEDY, J. / Part II", "It had none."),
            passage("Opinion of BREYER, J.", "I agree with the result."),
            passage("Opinion of BREYER, J. / Part I", "The facts suffice."),
            passage("GINSBURG, J., dissenting", "I would affirm."),
        ]
    )
    roles = {part.heading: part.role for part in divided if part.paragraphs}
    court, apart = SectionRole.OPINION, SectionRole.CONCURRENCE
    assert [role for heading, role in roles.items() if heading and "Part II" in heading] == [court]
    assert [role for heading, role in roles.items() if heading and "BREYER" in heading] == [apart, apart]
    assert SectionRole.DISSENT in roles.values()


@pytest.mark.parametrize("number", ["", "1. ", "¶ 41 "])
def test_a_numbered_partial_dissent_is_a_dissent(number: str) -> None:
    said = f"{number}JUSTICE BREYER, concurring in part and dissenting in part. I would affirm."
    divided = divide_opinions(
        [passage("Opinion of the Court", COURT), passage("Opinion of BREYER, J.", said, "The rest stands.")]
    )
    assert [part.role for part in divided] == [SectionRole.OPINION, SectionRole.DISSENT]


def test_a_voice_lasts_until_the_next_begins() -> None:
    divided = divide_opinions(
        [
            passage("Syllabus", "A farm lost its water.", "Held: it may sue."),
            passage("Opinion of the Court", f"{COURT} We hold that it may."),
            passage("II", "The statute is plain."),
            passage("STEVENS, J., dissenting", DISSENT, "It may not."),
            passage("Appendix", "A table."),
        ]
    )
    assert [part.role.value for part in divided] == ["syllabus", "opinion", "opinion", "dissent", "dissent"]


def test_plain_text_is_divided_where_a_paragraph_announces_a_voice() -> None:
    """Nothing is lost: the words that announce a voice become the heading of its section."""
    text = passage(
        None, "No. 07-1", f"{COURT} We hold that it may.", "It is so ordered.", DISSENT, "It may not."
    )
    divided = divide_opinions([text])
    assert [(part.heading, part.role.value) for part in divided] == [
        (None, "body"),
        (COURT, "opinion"),
        (DISSENT, "dissent"),
    ]
    document = compose_document(divided, id="d0", source="-")
    assert [sentence.text for sentence in document.sentences] == [
        "No. 07-1",
        "We hold that it may.",
        "It is so ordered.",
        "It may not.",
    ]
    assert {sentence.pdf_page for sentence in document.sentences} == {3}


def test_a_judge_who_is_quoted_does_not_begin_to_speak() -> None:
    court = passage(
        None, COURT, "Justice Stevens, dissenting in Smith v. Jones, said otherwise. We do not agree."
    )
    assert [part.role for part in divide_opinions([court])] == [SectionRole.OPINION]


def test_the_opinion_that_announces_the_judgment_is_the_courts() -> None:
    plurality = passage(
        "Opinion of KAGAN, J.", "JUSTICE KAGAN announced the judgment of the Court and delivered an opinion."
    )
    assert [part.role for part in divide_opinions([plurality])] == [SectionRole.OPINION]


def test_an_opening_below_a_line_of_the_same_voice_begins_no_second_section() -> None:
    divided = divide_opinions(
        [
            passage(
                None,
                f"{COURT} We reverse the judgment.",
                "STEVENS, J., dissenting",
                "JUSTICE STEVENS, dissenting. The rule is wrong.",
                "JUSTICE GINSBURG, dissenting. The rule is old.",
            )
        ]
    )

    assert [part.heading for part in divided if part.role is SectionRole.DISSENT] == [
        "STEVENS, J., dissenting",
        "JUSTICE GINSBURG, dissenting.",
    ]


def test_a_syllabus_without_a_heading_is_known_by_its_words() -> None:
    divided = divide_opinions(
        [passage("No. 1", "Syllabus NOTE: Where it is feasible."), passage(None, COURT)]
    )
    assert [part.role for part in divided] == [SectionRole.SYLLABUS, SectionRole.OPINION]


def test_an_opening_over_two_pdf_pages_keeps_the_pages() -> None:
    begun = Paragraph(
        pieces=(Piece(text=COURT[:14], pdf_page=1), Piece(text=COURT[15:] + " We hold.", pdf_page=2))
    )
    (opinion,) = divide_opinions([Passage(paragraphs=(begun,))])
    assert opinion.heading == COURT
    assert opinion.paragraphs == (Paragraph.of("We hold.", pdf_page=2),)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "Introduction", "Syllabus", "Dissent", "Opinion"]),
            st.lists(st.sampled_from(["A word.", "Held: so.", "We dissent from this view."]), max_size=3),
        ),
        max_size=4,
    )
)
def test_what_is_no_decision_stays_as_it_is(parts: list[tuple[str | None, list[str]]]) -> None:
    passages = [passage(heading, *texts) for heading, texts in parts]
    assert divide_opinions(passages) == passages


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("the judgment of the North Caro-* * lina court is reversed.", "the North Carolina court is"),
        ("we vacate the order of the * * Court of Appeals.", "order of the Court of Appeals."),
        ("The judgment of the D. C. * * Circuit is affirmed.", "D. C. Circuit is"),
        ("* * For these reasons the judgment is * Affirmed.", "For these reasons the judgment is Affirmed."),
        # Words left out.
        ("whoever * * * takes a boat shall be fined.", "whoever * * * takes a boat"),
        ("It reads “A fine is due. * * * The keeper pays.”", "due. * * * The keeper"),
    ],
)
def test_stars_of_a_page_are_taken_out_of_a_sentence(printed: str, read: str) -> None:
    (found,) = divide_opinions([passage("Opinion of the Court", printed)])
    assert read in found.paragraphs[0].pieces[0].text
    (other,) = divide_opinions([passage("Report", printed)])
    assert other.paragraphs[0].pieces[0].text == printed


@pytest.mark.parametrize("closes", [False, True])
def test_stars_of_a_quotation_over_two_pages_stand_for_words_left_out(closes: bool) -> None:
    begins = f"It reads “A fine is due.{'”' * closes} It said so in the spring."
    goes_on = "The keeper pays it. * * * The wardens take it."
    printed = Paragraph(pieces=(Piece(text=begins, pdf_page=1), Piece(text=goes_on, pdf_page=2)))
    opinion = Passage(heading="Opinion of the Court", level=1, paragraphs=(printed,))
    (found,) = divide_opinions([opinion])
    assert len(found.paragraphs) == 1 + closes
    assert ("* * *" in found.paragraphs[0].text) is not closes


def test_stars_between_sentences_begin_a_paragraph() -> None:
    printed = ["That is the rule.9 * * * The judgment is affirmed.", "* It is so ordered.", "*"]
    (found,) = divide_opinions([passage("Opinion of the Court", *printed)])
    assert [paragraph.text for paragraph in found.paragraphs] == [
        "That is the rule.9",
        "The judgment is affirmed.",
        "It is so ordered.",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["It was so in Ames v. Boyd, 501 U. S.", "1083, 1102 (1991). The rule holds."],
        ["A harbour is a place for ships (9th ed.", "2009). The rule holds."],
        ["He saw an open can. App.", "62. The keeper asked for it."],
        ["The rule is old (opinion of Ames,", "c. 4), as was said."],
        ["They sank the boat.", ".", ".", ". “The bill is new."],
        ["It held so (“none is due.”", "). The rule holds."],
    ],
)
def test_a_paragraph_that_the_end_of_a_line_broke_is_whole(lines: list[str]) -> None:
    (found,) = divide_opinions([passage("Opinion of the Court", "It began so.", *lines, "It ended so.")])
    assert [each.text for each in found.paragraphs] == ["It began so.", " ".join(lines), "It ended so."]


def test_paragraphs_that_end_with_a_sentence_stay_apart() -> None:
    printed = ["See Appendix to opinion of AMES, J.", "B. Profile of the boat", "Held:", "(1) A fine is due;"]
    printed += ["(2) It is paid to the keeper.", "1. It is due at once."]
    (found,) = divide_opinions([passage("Opinion of the Court", *printed)])
    assert [each.text for each in found.paragraphs] == printed


def test_the_lines_of_a_list_stay_apart() -> None:
    printed = ["The court looked at three things:", "the age of the applicant", "the ties to the land,"]
    printed += ["the length of the residence", "b. the fee", "It weighed each of them."]
    (found,) = divide_opinions([passage("Opinion of the Court", *printed)])
    assert [each.text for each in found.paragraphs] == printed
    broken = ["It looked at the age of the", "applicant, at the ties to", "the land and at her residence."]
    (found,) = divide_opinions([passage("Opinion of the Court", *broken)])
    assert [each.text for each in found.paragraphs] == [" ".join(broken)]


@pytest.mark.parametrize(
    "before", ["The rule protects", "It protects one who pays the fee,", "The rule protects two people:"]
)
def test_a_sentence_that_goes_on_in_small_letters_over_a_page_is_whole(before: str) -> None:
    broken = ["a keeper who had not asked for the", "hearing within ten days of the fine."]
    (found,) = divide_opinions([passage("Opinion of the Court", "It began so.", before, *broken)])
    assert " ".join(broken) in found.paragraphs[-1].text


def test_what_goes_on_below_no_list_is_whole() -> None:
    printed = ["The rule is old.", "a keeper who paid", "hearing within ten days of the fine."]
    (found,) = divide_opinions([passage("Opinion of the Court", *printed)])
    assert [each.text for each in found.paragraphs] == [printed[0], " ".join(printed[1:])]


HEAD = ("Court of Appeals of the Lakes", "No. 21-417. Filed July 9, 2023.")
TEXT = "A keeper was fined without a hearing, and asks us to set the fine aside for that."


@pytest.mark.parametrize(
    ("paragraphs", "roles"),
    [
        (
            (
                "REED, Circuit Judge:",
                TEXT,
                "We reverse.",
                "VANCE, Circuit Judge, dissenting:",
                "I would affirm.",
            ),
            [None, SectionRole.OPINION, SectionRole.DISSENT],
        ),
        (
            (f"¶ 1. EATON, J. {TEXT}", "¶ 2. We affirm.", "¶ 3. ROBINSON, J., concurring. I agree."),
            [None, SectionRole.OPINION, SectionRole.CONCURRENCE],
        ),
        (
            (
                "LORD AMES (with whom Lady Winter agrees):",
                TEXT,
                "LORD DUNN (dissenting):",
                "I would allow it.",
            ),
            [None, SectionRole.OPINION, SectionRole.DISSENT],
        ),
        (
            ("LADY CROFT:", TEXT, "LORD DUNN:", "I agree."),
            [None, SectionRole.OPINION, SectionRole.CONCURRENCE],
        ),
        ((TEXT, "It is hereby ordered that the fine be paid back."), [SectionRole.OPINION]),
    ],
)
def test_other_courts_name_whoever_speaks(
    paragraphs: tuple[str, ...], roles: list[SectionRole | None]
) -> None:
    parts = divide_opinions([passage(None, *HEAD, *paragraphs)])
    body = SectionRole.BODY
    assert [part.role for part in parts] == [role or body for role in roles]


@pytest.mark.parametrize(
    "paragraphs",
    [
        (
            "The Court of Appeals of the Lakes fined nobody, its clerk told this newspaper.",
            "SMITH, J. A note.",
        ),
        (*HEAD, "The clerk keeps a list of those who were fined.", "It is long."),
        ("Herons of the lakes", "SMITH, J. Herons and their keepers. Lakes, 4, 1999.", TEXT),
    ],
)
def test_what_only_speaks_of_courts_is_no_decision(paragraphs: tuple[str, ...]) -> None:
    assert [part.role for part in divide_opinions([passage(None, *paragraphs)])] == [SectionRole.BODY]


@pytest.mark.parametrize(
    "caption",
    [
        "SUPREME COURT OF THE UNITED STATES",
        "Supreme Court of Ohio",
        "United States Court of Appeals for the Ninth Circuit",
        "IN THE HIGH COURT OF JUSTICE",
        "No. 12–345",
        "Nos. 12-345 and 12-346.",
        "Argued May 1, 2012—Decided June 4, 2012",
        "June 4, 2012",
        "ON WRIT OF CERTIORARI TO THE SUPREME COURT OF OHIO",
        "Appeal from the Circuit Court for Dane County",
        "MARA FERRY, PETITIONER v. HARBOUR BOARD ET AL.",
    ],
)
def test_what_is_printed_over_a_case_is_no_section_of_it(caption: str) -> None:
    divided = divide_opinions(
        [
            passage("Syllabus", "A ferry sank."),
            passage(caption, "Held: The owner is liable."),
            passage("Opinion of the Court", COURT),
        ]
    )
    assert [part.heading for part in divided] == ["Syllabus", "Opinion of the Court"]
    assert [len(part.paragraphs) for part in divided] == [2, 1]


@pytest.mark.parametrize(
    "heading",
    [
        "Proceedings in the District Court",
        "PROCEEDINGS IN THE DISTRICT COURT",
        "The Supreme Court’s earlier cases",
        "Ferry v. Harbour Board",
        "Notice of the sinking",
    ],
)
def test_what_an_opinion_calls_its_own_parts_stays_a_section(heading: str) -> None:
    divided = divide_opinions([passage("Opinion of the Court", COURT), passage(heading, "A ferry sank.")])
    assert [part.heading for part in divided] == ["Opinion of the Court", heading]


def test_the_caption_that_a_decision_begins_with_is_no_heading() -> None:
    divided = divide_opinions(
        [passage("Supreme Court of Ohio", "No. 12-345"), passage("Opinion of the Court", COURT)]
    )
    assert [part.heading for part in divided] == [None, "Opinion of the Court"]
    assert [len(part.paragraphs) for part in divided] == [1, 1]
