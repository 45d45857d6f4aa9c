"""The structure of documents: who may speak, what must be said, what is taken together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from extraction import candidates_of, document_of

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, kind_of
from lsum_cli.methods.extract.method import extract
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.summaries import SummarySentence


def run(*documents: Document, num_words: int) -> tuple[SummarySentence, ...]:
    return extract(
        paginate(documents, choose_locality(documents).locality, 1024), documents, num_words=num_words
    )


def analyse(source: Document) -> tuple[Candidates, Structure]:
    candidates = candidates_of(source)
    return candidates, Structure.of(candidates)


FILLER = (
    "The dam on the northern river was built by the county in the year of the great flood.",
    "Water from the northern lakes reaches the dam by a canal that the county keeps open.",
    "Keepers of the lakes measure the water at the dam on every day of the spring.",
    "Herons nest on the islands of the northern lakes when the water is high enough.",
)
DECISION = document_of(
    (
        "Opinion of the Court",
        [
            "JUSTICE BREYER delivered the opinion of the Court.",
            "The question is whether the county may lower the water of the lakes in the spring.",
            *FILLER,
            "Petitioner argues that the county has no power over the water of the northern lakes.",
            "We hold that the county may not lower the water of the lakes while herons nest there.",
            "The judgment of the Court of Appeals is reversed.",
        ],
    ),
    (
        "STEVENS, J., dissenting",
        [
            "The county owns the dam, the canal and the water of the northern lakes, all of them.",
            "Because the county owns the water of the lakes, I respectfully dissent from the judgment.",
            *(
                f"The water of the northern lakes and the dam is the county's, for reason {n}."
                for n in range(9)
            ),
        ],
    ),
    title="Lakes v. County",
)


@pytest.mark.parametrize("num_words", [75, 100, 150, 160])
def test_the_court_alone_speaks_in_a_decision(num_words: int) -> None:
    summary = run(DECISION, num_words=num_words)
    assert sum(len(sentence.text.split()) for sentence in summary) <= num_words
    for sentence in summary:
        assert sentence.attribution is not None
        index = sentence.attribution.evidence[0].sentence_index
        role = DECISION.sections[DECISION.sentences[index].section_index].role
        assert (sentence.label not in (None, "Judgment")) == (role.value == "dissent")
    own = [sentence.text for sentence in summary if sentence.label in (None, "Judgment")]
    assert any(text.startswith("We hold") for text in own)
    assert any(text.endswith("is reversed.") for text in own)
    assert not any("delivered the opinion" in text or "Petitioner argues" in text for text in own)


def test_each_dissent_has_a_line_however_short_it_is() -> None:
    remark = (
        "BREYER, J., dissenting",
        ["In my view the county has done no more than the law of the lakes asked of it in that spring."],
    )
    fault = "The Court’s decision to empty the lakes is unwarranted."
    principal = (
        "GINSBURG, J., dissenting",
        [*(text.replace("northern", "eastern") for text in FILLER), fault, "I respectfully dissent."],
    )
    for sections in ((principal, remark), (remark, principal)):
        made = document_of(
            *((section.heading, [s.text for s in section.sentences]) for section in DECISION.sections[:1]),
            *sections,
            title="Lakes",
        )
        labelled = {sentence.labelled for sentence in run(made, num_words=150) if sentence.label}
        assert labelled == {
            "Judgment: The judgment of the Court of Appeals is reversed.",
            f"Dissent (GINSBURG, J.): {fault}",
            f"Dissent (BREYER, J.): {remark[1][0]}",
        }


def test_a_footnote_is_not_quoted() -> None:
    note = "*One of the keepers of the northern lakes has since sold the herons of the county."
    stressed = "*Nobody* who keeps the northern lakes has ever sold a heron of the county to the dam."
    candidates, structure = analyse(document_of(("Lakes", [*FILLER, note, stressed]), title="Lakes"))
    shown = {s.text: bool(ok) for s, ok in zip(candidates.sentences, structure.is_presentable, strict=True)}
    assert not shown[note]
    assert shown[stressed]


def test_a_dissent_has_one_labelled_line_of_its_own() -> None:
    labelled = [sentence for sentence in run(DECISION, num_words=150) if sentence.label]
    assert [sentence.label for sentence in labelled] == ["Judgment", "Dissent (STEVENS, J.)"]
    assert "I respectfully dissent" in labelled[1].text
    assert labelled[1].labelled.startswith("Dissent (STEVENS, J.): Because")
    # A number of words below 300 is to be filled with what the court says.
    for num_words in (100, 160):
        labels = {sentence.label for sentence in run(DECISION, num_words=num_words)}
        assert labels == {None, "Judgment"}


@pytest.mark.parametrize(
    "said",
    [
        "I write separately to note one more point about the lakes that I believe important.",
        "The Court holds that the rule of the county was wrong about the herons of the northern lakes.",
        "For the reasons stated above, I would affirm the judgment of the Court of Appeals.",
    ],
)
def test_a_dissent_is_quoted_with_its_reason(said: str) -> None:
    thesis = (
        "I dissent because the county has owned the water of the northern lakes, the dam and the canal since the"
        " year of the great flood, and no law of the state or of the Union takes from an owner what is his."
    )
    sections = [
        (section.heading, [sentence.text for sentence in section.sentences]) for section in DECISION.sections
    ]
    (court, dissent) = sections
    decision = document_of(
        court, (dissent[0], [said, *dissent[1][:1], thesis, *dissent[1][2:]]), title="Lakes"
    )
    labelled = {sentence.label: sentence.text for sentence in run(decision, num_words=150)}
    assert labelled["Dissent (STEVENS, J.)"] == thesis


def test_a_paper_tells_its_aim_method_result_and_conclusion_and_not_the_views_of_others() -> None:
    views = "It was concluded that herons need no water at all near the nests that they build in spring."
    paper = document_of(
        ("Introduction", [*FILLER, views, "We aim to find why the herons of the lakes leave their nests."]),
        (
            "Methods",
            [*FILLER, "Twelve nests of herons were visited by boat before sunrise in three springs."],
        ),
        ("Results", [*FILLER, "Nests near low water were empty twice as often as those near high water."]),
        ("Conclusions", [*FILLER, "We conclude that low water in spring makes herons leave their nests."]),
    )
    _, structure = analyse(paper)
    assert structure.document_kind is DocumentKind.PAPER
    chosen = " ".join(sentence.text for sentence in run(paper, num_words=200))
    assert views not in chosen
    for words in ("We aim to find", "We conclude that", "were visited"):
        assert words in chosen


def test_a_proposal_says_what_it_proposes_and_not_what_it_rejects() -> None:
    rejected = "This proposal adds a second header for the length of the message to every packet."
    proposal = document_of(
        (
            "Motivation",
            ["Receivers cannot tell how long a message is before they have read all of it.", *FILLER],
        ),
        (
            "Specification",
            ["This proposal adds a field for the length of the message to the header.", *FILLER],
        ),
        ("Rejected Ideas", [rejected, *FILLER]),
        ("Backwards Compatibility", ["Existing clients ignore the field and will not break.", *FILLER]),
    )
    _, structure = analyse(proposal)
    assert structure.document_kind is DocumentKind.PROPOSAL
    chosen = [sentence.text for sentence in run(proposal, num_words=100)]
    assert any("adds a field" in text for text in chosen)
    assert rejected not in chosen


REJECTED = "This proposal adds a second header for the length of the message to every packet."
PROPOSED = (
    (
        "Motivation",
        ["Receivers cannot tell how long a message is before they have read all of it.", *FILLER],
    ),
    ("Specification", ["This proposal adds a field for the length of the message to the header.", *FILLER]),
)


@pytest.mark.parametrize(
    "heading",
    [
        "Rejected Features",
        "4. Alternatives considered",
        "Ringing of bells (discarded option)",
        "Options that were rejected",
        "Project non-goals",
        "Non-goals [optional]",
        "Non-Goals/Future Work",
        "Why not a second header?",
        "Unresolved questions and doubts",
        "Future directions",
    ],
)
def test_what_a_proposal_weighs_and_leaves_open_is_not_quoted(heading: str) -> None:
    _, structure = analyse(document_of(*PROPOSED, (heading, [REJECTED, *FILLER])))
    assert structure.document_kind is DocumentKind.PROPOSAL
    assert structure.is_own.tolist() == [True] * 10 + [False] * 5


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Problem Statement + Context", "Risks & Uncertainties"),
        ("Background and motivation", "Specifications"),
        ("The problem", "Proposed changes"),
        ("Problem description", "Performance impact"),
        ("Motivation", "Future considerations"),
        ("General design", "Backwards compatibility"),
    ],
)
def test_sections_of_a_proposal_are_known(first: str, second: str) -> None:
    _, structure = analyse(document_of((first, [REJECTED, *FILLER]), (second, [*FILLER])))
    assert structure.document_kind is DocumentKind.PROPOSAL


def test_reasons_beside_alternatives_are_a_proposals_own() -> None:
    weighed = "Another alternative would be a second header for the length of the message."
    _, structure = analyse(document_of(*PROPOSED, ("Rationale and alternatives", [weighed, *FILLER])))
    assert structure.is_own.tolist() == [True] * 10 + [False] + [True] * 4


def test_motivation_with_what_it_is_told_with_shows_a_proposal() -> None:
    for headings in (("Motivation and use cases", "Proposal"), ("Motivation", "Rejected options")):
        _, structure = analyse(document_of(*((heading, FILLER) for heading in headings)))
        assert structure.document_kind is DocumentKind.PROPOSAL


def test_what_a_document_of_no_known_kind_rejects_is_not_quoted_either() -> None:
    texts = ["A second dam would keep the water of the northern lakes as high as the herons need it."]
    sections = (("Lakes", FILLER), ("Other dams", texts), ("Rejected designs", texts))
    _, structure = analyse(document_of(*sections))
    assert structure.document_kind is DocumentKind.OTHER
    assert structure.is_own.tolist() == [True] * 5 + [False]


def test_what_a_page_sets_apart_as_the_words_of_others_is_not_its_own() -> None:
    said = ["I keep the northern lakes as high as the herons need it.", "The dam of the county leaks."]

    def own(*paragraphs: str) -> list[bool]:
        source = document_of(("Lakes", paragraphs))
        section = source.sections[0]
        quoted = tuple(replace(each, is_quoted=each.text in said) for each in section.sentences)
        source = replace(source, sections=(replace(section, sentences=quoted),))
        structure = analyse(source)[1]
        assert structure.document_kind is DocumentKind.OTHER
        return structure.is_own.tolist()

    assert own(*FILLER, *said) == [True] * len(FILLER) + [False, False]
    # Where a page quotes much, what is quoted tells what it has to say; "I" would be taken for its author.
    assert own(FILLER[0], *said) == [True, False, True]


def test_what_stands_below_alternatives_is_not_quoted_where_all_headings_are_of_one_level() -> None:
    sections = (
        *PROPOSED,
        ("Alternatives considered", []),
        ("A second header", [REJECTED]),
        ("A trailer", ["The field would stand at the end of the message instead of its head."]),
        ("Security considerations", ["Nobody can read the field but the receiver of the message."]),
    )
    _, structure = analyse(document_of(*sections))
    assert structure.is_own[-3:].tolist() == [False, False, True]
    # Where levels tell what is below what, a heading of the same level is none of them.
    passages = [
        Passage(heading=heading, level=level, paragraphs=tuple(map(Paragraph.of, texts)))
        for (heading, texts), level in zip(sections, (1, 1, 1, 2, 1, 1), strict=True)
    ]
    _, structure = analyse(compose_document(passages, id="d0", source="-"))
    assert structure.is_own[-3:].tolist() == [False, True, True]


def test_goals_are_the_proposals_own_where_non_goals_stand_beside_them() -> None:
    _, structure = analyse(document_of(*PROPOSED, ("Goals and Non-Goals", [REJECTED])))
    assert structure.is_own.all()


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("We considered a trailer after the message.", False),
        ("A trailer after the message has been ruled out.", False),
        ("An alternative approach would be a trailer after the message.", False),
        ("Another possibility, simpler to read, might be a trailer after the message.", False),
        ("The primary alternate proposal was to put a trailer after the message.", False),
        ("We consider the field to be the simplest way of telling the length.", True),
        ("The field is an alternative to counting the bytes of the whole message.", True),
    ],
)
def test_a_sentence_that_states_an_idea_to_reject_it_is_not_the_proposals_own(
    text: str, is_own: bool
) -> None:
    _, structure = analyse(document_of(*PROPOSED, ("Rationale", [text])))
    assert structure.is_own[-1] == is_own


def test_an_idea_that_the_next_sentence_turns_down_is_not_the_proposals_own() -> None:
    idea = "It would be possible to count the bytes of the whole message."
    for after, is_own in (("However, that takes a second pass.", False), ("The field tells it.", True)):
        _, structure = analyse(document_of(*PROPOSED, ("A count", [f"{idea} {after}"])))
        assert structure.is_own[-2:].tolist() == [is_own, True]


def test_what_is_said_of_a_proposal_before_its_first_heading_is_its_own() -> None:
    _, structure = analyse(
        document_of((None, ["The header has been rejected by the board of the lakes."]), *PROPOSED)
    )
    assert structure.document_kind is DocumentKind.PROPOSAL
    assert structure.is_own.all()


def test_a_document_that_tells_its_status_and_calls_itself_a_proposal_is_one() -> None:
    said = "This RFC counts the herons on the lakes, and this RFC counts the boats."
    texts = [said, "This RFC leaves the dam out of account, whatever the county says.", *FILLER]
    told = (None, ["Status: Draft", "Author: A. Heron"])
    assert analyse(document_of(told, ("Herons", texts)))[1].document_kind is DocumentKind.PROPOSAL
    assert analyse(document_of(("Herons", texts)))[1].document_kind is DocumentKind.OTHER


@pytest.mark.parametrize(
    ("line", "stands"),
    [("14 May 2019", True), ("By the keeper of the northern dam", True), ("It rained.", False)],
)
def test_a_short_sentence_that_opens_a_text_stands_below_its_date(line: str, stands: bool) -> None:
    tale = document_of(
        (None, [line, "The old dams leak badly.", *(f"Gate {each} of the dam is old." for each in "ABCD")])
    )
    candidates, structure = analyse(tale)
    place = [sentence.text for sentence in candidates.sentences].index("The old dams leak badly.")
    assert (structure.first[place] == place) == stands


def test_a_leaning_sentence_is_taken_with_the_one_before_it() -> None:
    before = "The county lowered the level of the reservoir in the third week of that month."
    continuing = (
        "However, herons left the dam and the lakes, for herons need the lakes and the dam in spring."
    )
    after = "Ferries between the two towns were not affected by any of the works last year."
    others = [
        f"Budget item number {number} of the treasurer was {number}00 crowns for roads, schools and bridges."
        for number in range(20)
    ]
    tale = document_of(
        (None, [*others[:10], f"{before} {continuing} {after}", *others[10:]]), title="Herons, lakes, dam"
    )
    for num_words in (50, 60):
        chosen = [sentence.text for sentence in run(tale, num_words=num_words)]
        assert continuing in chosen
        assert chosen[chosen.index(continuing) - 1] == before


def test_a_leaning_sentence_without_one_before_it_is_not_taken() -> None:
    continuing = (
        "However, herons left the dam and the lakes, for herons need the lakes and the dam in spring."
    )
    others = [
        f"Budget item number {number} of the treasurer was {number}00 crowns for roads, schools and bridges."
        for number in range(20)
    ]
    tale = document_of(("Herons", [continuing]), ("Budget", others), title="Herons, lakes, dam")
    assert continuing not in [sentence.text for sentence in run(tale, num_words=60)]


@pytest.mark.parametrize(
    "said",
    [
        "Must be a whole number of feet that is above the sill of the gate.",
        "Returns the level of the water that was read on the day before.",
        "Defaults to the level that was read in May of the year before.",
        "Has a sill of oak that was laid by the county in the spring.",
    ],
)
def test_what_is_said_of_an_entry_without_naming_it_refers_to_it(said: str) -> None:
    entry = "The level of a gate is the height of the water above its sill in feet."
    other = "The returns of the keepers are sent to the county in May of every year."
    _, structure = analyse(document_of(("Levels", [entry, said, other])))
    assert structure.first.tolist() == [0, 0, 2]
    # Right below a heading it is said of that.
    _, structure = analyse(document_of(("level()", [said, other])))
    assert structure.first.tolist() == [0, 1]


def test_talk_is_labelled_with_its_speakers() -> None:
    turns = [
        f"{name}: Yeah, I think you should know that the water of lake {number} was low in the spring. "
        f"We can ask my people at the dam about the water of lake {number} in your next meeting."
        for number, name in enumerate(["Ann", "Bo"] * 8)
    ]
    summary = run(document_of((None, turns)), num_words=80)
    assert {sentence.label for sentence in summary} <= {"Ann", "Bo"}
    assert not any(re.match("(Ann|Bo):", sentence.text) for sentence in summary)


def test_speakers_of_one_paragraph_are_told_apart() -> None:
    """A transcript whose lines stand without empty ones between is one paragraph."""
    said = "I think you should know that the water of lake {} was low in the spring of my year."
    turns = [f"{name}: {said.format(number)}" for number, name in enumerate(["Ann", "Bo"] * 4)]
    once = f"Cid: {said.format(94)}"
    candidates, structure = analyse(document_of((None, [" ".join([*turns, once])])))
    labels = [structure.label_of(candidates, position) for position in range(len(candidates))]
    assert labels == ["Ann", "Bo"] * 4 + [None]
    assert structure.shown(candidates, 1) == said.format(1)


def test_nobody_is_named_for_what_another_may_have_said() -> None:
    said = "Yeah, I think you should know that the water of lake {} was low in the spring of my year."
    turns = [f"{'Ann' if n % 2 else 'Bo'}: {said.format(n)}" for n in range(16)]
    turns.insert(4, f"Mr. Cid Ost (Le Pont, XY): {said.format(94)}")
    turns.insert(5, said.format(95))
    turns.insert(6, f"Dee, for all of us here: {said.format(96)}")
    turns.insert(7, said.format(97))
    candidates, structure = analyse(document_of((None, turns)))
    label_of = {
        number: structure.label_of(candidates, position)
        for position, sentence in enumerate(candidates.sentences)
        for number in ("94", "95", "96", "97")
        if f"lake {number} " in sentence.text
    }
    assert label_of == {
        "94": "Mr. Cid Ost (Le Pont, XY)",
        "95": "Mr. Cid Ost (Le Pont, XY)",
        "96": None,
        "97": None,
    }


def test_what_a_kind_must_state_is_found_by_wording_and_section() -> None:
    candidates, structure = analyse(DECISION)
    assert structure.document_kind is DocumentKind.DECISION
    clear = {
        statement: [candidates.sentences[row].text for row in clarity.nonzero()[0]]
        for statement, clarity in structure.statements.items()
    }
    assert clear[Statement.DISPOSITION] == ["The judgment of the Court of Appeals is reversed."]
    assert [text[:7] for text in clear[Statement.HOLDING]] == ["We hold"]


def test_a_text_without_a_presentable_sentence_still_has_a_summary() -> None:
    lines = document_of(
        (None, [f"water level of northern lake number {n} near the dam in spring" for n in range(30)])
    )
    assert run(lines, num_words=40)


def test_nothing_unreadable_is_shown() -> None:
    damaged = document_of(
        (None, [*FILLER, *(f"Lake {n} of the nor\ufffdhern lakes lost its herons." for n in range(30))])
    )
    assert not any("\ufffd" in sentence.text for sentence in run(damaged, num_words=60))


def test_a_sentence_that_opens_a_list_is_not_quoted_even_of_a_document_without_another() -> None:
    opening = "A driver was added for the arrays of the northern vendor with the following interfaces:"
    note = document_of((None, [opening, "Copper", "Iron"]), title="Driver")
    _, structure = analyse(note)
    assert not structure.is_acceptable.any()
    other = compose_document(
        [Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, FILLER)))],
        id="d1",
        source="-",
        title="Dam",
    )
    assert opening not in [sentence.text for sentence in run(note, other, num_words=60)]


def test_the_middle_of_a_quotation_is_not_said_by_the_document() -> None:
    source = document_of(
        (
            None,
            [
                "The harbour was closed after the storm of last Monday, as the council of the town has said."
                " “We looked at every boat in the harbour that morning and on the evening before, with all of"
                " the men and women whom the town could send us in so short a time. We believe that the boats"
                " of the harbour are safe for the whole summer. Nobody was hurt on any of the boats, and no"
                " boat was lost, so that we have opened the harbour again for all of them,” the mayor said."
                " The ferries to the islands will leave from the northern pier until the end of May.",
            ],
        )
    )
    candidates, structure = analyse(source)
    assert structure.is_presentable.tolist() == [True, False, False, False, True]
    assert [sentence.text[:10] for sentence in candidates.sentences][2] == "We believe"


def test_an_epigraph_is_not_what_the_document_says() -> None:
    said, signed = (
        "Water always finds a way around what the county has built before it.",
        "— Ada Brook, Notes",
    )

    def shown(*sections: tuple[str | None, Sequence[str]]) -> bool:
        candidates, structure = analyse(document_of(*sections))
        texts = [sentence.text for sentence in candidates.sentences]
        assert structure.is_presentable[texts.index(FILLER[1])]
        return bool(structure.is_presentable[texts.index(said)])

    assert not shown((None, [said, signed, *FILLER]))
    assert not shown((None, [said, "—Ada Brook, Notes on the Water.", *FILLER]))
    assert not shown(("Water", [FILLER[0]]), ("Dam", [f"{said} -- Ada Brook", *FILLER[1:]]))
    # Before the sections of a chapter it heads that; a second one may follow.
    chapter = document_of(("Dam", ["A dam is a promise.", "--Tom Weir", said, signed]), ("Lakes", FILLER))
    chapter = replace(chapter, sections=(chapter.sections[0], replace(chapter.sections[1], level=2)))
    assert analyse(chapter)[1].is_presentable.tolist()[:6] == [False] * 4 + [True] * 2
    # What is signed at its end, a list of such lines and what stands within a section are its own.
    assert shown((None, [*FILLER, said, signed]))
    assert shown(("Dam", [said, signed]), ("Lakes", FILLER))
    assert shown((None, [said, signed, "— Tom Weir, Letters", *FILLER]))
    assert shown((None, [said, "— Yes, dear county.", *FILLER]))
    assert shown((None, [said, "— The county keeps the log of the water.", *FILLER]))
    assert shown((None, [*FILLER, *FILLER, said, signed, *FILLER]))


def test_a_quotation_mark_that_is_missing_takes_nothing_with_it() -> None:
    said = [
        '"We looked at every boat in the harbour that morning, the mayor said.',
        "The ferries to the islands will leave from the northern pier until the end of May.",
        "Nobody was hurt in the harbour, and no boat was lost, though many of the nets were torn.",
        'The storm had closed the harbour and the "old pier" of the town on Monday.',
        '"It was the worst storm that we have seen in the harbour for years.',
        "The boats of the islands will be mended in the yards of the town.",
    ]
    candidates, structure = analyse(document_of((None, [" ".join(said)])))
    shown = [sentence.text for sentence in candidates.sentences]
    assert [text in shown for text in (said[1], said[5])] == [True, True]
    assert all(structure.is_presentable[shown.index(text)] for text in (said[1], said[5]))


def test_a_report_begins_with_its_dateline_whatever_stands_above_it() -> None:
    above = "Council meets today, June 4 at nine in the hall, for all of the town, by SST"
    lead = "The council today announced that the lower lock of the river will be closed until March."
    for dateline, is_whole in (("WEIRTON, June 4, 2014 — ", True), ("", False)):
        candidates, structure = analyse(document_of((None, [above, dateline + lead, *FILLER])))
        assert candidates.sentences[1].text == dateline + lead
        assert bool(structure.is_presentable[1]) is is_whole


def test_a_label_before_a_paragraph_does_not_behead_it() -> None:
    source = document_of(
        (
            None,
            [
                "Three Rooms with a View of the Old Harbour and of the Northern Pier",
                "The town has opened a house for sailors above the old harbour, which had been empty for years.",
            ],
        )
    )
    assert analyse(source)[1].is_presentable.tolist() == [False, True]


@pytest.mark.parametrize(
    ("before", "alone"),
    [("Reads boats from pictures", True), ("Is the new one better than the old one?", False)],
)
def test_the_opening_of_a_document_speaks_of_its_subject(before: str, alone: bool) -> None:
    text = "This library finds the boats in a picture of a harbour, and says what each of them is called."
    source = document_of((None, [before, text]), title="boatfinder")
    assert bool(analyse(source)[1].stands_alone[1]) is alone


def test_an_interview_is_no_story() -> None:
    asked = [
        f"What did you find in the harbour in the year {year}, when you were there?" for year in range(60)
    ]
    said = (
        "I looked at the boats, and I found that my own was gone. I asked my brother. I told you about him."
    )
    paragraphs = [paragraph for question in asked for paragraph in (question, said)]
    assert kind_of(analyse(document_of((None, paragraphs)))[0]) is SourceKind.PROSE
    told = [f"“{question}” he said." if number % 2 else said for number, question in enumerate(asked * 3)]
    assert kind_of(analyse(document_of((None, told)))[0]) is SourceKind.NARRATIVE


def test_news_of_what_somebody_did_and_said_are_no_story() -> None:
    told = [
        "He went to the harbour and asked her for the key, and she said that she had lost it.",
        "“The boat is gone,” he said, and he looked at her as if she had taken it.",
        "She walked back to her house, and her brother followed her over the bridge.",
    ]
    assert kind_of(analyse(document_of((None, told * 12)))[0]) is SourceKind.NARRATIVE
    reported = "He told the court on Monday that he had paid $31,000 for his boat, and she denied it."
    assert kind_of(analyse(document_of((None, [*told, reported] * 12)))[0]) is SourceKind.PROSE


def test_a_finding_is_shown_without_its_figure() -> None:
    finding = "The herons of the dam left all of their nests in the third week of spring (Fig. 2)."
    paper = document_of(
        ("Abstract", ["We measured the water of twelve lakes in spring.", *FILLER]),
        ("Methods", list(FILLER)),
        ("Results", [finding, *FILLER]),
        ("References", ["Brown A. Herons of the north. Lakes 2003; 2: 1-9."]),
        title="Herons and dams",
    )
    candidates, structure = analyse(paper)
    assert structure.document_kind is DocumentKind.PAPER
    place = [sentence.text for sentence in candidates.sentences].index(finding)
    assert structure.is_presentable[place]
    assert structure.shown(candidates, place) == finding.replace(" (Fig. 2)", "")


def test_a_document_speaks_of_itself_by_the_noun_of_its_title() -> None:
    said = "The rest of this roadmap tells what the county plans for the northern lakes."
    candidates, structure = analyse(document_of(("Plans", [*FILLER, said]), title="A detailed roadmap"))
    assert structure.stands_alone[len(candidates) - 1]
    candidates, structure = analyse(document_of(("Plans", [*FILLER, said]), title="Herons"))
    assert not structure.stands_alone[len(candidates) - 1]


@pytest.mark.parametrize(
    ("after", "is_own"),
    [
        ("This is incorrect: the canal was dug by the town, and the county paid for its gates alone.", False),
        ("But that isn't true.", False),
        ("This belief was wrong because nobody had asked the keepers of the canal.", False),
        ("This is not the case for the canals of the southern county.", True),
        ("It was wrong to let them wait for a year.", True),
        ("This is no longer than a mile.", True),
    ],
)
def test_what_the_document_denies_in_its_next_sentence_is_not_its_own(after: str, is_own: bool) -> None:
    claim = "The canal between the northern lakes was dug by the county in a single year."
    candidates, structure = analyse(document_of((None, [" ".join((*FILLER[:2], claim, after, FILLER[2]))])))
    texts = [sentence.text for sentence in candidates.sentences]
    assert bool(structure.is_own[texts.index(claim)]) is is_own
    assert structure.is_own[texts.index(FILLER[0])]


def test_a_source_in_brackets_that_opens_a_paragraph_is_of_what_follows() -> None:
    brief = "[Brief of the owner, p. 4] The bridge was never unsafe, and the council knew it well."
    report = "[Report of the mason, p. 9] The bridge would have fallen in the first storm of the year."
    voted = "The council of the town voted in May to close the old bridge for two years."
    source = document_of((None, [voted, f"{brief} {report}", f"{voted} {report}"]))
    candidates, structure = candidates_of(source), Structure.of(candidates_of(source))
    texts = [structure.shown(candidates, position) for position in range(len(candidates))]
    assert texts == [voted, brief, report, voted, report.partition("] ")[2]]


def test_what_is_said_counts_no_fewer_words_than_are_shown() -> None:
    turns = [
        f"{who}: So I think that the lid of the {thing} will be blue, um, and"
        for thing in ("gate", "lock", "weir", "mill")
        for who in ("Anna Berg", "Ben Cole", "Carol Dunn")
    ]
    candidates = candidates_of(document_of((None, turns)))
    structure = Structure.of(candidates)
    shown = [structure.shown(candidates, position) for position in range(len(candidates))]
    assert shown[0].endswith(" …")
    assert all(len(text.split()) <= count for text, count in zip(shown, structure.num_words, strict=True))


def test_what_counts_pieces_of_code_is_not_quoted_of_a_guide() -> None:
    said = "The first command opens the gates of the dam; the second one closes them at night."
    guide = document_of(
        *((f"Part {name}", [said if name == "B" else FILLER[0], *FILLER]) for name in "ABCDE")
    )
    candidates, structure = analyse(guide)
    position = [each.text for each in candidates.sentences].index(said)
    assert structure.first[position] == structure.first_under_heading[position] == -1
