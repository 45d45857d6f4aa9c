"""Documents read by their parts: pages, guides, stories and meetings, each told by what it is made of."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from extraction import candidates_of, structure_of, summarize

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.extract.answers import answers_questions
from lsum_cli.methods.extract.digest import digest, digest_around
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, plain_heading
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.sentences.wording import is_metadiscourse
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import Summary

PARTS = ("sluice", "turbine", "spillway", "penstock", "fish ladder", "gauge")
DEFINITIONS = tuple(
    f"A {part} is the part of a weir that {does} the water of the river."
    for part, does in zip(PARTS, ("stops", "drives", "drains", "guides", "lowers", "measures"), strict=True)
)
DETAILS = (
    "{0} painted the railing green before the visitors from {1} came over the bridge in May {2}.",
    "Rust had eaten two bolts by the autumn of {2}, and nobody in {1} could sell {0} new ones.",
    "Ice pushed the frame out of its bed twice in {2}, so masons from {1} wedged it with oak for {0}.",
)
KEEPERS = ("Edwin", "Martha", "Josiah", "Clara", "Anselm", "Ottilie")
VILLAGES = ("Lindale", "Ashford", "Merrow", "Tarn", "Holme", "Selside")
OPENING = (
    "A weir is a low wall across a river that raises the water above it.",
    "Millers have built weirs since the Middle Ages, and engineers still do for power and boats.",
)


def document(*sections: tuple[str | None, list[str]], title: str | None = None) -> Document:
    """A document; every string is a paragraph."""
    passages = [
        Passage(heading=heading, level=1 if heading else 0, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    return compose_document(passages, id="d0", source="-", title=title, language="en")


def page(opening: tuple[str, ...] = OPENING, title: str = "Weirs") -> Document:
    """A page of a manual: an opening, then parts that each define a thing after other sentences."""
    parts = []
    for number, (part, definition) in enumerate(zip(PARTS, DEFINITIONS, strict=True)):
        details = [
            detail.format(KEEPERS[(number + at) % 6], VILLAGES[(number + 2 * at) % 6], 1900 + 7 * number + at)
            for at in range(2)
            for detail in DETAILS
        ]
        parts.append((f"The {part}", [*details[:2], definition, *details[2:]]))
    return document((None, list(opening)), *parts, title=title)


def texts(summary: Summary) -> list[str]:
    return [sentence.text for sentence in summary.sentences]


def digest_of(source: Document) -> tuple[list[str], dict[str, list[str]]]:
    """The texts of the opening of a digest, and of each part."""
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    made = digest(candidates, source, structure, Scores.of(candidates, structure), 150)
    assert made is not None

    def say(positions: Iterable[int]) -> list[str]:
        return [candidates.sentences[position].text for position in positions]

    return say(made.opening), {each.part.heading: say(each.positions) for each in made.parts}


def test_a_manual_says_what_it_is_and_defines_each_part_under_its_heading() -> None:
    opening, parts = digest_of(page())
    assert opening[0] == OPENING[0]
    assert len(parts) >= 4
    for heading, said in parts.items():
        assert DEFINITIONS[PARTS.index(heading.removeprefix("The "))] in said


def test_what_another_chapter_told_is_not_quoted() -> None:
    told = "In chapter 2 Sluices we introduced the sluice, the turbine, the spillway, the penstock and the gauge."
    source = document(
        (None, list(OPENING)),
        *((f"The {part}", [told, DEFINITIONS[at]]) for at, part in enumerate(PARTS)),
        title="Weirs",
    )
    assert all(told not in said for said in digest_of(source)[1].values())


def test_an_opening_is_left_out_rather_than_one_that_leans_on_what_cannot_be_shown() -> None:
    opening = ("Two things are called a weir here:", "It can also be found on the maps of every county.")
    assert opening[1] not in digest_of(page(opening))[0]


@pytest.mark.parametrize(
    ("first", "is_shown"),
    [
        ("weird is a small program that measures the water of a river at every weir.", True),
        ("weird Gauge is a small program that measures the water of a river at weirs.", True),
        ("which is a small program that measures the water of a river at every weir.", False),
        ("measured by a small program that counts the water of a river at every weir.", False),
    ],
)
def test_a_name_in_lower_case_opens_a_page_and_a_piece_does_not(first: str, is_shown: bool) -> None:
    assert (first in digest_of(page((first, OPENING[1])))[0]) == is_shown


GUIDE_HEADINGS = ("Background", "Results", "Discussion")


def test_sections_that_every_chapter_repeats_make_no_paper() -> None:
    rng = random.Random(3)
    words = [f"{a}{b}" for a in ("wa", "ri", "mo", "le", "tu") for b in ("ter", "ver", "lin", "dan", "pos")]
    lines = [f"The {' '.join(rng.choices(words, k=14))} of the weir is old." for _ in range(800)]

    def guide(chapters: int) -> Document:
        each = len(lines) // (3 * chapters)
        parts = []
        for number in range(3 * chapters):
            own = lines[number * each : (number + 1) * each]
            parts.append((GUIDE_HEADINGS[number % 3], [" ".join(own)]))
        return document(*parts)

    assert structure_of(guide(1)).document_kind is DocumentKind.PAPER
    assert structure_of(guide(4)).document_kind is DocumentKind.OTHER


def test_a_line_between_two_paragraphs_takes_nothing_from_either() -> None:
    """ "Related: …" neither beheads what comes after it nor stands before it."""
    news = [
        "The county has closed the weir at Lindale for the whole of the winter season.",
        "Related: Ten rivers to see before you are too old to",
        "It will be opened again when the new sluice has been built by local masons.",
        "Powered by Rivermaps.",
        "They have asked the county for an earlier date in the spring than they had named.",
    ]
    structure = structure_of(document((None, news)))
    assert structure.is_presentable.tolist() == [True, False, True, False, True]
    assert structure.first.tolist()[::2] == [0, 0, 0]


def test_what_somebody_is_quoted_with_is_no_label() -> None:
    quoted = "As the report states: “The weir matters more to the mill than to the county.”"
    label = "Weir of the mill: The county has closed it for the whole of the winter season."
    assert structure_of(document((None, [quoted, label, *OPENING]))).is_presentable.tolist()[:2] == [
        True,
        False,
    ]


# ---- lengths


def story(chapters: int = 8) -> Document:
    """A story of chapters in which two people act, with much talk."""
    rng = random.Random(5)
    doings = ("walked to the mill", "crossed the river", "sold the old boat", "wrote to the judge")
    places = ("in Lindale", "at the harbour", "under the bridge", "behind the church")
    parts = []
    for number in range(chapters):
        told = []
        for at in range(40):
            who, other = rng.sample(("Martha", "Edwin", "Josiah"), 2)
            doing, place = rng.choice(doings), rng.choice(places)
            told.append(f"{who} {doing} {place} before {other} came home on day {number * 40 + at}.")
            told.append(f"“I shall never forgive you,” said {other}, and I think my {place} days are over.")
        parts.append((f"Chapter {number + 1}", told))
    return document(*parts, title="The Weir")


def meeting() -> Document:
    """A meeting of several topics that ends with what was decided."""
    topics = {
        "battery": ("solar battery", "charging station", "power supply", "energy saving"),
        "buttons": ("rubber buttons", "scroll wheel", "volume control", "channel keys"),
        "colours": ("yellow plastic", "titanium case", "company logo", "fruit design"),
        "budget": ("production price", "profit margin", "selling price", "market share"),
    }
    rng = random.Random(7)
    turns = []
    for things in topics.values():
        for number in range(45):
            one, other = rng.sample(things, 2)
            who = ("Anna", "Bert", "Clara")[number % 3]
            turns.append(
                f"{who}: The users in group {number} told me that the {one} matters as much as the {other}"
                f" when they buy a remote control of type {rng.randint(1, 99)}."
            )
    turns.append(
        "Anna: We have decided that the remote control will have rubber buttons and a solar battery."
    )
    turns.append("Bert: I will send the drawings of the titanium case to everybody by Friday of next week.")
    return document((None, turns))


def places(sentences: object) -> set[int]:
    return {
        evidence.sentence_index
        for sentence in sentences  # type: ignore[attr-defined]
        for evidence in sentence.attribution.evidence
    }


@pytest.mark.parametrize("make", [page, story, meeting])
def test_each_length_holds_the_shorter_ones(make: object) -> None:
    source = make()  # type: ignore[operator]
    alone = {name: places(summarize(source, length=name).sentences) for name in NAMED_LENGTHS}
    assert alone["short"]
    assert alone["short"] <= alone["medium"] <= alone["long"]
    assert alone["short"] < alone["long"]
    together = summarize(source, length="all")
    before: set[int] = set()
    for length in together.lengths:
        assert before <= places(length.sentences)
        before = places(length.sentences)
    assert {each.name: places(each.sentences) for each in together.lengths}["long"] == alone["long"]


def test_a_meeting_is_told_in_order_with_what_was_decided_and_by_whom() -> None:
    summary = summarize(meeting())
    assert not summary.outline
    decided = next(sentence for sentence in summary.sentences if "We have decided" in sentence.text)
    assert decided.label == "Decision (Anna)"
    assert sorted(places(summary.sentences)) == [min(places([each])) for each in summary.sentences]


def test_a_story_is_told_by_chapter_with_its_people() -> None:
    source = story()
    assert SourceKind.NARRATIVE is structure_of(source).source_kind
    summary = summarize(source)
    assert {"Martha", "Edwin", "Josiah"} <= set(summary.outline[0].people)
    told = [entry for entry in summary.outline[1:] if entry.sentences]
    assert len(told) >= 2
    assert [entry.heading for entry in told] == sorted(entry.heading for entry in told)
    assert not any("never forgive" in text for text in texts(summary))


def tale(chapters: int = 8, told_in_the_middle: str = "") -> Document:
    """A story that says who is in it after a line of scenery, and how it ends in its last lines."""
    rng = random.Random(3)
    doings = ("painted", "swept", "mended", "washed", "measured")
    things = ("shutters", "ladder", "granary", "wheel", "windows", "sacks")
    source = []
    for number in range(chapters):
        told = []
        for at in range(15):
            who = ("Martha", "Edwin", "Josiah")[at % 3]
            day = f"{number}{at}"
            told += [
                f"In the morning {who} {rng.choice(doings)} the {rng.choice(things)} of room {day} again.",
                f"“I shall not come,” said {who}, and I thought of my boats and of my {rng.choice(things)}.",
            ]
        source.append((f"CHAPTER {number + 1}", told))
    source[0][1].insert(1, "Martha was a miller, whose father had left her the mill and a debt to Edwin.")
    if told_in_the_middle:
        source[chapters // 2][1].insert(4, told_in_the_middle)
    source[-1][1].extend(
        [
            "On the floor of the granary lay the body of the stranger, with the stolen letter in his coat.",
            "He had been dead for a week.",
        ]
    )
    return document(*source, title="The Mill")


def test_a_story_says_who_is_in_it_and_how_it_ends() -> None:
    summary = summarize(tale())
    texts = [sentence.text for sentence in summary.sentences]
    assert any(text.startswith("Martha was a miller") for text in texts[:2])
    assert texts[-2:] == [
        "On the floor of the granary lay the body of the stranger, with the stolen letter in his coat.",
        "He had been dead for a week.",
    ]
    assert {"Martha", "Edwin"} <= set(summary.outline[0].people)
    assert not any(entry.people for entry in summary.outline[1:])


@pytest.mark.parametrize("focus", ["how does it end?", "the ending", "what happens in the end"])
def test_how_a_story_ends_is_told_by_its_ending_and_not_by_the_word(focus: str) -> None:
    source = tale(told_in_the_middle="Edwin stood at the end of the pier and lit the end of his cigar.")
    told = texts(summarize(source, focus=focus))
    assert told
    assert not any("cigar" in text for text in told)
    assert set(told) <= {each.text for each in source.sentences[-10:]}


@pytest.mark.parametrize(("name", "is_told"), [("Martha Reed", True), ("Martha", False)])
def test_the_main_character_is_introduced_by_the_full_name(name: str, is_told: bool) -> None:
    introduction = f"No one in the town saw {name} as a child, and few knew of the mill at the lake."
    source = tale()
    told = [(section.heading, [each.text for each in section.sentences]) for section in source.sections]
    rest = [each for each in told[0][1] if "was a miller" not in each]
    other = "The town thought well of Martha, and nobody at the lake knew of a debt of hers."
    story = document((told[0][0], [rest[0], other, introduction, *rest[1:]]), *told[1:])
    said = [each.text for each in summarize(story).sentences]
    assert (introduction in said) == is_told


def test_who_is_in_a_story_is_told_by_its_summary() -> None:
    asked = summarize(tale(), focus="who are the main characters")
    assert texts(asked) == texts(summarize(tale()))
    assert not any("characters" in warning for warning in asked.warnings)


def test_chapters_without_titles_are_told_several_under_one_heading() -> None:
    headings = [entry.heading for entry in summarize(tale(9)).outline[1:]]
    assert len(headings) <= 3
    assert headings[0] == "CHAPTER 1–3"


def test_a_long_story_without_chapters_is_told_below_who_is_in_it() -> None:
    told = [each.text for section in tale(16).sections for each in section.sentences]
    summary = summarize(document((None, told)))
    (part,) = summary.outline
    assert set(part.people) == {"Martha", "Edwin", "Josiah"}
    assert part.sentences == summary.sentences
    assert summarize(document((None, told[:200]))).outline == ()


def test_what_he_did_is_told_with_who_he_is() -> None:
    deed = "He shot the bailiff with the old pistol and fled into the marshes."
    told = texts(
        summarize(tale(8, f"Edwin swept the granary by himself. The wind rose in the hills. {deed}"))
    )
    assert told[told.index(deed) - 1] == "Edwin swept the granary by himself."


def test_news_of_somebody_is_quoted_with_who_tells_it() -> None:
    news = "“Josiah is engaged to be married,” said the old carter at the gate."
    assert news in texts(summarize(tale(8, news)))


def test_a_play_tells_who_is_in_it_by_its_own_list() -> None:
    listed = ["MARTHA, a miller", "EDWIN, her brother, who owns the boats", "JOSIAH, an old carter"]
    play = document(
        ("CHARACTERS", [*listed, "A BAILIFF", "THE MILL"]),
        *(
            ((section.heading or "").replace("CHAPTER", "ACT"), [each.text for each in section.sentences])
            for section in tale(8).sections
        ),
        title="The Mill",
    )
    summary = summarize(play)
    cast = summary.outline[1]
    assert cast.heading == "CHARACTERS"
    assert [sentence.text for sentence in cast.sentences] == listed
    assert len(summary.outline) > 2
    assert not any("CHARACTERS" in warning for warning in summary.warnings)


def test_chapters_of_a_story_that_are_not_quoted_are_named_where_their_headings_tell_something() -> None:
    sections = [(section.heading, [each.text for each in section.sentences]) for section in story().sections]
    said = ["“I shall never forgive you,” said Edwin, and the bailiff of the mill said the same."] * 12
    headed = [*sections[:3], ("Martha Sells the Weir--A Quarrel", said), *sections[3:], ("Chapter 9", said)]
    made = document(*headed, title="The Weir")
    assert summarize(made).other_sections == ("Martha Sells the Weir--A Quarrel",)


def test_chapters_of_a_story_are_told_by_what_is_done_and_without_front_matter() -> None:
    scenery = "The windows of the granary and the shutters of the wheel were grey in the morning."
    news = "At noon Edwin shot the bailiff with the old pistol and fled into the marshes of the county."
    source = tale(8, f"{scenery} {news}")
    preface = ("PREFACE", ["I have been told the windows and shutters of the granary are swept."] * 3)
    sections = ((section.heading, [each.text for each in section.sentences]) for section in source.sections)
    summary = summarize(document(preface, *sections, title="The Mill"), show_chapters=True)
    pages = {page.index: page.label for page in summary.pages}
    told = {pages[each.page]: [one.text for one in each.sentences] for each in summary.chapters}
    assert "PREFACE" not in told
    assert news in told["CHAPTER 5"]


def test_what_goes_on_with_the_story_is_quoted_where_it_names_who_acts() -> None:
    deeds = (
        "But Edwin shot the bailiff with the old pistol at the gate.",
        "When they came home, Martha stole the letter of the dead miller.",
    )
    for deed in deeds:
        assert deed in texts(summarize(tale(8, f"The wind rose in the hills. {deed}")))
    riddle = "But she shot the bailiff at the gate, and Edwin and Martha fled into the marshes."
    assert riddle not in texts(summarize(tale(8, riddle)))


def test_a_first_chapter_under_a_volume_is_told_and_a_note_after_the_last_is_not() -> None:
    long = ["Martha swept the granary again and wrote down what she had found in it."] * 60
    novel = document(
        ("VOLUME I: CHAPTER 1", long[:2]),
        *((f"CHAPTER {number}", long) for number in (2, 3, 4)),
        ("A NOTE ON THE TEXT", long[:2]),
    )
    parts = divide(novel, is_book=True, is_story=True).parts
    assert [part.heading for part in parts if part.is_silent] == ["A NOTE ON THE TEXT"]


@pytest.mark.parametrize("is_story", [False, True])
def test_the_conclusion_after_the_last_chapter_of_a_book_is_told(is_story: bool) -> None:
    names = [*(f"CHAPTER {number}" for number in range(1, 7)), "CONCLUSION", "AFTERWORD", "ACKNOWLEDGMENTS"]
    passages = [
        Passage(
            heading=name,
            level=1,
            paragraphs=tuple(
                Paragraph.of(f"The weir {place} of {name.lower()} holds the water of the lake back.")
                for place in range(90)
            ),
        )
        for name in names
    ]
    book = compose_document(passages, id="d0", source="-", title="Weirs", language="en")
    parts = divide(book, is_book=True, is_story=is_story).parts
    assert [part.heading for part in parts if part.is_silent] == ["ACKNOWLEDGMENTS"]


SHORT = """There was once a lamplighter called Tobin who lived with his sister Marta near the town of Orrin.
Every evening he went from lane to lane with his ladder. Marta kept three goats.
One winter the old mayor died, and his nephew Garrick came from the city to take his place.
{0}Why should honest people pay for light?{1} he said, and he ordered that no lamp should burn after nine.
Tobin obeyed, because he was afraid of him. But Marta did not like it. {0}Somebody will be hurt,{1} she said.
A carter drove into the river in the dark. The people murmured. Garrick laughed at them. Tobin went to see
the carter. He walked home slowly. He could not sleep. The next evening he filled a lamp with his own oil.
The watchman brought it to the mayor. {0}Who did this?{1} shouted Garrick. Nobody answered.
He had Tobin arrested and locked in the cellar. {0}You will stay there,{1} he said. Tobin said nothing.
Marta sold her goats and went to the duke.
A storm broke over the valley. Garrick fell into the river, and he cried out. A boatman heard him and came
with a lamp. When the duke came the next day, Garrick was lying in bed with a fever. He asked for his pardon.
Tobin was set free, and the duke gave Marta six goats instead of three."""


@pytest.mark.parametrize("marks", ["“”", "‘’", "''", "`'"])
def test_a_tale_may_be_short_and_its_speech_stand_in_either_quotation_marks(marks: str) -> None:
    source = document((None, [SHORT.format(*marks).replace("\n", " ")]))
    assert structure_of(source).source_kind is SourceKind.NARRATIVE
    told = texts(summarize(source))
    assert told[0].startswith(("There was once a lamplighter", "One winter the old mayor died"))
    assert told[-1].startswith("Tobin was set free")
    assert not any(mark in text for text in told for mark in marks)


def test_short_answers_are_all_quoted_under_their_questions_where_there_is_room() -> None:
    asked = (
        (
            "When do the new bins come?",
            "They are delivered between 3 and 28 June.",
            "You need not be at home.",
        ),
        ("What goes into the blue bin?", "Paper and cardboard.", "Pizza boxes may go in if they are clean."),
        ("Can I keep my old bin?", "No.", "The old bins are collected and recycled in July."),
        ("What does it cost?", "Nothing.", "The change is paid from the council tax."),
    )
    source = document(*((question, [" ".join(answer)]) for question, *answer in asked))
    summary = summarize(source, length="medium")
    quoted = [(entry.heading, *(each.text for each in entry.sentences)) for entry in summary.outline]
    assert quoted == list(asked)


def test_questions_in_groups_are_answered_under_the_name_of_their_group() -> None:
    filler = " ".join(detail.format("Edwin", "Tarn", 1900) for detail in DETAILS)
    groups = ("Repairs", "Floods", "Fishing")
    passages = [Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, OPENING)))]
    for number, (part, definition) in enumerate(zip(PARTS, DEFINITIONS, strict=True)):
        if number % 2 == 0:
            passages.append(Passage(heading=groups[number // 2], level=1, paragraphs=()))
        paragraphs = (Paragraph.of(definition), Paragraph.of(filler))
        passages.append(Passage(heading=f"What is a {part}?", level=2, paragraphs=paragraphs))
        passages.append(
            Passage(heading=f"Who paints the {part}?", level=2, paragraphs=(Paragraph.of(f"See {filler}"),))
        )
    source = compose_document(passages, id="d0", source="-", title="Weirs", language="en")
    assert answers_questions(source)
    summary = summarize(source)
    told = {entry.heading: [each.text for each in entry.sentences] for entry in summary.outline}
    for number, (part, definition) in enumerate(zip(PARTS, DEFINITIONS, strict=True)):
        # The first that is shown of each group names it.
        group = f"{groups[number // 2]}: " if number % 2 == 0 else ""
        assert told[f"{group}What is a {part}?"] == [definition]
    assert not any(entry.sections for entry in summary.outline)


def test_one_heading_above_all_questions_is_no_group() -> None:
    asked = [f"Who looks after the {part}?" for part in PARTS]
    passages = [Passage(heading="Frequent questions", level=1, paragraphs=())]
    for question, definition in zip(asked, DEFINITIONS, strict=True):
        passages.append(Passage(heading=question, level=2, paragraphs=(Paragraph.of(definition),)))
    passages.append(Passage(heading="See the map of the weirs", level=2, paragraphs=()))
    source = compose_document(passages, id="d0", source="-", title="Weirs", language="en")
    division = divide(source, is_faq=True)
    assert [part.above for part in division.parts if part.heading in asked] == [""] * len(asked)


def test_a_question_is_of_the_group_that_has_its_number() -> None:
    names = [
        "1. Repairs",
        "1.1 Who mends it?",
        "Notes",
        "1.2 Who pays?",
        "2. Floods",
        "2.1 When do they come?",
    ]
    # The last line of a list of contents.
    names = ["3. Boats", *names, "Fish", "4.1 Who eats them?"]
    passages = [
        Passage(heading=name, level=1 + name.endswith("?"), paragraphs=(Paragraph.of(DEFINITIONS[0]),))
        for name in names
    ]
    passages.insert(1, Passage(heading="1.1 Who mends them?", level=2, paragraphs=()))
    source = compose_document(passages, id="d0", source="-", title="Weirs", language="en")
    above = {part.heading: part.above for part in divide(source, is_faq=True).parts}
    assert [above[name] for name in ("1.1 Who mends them?", *names) if name.endswith("?")] == [
        "",
        "1. Repairs",
        "",
        "2. Floods",
        "Fish",
    ]


def test_answers_stand_under_their_questions() -> None:
    asked = (
        (
            "Can herons be kept on a lake?",
            "Yes.",
            "The county allows three pairs for every hectare of water.",
        ),
        ("Do herons eat the eggs of ducks?", "Not really.", "They take frogs and small fish all year round."),
        ("What does a pair of herons cost?", "A pair costs as much as a boat with two oars.", "Ask in May."),
        ("Who counts the nests of herons?", "The wardens are sent to count the nests in April.", "I am one."),
    )
    filler = [detail.format("Edwin", "Tarn", 1900) for detail in DETAILS]
    source = document(*((question, [" ".join((*answer, *filler))]) for question, *answer in asked))
    parts = {entry.heading: [each.text for each in entry.sentences] for entry in summarize(source).outline}
    assert list(parts) == [question for question, *_ in asked]
    for question, first, second in asked:
        assert parts[question] == ([first, second] if len(first.split()) < 3 else [first])


def test_long_answers_are_chapters_and_read_as_any_text() -> None:
    chapters = (
        (f"What is a {part}?", [" ".join((definition, *(DETAILS * 4)))])
        for part, definition in zip(PARTS, DEFINITIONS, strict=True)
    )
    assert not answers_questions(document(*chapters))


def test_problems_are_told_as_questions_in_what_calls_itself_an_faq() -> None:
    headings = [f"{verb} {part}" for part in PARTS[:5] for verb in ("What is a", "Mending a", "Losing a")]
    passages = [
        Passage(
            heading=f"{text}?" if text.startswith("What") else text, level=1, paragraphs=(Paragraph.of(text),)
        )
        for text in headings
    ]
    for title, is_told in (("FAQ of the weirs", True), ("Weirs", False)):
        source = compose_document(passages[:-1], id="d0", source="-", title=title, language="en")
        assert answers_questions(source) is is_told


def test_what_stands_in_contents_is_not_told_as_an_answer() -> None:
    passages = [Passage(heading="Detailed contents", level=1, paragraphs=())]
    for group in ("Floods", "Repairs"):
        passages.append(
            Passage(heading=group, level=2, paragraphs=(Paragraph.of("The gate does not open."),))
        )
    for group in ("Floods", "Repairs"):
        passages.append(Passage(heading=group, level=1, paragraphs=()))
        for part, definition in zip(PARTS, DEFINITIONS, strict=True):
            paragraphs = (Paragraph.of(definition),)
            passages.append(Passage(heading=f"What is a {part}?", level=2, paragraphs=paragraphs))
    source = compose_document(passages, id="d0", source="-", title="FAQ", language="en")
    silent = [part.heading for part in divide(source, is_faq=True).parts if part.is_silent and part.sentences]
    assert silent == ["Floods", "Repairs"]


def test_longer_answers_are_told_as_answers_where_they_stand_in_groups() -> None:
    passages = []
    for part, definition in zip(PARTS, DEFINITIONS, strict=True):
        passages.append(Passage(heading=f"On the {part}", level=1, paragraphs=()))
        for question in ("What is", "Who built", "Who paints", "What spoils", "How old is"):
            text = Paragraph.of(" ".join((definition, *(DETAILS * 2))))
            passages.append(Passage(heading=f"{question} a {part}?", level=2, paragraphs=(text,)))
    answers = [len(each.paragraphs[0].text.split()) for each in passages if each.paragraphs]
    assert min(answers) > 120
    assert answers_questions(compose_document(passages, id="d0", source="-"))
    alone = [replace(each, level=1) for each in passages if each.paragraphs]
    assert not answers_questions(compose_document(alone, id="d0", source="-"))


def test_what_the_thing_is_is_told_by_an_introduction_rather_than_a_preface() -> None:
    preface = "The first edition of this book was sold out in a year and won the prize of the county."
    parts = [(f"The {part}", [DEFINITIONS[at], *DETAILS]) for at, part in enumerate(PARTS)]
    told = [("Preface", [preface]), ("Chapter 1. Introduction", list(OPENING))]
    opening, quoted = digest_of(document(*told, *parts, title="Weirs"))
    assert opening[0] == OPENING[0]
    assert preface not in opening
    assert "Chapter 1. Introduction" not in quoted
    # Where nothing says what the thing is, the parts begin.
    assert digest_of(document(told[0], *parts, title="Weirs"))[0] == []


def chaptered(named: Iterable[str] = ("Boards", "Hinges", "Seals")) -> Document:
    """A manual whose chapters have sections, and words of their own but for the last one."""
    passages = [Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, OPENING)))]
    # So many that those below them are no parts of the whole.
    for at, part in enumerate([*PARTS, *(f"old {part}" for part in PARTS)]):
        own = [DEFINITIONS[at % 6].replace(PARTS[at % 6], part)] if at < 11 else []
        passages.append(
            Passage(heading=f"{at + 1}. The {part}", level=1, paragraphs=tuple(map(Paragraph.of, own)))
        )
        for number, name in enumerate(named, start=1):
            details = [
                detail.format(KEEPERS[(at + number) % 6], VILLAGES[(at + round_) % 6], 1800 + 9 * at + round_)
                for round_ in range(6)
                for detail in DETAILS
            ]
            passages.append(
                Passage(
                    heading=f"{at + 1}.{number}. {name} of the {part}",
                    level=2,
                    paragraphs=tuple(map(Paragraph.of, details)),
                )
            )
    return compose_document(passages, id="d0", source="-", title="Weirs", language="en")


def parts_of(source: Document) -> dict[str, tuple[list[str], tuple[str, ...]]]:
    """What a digest quotes of each part, and the sections that it names."""
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    made = digest(candidates, source, structure, Scores.of(candidates, structure), 400)
    assert made is not None
    return {
        plain_heading(each.part.heading): (
            [candidates.sentences[at].text for at in each.positions],
            each.sections,
        )
        for each in made.parts
    }


def parts_around(source: Document) -> dict[str, tuple[list[str], tuple[str, ...]]]:
    """The same of a digest around the first sentence."""
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    made = digest_around([0], candidates, source, structure, Scores.of(candidates, structure), 400)
    assert made is not None
    return {
        plain_heading(each.part.heading): (
            [candidates.sentences[at].text for at in each.positions],
            each.sections,
        )
        for each in made.parts
    }


def test_a_chapter_is_told_by_what_introduces_it_and_the_headings_in_it() -> None:
    parts = parts_of(chaptered())
    assert parts["The sluice"] == (
        [DEFINITIONS[0]],
        ("Boards of the sluice", "Hinges of the sluice", "Seals of the sluice"),
    )
    # One that nothing introduces by the headings alone.
    quoted, named = parts["The old gauge"]
    assert not quoted
    assert named == ("Boards of the old gauge", "Hinges of the old gauge", "Seals of the old gauge")


def with_chapter(heading: str, sections: dict[str, list[str]]) -> Document:
    """A manual whose last chapter has these sections, each beginning so, and nothing before them."""
    leaning = [f"They did so again in {year}, and nobody else had it but him." for year in range(1800, 1820)]
    # So many that the sections are no parts of the whole.
    passages = [
        Passage(
            heading=f"{each.heading}{kind}" if each.heading else None,
            level=each.level,
            paragraphs=tuple(Paragraph.of(sentence.text) for sentence in each.sentences),
        )
        for kind in ("", " of oak", " of iron")
        for each in page().sections
        if each.heading or not kind
    ]
    passages.append(Passage(heading=heading, level=1, paragraphs=()))
    for name, own in sections.items():
        paragraphs = tuple(map(Paragraph.of, [*own, *leaning]))
        passages.append(Passage(heading=name, level=2, paragraphs=paragraphs))
    return compose_document(passages, id="d0", source="-", title="Weirs", language="en")


RACE = "The old race is the part of a weir that guides the water of the river."


@pytest.mark.parametrize("tells", [parts_of, parts_around])
@pytest.mark.parametrize(
    ("section", "heading", "num_sections", "is_told"),
    [
        ("Bars", "The old race", 3, True),
        ("Walls", "The old race", 3, False),
        # What the first of many sections says speaks for the others only if it names what they treat.
        ("Bars", "The old race", 9, True),
        ("Bars", "The wheel", 3, True),
        ("Bars", "The wheel", 9, False),
    ],
)
def test_a_chapter_that_nothing_introduces_is_told_by_its_first_section(
    tells: Callable[[Document], dict[str, tuple[list[str], tuple[str, ...]]]],
    section: str,
    heading: str,
    num_sections: int,
    is_told: bool,
) -> None:
    names = ["Bars", "Floors", "Walls", "Roofs", "Doors", "Steps", "Rails", "Posts", "Beams"][:num_sections]
    told = tells(with_chapter(heading, {f"{name} of stone": [RACE] * (name == section) for name in names}))
    assert told[plain_heading(heading)] == (
        [RACE] if is_told else [],
        tuple(f"{name} of stone" for name in names),
    )


def test_a_chapter_that_nothing_else_tells_is_told_by_what_two_sections_say_of_themselves() -> None:
    said = {
        "Bars": "Bars of stone are the grate of a weir that keeps the ice of the winter from the wheel.",
        "Floors": "Floors of stone are the part of a weir that bears the weight of the wheel and the mill.",
        "Walls": "They took two men of Ashford a year, and were as long as that.",
    }
    source = with_chapter("The mason", {f"{name} of stone": [line] for name, line in said.items()})
    quoted, sections = parts_of(source)["The mason"]
    assert quoted == [said["Bars"], said["Floors"]]
    assert len(sections) == len(said)


def test_two_headings_do_not_tell_a_chapter() -> None:
    parts = parts_of(chaptered(("Boards", "Hinges"))).values()
    assert parts
    for quoted, named in parts:
        assert quoted
        assert not named


def test_of_what_is_in_a_chapter_only_headings_that_tell_are_named() -> None:
    source = chaptered()
    document_of = {
        "Introduction": ("Hinges", "Seals"),
        "Boards of the sluice": ("Boards", "Hinges", "Seals"),
    }
    for heading, told in document_of.items():
        first = next(each for each in source.sections if "1.1. " in (each.heading or ""))
        sections = tuple(
            replace(each, heading=heading) if each is first else each for each in source.sections
        )
        _, named = parts_of(replace(source, sections=sections)).get("The sluice", ((), ()))
        assert named == (tuple(f"{name} of the sluice" for name in told) if len(told) > 2 else ())


def test_sections_of_a_chapter_are_named_below_it() -> None:
    made = summarize(chaptered())
    [entry] = [each for each in made.outline if each.heading == "1. The sluice"]
    assert entry.sections == ("Boards of the sluice", "Hinges of the sluice", "Seals of the sluice")
    # What is told so needs no other mention.
    assert not {"1.1. Boards of the sluice", *entry.sections}.intersection(made.other_sections)
    assert not made.other_sections


@pytest.mark.parametrize(
    "heading",
    [
        "Copyright and Trademarks",
        "Legal Section",
        "Obtaining Weirs",
        "Copying conditions",
        "Glossary",
        "Index",
    ],
)
def test_what_surrounds_a_manual_is_no_chapter(heading: str) -> None:
    parts = [(f"The {part}", [DEFINITIONS[at], *DETAILS]) for at, part in enumerate(PARTS)]
    said = "A lamp of the weir shows by its colour how high the water stands above the gauge."
    _, quoted = digest_of(document((None, list(OPENING)), *parts, (heading, [said, *DETAILS]), title="Weirs"))
    assert heading not in quoted


def test_appendices_are_not_told_where_there_are_chapters() -> None:
    source = chaptered()
    assert "The old gauge" in parts_of(source)
    sections = tuple(
        replace(each, heading=(each.heading or "").replace("12. The", "Appendix A The"))
        for each in source.sections
    )
    told = parts_of(replace(source, sections=sections))
    assert len(told) == 11
    assert not any(heading.startswith("Appendix") for heading in told)


def test_thanks_before_the_first_chapter_of_a_book_do_not_open_its_digest() -> None:
    thanks = "The plans of the weirs by Edwin and the pictures of the sluices by Martha are a joy to read."
    chapters = [
        (f"Chapter {at}. The {part}", [DEFINITIONS[at - 1], *DETAILS]) for at, part in enumerate(PARTS, 1)
    ]
    source = document(("Acknowledgements", [thanks]), *chapters, title="Weirs")
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    made = digest(candidates, source, structure, Scores.of(candidates, structure), 150, is_book=True)
    assert made is not None
    assert 0 not in made.positions
    assert divide(source, is_book=True).parts[0].is_silent


@pytest.mark.parametrize("name", ["file", "user manual", "User’s Guide", "glossary"])
def test_what_a_title_page_says_of_the_whole_book_opens_its_digest(name: str) -> None:
    said = f"This {name} explains how the millers of the valley built their walls."
    chapters = [
        (f"Chapter {at}. The {part}", [DEFINITIONS[at - 1], *DETAILS] * 5) for at, part in enumerate(PARTS, 1)
    ]
    source = document(
        (None, ["Edition of 1911", "Weirs of the north are here drawn by Edwin.", said]),
        *chapters,
        title="Weirs",
    )
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    made = digest(candidates, source, structure, Scores.of(candidates, structure), 150, is_book=True)
    assert made is not None
    assert [candidates.sentences[position].text for position in made.opening] == [said]


def test_after_the_licence_of_a_manual_nothing_is_told() -> None:
    parts = [(f"The {part}", [DEFINITIONS[at], *DETAILS]) for at, part in enumerate(PARTS)]
    clause = "You may copy the plans of the weir in any medium if you keep this notice on them."
    said = "A lamp of the weir shows by its colour how high the water stands above the gauge."
    licence = [("2. VERBATIM COPYING", [clause, said]), ("4. MODIFICATIONS", [said, *DETAILS])]
    _, quoted = digest_of(document((None, list(OPENING)), *parts, *licence, title="Weirs"))
    assert quoted.keys().isdisjoint(heading for heading, _ in licence)


def test_whom_a_manual_is_for_does_not_open_its_digest() -> None:
    aimed = "This chapter is for people who have never seen a weir, and perhaps no river before."
    parts = [(f"The {part}", [DEFINITIONS[at % 6], *DETAILS]) for at, part in enumerate((*PARTS, *DETAILS))]
    passages = [
        Passage(heading="Overview", level=1, paragraphs=(Paragraph.of(aimed),)),
        Passage(heading="What is a weir?", level=2, paragraphs=tuple(map(Paragraph.of, OPENING))),
        *(
            Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
            for heading, texts in parts
        ),
    ]
    source = compose_document(passages, id="d0", source="-", title="Weirs", language="en")
    opening, _ = digest_of(source)
    assert OPENING[0] in opening
    assert aimed not in opening


@pytest.mark.parametrize(
    "notice",
    [
        "The latest version of this guide is kept in the office of the county.",
        "If you are reading a printed copy, the one in the office may be newer.",
        "Supersedes Version 1.3 agreed on May 7th, 1921, and Version 1.2 agreed on June 2nd, 1911.",
        "The council of the weir is not affiliated with the railway.",
        "Note: This edition of the book is the same as the one sold at the weir.",
        "This guide uses links to other pages about the weir.",
        "In the appendices of this document you will find lists of weirs.",
        "First consult the list of weirs that came with the guide.",
        "The readme is right where it differs from what is said of weirs here.",
        "This document has been produced from the notes on weirs.",
    ],
)
def test_a_notice_of_the_text_opens_no_manual(notice: str) -> None:
    opening, _ = digest_of(page((notice, *OPENING)))
    assert opening == [*OPENING]


def test_an_opening_has_few_sentences_and_those_that_name_the_thing() -> None:
    said = (
        "A weir is a low wall across a river.",
        "That can be of use.",
        "Nobody could keep every bucket of every day.",
        "Weirs raise the water for mills and boats.",
        "Floods come all too soon in a wet year.",
        "A weir lets fish pass by a ladder.",
        "Weirs drain the fields above them too.",
    )
    opening, _ = digest_of(page(said))
    assert opening == [said[number] for number in (0, 3, 5, 6)]


@pytest.mark.parametrize("heading", ["Key words", "Typographical conventions", "Notation and conventions"])
def test_conventions_before_an_introduction_do_not_keep_it_from_opening_a_digest(heading: str) -> None:
    parts = [(f"The {part}", [DEFINITIONS[at], *DETAILS]) for at, part in enumerate(PARTS)]
    said = ["The words “sluice” and “gate” mean the same thing, and a “mill” is any that has a wheel."] * 9
    opening, told = digest_of(
        document((heading, said), ("Introduction", list(OPENING)), *parts, title="Weirs")
    )
    assert opening == [*OPENING]
    assert heading not in told


def manual(abstract: list[str]) -> Document:
    """A manual of so many words that it is read by its chapters, with its abstract."""
    details = [
        " ".join(detail.format(KEEPERS[at % 6], VILLAGES[at % 5], 1850 + at) for detail in DETAILS)
        for at in range(60)
    ]
    parts = [(f"The {part}", [DEFINITIONS[at], *details]) for at, part in enumerate(PARTS)]
    return document(("Abstract", abstract), *parts, title="Weirs")


@pytest.mark.parametrize(("count", "is_brief"), [(1, True), (14, False)])
def test_a_long_manual_is_told_by_its_parts_after_a_brief_abstract(count: int, is_brief: bool) -> None:
    brief = [
        *OPENING,
        "The old weirs of the county hold water for the mills, and the new ones for the boats.",
    ]
    brief.append(
        "Keepers look after each of them, and the county pays for the stones, the oak and the nails."
    )
    more = [
        f"The weir at {VILLAGES[at % 6]} was made in {1850 + at} by {KEEPERS[at % 5]}, who had {at + 2} masons, a cart"
        f" and a barrel of nails from {VILLAGES[at % 5]}, and it has held ever since."
        for at in range(count - 1)
    ]
    summary = summarize(manual([*brief, *more]))
    assert texts(summary)[:4] == brief
    assert any(entry.heading == "The sluice" for entry in summary.outline) is is_brief


@pytest.mark.parametrize(("heading", "is_told"), [("Fences", False), ("The paint of the railing", True)])
def test_a_part_is_told_by_a_trifle_only_if_that_names_what_the_heading_does(
    heading: str, is_told: bool
) -> None:
    trifle = "If you paint the railing, take the tin with a lid of brass."
    sections = [(each.heading, [one.text for one in each.sentences]) for each in page().sections]
    more = (heading, [trifle, *(f"{at}: oak, of {at} yards" for at in range(30))])
    assert (heading in digest_of(document(*sections, more, title="Weirs"))[1]) is is_told


@pytest.mark.parametrize("is_essay", [False, True])
def test_the_headings_of_an_essay_name_no_subject(is_essay: bool) -> None:
    trifle = "If you paint the railing, take the tin with a lid of brass."
    argues = ["Perhaps the claim of the millers was merely an argument of the century."] * is_essay
    sections = [(each.heading, [*(one.text for one in each.sentences), *argues]) for each in page().sections]
    more = ("Fences", [trifle, *(f"{at}: oak, of {at} yards" for at in range(30))])
    assert ("Fences" in digest_of(document(*sections, more, title="Weirs"))[1]) is is_essay


def test_a_long_chapter_of_an_essay_makes_several_points() -> None:
    chance = random.Random(7)
    firsts = ("oak", "stone", "salt", "corn", "iron", "wool", "fish", "bell", "rain")
    seconds = ("yard", "gate", "ford", "house", "field", "market", "tower", "road")
    nouns = [first + second for first in firsts for second in seconds]
    chapters = []
    for subject in ("weir", "mill", "ferry", "bridge"):
        told = []
        for _ in range(130):
            one, two, three, four, five = chance.sample(nouns, 5)
            told.append(f"The {subject} must be kept because the {one} and the {two} depend on its {three}.")
            told.append(
                f"Perhaps the claim that the {four} was merely a {five} is an argument of the century."
            )
        chapters.append((f"Of the {subject.title()}", told))
    outline = summarize(document(*chapters, title="Of Rivers")).outline
    assert len(outline) == len(chapters)
    assert all(len(part.sentences) > 1 for part in outline)


def test_a_section_that_says_nothing_of_the_thing_opens_no_manual() -> None:
    parts = [(f"The {part}", [DEFINITIONS[at], *DETAILS]) for at, part in enumerate(PARTS)]
    printed = "The printing of the plates took two men of Ashford a year."
    opening, _ = digest_of(
        document((None, [printed]), ("Introduction", list(OPENING)), *parts, title="Weirs")
    )
    assert opening == [*OPENING]
    # What such a heading names is not the thing.
    assert digest_of(document(("Printing", [printed]), *parts, title="Weirs"))[0] == []


def test_sections_of_sections_are_named_after_what_introduces_them() -> None:
    source = chaptered()
    sections = []
    for section in source.sections:
        if section.level == 2:
            sections.append(replace(section, sentences=()))
            section = replace(section, heading=f"Years of the {section.heading}", level=3)
        sections.append(section)
    deeper = parts_of(replace(source, sections=tuple(sections)))
    assert deeper["The sluice"] == parts_of(source)["The sluice"]


def test_headings_alone_are_no_summary_of_a_book() -> None:
    source = chaptered()
    bare = tuple(replace(each, sentences=()) if each.level < 2 else each for each in source.sections)
    assert summarize(replace(source, sections=bare)).sentences


def test_sections_are_named_as_they_are_written() -> None:
    names = ("A New Roof", "C Interface", "2024 Budget", "100 Ways to Open a Gate")
    source = chaptered()
    first = [each for each in source.sections if each.level == 2][:3]
    for name in names:
        sections = tuple(
            replace(each, heading=f"1.1. {name}") if each is first[0] else each for each in source.sections
        )
        assert parts_of(replace(source, sections=sections))["The sluice"][1][0] == name


@pytest.mark.parametrize("length", NAMED_LENGTHS)
def test_a_requested_length_leaves_no_room_for_the_names_of_sections(length: str) -> None:
    made = summarize(chaptered(), length=length)
    assert made.sentences
    assert not any(entry.sections for entry in made.outline)


def test_a_part_is_told_in_familiar_words_while_there_is_room_but_not_twice() -> None:
    source = page()
    said = "The guides of the fish ladder measure the part of the river that drives the turbine."
    for last, is_told in ((said, True), (DEFINITIONS[1], False)):
        sections = (*source.sections, replace(source.sections[0], heading="The race"))
        passages = [
            Passage(
                heading=each.heading,
                level=each.level,
                paragraphs=tuple(
                    Paragraph.of(text)
                    for text in ([last] * 3 if each is sections[-1] else [s.text for s in each.sentences])
                ),
            )
            for each in sections
        ]
        passages[-1] = replace(passages[-1], level=1)
        _, parts = digest_of(compose_document(passages, id="d0", source="-", title="Weirs", language="en"))
        assert ("The race" in parts) == is_told


def test_the_first_part_of_a_chapter_without_words_of_its_own_is_shown_below_its_name() -> None:
    passages = [Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, OPENING)))]
    for at, (part, definition) in enumerate(zip(PARTS, DEFINITIONS, strict=True)):
        if at % 3 == 0:
            passages.append(Passage(heading=f"Chapter of the {part}", level=1, paragraphs=()))
        said = [definition, *(detail.format(KEEPERS[at], VILLAGES[at], 1900 + at) for detail in DETAILS)]
        passages.append(Passage(heading=f"The {part}", level=2, paragraphs=tuple(map(Paragraph.of, said))))
    made = summarize(compose_document(passages, id="d0", source="-", title="Weirs", language="en"))
    assert [each.heading for each in made.outline] == [
        "Chapter of the sluice: The sluice",
        "The turbine",
        "The spillway",
        "Chapter of the penstock: The penstock",
        "The fish ladder",
        "The gauge",
    ]


def test_thanks_are_no_chapter() -> None:
    [*rest, last] = chaptered().sections
    parts = parts_of(replace(chaptered(), sections=(*rest, last)))
    assert "The old gauge" in parts
    renamed = tuple(
        replace(each, heading="12. Thanks") if each.heading == "12. The old gauge" else each
        for each in chaptered().sections
    )
    assert "Thanks" not in parts_of(replace(chaptered(), sections=renamed))


@pytest.mark.parametrize(
    ("text", "is_about_text"),
    [
        ("The main window is split into several panes.", True),
        ("The library has a few significant wins in its current form.", True),
        ("Documentation is at Read the Docs.", True),
        ("The documentation is in English and in French.", False),
        ("If you don’t care to wade through details, this chapter should help you get going.", True),
        ("This chapter can be read independently, for example to get to know the weirs.", True),
        ("In this vignette, the terms ‘weir’ and ‘dam’ mean the same.", True),
        ("An earlier version of this manual was published by the county.", True),
        ("As part of this tutorial, we will build a few gates.", True),
        ("If you close the gate, this part of the lake rises by a foot.", False),
        ("This section of the river can be read from the bridge.", False),
        ("The lake is divided into two basins by a dam of earth.", False),
    ],
)
def test_what_only_counts_or_points_tells_nothing(text: str, is_about_text: bool) -> None:
    assert is_metadiscourse(text) == is_about_text
