"""The sections that are not quoted are named, where their headings say what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from extraction import structure_of

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.methods.extract.contents import other_sections
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import Style

THINGS = ("sluice", "turbine", "spillway", "penstock", "ladder", "gauge", "apron", "boom", "screen")


def text(thing: str) -> str:
    """A section's text, of more words than are too few to name it."""
    return (
        f"The {thing} was cast in the foundry of the valley and set into the wall by six men in one summer. "
        f"Nobody has moved the {thing} since, and the keeper oils it on the first day of every month."
    )


def document(*sections: tuple[str | None, int, str], roles: dict[str, SectionRole] | None = None) -> Document:
    """A document of sections: heading, level, text."""
    passages = [
        Passage(
            heading=heading,
            level=level,
            paragraphs=(Paragraph.of(body),) if body else (),
            role=(roles or {}).get(heading or "", SectionRole.BODY),
        )
        for heading, level, body in sections
    ]
    return compose_document(passages, id="d0", source="-", title="Weirs", language="en")


def others(made: Document, *headings: str) -> Sequence[str]:
    """What is named where the sections of these headings are quoted."""
    quoted = {
        sentence.index
        for section in made.sections
        if section.heading in headings
        for sentence in section.sentences
    }
    return other_sections(made, structure_of(made), quoted)


def test_sections_that_are_not_quoted_are_named_in_order() -> None:
    made = document(*((f"The {thing}", 1, text(thing)) for thing in THINGS))
    assert others(made, "The turbine", "The boom") == tuple(
        f"The {thing}" for thing in THINGS if thing not in ("turbine", "boom")
    )


def test_what_a_proposal_rejects_is_not_named_as_if_it_were_proposed() -> None:
    sections = [
        ("Motivation", 1, text("shaft")),
        ("Proposal", 1, text("basin")),
        ("A larger turbine", 1, text("turbine")),
        ("Alternatives considered", 1, text("river")),
        ("A wooden boom", 2, text("boom")),
    ]
    assert others(document(*sections), "Motivation", "Proposal") == ("A larger turbine",)


@pytest.mark.parametrize(
    ("heading", "body", "is_named"),
    [
        ("Risks and Mitigations", f"{text('dam')} {text('crest')}", True),
        ("Security Impact", f"{text('dam')} {text('crest')}", True),
        ("Limitations", f"{text('dam')} {text('crest')}", True),
        ("Scalability", f"{text('dam')} {text('crest')}", False),
        ("Security Impact", "None.", False),
        ("Security Impact", "Whoever holds the key of the dam can open the sluices of the valley.", False),
        (
            "Risks and Mitigations",
            "There is no risk for the men who cast the sluices of the valley. " * 5,
            False,
        ),
    ],
)
def test_what_a_proposal_risks_is_named_by_any_heading_if_there_is_something(
    heading: str, body: str, is_named: bool
) -> None:
    sections = [("Motivation", 1, text("shaft")), ("Proposal", 1, text("basin")), (heading, 2, body)]
    sections += [(f"The {thing}", 1, text(thing)) for thing in THINGS]
    made = document(*sections, ("Alternatives considered", 1, text("river")))
    quoted = {made.sections[0].sentences[0].index, made.sections[1].sentences[0].index}
    named = other_sections(made, structure_of(made), quoted)
    assert (heading in named) is is_named
    # It is named once, and not where it is quoted.
    assert named.count(heading) == is_named
    assert heading not in others(made, "Motivation", "Proposal", heading)


def test_risks_below_a_section_that_is_named_are_named_by_it() -> None:
    sections = [("Motivation", 1, text("shaft")), ("Proposal", 1, text("basin"))]
    sections += [("A larger turbine", 1, text("turbine")), ("Risks", 2, f"{text('dam')} {text('crest')}")]
    sections += [(f"The {thing}", 1, text(thing)) for thing in THINGS]
    made = document(*sections, ("Alternatives considered", 1, text("river")))
    quoted = {made.sections[0].sentences[0].index, made.sections[1].sentences[0].index}
    named = other_sections(made, structure_of(made), quoted)
    assert "A larger turbine" in named
    assert "Risks" not in named


@pytest.mark.parametrize(
    "heading",
    [
        "Introduction",
        "2. Background and motivation",
        "References",
        "Licence",
        "12",
        "See also",
        "Alternatives (Not Implemented)",
        "Backwards compatibility",
        "About the author",
        "Editors’ recommendations",
        "Cover",
        "Contact us",
        "For further information contact",
        "Danksagung",
    ],
)
def test_headings_that_only_name_a_place_are_not_named(heading: str) -> None:
    made = document((heading, 1, text("door")), *((f"The {thing}", 1, text(thing)) for thing in THINGS))
    assert heading not in others(made)
    assert len(others(made)) == len(THINGS)


def test_a_heading_above_what_is_quoted_elsewhere_is_not_named() -> None:
    made = document(
        *(
            section
            for thing in THINGS[:3]
            for section in ((f"The {thing}", 1, text(thing)), ("Repairs", 2, text(f"{thing} gate")))
        ),
        *((f"The {thing}", 1, text(thing)) for thing in THINGS[3:5]),
    )
    quoted = {made.sections[1].sentences[0].index, made.sections[2].sentences[0].index}
    assert made.sections[1].heading == "Repairs"
    assert "Repairs" not in other_sections(made, structure_of(made), quoted)
    assert "The ladder" in other_sections(made, structure_of(made), quoted)


