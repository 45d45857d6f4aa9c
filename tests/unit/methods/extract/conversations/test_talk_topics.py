"""What a conversation is about is named by what comes up in it again and again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from extraction import candidates_of, document_of

from lsum_cli.documents import Document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract import running_text
from lsum_cli.methods.extract.conversations import plainness
from lsum_cli.methods.extract.conversations.topics import topics as topics_of
from lsum_cli.methods.extract.conversations.utterances import quotable
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import Style, Summary

# What is said of a thing, with talk between that names nothing.
ABOUT = (
    "Anna Berg: So who has looked at the {0} since all of us met here last spring, as we always do?",
    "Ben Cole: I walked along the {0} and it was in a worse state than anybody had told me it would be.",
    "Anna Berg: You know, the people who live near the {0} have written to us more than once about that.",
    "Ben Cole: Yeah. Yeah, we should have done it before they wrote, if you ask me, and I said so then.",
    "Carol Dunn: My view of the {0} is that it can wait until there is money for it, which there is not now.",
    "Ben Cole: They cannot wait for ever, Carol, and I do not think that they should have to, to be honest.",
)
THINGS = ("noise barrier", "school bus", "flood meadow", "ferry timetable")


def document(turns: Sequence[str], language: str = "en") -> Document:
    return document_of((None, turns), language=language)


def meeting(*things: str, language: str = "en") -> Document:
    return document([turn.format(thing) for thing in things for turn in ABOUT * 7], language)


def topics(made: Document) -> tuple[str, ...]:
    return topics_of(candidates_of(made))


def test_what_comes_up_again_and_again_is_named_and_nothing_else() -> None:
    assert topics(meeting(*THINGS)) == THINGS


def test_what_is_discussed_longest_is_named_first() -> None:
    said = (("weir pool", 2), ("toll road", 9), ("ferry timetable", 5))
    turns = [turn.format(thing) for thing, often in said for turn in ABOUT * often]
    assert topics(document(turns)) == ("toll road", "ferry timetable", "weir pool")


def test_a_thing_of_general_words_that_comes_up_often_is_named() -> None:
    assert topics(meeting("remote control", "noise barrier")) == ("remote control", "noise barrier")
    seldom = [turn.format("office machine") for turn in ABOUT[:2]]
    assert topics(document([*seldom, *(turn.format("weir pool") for turn in ABOUT * 7)])) == ("weir pool",)


def test_a_compound_written_with_spaces_is_one_word() -> None:
    assert topics(meeting("belief - net")) == ("belief-net",)


def test_the_people_who_speak_are_no_topic() -> None:
    asked = "{}: I should like to know what Carol Dunn and Ben Cole make of the {} before we vote on the {}."
    turns = [asked.format(who, "weir", "weir") for who in ("Anna Berg", "Ben Cole", "Carol Dunn") * 6]
    assert topics(document(turns)) == ("weir",)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        # Verbs and their objects, adjectives, and pieces of longer names are no names.
        ("We polish lanterns and they polish lanterns in the cellar", ()),
        ("It is so muddy and they were very muddy", ()),
        ("I saw the tidal mill pond and she saw the tidal mill pond", ("tidal mill pond",)),
        (
            "It is the oak tidal mill pond gate at the pond, by the pond, near the pond",
            ("tidal mill pond gate",),
        ),
        ("The mill wheels are old, the mill wheels creak when they creak and she creaks", ("mill wheels",)),
        # What is named in passing is a person or a place.
        ("It was like Holm Harbour", ()),
        # Words of any meeting.
        ("We had a good idea of the next step and the main reason", ()),
        ("The beep beep was heard", ()),
        # A preposition is no part of a name, nor are adverbs, participles at its end and contracted verbs.
        ("They all live near Leeds, and work near Leeds", ()),
        ("It is the pond weekly, it is the pond weekly", ()),
        ("It is the pond flooded, it is the pond flooded", ()),
        ("It is the pond mill'll stand, it is the pond mill'll stand", ()),
        # Words that name something only with another.
        ("The report page is here, the report page is there", ()),
    ],
)
def test_names_are_noun_phrases(said: str, named: tuple[str, ...]) -> None:
    turns = [f"{who}: {said}, {what}." for who, what in (("Anna", "I think"), ("Ben", "as we know"))]
    others = [f"{who}: That is what we all said, and so it went on." for who in ("Anna", "Ben") * 9]
    found = topics(document([*turns, *others]))
    assert found == named


def test_no_name_repeats_a_word_of_another() -> None:
    assert len(topics(meeting("noise barrier", "noise ordinance"))) == 1


def test_a_capital_that_opens_a_sentence_is_not_written() -> None:
    turns = ["Anna: Maple stools are nice.", "Ben: Maple stools are cheap, and maple is not."] * 3
    turns += ["Anna: Flood Meadow is wet, as you know.", "Ben: Flood Meadow is always wet, they say."] * 3
    turns += ["Anna: That is what we all said, and so it went on for a while.", "Ben: So it did, yes."] * 60
    assert topics(document(turns)) == ("Flood Meadow", "maple stools")


def test_few_are_named_of_a_short_talk_and_at_most_eight_of_a_long_one() -> None:
    short = [turn.format(thing) for thing in THINGS for turn in ABOUT]
    assert 0 < len(topics(document(short))) < len(THINGS)
    more = ("copper kettle", "wicker basket", "velvet curtain", "amber brooch", "linen napkin", "maple stool")
    assert len(topics(meeting(*THINGS, *more, "oyster bed", "barley field", "gravel pit"))) == 8


def extractor_of(made: Document, *, num_words: int = 150, has_length: bool = False) -> Extractor:
    pages = paginate([made], choose_locality([made]).locality, ExtractMethod.page_len)
    return Extractor.of(pages, [made], Request(num_words=num_words, has_length=has_length))


def test_the_best_two_sentences_that_name_a_topic_count_more(monkeypatch: pytest.MonkeyPatch) -> None:
    made = meeting(*THINGS)
    extractor = extractor_of(made)
    values = running_text._of_talk(extractor).scores.values
    monkeypatch.setattr(running_text, "_OF_A_TOPIC", ())
    more = values - running_text._of_talk(extractor).scores.values
    texts = [sentence.text for sentence in extractor.candidates.sentences]
    for thing in THINGS:
        added = sorted(more[place] for place, text in enumerate(texts) if thing in text)
        assert added[-1] > added[-2] > added[-3] == 0
    assert not any(more[place] for place, text in enumerate(texts) if not any(map(text.count, THINGS)))


def test_a_topic_is_not_told_by_what_nobody_understands(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = extractor_of(meeting(*THINGS))
    values = running_text._of_talk(extractor).scores.values
    monkeypatch.setattr(running_text, "_LEAST_UNDERSTOOD", 9.0)
    assert (values > running_text._of_talk(extractor).scores.values).any()


def test_in_a_meeting_what_is_said_plainly_counts_more(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = extractor_of(meeting(*THINGS))
    more = running_text._of_talk(extractor).scores.values
    monkeypatch.setattr(plainness, "_SHARE", 0.0)
    more = more - running_text._of_talk(extractor).scores.values
    texts = [sentence.text.partition(": ")[2].lower() for sentence in extractor.candidates.sentences]
    plain = [place for place, text in enumerate(texts) if " it " not in text and " i " not in text]
    others = [place for place in range(len(texts)) if place not in plain]
    assert more[plain].mean() > more[others].mean()


def test_a_number_of_words_is_filled_with_what_can_be_quoted() -> None:
    extractor = extractor_of(meeting(*THINGS), num_words=60, has_length=True)
    refused = quotable(extractor.candidates, extractor.structure.is_presentable).first < 0
    filled = running_text._of_talk(extractor)
    assert refused.any()
    assert (filled.structure.first_by_opening[refused] < 0).all()
    assert not refused[filled.select(60, None)].any()


def test_a_meeting_of_some_length_is_told_in_fewer_words(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = extractor_of(meeting(*THINGS))
    assert running_text._suiting_words(extractor) < extractor.num_words
    monkeypatch.setattr(running_text, "_WORDS_OF_A_MEETING", 99_999)
    assert running_text._suiting_words(extractor) == extractor.num_words


def test_what_a_meeting_is_for_takes_no_room_of_the_rest() -> None:
    turns = [turn.format(thing) for thing in THINGS for turn in ABOUT * 7]
    without, with_purpose = (
        running_text._suiting_words(running_text._of_talk(extractor_of(document([said, *turns]))))
        for said in ("Anna Berg: Mhm, yes.", "Anna Berg: This is our conceptual design meeting.")
    )
    assert with_purpose >= without + 6


def summarize(made: Document, **options: object) -> Summary:
    return Summarizer(SummaryOptions(method="extract", **options)).summarize([made])  # type: ignore[arg-type]


def test_they_stand_above_the_summary_that_suits_a_conversation() -> None:
    made = meeting(*THINGS)
    assert summarize(made).topics == THINGS
    for options in ({"length": 60}, {"focus": "the ferry"}, {"style": Style.OUTLINE}):
        assert summarize(made, **options).topics == ()
    assert summarize(made, zoom=True).topics == THINGS
    assert summarize(meeting(*THINGS, language="de")).topics == ()


def test_key_phrases_and_parts_of_a_conversation_name_what_is_talked_about_and_nobody() -> None:
    options = SummaryOptions(method="extract", keywords=True, style=Style.OUTLINE)
    summary = Summarizer(options).summarize([meeting(*THINGS)])
    assert summary.keywords == THINGS
    headings = [entry.heading for entry in summary.outline]
    assert sum(thing in heading for thing, heading in zip(THINGS, headings, strict=False)) >= 2
    for name in ("Anna", "Berg", "Ben", "Cole", "Carol", "Dunn"):
        assert not any(name in heading.partition(":")[2] for heading in headings), headings
