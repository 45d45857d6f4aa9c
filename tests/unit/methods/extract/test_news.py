"""What tells of events is read as one piece: its opening is quoted whole, and people are introduced."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from extraction import candidates_of

from lsum_cli import Summarizer, SummaryOptions
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.extract.running_text import _suiting_words
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.sentences.mentions import Mentions, names_new_thing
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length

LEAD = "The county closed the lower lock of the river on Monday."
SECOND = "Divers had found two long cracks in the gate that holds back the water."
REPAIRS = "Repairs of the old masonry begin in March and keep forty builders busy."
KEEPER = "The first to see the damage was Ada Weir, who greases its hinges every night."
REMARK = "Weir told the council that boats will wait for eleven weeks behind the weir."
OTHERS = (
    "Farmers of the valley said that their barley rots in the barns until barges sail.",
    "A ferry between the two quays was ordered from the yard of a neighbouring town.",
)
# Sentences of some length that come first where nothing else counts.
MOST, MORE, SOME = 3.0, 1.0, 0.7


def chosen(
    lines: Sequence[str], worth: Sequence[float], num_words: int, *, as_suits: bool = False
) -> list[str]:
    """What is selected of an article beside its first sentence, each line a paragraph."""
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
    source: Document = compose_document([passage], id="d0", source="-", title="A lock is closed")
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    places = select(
        candidates,
        np.array(worth),
        num_words,
        structure=structure,
        as_suits=as_suits,
        is_read=True,
        is_ranked=True,
        given=[0],
    )
    return [lines[place] for place in places[1:]]


def room(*lines: str) -> int:
    return sum(len(line.split()) for line in lines)


def test_what_follows_a_short_lead_is_quoted_with_it() -> None:
    lines = [LEAD, SECOND, REPAIRS, *OTHERS]
    assert chosen(lines, [MOST, SOME, MORE, 0, 0], room(LEAD, SECOND)) == [SECOND]


def test_what_follows_a_long_lead_is_one_sentence_among_others() -> None:
    lead = f"{LEAD[:-1]} because of the ice that a winter colder than any other brought down from the hills in one night."
    lines = [lead, SECOND, REPAIRS, *OTHERS]
    assert chosen(lines, [MOST, SOME, MORE, 0, 0], room(lead, SECOND)) == [REPAIRS]


def test_who_is_called_by_a_surname_alone_is_introduced() -> None:
    lines = [LEAD, OTHERS[0], KEEPER, REPAIRS, REMARK, OTHERS[1]]
    worth = [MOST, 0, SOME, MORE, 2.0, 0]
    assert chosen(lines, worth, room(LEAD, KEEPER, REMARK)) == [KEEPER, REMARK]
    # Where nobody is called so, the other says more.
    lines[4] = REMARK.replace("Weir", "Officials", 1)
    assert chosen(lines, worth, room(LEAD, KEEPER, REMARK)) == [REPAIRS, lines[4]]


def test_what_a_stranger_does_is_quoted_less() -> None:
    lines = [LEAD, OTHERS[0], KEEPER, REPAIRS, REMARK, OTHERS[1]]
    worth = [MOST, 0, 0, SOME, MORE - 0.1, 0]
    assert chosen(lines, worth, room(LEAD, REMARK)) == [REPAIRS]
    lines[4] = REMARK.replace("Weir", "Officials", 1)
    assert chosen(lines, worth, room(LEAD, REMARK)) == [lines[4]]


def test_who_the_sentence_before_introduces_is_quoted_with_it() -> None:
    lines = [LEAD, OTHERS[0], REPAIRS, KEEPER, REMARK, OTHERS[1]]
    worth = [MOST, 0, SOME, 0, 2.0, 0]
    assert chosen(lines, worth, room(LEAD, REMARK)) == [REPAIRS]
    assert chosen(lines, worth, room(LEAD, KEEPER, REMARK)) == [KEEPER, REMARK]


def test_what_a_sentence_begins_with_is_introduced_or_it_is_not_quoted() -> None:
    award = "The county gave the keepers an award for their nights in the cold water."
    further = "The award was worth 4,000 pounds and a large barrel of pears, officials said."
    lines = [LEAD, award, OTHERS[0], REPAIRS, further, OTHERS[1]]
    worth = [MOST, 0, -1.0, SOME, 2.0, -1.0]
    assert chosen(lines, worth, room(LEAD, further)) == [REPAIRS]
    assert chosen(lines, worth, room(LEAD, award, further)) == [award, further]
    # Of somebody who is named within it less is taken as known.
    lines = [LEAD, KEEPER, OTHERS[0], REPAIRS, f"In spring {REMARK}", OTHERS[1]]
    assert chosen(lines, worth, room(LEAD, lines[4])) == [REPAIRS]
    lines[4] = f"On that evening officials as well as {REMARK}"
    assert chosen(lines, worth, room(LEAD, lines[4])) == [lines[4]]


def test_an_abbreviation_that_runs_through_the_text_is_introduced() -> None:
    spelled = "Boats are led by the River Oversight Network (RON) of 1911, officials said."
    lines = [
        LEAD,
        spelled,
        *(f"RON {rest}" for rest in ("sank boats.", "lost oars.", "sold buoys.", "had nets.")),
    ]
    long = "RON sent forty keepers with lamps, ropes and pumps to the broken gates."
    found = Mentions.of([*lines, long], [""] * 7, np.zeros(7, np.int64))
    assert found.people[6] == {"RON": 1}
    assert found.subject == (None, None, 1, 1, 1, 1, 1)
    few = Mentions.of([*lines[:3], long], [""] * 4, np.zeros(4, np.int64))
    assert few.people[3] == {}


def test_a_stranger_of_little_worth_does_not_fill_the_room() -> None:
    lines = [LEAD, SECOND, KEEPER, OTHERS[0], REMARK, OTHERS[1]]
    worth = [MOST, MOST, -1.0, -1.0, 1.5, -1.0]
    assert chosen(lines, worth, room(LEAD, SECOND, REMARK), as_suits=True) == [SECOND]
    lines[4] = REMARK.replace("Weir", "Officials", 1)
    assert chosen(lines, worth, room(LEAD, SECOND, REMARK), as_suits=True) == [SECOND, lines[4]]


def test_of_events_more_sides_are_told() -> None:
    lines = [LEAD, SECOND, OTHERS[0], OTHERS[1], REMARK.replace("Weir", "Officials", 1), REPAIRS]
    words = room(LEAD, SECOND, lines[2], lines[4])
    told = [SECOND, lines[2]]
    assert chosen(lines, [MOST, MOST, 2.0, -1.0, 1.6, -1.0], words, as_suits=True) == [*told, lines[4]]
    assert chosen(lines, [MOST, MOST, 2.0, -1.0, 1.0, -1.0], words, as_suits=True) == told


@pytest.mark.parametrize(
    ("introduction", "mention", "name"),
    [
        (KEEPER, REMARK, "Weir"),
        ("Ada Weir greases the hinges of the lock.", REMARK, "Weir"),
        (KEEPER, f"Ms. {REMARK}", "Weir"),
        (KEEPER, "Under Weir, the council has closed the locks of the valley twice.", "Weir"),
        ("The lock was opened by Ada Wu, its keeper.", "Wu told the council that boats will wait.", "Wu"),
        ("The lock was opened by Officer Ada Mill in May.", "Mill told the council to wait.", "Mill"),
        ("The lock was opened by Ada McMill in May.", "McMill told the council to wait.", "McMill"),
        ("The lock was opened by Ada O’Mill in May.", "O’Mill told the council to wait.", "O’Mill"),
        ("The lock was opened by Ada Müller in May.", "Müller told the council to wait.", "Müller"),
        ("The lock was opened by Ada Mill-Ward in May.", "Mill-Ward told them to wait.", "Mill-Ward"),
        ("The lock was opened by A.B. Mill in May.", "Mill told the council to wait.", "Mill"),
        (
            "The lock was opened by Ada Mill in May.",
            "In talks with Ann News, Mill told them to wait.",
            "Mill",
        ),
        ("The lock was opened by Ada “Bee” Mill in May.", "Mill told the council to wait.", "Mill"),
    ],
)
def test_a_surname_is_known_by_the_whole_name(introduction: str, mention: str, name: str) -> None:
    found = Mentions.of([introduction, LEAD, mention], ["", "", ""], np.zeros(3, np.int64))
    assert found.people == ({}, {}, {name: 0})


@pytest.mark.parametrize(
    ("begun", "later"),
    [
        (
            "Many Farmers were at the lock, and many others at home.",
            "Farmers told the council of their barley.",
        ),
        ("Two U.S. Keepers opened it.", "Keepers told the council of their barley."),
        ("Speaking Saturday in the town hall, the keeper was calm.", "The lock will open Saturday, he said."),
    ],
)
def test_what_only_looks_like_a_name_is_nobody(begun: str, later: str) -> None:
    assert Mentions.of([begun, later], ["", ""], np.zeros(2, np.int64)).people == ({}, {})


SCENE = "All bells of Weirmouth rang out on Monday because of a fire."
DARK = "The city was without light until the evening, the keeper of the power station said."


def test_what_speaks_of_a_thing_that_is_not_named_is_quoted_with_what_names_it() -> None:
    lines = [LEAD, *OTHERS, SCENE, DARK, REPAIRS]
    worth = [MOST, 0, 0, 0, MORE, SOME]
    # The city is Weirmouth: with the scene there is no room for both.
    assert chosen(lines, worth, room(LEAD, DARK)) == [REPAIRS]
    assert chosen(lines, [MOST, 0, 0, 0, 2.0, 0], room(LEAD, SCENE, DARK)) == [SCENE, DARK]
    # Where somebody has spoken of a city before, it is known.
    lines[1] = OTHERS[0].replace("valley", "city")
    assert chosen(lines, worth, room(LEAD, DARK)) == [DARK]


@pytest.mark.parametrize(
    ("texts", "is_new"),
    [
        ([SCENE, DARK], [False, True]),
        (["Weirmouth is an old city.", DARK], [False, False]),
        ([SCENE, "The government was without a word."], [False, False]),
        ([SCENE, "The city of Weirmouth was without light."], [False, False]),
        ([SCENE, "The power station was without light."], [False, False]),
    ],
)
def test_a_thing_is_new_where_nothing_has_its_name(texts: list[str], is_new: list[bool]) -> None:
    count = len(texts)
    assert names_new_thing(texts, [""] * count, [""] * count).tolist() == is_new
    assert not names_new_thing(texts, ["A city without light"] * count, [""] * count).any()
    assert not names_new_thing(texts, [""] * count, ["In the city"] * count).any()


def test_what_leans_on_the_first_sentence_is_quoted_with_it() -> None:
    lines = [SCENE, DARK, REPAIRS, *OTHERS]
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
    candidates = candidates_of(compose_document([passage], id="d0", source="-", title="Bells ring out"))
    worth = np.array([-1, 1.4, MOST, MORE, 0])
    places = select(candidates, worth, room(SCENE, DARK, REPAIRS), is_read=True, is_ranked=True)
    assert [lines[place] for place in places] == [SCENE, DARK, REPAIRS]
    # A lead that takes much room is one sentence among others.
    long = f"{SCENE[:-1]} that had broken out in the oldest of its mills, whose owners were away at the fair in the next valley with all of their men and horses."
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, [long, *lines[1:]])))
    candidates = candidates_of(compose_document([passage], id="d0", source="-", title="Bells ring out"))
    places = select(candidates, worth, room(long, DARK, REPAIRS), is_read=True, is_ranked=True)
    assert places[:2] != [0, 1]


def test_what_says_most_of_each_item_has_room_among_several() -> None:
    """A detail of the flood stood for it, because a sentence of 26 words did not fit."""
    flood = [
        "More than 2,000 people left their homes on Sunday after the River Ware broke its banks at Eastmoor, "
        "the county's emergency service said.",
        "Two people were killed and eleven were injured.",
        "The Environment Agency had issued a flood warning at 3 p.m. on Saturday, but many residents said they "
        "never received it.",
        "Insurers put the damage at 40 million pounds.",
        "Rail services between Eastmoor and Kelby will not resume before Thursday, the operator Northline said.",
    ]
    sirens = [
        "The siren network that should have warned residents of Eastmoor of last week's flood had been switched "
        "off for maintenance, a report by the county said on Monday.",
        "According to the report, the contractor Sirenia started the work on 24 February and should have "
        "finished it on the 28th.",
        "The county will test all sirens next month.",
    ]
    tram = [
        "Voters in Kelby approved a tram line between the station, the old harbour and the university on Sunday "
        "by 54 to 46 percent, the town said.",
        "The line will cost 310 million pounds, of which the state pays two thirds.",
        "Construction is to start in 2027 and to take four years.",
    ]
    documents = [
        compose_document(
            [Passage(paragraphs=tuple(map(Paragraph.of, item)))], id=f"d{number}", source=f"{number}"
        )
        for number, item in enumerate([flood, sirens, tram])
    ]
    summary = Summarizer(SummaryOptions()).summarize(documents)
    quoted = [sentence.text for sentence in summary.sentences]
    assert {flood[0], sirens[0], tram[0]} <= set(quoted)


def structured(lines: Sequence[str]) -> Structure:
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
    return Structure.of(candidates_of(compose_document([passage], id="d0", source="-", title="A dam")))


def test_no_word_of_the_lead_refers_back() -> None:
    lead = "The gates of the dam were opened last week after he had warned the towns of the county."
    assert structured([lead, *OTHERS, REMARK]).first[0] == 0
    assert structured(["Weirmouth, Monday", lead, *OTHERS, REMARK]).first[1] == 1
    assert structured([LEAD, lead, *OTHERS, REMARK]).first[1] == 0
    # In what is no news something else may stand before it: a picture, a title, code.
    assert structured([lead.replace(" last week", ""), SECOND, SECOND]).first[0] == -1


def test_another_story_begins_as_it_does_in_the_source() -> None:
    other = "Meanwhile, the ferry between both quays has been sold to a town in the next valley."
    lines = [LEAD, SECOND, other, *OTHERS]
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
    candidates = candidates_of(compose_document([passage], id="d0", source="-", title="A lock is closed"))
    structure = Structure.of(candidates)
    for positions, shown in (([0, 2], other), ([2, 3], "The ferry")):
        after = structure.followed(candidates, positions)[positions.index(2)]
        assert structure.shown(candidates, 2, after).startswith(shown)


def test_the_time_that_meanwhile_means_is_told() -> None:
    past = "In 1941 the locks of the valley were bombed for three nights, the county said last week."
    other = "Meanwhile, the council of the county burned the records of the locks, officials said."
    for lines in ([LEAD, f"{past} {other}", SECOND], [LEAD, past, other, SECOND]):
        assert structured(lines).first.tolist()[:3] == [0, 1, 1]
        passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
        candidates = candidates_of(compose_document([passage], id="d0", source="-", title="A dam"))
        structure = Structure.of(candidates)
        assert structure.followed(candidates, [0, 2]) == [None, None]
        assert structure.followed(candidates, [0, 1, 2])[2] == 1
    assert structured([LEAD, f"{SECOND} {other}", *OTHERS]).first[2] == 2
    assert structured([LEAD, SECOND, other, *OTHERS]).first[2] == 2


def test_what_goes_on_with_another_story_is_quoted_with_its_beginning() -> None:
    other = "Meanwhile, the smiths of the valley have left their work until the spring."
    further = "Farmers ride to a neighbouring town for the shoes of their horses, officials said."
    lines = [LEAD, OTHERS[0], REPAIRS, other, further, SECOND]
    worth = [MOST, 0, SOME, 0, 2.0, 0]
    assert chosen(lines, worth, room(LEAD, further)) == [REPAIRS]
    assert chosen(lines, worth, room(LEAD, other, further)) == [other, further]
    # What begins it is quoted alone too, and counts more.
    assert chosen(lines, [MOST, 0, 0, MORE, 0, 0], room(LEAD, other)) == [other]
    lines[3] = other.replace("Meanwhile, the", "The")
    assert chosen(lines, worth, room(LEAD, further)) == [further]


def test_a_short_item_is_told_in_three_sentences() -> None:
    lines = [LEAD, SECOND, OTHERS[0], REMARK.replace("Weir", "Officials", 1), REPAIRS]
    words = room(LEAD, SECOND, OTHERS[0])
    assert chosen(lines, [MOST, MORE, 0, -1.0, -1.0], words, as_suits=True) == [SECOND, OTHERS[0]]


def words_that_suit(number: int, verb: str) -> float:
    """How many times the words of any text of its length suit an article of so many sentences."""
    lines = [
        f"The council of the {place}th town {verb} that its bridges need new wardens before the floods come."
        for place in range(number)
    ]
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
    source = compose_document([passage], id="d0", source="-", title="Wardens are wanted")
    suits = suit_length(room(*lines))
    pages = paginate([source], choose_locality([source]).locality, 1024)
    return _suiting_words(Extractor.of(pages, [source], Request(num_words=suits))) / suits


def test_news_of_some_length_are_told_in_more_words() -> None:
    assert words_that_suit(30, "said") > 1.6
    # Of 250 words less than half.
    assert 1.5 < words_that_suit(13, "said") < 1.65
    assert words_that_suit(30, "knows") < 1.4  # no news
