"""Posts, pages and news: what they come to is quoted, and not what their authors say to the reader in between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from extraction import candidates_of

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract import composition
from lsum_cli.methods.extract.ranking import cue_phrases
from lsum_cli.methods.extract.ranking.cue_phrases import cue_values
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length

TEXT = (
    "The ferry of the lake has carried the people of both villages since the old bridge fell into the water.",
    "Its engine was built in the harbour, where three mechanics keep the boats of the county in good order.",
    "A ticket is bought from the captain, who also tells the passengers about the fish of the deeper water.",
    "Farmers bring their cheese across the lake on Fridays, since the market of the other village is larger.",
    "The school of the northern village sends its pupils home on the last boat, which waits for them.",
    "In winter the captain breaks the ice with a heavy barge that belongs to the county and is older still.",
    "The mill at the southern landing grinds the corn that the boat brings, and sells the flour in the town.",
    "Visitors photograph the red chimney of the boat, which was painted for a film that was never finished.",
)


def article(lines: Sequence[str], title: str = "The ferry of the lake") -> Document:
    """An article without headings; every string is a paragraph."""
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, lines)))
    return compose_document([passage], id="d0", source="-", title=title)


def quoted(source: Document, words: int | None = None) -> list[str]:
    words = words or suit_length(sum(len(sentence.text.split()) for sentence in source.sentences))
    pages = paginate([source], choose_locality([source]).locality, 1024)
    return [each.text for each in composition.compose(pages, [source], Request(num_words=words)).sentences]


def worth(*lines: str, title: str = "Something else") -> list[float]:
    source = article(lines, title)
    candidates = candidates_of(source)
    return cue_values(candidates, np.ones(len(candidates), bool)).tolist()


@pytest.mark.parametrize(
    "line",
    [
        "I'll show you how the engine of the boat is kept, and what the captain of the lake thinks of it.",
        "In this post we look at the ferry, at its captain and at the people of the villages by the lake.",
        "This post is divided into two parts, of which the second is about the captain and the lake.",
        "We will keep this page updated as the ferry and its captain begin their work on the lake again.",
        "Let us know what you think of the ferry, of the lake and of the captain in the comments.",
        "If you liked the ferry, follow us for more of the lake, of its boats and of their captain.",
        "Subscribe to our letter about the boats of the county, which comes out on every second Friday.",
        "Ada Miller and Ben Carter of the harbour contributed to this report about the ferry of the lake.",
        "For questions about the ferry, visit the office of the county at the northern landing of the lake.",
        "To find out why the captain of the ferry left the lake, you can read about it here.",
        "We want your input on the ferry, on its captain and on the villages of the lake by May.",
        "Contributions are welcome from everybody who knows the lake, its ferry and its villages well.",
        "If you plan to contribute, please talk to the captain before you bring your boat to the lake.",
        "Anybody who finds a leak can open an issue for the captain and the mechanics of the harbour.",
        "Ada Miller is a freelance writer who lives by the lake and owns a boat with a red chimney.",
        "There are many boats on the lakes of the county, and many people who travel on them every day.",
        "Watch what the captain of the ferry did when he was asked about the people of the villages",
        "In diesem Beitrag zeige ich euch, wie die Fähre über den See fährt und was sie kostet.",
        "Kontaktieren Sie uns, wenn Sie mit der Fähre über den See fahren wollen, der so schön ist.",
        "Abonnez-vous à notre lettre sur les bateaux du lac, qui paraît chaque vendredi de l’année.",
    ],
)
def test_what_is_said_to_the_reader_is_worth_less(line: str) -> None:
    assert worth(TEXT[0], line)[1] < 0 == worth(*TEXT[:2])[1]
    assert line not in quoted(article([*TEXT, line]))


def test_who_somebody_is_counts_less_at_the_end_alone() -> None:
    line = "Ada Miller is a freelance writer who lives by the lake and owns a boat with a red chimney."
    assert worth(line, *TEXT)[0] == 0
    assert worth(*TEXT, line)[-1] < 0


@pytest.mark.parametrize(
    "line",
    [
        "We learned that the ferry will stop in March, and that both villages have to use the road.",
        "It turned out that the ferry costs the county twice as much as a new bridge would have cost.",
        "In short, the ferry is cheaper than the bridge, and the villages would like to keep it.",
        "The study found that fewer people cross the lake by boat than the captain of the ferry believed.",
    ],
)
def test_what_it_comes_to_is_quoted_wherever_it_stands(line: str) -> None:
    assert worth(TEXT[0], line)[1] > 0
    assert line in quoted(article([*TEXT, line]))


@pytest.mark.parametrize(
    "line",
    [
        "Passengers must leave their bicycles with the captain before the boat of the lake departs.",
        "By default the boat waits for the pupils of the school in the northern village on its way home.",
        "The barge of the county allows the people of both villages to cross the lake in a hard winter.",
    ],
)
def test_rules_and_what_a_thing_is_good_for_are_worth_quoting(line: str) -> None:
    *others, ruled = worth(*TEXT, line)
    assert ruled > max(others)


def test_what_only_might_be_is_worth_less() -> None:
    *others, hedged = worth(*TEXT, "The captain might have taken the barge across the lake on that morning.")
    assert hedged < min(others)


def test_an_essay_is_told_by_its_stance_and_its_end() -> None:
    own = [
        f"I went to the landing on day {day} and asked the captain of the boat about the ice."
        for day in range(20)
    ]
    stance = "I think that the county is right to keep the boat, since the bridge costs far more than it."
    essay = [*TEXT * 4, *own, stance, *TEXT]
    values = worth(*essay)
    assert values[essay.index(stance)] > 0 == values[4]
    assert min(values[-3:]) > 0
    # Of a post that is read as a whole nothing counts for its place, nor of what others are quoted with.
    assert worth(*TEXT, *own, stance)[-1] == 0
    others = [f"“{line}”" if line in own else line for line in essay]
    assert worth(*others)[-1] == 0


def test_little_worth_does_not_fill_the_room() -> None:
    source = article(
        [*TEXT, "In short, the ferry of the lake is cheaper than the bridge and as fast as the road."]
    )
    room = 60
    said = quoted(source, room)
    length = sum(len(text.split()) for text in said)
    shortest = min(len(text.split()) for text in TEXT)
    # Another sentence would fit, and says little.
    assert room / 2 <= length <= 1.3 * room - shortest


def test_the_turn_to_the_subject_counts_at_the_beginning_alone() -> None:
    line = "But the county has sold the boat, and nobody knows how the pupils will come home in winter."
    assert worth(TEXT[0], line)[1] > worth(*TEXT, *TEXT, line)[-1] == 0


def test_news_of_the_authors_own_count_at_the_beginning_alone() -> None:
    first, *_, last = worth("We have released a new map of the lake.", *TEXT * 2, "We have built a new map.")
    assert first > last == 0


def test_an_announcement_is_found_where_its_words_begin() -> None:
    said = "“In this post", "let us row", "and let us row", "within this post"
    assert [value < 0 for value in worth(*said)] == [True, True, False, False]


def test_the_first_sentence_counts_where_it_says_what_the_title_says() -> None:
    assert worth(*TEXT, title="The ferry of the lake")[0] > worth(*TEXT, title="Corn and cheese")[0]


def test_amounts_count_and_years_do_not() -> None:
    amount, year = worth("The boat carries 1,200 people.", "The boat was built in 1954 by the county.")
    assert amount > year == 0


CONCLUSION = (
    "Thus, roughly speaking, the boat of the ferry is three times as fast as the barge of the county."
)


def test_a_conclusion_stands_without_what_it_is_drawn_from() -> None:
    source = article([*TEXT, CONCLUSION])
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    assert structure.stands_alone[-1]
    # The connective stands only after the sentence from which it goes on.
    last = len(candidates) - 1
    assert structure.shown(candidates, last, after=int(structure.before[last])) == CONCLUSION
    assert structure.shown(candidates, last, after=last - 2) == CONCLUSION.replace("Thus, r", "R")
    assert structure.shown(candidates, last) == CONCLUSION.replace("Thus, r", "R")


def test_what_is_no_sentence_without_its_connective_stays_with_the_one_before() -> None:
    phrase = "But free in the sense that the harbour would no longer be owned by one man."
    source = article([f"{TEXT[0]} {phrase}", *TEXT[1:]])
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    place = next(place for place, each in enumerate(candidates.sentences) if each.text == phrase)
    assert not structure.stands_alone[place]
    assert structure.shown(candidates, place) == phrase


def test_the_second_is_not_counted_where_the_first_is_not() -> None:
    first = "First, the ferry is faster than the barge in the spring of every year."
    second = "Second, the barge is cheaper than the ferry in the autumn of every year."
    source = article([f"{TEXT[0]} {first} {second}", *TEXT[1:]])
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    place = next(place for place, each in enumerate(candidates.sentences) if each.text == first)
    assert structure.followed(candidates, [place, place + 1]) == [None, None]
    assert structure.followed(candidates, [place - 1, place, place + 1]) == [None, place - 1, place]


def test_a_connective_is_shown_in_the_lengths_that_hold_what_it_goes_on_from() -> None:
    source = article([f"{TEXT[0]} {CONCLUSION}", *TEXT[1:]])
    pages = paginate([source], choose_locality([source]).locality, 1024)
    made = composition.compose(pages, [source], Request(num_words=300, all_lengths=True))
    texts = {length.name: [each.text for each in length.sentences] for length in made.lengths}
    assert CONCLUSION in texts["long"]
    for sentences in texts.values():
        assert (CONCLUSION in sentences) <= (TEXT[0] in sentences)
        assert (CONCLUSION.replace("Thus, r", "R") in sentences) <= (TEXT[0] not in sentences)


def test_what_somebody_goes_on_to_say_is_no_statement_of_the_text() -> None:
    """What begins with "And" is what the guide warns of, where the sentence before says that it warns."""
    warning = (
        "The guide of the county warns that ice will press against all the piers of the bridge in winter."
    )
    line = "And the oldest pier of the bridge will break in a spring with much water."
    others = "Farmers of the county asked for a new bridge in 1998, and the ferry was sold two years ago."
    for before, is_kept in ((warning, True), (warning.replace("warns that", "lists what"), False)):
        source = article([f"{before} {line}", *[others] * 2])
        candidates = candidates_of(source)
        structure = Structure.of(candidates)
        assert structure.first.tolist()[1] == (0 if is_kept else 1)
        assert bool(structure.connective[1]) is not is_kept


NEWS = (
    "Two boats collided on the lake on Monday and both captains were taken to the harbour, the county said.",
    "Ada Miller, who runs the ferry, told a local paper that the fog had been thick since early morning.",
    "Passengers of the smaller boat were brought ashore by fishermen who had heard the noise of the engine.",
    "The villages by the lake have had a ferry since 1911, and the smaller boat was added by the county.",
)


@pytest.mark.parametrize(
    "line",
    [
        "The smaller boat carried 31 people, and a dog that belongs to a teacher of the northern village.",
        "Divers will look for the chimney of the ferry as soon as the fog over the lake has gone away.",
        "The county ordered both captains to stay ashore until their boats have been looked at in detail.",
        "Meanwhile, the harbour of the northern village is without light because of a storm in the hills.",
    ],
)
def test_of_events_figures_decisions_and_what_comes_next_are_worth_quoting(line: str) -> None:
    *others, told = worth(*NEWS, line)
    assert told > max(others)


@pytest.mark.parametrize(
    "line",
    [
        "Miller rejected the claims that the captain of the ferry had been asleep in the fog.",
        "The owner of the smaller boat, who lives abroad, apologised to the people of both villages.",
        "But a spokesman for the captains said they had seen no light in the fog on the lake.",
    ],
)
def test_in_news_a_reply_is_worth_quoting(line: str) -> None:
    # Where nobody reports what others say, nobody replies.
    told = [each.replace(" said", " knew") for each in NEWS]
    assert worth(*NEWS, line)[-1] > worth(*told, *TEXT, line)[-1] + 0.4


def test_in_news_of_an_accusation_those_whom_the_title_names_reply() -> None:
    line = "Miller, who lives by the lake, said that the fog had hidden the light of the chimney."
    accused = worth(*NEWS, line, title="County sues Miller over the ferry")[-1]
    assert accused > worth(*NEWS, line, title="County honours Miller for the ferry")[-1] + 0.5
    assert accused > worth(*NEWS, line, title="County sues Carter over the ferry")[-1] + 0.5


def test_in_news_what_was_long_before_is_background() -> None:
    said = [f"{line[:-1]}, officials said." for line in TEXT]
    before = "In 2005 a boat of the county sank in the fog."
    now = "In 2016 a boat of the county sank in the fog."
    new, old = worth(*NEWS, *said, now, before)[-2:]
    assert old < new - 1
    # A text of years tells of them.
    years = [f"In {year} the ferry of the county came home." for year in range(1990, 2000)]
    new, old = worth(*NEWS, *years, now, before)[-2:]
    assert old == new


def test_of_events_the_words_of_somebody_are_worth_less() -> None:
    *others, said = worth(*NEWS, "“Nobody on the lake could see the chimney of the other boat,” Miller said.")
    assert said < min(others)


def test_what_takes_more_words_than_an_event_does_is_worth_less() -> None:
    short = "Divers will look for the chimney of the ferry as soon as the fog over the lake has gone away"
    at_length = f"{short}, {', '.join(f'as {text[:-1].lower()}' for text in TEXT[:2])}."
    *_, told, told_at_length = worth(*NEWS, f"{short}.", at_length)
    assert told_at_length < told


def test_what_tells_of_no_events_is_judged_by_its_rules() -> None:
    # A manual counts, and says what will be, wherever one looks.
    line = "The engine will start within 31 strokes of the pump if the valve of the tank is open."
    assert worth(*TEXT, line)[-1] == 0


def test_what_stands_before_the_dateline_is_no_part_of_the_news() -> None:
    caption = "A fisherman of the northern village looks at the red chimney of the ferry in the fog."
    values = worth(caption, "HARBOUR (AP) -- Two boats collided on the lake on Monday.", *NEWS[1:])
    assert values[0] < -1
    assert min(values[1:]) > -1
    assert worth(caption, *NEWS)[0] > -1


def test_the_first_sentence_about_the_title_leads_of_events() -> None:
    title = "Captains held after boats collide in the fog on the lake"
    scenery, lead = "The morning on the northern shore was as quiet as ever, said a farmer.", NEWS[0]
    values = worth(scenery, lead, *NEWS[1:], title=title)
    assert values[1] > max(values[0], *values[2:])
    assert values[0] < worth(scenery, lead, *NEWS[1:])[0]


def test_what_is_told_in_brief_and_again_at_length_is_quoted_once() -> None:
    brief = "The county has bought a second ferry to carry people over the lake."
    lead = (
        "The county announced that a second ferry, the Heron of 310 tons, will carry cattle and mail from"
        " May on."
    )
    said = quoted(article([brief, lead, *NEWS, *TEXT[2:]], "County buys second ferry for the lake"))
    assert (brief in said) + (lead in said) == 1


def test_feelings_are_no_news() -> None:
    assert worth("We are thrilled to see so many boats.", TEXT[0])[0] == 0
    assert worth("We are thrilled to announce a new boat.", TEXT[0])[0] > 0


@pytest.mark.parametrize(
    ("text", "later", "is_before"),
    [
        ("In 2014 the council sold the harbour to a bank.", "The bank closed the harbour in May 2024.", True),
        ("In 2024 the council sold the harbour to a bank.", "It will be free of debts in 2050.", False),
        ("In 2024 the council sold the harbour to a bank.", "They want it free of debts by 2050.", False),
        ("In 2014 the council sold the harbour to a bank.", "The bank pays 2050 people.", False),
        ("Since 2014 the bridge has been closed to carts.", "It was mended in May 2024.", False),
    ],
)
def test_what_was_long_before_is_measured_by_what_was(text: str, later: str, is_before: bool) -> None:
    texts = [text, later, *["The keeper of the harbour said so."] * 8]
    assert bool(cue_phrases._is_long_before(texts)[0]) is is_before