def test_a_section_is_named_for_those_below_it() -> None:
    inner = [(f"The {thing}", 2, text(thing)) for thing in THINGS]
    made = document(
        ("Water", 1, ""), *inner[:2], ("Iron", 1, ""), *inner[2:4], ("Wood", 1, ""), *inner[4:6],
        ("Stone", 1, ""), *inner[6:],
    )  # fmt: skip
    assert others(made) == ("Water", "Iron", "Wood", "Stone")
    # One that is quoted in part is not named, and of few names those below it are.
    assert others(made, "The sluice") == ("The turbine", "Iron", "Wood", "Stone")
    # Where the quoted ones are shown under their parts' headings, the names of the other parts are enough.
    quoted = {made.sections[1].sentences[0].index}
    assert other_sections(made, structure_of(made), quoted, by_part=True) == ("Iron", "Wood", "Stone")


def test_the_title_is_no_section() -> None:
    made = document(("Weirs", 1, text("weir")), *((f"The {thing}", 2, text(thing)) for thing in THINGS))
    assert others(made, "Weirs") == tuple(f"The {thing}" for thing in THINGS)


def test_details_are_not_named_where_they_are_many() -> None:
    inner = [(f"The {thing} of {number}", 2, text(thing)) for thing in THINGS for number in (1890, 1920)]
    made = document(("The owners", 1, text("house")), ("The parts", 1, text("wall")), *inner)
    assert others(made, "The parts") == ("The owners",)


def test_a_rule_of_disclosure_is_named_and_a_notice_is_not() -> None:
    notice = text("book").replace("Nobody", "The authors declare that nobody")
    rule = f"You must disclose who moved the sluice. {text('sluice')}"
    names = (("Disclosure", notice), ("Copyright", rule), ("Turbines", text("turbine")))
    made = document(*((name, 1, said) for name, said in names))
    assert others(made) == ("Copyright", "Turbines")


def test_scraps_and_references_are_not_named() -> None:
    made = document(
        *((f"The {thing}", 1, text(thing)) for thing in THINGS[:4]),
        ("A scrap", 1, "Too short to name."),
        ("Works cited here", 1, text("book")),
        roles={"Works cited here": SectionRole.REFERENCES},
    )
    assert others(made) == tuple(f"The {thing}" for thing in THINGS[:4])


@pytest.mark.parametrize("kind", [DocumentKind.PAPER, DocumentKind.DECISION])
def test_papers_and_decisions_have_sections_of_form(kind: DocumentKind) -> None:
    made = document(*((f"The {thing}", 1, text(thing)) for thing in THINGS))
    structure = structure_of(made)
    assert other_sections(made, structure, ())
    assert other_sections(made, replace(structure, document_kind=kind), ()) == ()


def test_only_where_the_length_is_not_requested() -> None:
    made = document((None, 0, text("weir")), *((f"The {thing}", 1, text(thing)) for thing in THINGS))

    def named(**options: object) -> tuple[str, ...]:
        summary = Summarizer(SummaryOptions(method="extract", **options)).summarize([made])  # type: ignore[arg-type]
        quoted = {
            made.sections[made.sentences[each.sentence_index].section_index].heading
            for sentence in summary.sentences
            if sentence.attribution
            for each in sentence.attribution.evidence
        }
        assert not quoted & set(summary.other_sections)
        return summary.other_sections

    assert named()
    assert named(style=Style.BULLETS) == named()
    for options in ({"length": "80"}, {"length": "short"}, {"style": Style.OUTLINE}, {"focus": "turbine"}):
        assert named(**options) == ()


@pytest.mark.parametrize(
    ("quoted", "named"),
    [
        (("Opinion of the Court",), ("MARSH, J., dissenting", "WEIR, J., concurring")),
        (("Part II",), ("WEIR, J., concurring",)),
        (("WEIR, J., concurring", "MARSH, J., dissenting"), ()),
    ],
)
def test_of_a_decision_the_separate_opinions_are_named(
    quoted: tuple[str, ...], named: tuple[str, ...]
) -> None:
    """By whose they are, however many parts they have, and where none of these is quoted."""
    dissent = SectionRole.DISSENT
    made = document(
        ("Opinion of the Court", 1, text("sluice")),
        ("MARSH, J., dissenting", 1, text("turbine")),
        ("Part I", 2, text("gauge")),
        ("Part II", 2, text("apron")),
        ("WEIR, J., concurring", 1, text("screen")),
        roles={
            "Opinion of the Court": SectionRole.OPINION,
            "MARSH, J., dissenting": dissent,
            "Part I": dissent,
            "Part II": dissent,
            "WEIR, J., concurring": SectionRole.CONCURRENCE,
        },
    )
    structure = replace(structure_of(made), document_kind=DocumentKind.DECISION)
    indices = {
        sentence.index
        for section in made.sections
        if section.heading in quoted
        for sentence in section.sentences
    }
    assert other_sections(made, structure, indices) == named
