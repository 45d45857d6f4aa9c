"""Outlines: a document's own parts with what says most of each; topics of several documents; books."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.methods.extract.division import Part, divide
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import Style, Summary
from lsum_cli.text.terms import count_words

TEXT = (
    "The tide station at {0} has measured the level of the sea since the harbour was built. Its oldest tables"
    " were written by hand and kept in a tin box under the stairs. The clerk of {0} copied them every spring and sent"
    " the copies to the observatory."
)


def document(*passages: tuple[str | None, int, str], id: str = "d0", title: str | None = "Tides") -> Document:
    """A document of headings, their levels and texts."""
    return compose_document(
        [
            Passage(heading=heading, level=level, paragraphs=(Paragraph.of(text, pdf_page=page),))
            for page, (heading, level, text) in enumerate(passages, start=1)
        ],
        id=id,
        source=f"{id}.txt",
        title=title,
        language="en",
    )


def outline(*documents: Document, **options: object) -> Summary:
    wishes = SummaryOptions(method="extract", style=Style.OUTLINE, **options)  # type: ignore[arg-type]
    return Summarizer(wishes).summarize(documents)


def headings(source: Document, **how: bool) -> list[tuple[int, str]]:
    return [(part.level, part.heading) for part in divide(source, **how).parts]


PAPER = document(
    ("Tides", 1, ""),
    ("1 Introduction", 2, TEXT.format("Amble")),
    ("2 Methods", 2, TEXT.format("Blyth")),
    ("2.1 Gauges", 3, TEXT.format("Cromer")),
    ("3 Results", 2, TEXT.format("Deal")),
    ("Acknowledgements", 2, TEXT.format("Exmouth")),
)


def test_parts_are_named_without_comparing_them_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Part, __: object) -> bool:
        raise AssertionError

    expected = outline(PAPER).outline
    monkeypatch.setattr(Part, "__eq__", refuse)
    assert outline(PAPER).outline == expected


def test_the_highest_level_that_divides_is_listed_and_the_next_while_it_is_short() -> None:
    assert headings(PAPER) == [
        (1, "Tides"),
        (1, "1 Introduction"),
        (1, "2 Methods"),
        (2, "2.1 Gauges"),
        (1, "3 Results"),
        (1, "Acknowledgements"),
    ]


def test_a_part_with_most_of_a_long_document_is_divided_by_its_own_headings() -> None:
    harbours = [(f"Harbour {number}", 3, TEXT.format(f"Port {number}") * 8) for number in range(9)]
    others = [(f"Chapter {number}", 2, TEXT.format(f"Cape {number}")) for number in range(8)]
    longer = [(heading, level, text * 3) for heading, level, text in others]
    source = document(("Tides", 1, ""), ("Harbours", 2, TEXT.format("Amble")), *harbours, *longer)
    assert (2, "Harbour 8") in headings(source)
    short = [(heading, level, TEXT.format(heading)) for heading, level, _ in harbours]
    source = document(("Tides", 1, ""), ("Harbours", 2, TEXT.format("Amble") * 4), *short, *others)
    assert (2, "Harbour 8") not in headings(source)


def test_each_part_quotes_itself_and_names_its_pages() -> None:
    summary = outline(PAPER)
    quoted = [entry for entry in summary.outline if entry.sentences]
    assert [entry.heading for entry in quoted] == ["1 Introduction", "2 Methods", "2.1 Gauges", "3 Results"]
    for number, entry in enumerate(quoted, start=2):
        assert entry.pdf_pages == (number,)
        assert {s.attribution.evidence[0].pdf_page for s in entry.sentences} == {number}  # type: ignore[union-attr]
    assert summary.sentences == tuple(s for entry in summary.outline for s in entry.sentences)
    assert [s.index for s in summary.sentences] == list(range(len(summary.sentences)))
    assert len({s.text for s in summary.sentences}) == len(summary.sentences)


def test_a_part_of_which_nothing_is_told_is_named_below_and_has_no_empty_heading() -> None:
    source = document(
        ("Tides", 1, ""),
        *((place, 2, TEXT.format(place)) for place in ("Amble", "Blyth", "Cromer")),
        ("Cover", 2, TEXT.format("Deal")),
        ("Acknowledgements", 2, TEXT.format("Exmouth")),
    )
    summary = outline(source, length="25")
    told = [entry.heading for entry in summary.outline]
    assert all(entry.sentences for entry in summary.outline)
    # What surrounds the text is no news.
    assert sorted([*told, *summary.other_sections]) == ["Amble", "Blyth", "Cromer"]
    assert told
    assert summary.other_sections


def test_a_heading_that_several_parts_have_is_told_with_the_one_above_it() -> None:
    source = document(
        ("Amble", 1, TEXT.format("Amble")),
        ("Gauges", 2, TEXT.format("Blyth")),
        ("Deal", 1, TEXT.format("Deal")),
        ("Gauges", 2, TEXT.format("Exmouth")),
    )
    summary = outline(source, length="25")
    assert [entry.heading for entry in summary.outline] == ["Amble"]
    # The gauges of Deal are part of what is named.
    assert summary.other_sections == ("Amble › Gauges", "Deal")


def test_a_heading_without_text_stays_above_what_is_told_below_it() -> None:
    source = document(
        ("Methods", 1, ""), ("Gauges", 2, TEXT.format("Amble")), ("Tides", 1, TEXT.format("Deal"))
    )
    assert [(entry.heading, bool(entry.sentences)) for entry in outline(source).outline] == [
        ("Methods", False),
        ("Gauges", True),
        ("Tides", True),
    ]


def test_a_length_limits_the_words_and_names_every_part() -> None:
    summary = outline(PAPER, length="30")
    assert 0 < sum(count_words(sentence.text) for sentence in summary.sentences) <= 30
    named = [entry.heading for entry in summary.outline] + list(summary.other_sections)
    assert {"1 Introduction", "2 Methods", "2.1 Gauges", "3 Results"} == set(named)


def test_a_text_without_headings_is_divided_by_neighbourhood_and_it_is_said() -> None:
    places = ("Amble", "Blyth", "Cromer", "Deal", "Exmouth", "Fowey")
    summary = outline(document(*((None, 0, TEXT.format(place) * 5) for place in places)))
    (said,) = (warning for warning in summary.warnings if "neighbourhood" in warning)
    assert f"in {len(summary.outline)} parts" in said
    assert len(summary.outline) >= 2
    assert all(entry.heading.startswith("part ") for entry in summary.outline)


def test_a_text_of_two_sentences_is_one_part_and_the_reason_is_true() -> None:
    made = outline(
        document(("Canal", 1, "Water reaches the dam by a canal that is kept open. It is low."), title=None)
    )
    assert len(made.outline) == 1
    assert any("its headings do not divide it: the outline is of the whole text" in w for w in made.warnings)


def test_a_decision_is_outlined_by_its_opinions() -> None:
    roles = (
        ("Syllabus", SectionRole.SYLLABUS),
        ("Opinion", SectionRole.OPINION),
        ("STEVENS, J., dissenting", SectionRole.DISSENT),
    )
    source = compose_document(
        [
            Passage(heading=heading, level=1, role=role, paragraphs=(Paragraph.of(TEXT.format(heading[:4])),))
            for heading, role in roles
        ],
        id="d0",
        source="case.txt",
    )
    assert [name for _, name in headings(source)] == [
        "Syllabus",
        "Opinion of the Court",
        "STEVENS, J., dissenting",
    ]


def test_an_opinion_is_outlined_by_what_it_holds_and_orders_at_its_end() -> None:
    facts = [
        "The District Court found that the mill of the respondent stood on the land of the county since 1871.",
        "Several courts of appeals have held that a county may take a mill without notice to its owner.",
        "The statute says that the county shall give notice to every owner whose land it takes for a road.",
    ] * 8
    held = "We hold that a county must give notice to the owner of a mill before it takes the land."
    ordered = "The judgment of the Court of Appeals is reversed."
    dissent = (
        Paragraph.of("I would hold that the owner of a mill needs no notice before the county takes it."),
    )
    source = compose_document(
        [
            Passage(
                heading="Opinion of the Court",
                level=1,
                role=SectionRole.OPINION,
                paragraphs=tuple(map(Paragraph.of, [*facts, held, *facts[:3], ordered])),
            ),
            Passage(heading="REED, J., dissenting", level=1, role=SectionRole.DISSENT, paragraphs=dissent),
        ],
        id="d0",
        source="case.txt",
    )
    entry, *_ = outline(source).outline
    assert [each.text for each in entry.sentences] == [held, ordered]


STORY = (
    "Mr. Thorn walked from Marlow to the mill in the early rain of that spring. He knocked at the door, and Anna Reed"
    " opened it with a lamp in her hand. “I told you that you were late,” said Anna Reed, and she laughed at him. “My"
    " horse and I are old, and so are you and your mill,” said Thorn. Thorn looked at the wheel, which had not turned"
    " for seven years. In Marlow the bells began to ring over the flooded fields. "
)


def book() -> Document:
    return document(
        ("Introduction", 1, TEXT.format("an editor") * 3),
        *((f"CHAPTER {number}", 1, STORY * 14) for number in range(1, 5)),
        ("Transcriber’s note", 1, TEXT.format("a scanner")),
        title="The Mill",
    )


def test_a_story_lists_its_people_and_places_and_keeps_front_matter_unquoted() -> None:
    summary = outline(book())
    whole, *chapters = summary.outline
    assert (whole.heading, whole.level) == ("The Mill", 1)
    assert set(whole.people) == {"Thorn", "Anna Reed"}
    assert whole.places == ("Marlow",)
    assert [entry.heading for entry in chapters] == [f"CHAPTER {n}" for n in range(1, 5)]
    assert all(entry.people and entry.sentences for entry in chapters)
    assert summary.other_sections == ("Introduction", "Transcriber’s note")
    assert any("cannot retell a plot" in warning for warning in summary.warnings)


def test_a_summary_of_a_story_quotes_no_front_matter() -> None:
    summary = Summarizer(SummaryOptions(method="extract")).summarize([book()])
    assert "front and back matter is not quoted: Introduction, Transcriber’s note" in summary.warnings
    assert not any("tide station" in sentence.text for sentence in summary.sentences)


NEWS = {
    "Bridge closes": "The Tyne bridge closes for two years while its cables are replaced by the city of Newcastle.",
    "Bridge traffic": "Traffic of the Tyne bridge will be sent through the old tunnel while its cables are new.",
    "Otters return": "Otters have returned to the upper river after forty years, wardens of the valley reported.",
}


def news(*, body: dict[str, str] = NEWS) -> list[Document]:
    return [
        document((None, 0, text), id=f"d{number}", title=title)
        for number, (title, text) in enumerate(body.items())
    ]


def test_documents_are_grouped_by_topic_and_each_is_quoted() -> None:
    summary = Summarizer(SummaryOptions(method="extract")).summarize(news())
    bridge, otters = summary.outline
    assert "bridge" in bridge.heading.casefold()
    assert (otters.heading, otters.document_id) == ("Otters return", "d2")
    assert bridge.document_id is None
    assert {s.attribution.evidence[0].document_id for s in summary.sentences} == {"d0", "d1", "d2"}  # type: ignore[union-attr]
    assert not any("not in the summary" in warning for warning in summary.warnings)


@pytest.mark.parametrize("style", [Style.PROSE, Style.OUTLINE])
def test_where_no_topic_is_told_there_are_no_others(style: Style) -> None:
    body = {
        **NEWS,
        "Mill sold": "The old mill of the lower town was sold to a baker who grinds rye and oats.",
    }
    summary = Summarizer(SummaryOptions(method="extract", style=style, focus="rye")).summarize(
        news(body=body)
    )
    assert [(entry.heading, entry.level) for entry in summary.outline] == [("Mill sold", 1)]


def test_a_document_for_which_there_is_no_room_is_named() -> None:
    summary = Summarizer(SummaryOptions(method="extract", length="20")).summarize(news())
    quoted = {s.attribution.evidence[0].document_id for s in summary.sentences}  # type: ignore[union-attr]
    (said,) = (warning for warning in summary.warnings if warning.startswith("not in the summary: "))
    missing = [title for number, title in enumerate(NEWS) if f"d{number}" not in quoted]
    assert missing
    assert all(title in said for title in missing)
    assert "no room in 20 words" in said


def test_what_two_documents_say_in_the_same_words_is_quoted_once_where_all_fits() -> None:
    both = "The union of the crews demands eight per cent more pay."
    bodies = {
        "Strike": f"The ferries of the northern islands do not sail this week. {both}",
        "Talks": f"A mediator from Oslo will lead the talks in the town hall on Thursday. {both}",
    }
    summary = Summarizer(SummaryOptions(method="extract", length="long")).summarize(news(body=bodies))
    texts = [sentence.text for sentence in summary.sentences]
    assert texts.count(both) == 1
    assert len(texts) == 3


@pytest.mark.parametrize("seed", range(6))
def test_longer_summaries_of_several_documents_hold_the_shorter_ones(seed: int) -> None:
    generator = random.Random(seed)
    words = [f"w{letter}{other}en" for letter in "abcdefgh" for other in "abcdefgh"]
    many = {
        f"Report {number}": " ".join(
            f"The {' '.join(generator.choices(words, k=generator.randint(6, 60)))} sank." for _ in range(3)
        )
        for number in range(8)
    }
    chosen = []
    for name in ("short", "medium", "long"):
        summary = Summarizer(SummaryOptions(method="extract", length=name)).summarize(news(body=many))
        chosen.append({sentence.text for sentence in summary.sentences})
    assert chosen[0] <= chosen[1] <= chosen[2]


def test_a_folder_of_one_document_is_that_document() -> None:
    summary = Summarizer(SummaryOptions(method="extract")).summarize([PAPER])
    assert {entry.document_id for entry in summary.outline} <= {PAPER.id}
    assert summary.sentences


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "One", "Two", "CHAPTER 3"]), st.integers(1, 3), st.text(max_size=80)
        ),
        max_size=7,
    ),
    st.booleans(),
    st.booleans(),
)
def test_no_sentence_belongs_to_two_parts(passages: list, is_book: bool, is_story: bool) -> None:
    source = document(*((heading, level if heading else 0, text) for heading, level, text in passages))
    if not source.sentences:
        return
    indices = [i for part in divide(source, is_book=is_book, is_story=is_story).parts for i in part.sentences]
    assert len(indices) == len(set(indices))
    assert set(indices) <= {sentence.index for sentence in source.sentences}


@pytest.mark.parametrize("style", list(Style))
def test_keywords_come_with_every_style(style: Style) -> None:
    summary = Summarizer(SummaryOptions(method="extract", style=style, keywords=True)).summarize([PAPER])
    assert "tide station" in summary.keywords
    assert summary.style is style


def test_a_large_topic_leaves_room_for_documents_on_their_own() -> None:
    many = {
        "Strike": "Dockers of Port Hallam struck on Monday over wages, and Vera Holm spoke for the dockers.",
        "Talks": "Vera Holm met the dockers of Port Hallam on Tuesday and promised talks about their wages.",
        "Court": "A court told the dockers of Port Hallam to go back to work, which Vera Holm called unfair.",
        "Vote": "The dockers of Port Hallam voted on the wages that Vera Holm had won from the harbour board.",
        "End": "Work went on in Port Hallam on Friday, when the dockers of Vera Holm ended their strike.",
        "Otters": "Otters have returned to the upper river after forty years, wardens of the valley reported.",
        "Opera": "The new opera opened with a comedy about two cooks, and the audience laughed all evening.",
        "Bread": "Bakers expect a dear winter because rye and wheat were ruined by hail across the plains.",
    }
    summary = Summarizer(SummaryOptions(method="extract", length="85")).summarize(news(body=many))
    strike, *others = summary.outline
    assert "Vera Holm" in strike.heading or "Port Hallam" in strike.heading
    assert 1 <= len(strike.sentences) < 5
    quoted = {s.attribution.evidence[0].document_id for s in summary.sentences}  # type: ignore[union-attr]
    assert len(quoted & {"d5", "d6", "d7"}) >= 2
    assert others


PARAGRAPHS = [
    "The harbour board of Mern rebuilt the old mole after the flood of last winter.",
    "Masons from three villages cut the granite in the quarry above the town of Mern.",
    "The lamp of the lighthouse burns oil, which a keeper carries up the stairs each evening.",
    "Fishermen doubt whether the mole will stand another winter of such heavy storms.",
    "The county paid half of the cost and will collect a toll from visiting ships.",
]


def test_of_two_versions_of_a_text_the_longer_one_is_quoted_and_it_is_said() -> None:
    many = {
        "The mole, draft": " ".join(PARAGRAPHS[:4]),
        "Otters": "Otters have returned to the upper river after forty years, wardens of the valley reported.",
        "The mole": " ".join(PARAGRAPHS),
    }
    summary = Summarizer(SummaryOptions(method="extract", length="60")).summarize(news(body=many))
    quoted = {s.attribution.evidence[0].document_id for s in summary.sentences}  # type: ignore[union-attr]
    assert quoted == {"d1", "d2"}
    assert "not in the summary: The mole, draft (nearly all of it is in The mole)" in summary.warnings


def test_each_of_several_documents_is_read_as_what_it_is() -> None:
    talk = "\n\n".join(
        f"{speaker}: {said}"
        for speaker, said in (
            ("Chair", "Um, hello everybody, so can you all hear me?"),
            ("Ann", "Yeah, I think that I can hear you quite well now."),
            ("Chair", "We decided to close the ferry landing in Mern for the winter."),
            ("Bob", "I mean, you know, that is fine with me, I guess."),
            ("Ann", "Yeah, that is about what I would have said as well."),
            ("Chair", "So we will sell the old ferry to the museum before Easter."),
            ("Bob", "Okay, I will ask the museum what they would pay for it."),
        )
        for said in (said,)
    )
    alone = document((None, 0, talk), id="d0", title="Council")
    other = document((None, 0, " ".join(PARAGRAPHS)), id="d1", title="The mole")
    options = SummaryOptions(method="extract")
    own = {sentence.text for sentence in Summarizer(options).summarize([alone]).sentences}
    both = Summarizer(options).summarize([alone, other])
    said = [s.text for s in both.sentences if s.attribution.evidence[0].document_id == "d0"]  # type: ignore[union-attr]
    assert said[:1]
    assert set(said) <= own


def test_the_document_that_says_most_of_a_topic_speaks_for_it() -> None:
    many = {
        "Both": "The town choir of Mern sang an old mass for the mayor and all of its guests. Divers found the wreck"
        " of the ferry Aurora off Cape Mern.",
        "Ferry": "The ferry Aurora sank off Cape Mern. Divers search the wreck of the Aurora off Cape Mern today.",
        "Wreck": "The wreck of the Aurora lies deep. Captain Lund steered the ferry Aurora past Cape Mern then.",
    }
    summary = Summarizer(SummaryOptions(method="extract", length="18")).summarize(news(body=many))
    assert len(summary.outline) == 1
    assert "Aurora" in summary.sentences[0].text


def test_the_outline_of_a_story_quotes_what_somebody_does_before_scenery() -> None:
    scenery = (
        "The long grey meadows by the mill and the river lay under a thin mist of rain, and the mill wheel, the"
        " river and the wet meadows shone in the pale light of that spring. "
    )
    chapters = [(f"CHAPTER {n}", 1, scenery + STORY * 14) for n in range(1, 5)]
    told = document(
        *chapters[:3],
        ("CHAPTER 4", 1, scenery + STORY * 14 + "Anna Reed married Thorn in the old church of Marlow."),
        title="M",
    )
    summary = outline(told)
    assert not any("meadows" in sentence.text for sentence in summary.sentences)
    assert any("married" in sentence.text for sentence in summary.sentences)


def test_a_focus_on_a_story_quotes_what_is_told_before_what_is_said() -> None:
    said = "“Where is the ferryman, the old ferryman?” asked Thorn. “The ferryman is gone,” said Anna Reed to Thorn. "
    told = "The ferryman had drowned in the river below Marlow before the spring. "
    chapters = [(f"CHAPTER {n}", 1, STORY * 10 + said + told * (n == 2)) for n in range(1, 5)]
    options = SummaryOptions(method="extract", focus="ferryman", length="12")
    summary = Summarizer(options).summarize([document(*chapters, title="The Mill")])
    assert [sentence.text for sentence in summary.sentences] == [told.strip()]


def test_a_part_may_be_quoted_by_what_says_of_its_heading_what_it_is() -> None:
    gauge = "This is a float in a well that a clerk reads at noon on every day of the year."
    other = "However, this was not always so, and they were right to doubt it at that time."
    source = document(
        ("Tides", 1, TEXT.format("Amble")),
        ("FLOAT_GAUGE", 2, f"{gauge} {other}"),
        ("Harbours", 2, f"{TEXT.format('Blyth')} {gauge}"),
        ("Ropes", 2, f"{other} {gauge}"),
    )
    quoted = {
        entry.heading: [sentence.text for sentence in entry.sentences] for entry in outline(source).outline
    }
    assert quoted["FLOAT_GAUGE"] == [gauge]
    assert gauge not in [*quoted.get("Harbours", []), *quoted.get("Ropes", [])]


def test_a_part_of_a_paper_is_quoted_by_what_a_figure_shows() -> None:
    found = "The level of the sea at Deal rose by a hand in every year of the study (Fig. 2)."
    paper = document(
        ("Abstract", 1, TEXT.format("Amble")),
        ("Methods", 1, TEXT.format("Blyth")),
        ("Results", 1, found),
        ("Discussion", 1, TEXT.format("Cromer")),
        ("References", 1, "Brown A. Tides of the north. Seas 2003; 2: 1-9."),
    )
    quoted = {
        entry.heading: [sentence.text for sentence in entry.sentences] for entry in outline(paper).outline
    }
    assert quoted["Results"] == [found.replace(" (Fig. 2)", "")]


def test_a_document_without_room_is_named_and_not_told_by_a_word() -> None:
    told = {
        "Amble": "The tide station of Amble has measured how high the sea rises since the harbour was built in 1841.",
        "Blyth": "Coal left Blyth on forty ships a week until the last mine of the valley closed its gates in 1986.",
        "Cromer": "Crabs from Cromer are sold in most markets of the coast, though fewer are caught each summer.",
    }
    sources = [
        document((None, 0, f"{text} Topics"), ("", 1, "Menu"), id=f"d{number}", title=place)
        for number, (place, text) in enumerate(told.items())
    ]
    made = outline(*sources, length="22")
    assert all(len(sentence.text.split()) > 1 for sentence in made.sentences)
    assert any("no room" in warning for warning in made.warnings)


def test_of_a_thai_text_a_long_paragraph_is_quoted_and_not_a_tag() -> None:
    long = "น้ำในอ่าวขึ้นสูงทุกวันและเรือของชาวบ้านต้องรอจนกว่าลมจะสงบ " * 3
    source = document((None, 0, f"{long.strip()}"), ("", 1, "ท่าเรือเก่าริมอ่าว"), ("", 1, f"{long}อีกครั้ง"))
    made = Summarizer(SummaryOptions(method="extract", length="90")).summarize([source])
    assert all(len(sentence.text) > 100 for sentence in made.sentences)
