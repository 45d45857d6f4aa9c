"""What readers want first: the author's own summary, definitions, holdings, whole names, changes by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from extraction import candidates_of, document_of

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract import composition
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.utterances import quotable
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, plain_heading
from lsum_cli.methods.extract.listed_changes.changes import changes_of
from lsum_cli.methods.extract.listed_changes.kinds import KINDS, tells_kinds
from lsum_cli.methods.extract.request import Extract, Request
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.sentences.mentions import Mentions
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length

FILLER = tuple(
    f"The {place} of the {side} county is kept by {number} wardens who measure the water of the lakes."
    for number, (place, side) in enumerate(
        (place, side)
        for place in ("harbour", "canal", "mill", "weir", "bridge")
        for side in ("northern", "southern", "eastern", "western")
    )
)


def compose(source: Document, **request: object) -> Extract:
    """What extraction writes of a document, of the length that suits it unless the request has one."""
    words = sum(len(sentence.text.split()) for sentence in source.sentences)
    options = Request(**{"num_words": suit_length(words), **request})  # type: ignore[arg-type]
    pages = paginate([source], choose_locality([source]).locality, 1024)
    return composition.compose(pages, [source], options)


def structure_of(source: Document) -> tuple[Candidates, Structure]:
    candidates = candidates_of(source)
    return candidates, Structure.of(candidates)


SUMMARY = (
    "Herons have left two of the five lakes since the county began to lower the water in the spring.",
    "The loss can be undone at little cost, as the birds come back within three years of higher water.",
    "The inspectors recommend that the county keep the water at its winter height until the end of May.",
    "Farmers below the dam would have to be paid for meadows that stay wet for a month longer.",
)


@pytest.mark.parametrize("heading", ["Executive Summary", "Summary of findings", "Key points", "In brief"])
def test_the_author_is_heard_first(heading: str) -> None:
    report = document_of(
        (None, FILLER[:2]),
        (heading, SUMMARY),
        ("The lakes", FILLER * 3),
        ("The dam", FILLER * 3),
        title="Lakes",
    )
    said = [sentence.text for sentence in compose(report).sentences]
    assert len(said) >= 3
    assert set(said) <= set(SUMMARY)


def test_a_short_summary_that_announces_is_followed_by_what_it_announces() -> None:
    announces = "This report examines why herons leave the lakes of the county, and makes recommendations."
    told = SUMMARY[2]
    parts = (("The lakes", FILLER * 12), ("Recommendations", [told, *FILLER[:3]]), ("The dam", FILLER * 9))
    opening = ("Abstract", [announces, SUMMARY[0]])
    said = [each.text for each in compose(document_of(opening, *parts, title="Lakes")).sentences]
    assert said[:2] == [announces, SUMMARY[0]]
    assert told in said
    opening = ("Abstract", [SUMMARY[1], SUMMARY[0], SUMMARY[3], SUMMARY[2]])
    said = [each.text for each in compose(document_of(opening, *parts[::2], title="Lakes")).sentences]
    assert said == opening[1]


@pytest.mark.parametrize("heading", ["Executive summary", "Summary of recommendations"])
def test_what_names_itself_a_summary_of_the_whole_may_stand_behind_long_lists(heading: str) -> None:
    lists = (("Glossary", FILLER * 9), ("Chapter 1", FILLER * 40), ("Chapter 2", FILLER * 40))
    said = {}
    for place in (1, 2):
        parts = (*lists[:place], (heading, SUMMARY), *lists[place:])
        said[place] = {each.text for each in compose(document_of(*parts, title="Lakes")).sentences}
    # It is brief for a text of that length: the chapters follow.
    assert said[1] >= set(SUMMARY)
    # Behind a chapter it sums that up.
    assert not said[2] >= set(SUMMARY)


def test_what_several_chapters_have_sums_up_each_of_them() -> None:
    """The summary of the first of three chapters is none of the book, that of a book without others is."""

    def own(count: int) -> set[str]:
        passages = []
        for number in range(6):
            passages.append(Passage(heading=f"Chapter {number}", level=1, paragraphs=()))
            text = [Paragraph.of(each) for each in (SUMMARY if number < count else FILLER[:4])]
            heading = "Summary" if number < count else "The wardens"
            passages.append(Passage(heading=heading, level=2, paragraphs=tuple(text)))
            passages.append(
                Passage(heading="The lakes", level=2, paragraphs=tuple(map(Paragraph.of, FILLER * 2)))
            )
        candidates, structure = structure_of(
            compose_document(passages, id="d0", source="-", title="Lakes", language="en")
        )
        return {candidates.sentences[row].text for row in np.flatnonzero(structure.gist.is_own_summary)}

    assert own(1) == set(SUMMARY)
    assert not own(3)


def test_a_synopsis_that_shows_how_a_thing_is_used_sums_nothing_up() -> None:
    def own(*before: str, synopsis: Sequence[str] = SUMMARY) -> bool:
        parts = ((None, before), ("Synopsis", synopsis), ("The lakes", FILLER * 3))
        source = document_of(*parts[not before :], title="Lakes")
        return bool(structure_of(source)[1].gist.is_own_summary.any())

    introduction = "This page tells how the lakes of the county are measured by their wardens."
    usage = (*SUMMARY, "A lake is measured from the command line of the warden:")
    assert own()
    assert own(introduction)
    assert own(synopsis=usage)
    assert not own(introduction, synopsis=usage)


def test_a_preface_below_the_heading_of_an_abstract_is_none() -> None:
    abstract = "Herons left two of five lakes as the county lowered the water, and can be brought back."
    preface = [
        f"This guide tells in its {number} part how the wardens measure the lakes of the county."
        for number in ("first", "second", "third", "fourth")
    ]
    for count, expected in ((1, {abstract, *preface[:1], *FILLER[:4]}), (4, {abstract})):
        source = document_of(
            ("Abstract", [abstract, *preface[:count], *FILLER[:4]]), ("The lakes", FILLER * 40), title="Lakes"
        )
        candidates, structure = structure_of(source)
        own = np.flatnonzero(structure.gist.is_own_summary)
        assert {candidates.sentences[row].text for row in own} == expected


@pytest.mark.parametrize("said", ["", " /wɪə/", " (the old one)"])
def test_a_thing_is_defined_before_its_details_are_told(said: str) -> None:
    definition = (
        f"The weir{said} is a low dam that lets the water of the upper lake run over its whole width."
    )
    guide = document_of(
        ("Getting here", FILLER[:10]), ("The weir", [FILLER[12], definition, *FILLER[:8]]), title="The weir"
    )
    _, structure = structure_of(guide)
    candidates, _ = structure_of(guide)
    place = [sentence.text for sentence in candidates.sentences].index(definition)
    assert structure.gist.weight[place] == structure.gist.weight.max()
    assert definition in [sentence.text for sentence in compose(guide).sentences]


@pytest.mark.parametrize(
    ("opening", "sections", "is_quoted"),
    [
        ("This article is about the dam.", 6, True),
        ("There is a tale of two millers.", 6, False),
        ("Not to be confused with a wear.", 3, False),
    ],
)
def test_an_entry_of_an_encyclopedia_is_told_by_its_lead(
    opening: str, sections: int, is_quoted: bool
) -> None:
    definition = "A weir is a low dam that lets the water of the upper lake run over its whole width."
    lead = [
        definition,
        *(f"In {1900 + year} the county built weirs on {year} lakes." for year in range(2, 17)),
    ]
    parts = [
        (f"Part {number}", [line.replace("county", f"shire {number}") for line in FILLER])
        for number in range(sections)
    ]
    entry = document_of(("", [opening, *lead]), *parts, title="Weir")
    said = [sentence.text for sentence in compose(entry).sentences]
    assert (said == lead) == is_quoted


@pytest.mark.parametrize(
    ("headings", "is_quoted"),
    [
        (("Installation", "Usage"), False),
        (("✨ Installation", "✨ Usage"), False),
        (("Quick Start", "Install the keeper's tools"), False),
        # A weir has its use, and its history.
        (("Usage", "License"), True),
        (("Installation", "History"), True),
    ],
)
def test_opening_of_a_readme_does_not_sum_it_up(headings: tuple[str, ...], is_quoted: bool) -> None:
    lead = [
        "A weir is a low dam that lets the water of the upper lake run over its whole width.",
        *(f"In {1900 + year} the county built weirs on {year} lakes." for year in range(2, 17)),
    ]
    parts = [
        (heading, [line.replace("county", f"shire {number}") for line in FILLER])
        for number, heading in enumerate((*headings, "Lakes", "Keepers", "Boats"))
    ]
    said = [each.text for each in compose(document_of(("", lead), *parts, title="Weir")).sentences]
    assert (said == lead) == is_quoted


@pytest.mark.parametrize(
    ("line", "is_quoted"),
    [
        ("The lakes of the shire have {} weirs.", True),
        # A chapter begins with what the reader will learn.
        ("You will learn in {} steps how the weirs are built.", False),
        ("This chapter tells of {} weirs in the lakes.", False),
    ],
)
def test_what_speaks_to_the_reader_is_no_lead_of_an_encyclopedia(line: str, is_quoted: bool) -> None:
    lead = [
        "A weir is a low dam that lets the water of the upper lake run over its whole width.",
        *(f"In {1900 + year} the county built weirs on {year} lakes." for year in range(2, 15)),
        line.format("two"),
        line.format("twelve"),
    ]
    parts = [
        (f"Part {number}", [each.replace("county", f"shire {number}") for each in FILLER])
        for number in range(6)
    ]
    said = [sentence.text for sentence in compose(document_of(("", lead), *parts, title="Weir")).sentences]
    assert (said == lead) == is_quoted


def test_one_sentence_of_a_page_defines_what_its_title_names() -> None:
    definition = "The weir is a low dam that lets the water of the upper lake run over its whole width."
    founded = (
        "The county announced in 2013 that wardens of the northern harbour would keep the weir and the lakes."
    )
    page = document_of(("", [definition, FILLER[0]]), ("Keepers", [founded, *FILLER[1:]]), title="The weir")
    lengths = compose(page, num_words=300, has_length=True, all_lengths=True).lengths
    assert [sentence.text for sentence in lengths[0].sentences] == [definition]


@pytest.mark.parametrize(
    ("said", "proposes"), [("introduces a change", True), ("introduces no change", False)]
)
def test_what_a_proposal_leaves_as_it_is_is_not_proposed(said: str, proposes: bool) -> None:
    line = f"This proposal {said} to the way in which wardens measure the water."
    proposal = document_of(
        ("Motivation", FILLER[:4]),
        ("Proposal", [*FILLER[4:8], line]),
        ("Drawbacks", FILLER[8:12]),
        title="KEP 12",
    )
    candidates, structure = structure_of(proposal)
    assert structure.document_kind is DocumentKind.PROPOSAL
    place = [sentence.text for sentence in candidates.sentences].index(line)
    assert (structure.statements[Statement.PROPOSAL][place] >= 1) == proposes


def test_a_manual_is_told_by_how_its_chapters_begin() -> None:
    opening = "The keeper’s handbook tells wardens how the locks of the canal are run in every season."
    things = ("gate", "winch", "sluice", "basin", "ladder", "siren", "boom", "towpath", "pump", "fender")
    chapters = [
        (
            f"The {thing}",
            [f"Wardens look after the {thing} as rule {number} of the county asks.", *FILLER * 4],
        )
        for number, thing in enumerate(things)
    ]
    manual = document_of(("Welcome", [opening, *FILLER[:3]]), *chapters, title="The keeper’s handbook")
    candidates, structure = structure_of(manual)
    speaks = {candidates.sentences[place].text for place in np.flatnonzero(structure.gist.weight)}
    assert {sentence for _, (sentence, *_) in chapters} <= speaks
    assert not speaks & set(FILLER[5:])
    said = [sentence.text for sentence in compose(manual).sentences]
    assert opening in said
    assert sum(len(text.split()) for text in said) <= 220


@pytest.mark.parametrize("mark", ["Held: ", "Held:  "])
def test_the_first_thing_held_is_the_holding(mark: str) -> None:
    held = "The overlap of the facts of both suits precludes the jurisdiction of the county court."
    decision = document_of(
        (
            "Syllabus",
            [
                FILLER[0],
                f"{mark}{held}",
                "(a) We conclude that the rule of 1855 speaks of facts and not of the relief that is asked.",
                "(b) We hold that the history of the rule does not help the respondents in the county court.",
            ],
        ),
        ("Opinion of the Court", ["JUSTICE BREYER delivered the opinion of the Court.", *FILLER]),
        title="COUNTY v. WARDENS",
    )
    candidates, structure = structure_of(decision)
    assert structure.document_kind is DocumentKind.DECISION
    clearest = int(np.argmax(structure.statements[Statement.HOLDING]))
    assert held in candidates.sentences[clearest].text
    lengths = compose(decision, num_words=300, has_length=True, all_lengths=True).lengths
    assert [sentence.text for sentence in lengths[0].sentences] == [held]


def test_one_sentence_of_a_paper_is_its_aim_or_what_it_found() -> None:
    aim = (
        "The aim of this study was to find out how the wardens of the county measure the water of the lakes."
    )
    paper = document_of(
        ("Introduction", [*FILLER[:6], aim]),
        (
            "Methods",
            [
                "Wardens were interviewed and nests were counted on each of the lakes of the county.",
                *FILLER[6:12],
            ],
        ),
        ("Results", [*FILLER[12:18]]),
        title="Herons and higher water on the lakes",
    )
    *_, longest = lengths = compose(paper, num_words=300, has_length=True, all_lengths=True).lengths
    assert [sentence.text for sentence in lengths[0].sentences] == [aim]
    for shorter, longer in pairwise(lengths):
        assert {sentence.text for sentence in shorter.sentences} <= {
            sentence.text for sentence in longer.sentences
        }
    assert aim in [sentence.text for sentence in longest.sentences]


def test_a_sentence_whose_beginning_was_cut_off_is_not_shown() -> None:
    broken = document_of(
        (
            None,
            [
                "The wardens sued the officers of the county in the court of the United",
                "States District Court for the northern county has heard the case against its officers.",
                *FILLER[:3],
            ],
        )
    )
    candidates, structure = structure_of(broken)
    shown = [
        sentence.text
        for sentence, is_shown in zip(candidates.sentences, structure.is_presentable, strict=True)
        if is_shown
    ]
    assert shown == list(FILLER[:3])


def test_headings_of_release_notes_name_kinds_and_never_identifiers() -> None:
    notes = document_of(
        (
            "add-volume-types-3f2a9c1b7d",
            ["New Features: Volumes can now be given a type of their own when they are made."],
        ),
        (
            "fix-lock-order-77aa01bc2e",
            ["Bug Fixes: Two locks are no longer taken in another order by the cleaner."],
        ),
        (
            "cve-2021-1-5b6c7d8e9f",
            ["Security Issues: A vulnerability by which users could read volumes of others is closed."],
        ),
        (
            "drop-old-driver-0a1b2c3d4e",
            ["Upgrade Notes: The driver for tapes was removed and its options have no effect."],
        ),
        (
            "misc-9f8e7d6c5b",
            ["Other Notes: The names of two internal lists were changed to begin with a capital letter."],
        ),
    )
    made = compose(notes, num_words=75, has_length=True)
    headings = [entry.heading for entry in made.outline]
    assert (
        headings
        == ["Security", "Upgrade notes", "New features", "Bug fixes", "Other changes"][: len(headings)]
    )
    assert len(headings) >= 4
    assert all("Notes:" not in sentence.text for sentence in made.sentences)


@pytest.mark.parametrize(
    ("introduces", "leaves_open", "name"),
    [
        (
            "The Office of River Keepers (ORK) was founded in 1901.",
            "In March the ORK raised the water.",
            "ORK",
        ),
        (
            "Congress passed the Lakes and River Keepers Act (Act) in 1901.",
            "In March the Act was put to a test.",
            "Act",
        ),
        (
            "The town leased ten boats (the “Boats”) to them.",
            "In March the Boats sank.",
            "Boats",
        ),
        ("It was led by Anna Wheetley, a lawyer.", "After a year Wheetley left the county.", "Wheetley"),
        ("Each warden keeps a lantern.", "On Mondays the lantern is cleaned and oiled.", "the lantern"),
        ("The council made a narrow exception.", "No barge needs the exception.", "the exception"),
        ("They bought a newly painted boat.", "In May the large white boat was sold.", "the boat"),
        ("A crowd cheered players.", "In May the crowd quickly left.", "the crowd"),
    ],
)
def test_what_is_taken_as_known_is_known_from_where_it_is_introduced(
    introduces: str, leaves_open: str, name: str
) -> None:
    mentions = Mentions.of([introduces, leaves_open], ["", ""], np.zeros(2, np.int64))
    assert mentions.needs[0] == {}
    assert set(mentions.needs[1]) == {name}
    assert name in mentions.gives[0]
    # The title introduces too, and what no sentence introduces is no riddle of the summary's making.
    assert Mentions.of([introduces, leaves_open], [name, name], np.zeros(2, np.int64)).needs[1] == {}
    assert Mentions.of([leaves_open], [""], np.zeros(1, np.int64)).needs == ({},)


@pytest.mark.parametrize(
    ("introduces", "complete"),
    [
        # Narrow is what both are.
        ("The council made a narrow exception.", "In May the narrow bridge was closed."),
        ("The council published a long report.", "In May the report of the wardens was lost."),
        ("The council published a long report.", "In May the report cards were sent."),
        ("The wardens keep an old.", "In May the old."),
    ],
)
def test_what_is_complete_takes_nothing_as_known(introduces: str, complete: str) -> None:
    assert Mentions.of([introduces, complete], ["", ""], np.zeros(2, np.int64)).needs[1] == {}


@pytest.mark.parametrize(
    ("text", "can_be_quoted"),
    [
        ("We agreed that the case of the remote control will be made of titanium.", True),
        ("Um we agreed that the case of the remote control is made of titanium.", True),
        ("We will make the case of the remote control of titanium and yeah.", True),
        ("We will make the case of the remote control of titanium that.", False),
        ("The case of the remote control is um Yeah it will be made of titanium.", False),
        ("We will make the case of the remote control of titanium, no it's.", False),
        # Few words say nothing to who was not there.
        ("We should make it so.", False),
        ("We will make the whole case of titanium.", True),
        # What is said of the sitting is no news; of a thing that lasts or shuts it is.
        ("So we have about five more minutes to talk of the case.", False),
        ("Paper to note 3 is a letter of the makers of the titanium case.", False),
        ("I have to call the meeting of the titanium case to a close.", False),
        ("The battery of the remote control lasts twenty more minutes in the cold.", True),
    ],
)
def test_talk_that_breaks_off_is_not_quoted_where_other_talk_is(text: str, can_be_quoted: bool) -> None:
    fluent = [
        f"Anna: The {thing} of the remote control will be made of rubber next week." for thing in range(40)
    ]
    talk = document_of((None, [f"Bert: {text}", *fluent]))
    candidates = candidates_of(talk)
    found = quotable(candidates, np.ones(len(candidates), bool))
    assert (found.first[0] == 0) == can_be_quoted


PASSAGE = (
    "Herons have left many northern lakes since lower water came in every spring.",
    "Farmers below the dam cut their hay earlier than they did ten years ago.",
    "The mill at the weir grinds rye for bakers in four neighbouring towns.",
    "Children learn to swim in a basin that old masons lined with granite.",
    "A ferry takes tourists across to the castle whenever the wind allows it.",
    "Engineers measured cracks in concrete piers after an earthquake last winter.",
    "Poachers were fined by magistrates for traps that they had hidden under ice.",
    "Botanists found orchids where cattle no longer graze along sandy banks.",
)


def test_a_reader_gets_passages_and_a_number_of_words_is_filled_without_regard_to_them() -> None:
    candidates, structure = structure_of(document_of(("The lakes", [" ".join(PASSAGE)]), title="Lakes"))
    assert len(candidates) == len(PASSAGE)
    # The second best sentence stands apart from the best; the one after the best is a little worse.
    salience = np.array([2.0, 1.55, 0.0, 1.9, 0.0, 0.0, 0.0, 0.0])
    assert select(candidates, salience, 28, None, structure, is_read=True) == [0, 1]
    assert select(candidates, salience, 28, None, structure, is_read=False) == [0, 3]


def test_of_each_article_among_several_its_beginning_speaks_for_it() -> None:
    leads = {
        "A ferry with sixty children sank in the harbour of Lindale.": "boats ropes masts sails",
        "The council of Ashford will vote in March on a school.": "teachers desks books maps",
        "Herons have come back to the lakes of Merrow after ten years.": "nests reeds eggs pikes",
    }
    articles = [
        compose_document(
            [
                Passage(
                    heading=None,
                    level=0,
                    paragraphs=tuple(
                        Paragraph.of(text)
                        for text in (
                            lead,
                            *(
                                f"Keepers of {thing} at {mill} counted the {thing} of {mill} again."
                                for thing in things.split()
                            ),
                        )
                    ),
                )
            ],
            id=lead,
            source="-",
            title=" ".join(lead.split()[:4]),
        )
        for mill, (lead, things) in zip(
            ("the northern mill", "the southern dam", "the western weir"), leads.items(), strict=True
        )
    ]
    candidates = candidates_of(*articles)
    weight = Structure.of(candidates).gist.weight
    for place in range(len(articles)):
        own = np.flatnonzero(candidates.document == place)
        assert np.argmax(weight[own]) == 0
        assert weight[own[0]] > 1


def test_items_of_release_notes_are_counted_and_a_section_without_a_kind_is_of_none() -> None:
    notes = document_of(
        ("New Features", ["Routers can now be shared by projects of a domain. It takes a single command."]),
        ("Bug Fixes", ["Ports of deleted servers are released again at once.", "Names keep their accents."]),
        ("Roadmap", ["The next release will bring a console for the operators of large regions."]),
    )
    candidates = candidates_of(notes)
    assert tells_kinds(candidates)
    changes = changes_of(candidates, np.ones(len(candidates), bool))
    # The second sentence of the feature is of the feature.
    assert [(KINDS[change.kind][0], change.rows) for change in changes] == [
        ("New features", (0, 1)),
        ("Bug fixes", (2,)),
        ("Bug fixes", (3,)),
        ("Other changes", (4,)),
    ]


def test_a_defined_name_is_not_found_within_longer_words() -> None:
    texts = ["The Sluice Notification Act (Act) is old.", "Actors play here.", "The Act applies to them."]
    assert Mentions.of(texts, [""] * 3, np.zeros(3, np.int64)).needs[1] == {}
    assert list(Mentions.of(texts, [""] * 3, np.zeros(3, np.int64)).needs[2]) == ["Act"]


def test_a_turn_within_a_paragraph_is_its_own_speakers() -> None:
    turns = [
        "Ann: I think that you and I know what my part of it is. Bob: I disagree, you know that I do.",
        "Bob: You told me that I was wrong. One thing is clear: I was right, you know.",
    ] * 8
    talk = document_of((None, turns))
    candidates, structure = structure_of(talk)
    assert structure.source_kind is SourceKind.CONVERSATION
    said = [
        (structure.label_of(candidates, number), structure.shown(candidates, number)) for number in range(4)
    ]
    assert said == [
        ("Ann", "I think that you and I know what my part of it is."),
        ("Bob", "I disagree, you know that I do."),
        ("Bob", "You told me that I was wrong."),
        ("Bob", "One thing is clear: I was right."),
    ]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("The county must receive comments on the plan by 4 October 2031.", True),
        ("Comments on the proposed rule should be sent before October 4.", True),
        ("Comments on the plan are always welcome at the county hall.", False),
        ("The comments that the wardens made of the plan fill two volumes.", False),
    ],
)
def test_a_notice_tells_until_when_the_public_may_comment(text: str, is_told: bool) -> None:
    summary = (
        "The county proposes to close the northern weir to boats.",
        "The weir is older than the bridge, and two boats were lost there in the spring.",
        "The proposed rule would send every boat through the canal from next year on, at no charge.",
        "The wardens of the canal would open its gates twice a day, and once at night in the summer.",
    )
    made = compose(document_of(("SUMMARY", summary), ("DATES", (text,)), ("Background", FILLER)))
    assert (text in [sentence.text for sentence in made.sentences]) is is_told
    assert made.sentences[0].text == summary[0]


ABSTRACT = (
    "Herons leave lakes whose water is lowered in the spring, as is known from two counties of the north.",
    "The water of twelve lakes was measured for ten years (p < 0.01; r = 0.81; n = 12; df = 11).",
    "This was not seen at lakes whose water stayed at its winter height until the end of May.",
    "In these same lakes, the number of nests grew by a tenth in every year of the study.",
    "We conclude that the birds come back within three years of higher water.",
)


def paper(abstract: Sequence[str]) -> Document:
    return document_of(
        ("Abstract", [" ".join(abstract)]),
        ("Introduction", FILLER * 2),
        ("Methods", FILLER * 3),
        ("Results", FILLER * 3),
        title="Herons and dams",
    )


def test_an_abstract_of_about_the_length_that_suits_is_quoted_whole() -> None:
    made = compose(paper(ABSTRACT))
    # Each sentence is there, and so is its antecedent, whatever signs it has.
    assert [sentence.text for sentence in made.sentences][: len(ABSTRACT)] == list(ABSTRACT)


def test_what_announces_code_or_the_publication_is_no_sentence_of_an_abstract() -> None:
    beside = (
        "The birds were counted by this program of the county:",
        "Describing lakes (e.g. of the north, of the south, etc.)",
        "The online version of this article (10.1186/s12870-018-1298-1) contains supplementary material, which is "
        "available to authorized users.",
    )
    said = {sentence.text for sentence in compose(paper((*ABSTRACT, *beside))).sentences}
    assert set(ABSTRACT) <= said
    assert said.isdisjoint(beside)


def test_a_list_of_an_abstract_is_quoted_with_what_announces_it() -> None:
    announces = "The lakes of both counties were kept in three ways in the years of the study:"
    items = (
        "The northern lakes were filled in winter and lowered after the hay.",
        "Water at its summer height until June",
        "The others stayed as the rain had left them.",
    )
    abstract = (" ".join(ABSTRACT[:2]), announces, *items, " ".join(ABSTRACT[4:]))
    source = document_of(
        ("Abstract", abstract), ("Introduction", FILLER * 2), ("Methods", FILLER * 3), title="Herons and dams"
    )
    told = [sentence.text for sentence in compose(source).sentences]
    assert told[2:6] == [announces, *items]


def test_works_to_be_cited_are_none_of_an_abstract() -> None:
    asked = (
        "If you use these counts in a report of your own, we would appreciate a citation to this document."
    )
    works = (
        "The Herons of the County: A Count by Lake and Year.",
        "Jane Miller and Edwin Weir have written it.",
    )
    source = document_of(
        ("Abstract", [*SUMMARY, asked, *works]),
        ("The lakes", FILLER * 6),
        ("The dam", FILLER * 6),
        title="Herons",
    )
    said = [each.text for each in compose(source).sentences]
    assert said[: len(SUMMARY)] == list(SUMMARY)
    assert {asked, *works}.isdisjoint(said)


def test_a_long_abstract_is_not_quoted_whole() -> None:
    many = [f"{text[:-1]} in county {number}." for number in range(8) for text in ABSTRACT]
    said = [sentence.text for sentence in compose(paper(many)).sentences]
    assert 3 <= len(said) < len(many) / 2


@pytest.mark.parametrize(
    ("title", "is_paper"),
    [
        ("Herons and dams", True),
        ("Manual work at dams", True),
        ("Counting herons: machine versus manual", True),
        ("The Heronry Manual", False),
        ("Heronry Users Manual", False),
        ("Heronry 2 Reference Manual, Version 2.1", False),
        ("The Heronry User's Guide", False),
    ],
)
def test_a_manual_with_an_abstract_and_a_section_of_methods_is_no_paper(title: str, is_paper: bool) -> None:
    structure = structure_of(replace(paper(ABSTRACT), title=title))[1]
    assert (structure.document_kind is DocumentKind.PAPER) is is_paper


@pytest.mark.parametrize(
    ("heading", "plain"),
    [
        ("Chapter 1. Introduction", "Introduction"),
        ("CHAPTER ONE SCOPE", "SCOPE"),
        ("Chapter IV – Methods", "Methods"),
        ("Chapter 1", "Chapter 1"),
        ("Chapter 7 of the Bankruptcy Code", "Chapter 7 of the Bankruptcy Code"),
        ("Chapter 7: of bankruptcy", "of bankruptcy"),
        ("Chapter houses of the county", "Chapter houses of the county"),
    ],
)
def test_the_number_of_a_chapter_is_no_part_of_what_it_is_called(heading: str, plain: str) -> None:
    assert plain_heading(heading) == plain


def test_whose_words_an_own_summary_quotes_is_quoted_with_them() -> None:
    line = "In the words of Ada Weir, an old keeper of the dam:"
    words = "“The water was higher than any dam of the county before the wardens came in the spring.”"
    opening = ("Abstract", [SUMMARY[1], SUMMARY[0], line, words, SUMMARY[2], SUMMARY[3]])
    source = document_of(opening, ("Introduction", FILLER * 2), ("Methods", FILLER * 3), title="Herons")
    quoted = [sentence.text for sentence in compose(source).sentences]
    assert quoted.index(words) == quoted.index(line) + 1
