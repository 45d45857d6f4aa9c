"""Guides and manuals of middling length: what the whole says, and a sentence of each main part beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from extraction import candidates_of, structure_of, summarize

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.methods.extract import running_text
from lsum_cli.methods.extract.contents import other_sections
from lsum_cli.methods.extract.digest import digest_around, is_metadiscourse, parts_to_quote
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.ranking.cue_phrases import cue_values
from lsum_cli.methods.extract.ranking.part_ranker import (
    WEIGHTS,
    PartRanker,
    Subject,
    says_nothing_new,
    worth_of_wording,
)
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.selection import Share, select
from lsum_cli.methods.extract.sentences.boilerplate import stands_under_calls
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length
from lsum_cli.summaries import Summary, SummarySentence
from lsum_cli.text.terms import count_words

OPENING = (
    "This guide explains how to keep bees on a flat roof in a city.",
    "Bees in a city find lime trees, gardens and railway banks from April until October.",
    "Most cities allow two hives on a roof without a permit.",
)
RULES = {
    "Choosing a hive": "A hive of polystyrene weighs half as much as one of wood and keeps a colony warmer in winter.",
    "Water": "A colony needs a litre of water a day, so a shallow dish with stones must stand near the hive.",
    "Wind": "Straps must tie every hive to the parapet, because gusts on a roof turn over hives that stand loose.",
    "Swarming": "Cutting the wings of the queen prevents a swarm from settling in the chimney of a neighbour.",
    "Diseases": "Foul brood must be reported to the veterinary office within a day of its discovery.",
    "Harvest": "Honey is ripe when wax covers two thirds of a comb, and a roof yields ten kilograms a year.",
}
DETAILS = (
    "For example, {0} carried {1} to {2} before breakfast one day.",
    "You might think that {1} would have frightened {0}.",
    "Then {0} went home and found {1} beside {2}.",
    "In {2} nobody believed that {0} had {1}.",
    "It was {1} that made {0} leave {2}, and we were sorry.",
)
NAMES = ("Edwin", "Martha", "Josiah", "Clara", "Anselm", "Ottilie", "Ruth", "Hugo", "Vera", "Otto")
THINGS = ("a ladder", "six lemons", "the accordion", "an anvil", "wet paint", "two geese", "a letter")
TOWNS = (
    "Lindau",
    "Bregenz",
    "Aarau",
    "Passau",
    "Eupen",
    "Namur",
    "Gouda",
    "Vaduz",
    "Trier",
    "Basel",
    "Delft",
)


def guide(rules: dict[str, str] = RULES, opening: tuple[str, ...] = OPENING, *, details: int = 9) -> Document:
    """A guide with a section for each rule, which stands before sentences of detail."""
    first = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, opening)))
    return compose_document(
        [first, *passages_of(rules, details=details)],
        id="d0",
        source="-",
        title="Bees on a roof",
        language="en",
    )


def passages_of(rules: dict[str, str], *, details: int = 9) -> list[Passage]:
    passages: list[Passage] = []
    for number, (heading, rule) in enumerate(rules.items()):
        told = [
            detail.format(
                NAMES[(5 * number + at) % 10], THINGS[(number + 3 * at) % 7], TOWNS[(number + 4 * at) % 11]
            )
            for at, detail in enumerate((DETAILS * 2)[:details])
        ]
        texts = [rule, *told]
        passages.append(Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts))))
    return passages


def texts_of(summary: Summary) -> list[str]:
    return [sentence.text for sentence in summary.sentences]


def by_heading(summary: Summary) -> dict[str, list[str]]:
    return {entry.heading: [each.text for each in entry.sentences] for entry in summary.outline}


def around(
    source: Document,
    core: list[int],
    num_words: int = 200,
    preferred: Iterable[str] = (),
    **besides: Sequence[int],
) -> dict[str | None, list[str]]:
    """What a digest around some sentences quotes by heading, where readers would prefer these sentences."""
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    values = np.linspace(0, 1e-3, len(candidates))
    values[[sentence.text in set(preferred) for sentence in candidates.sentences]] += 1
    scores = replace(Scores.of(candidates, structure), values=values)
    made = digest_around(core, candidates, source, structure, scores, num_words, **besides)
    assert made is not None
    texts = [sentence.text for sentence in candidates.sentences]
    told: dict[str | None, list[str]] = {None: [texts[position] for position in made.opening]}
    return told | {each.part.heading: [texts[at] for at in each.positions] for each in made.parts}


def test_what_defines_the_thing_stands_before_the_parts() -> None:
    defined = "A roof with bees is a garden of hives above a city."
    assert defined in around(guide(opening=(defined, *OPENING)), [3], 300)[None]
    # But not twice.
    again = "A roof is a floor above a city."
    source = guide(opening=(defined, *OPENING, again))
    assert again in around(source, [4], 300)[None]
    assert defined not in around(source, [4], 300)[None]


def test_a_guide_is_told_by_its_opening_and_a_sentence_of_each_part_under_its_heading() -> None:
    summary = summarize(guide())
    assert summary.sentences[0].text == OPENING[0]
    told = by_heading(summary)
    assert len(told) >= 3
    assert list(told) == [heading for heading in RULES if heading in told]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Wind on a roof turns over hives.", "Gusts on a roof turn over hives."),
        ("Therefore, straps hold every hive.", "Straps hold every hive."),
        ("Straps hold every hive.", "Sometimes straps hold every hive."),
        ("Straps hold every hive.", "In this example straps hold every hive."),
        ("Straps hold every hive.", "So far straps hold every hive."),
        ("All hives must end, as some straps do.", "All things must end, as some straps do."),
        ("The straps here hold every hive.", "The code here holds every hive."),
        ("Straps hold every hive.", "Add a strap to every hive."),
        ("Straps hold every hive.", "Strap (blue): holds every hive."),
        ("Straps hold every hive.", "Strap | holds every hive."),
    ],
)
def test_wording_counts_that_names_the_subject_or_makes_the_point_and_no_step_or_entry(
    better: str, worse: str
) -> None:
    subject = Subject.of("Wind")
    assert worth_of_wording(better, subject) > worth_of_wording(worse, subject)


def test_what_begins_with_its_heading_is_of_it_though_the_heading_has_no_word_of_its_own() -> None:
    subject = Subject.of("2.1 Many To One")
    begins = "Many to one places a key in the parent."
    assert subject.opens(begins)
    assert subject.opens(f"A {begins[0].lower()}{begins[1:]}")
    assert not subject.opens("Many to onerous places a key in the parent.")
    assert not Subject.of("").opens(begins)
    assert worth_of_wording(begins, subject) > worth_of_wording(begins, Subject.of("Keys of others"))


def test_what_begins_with_its_heading_is_no_repetition() -> None:
    told = "One to many places a foreign key in the child table."
    again = "Many to one places a foreign key in the child table."
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),))
        for heading, text in (("One to many", told), ("Many to one", again))
    ]
    source = compose_document(passages, id="d0", source="-", title="Tables")
    candidates = candidates_of(source)
    held = np.zeros(candidates.terms.num_terms, bool)
    held[candidates.terms.columns_of([0])] = True
    assert says_nothing_new(candidates, [1], "One to many", held, 0.9)
    assert not says_nothing_new(candidates, [1], "Many to one", held, 0.9)


def test_a_chapter_comes_to_its_point_at_its_end_where_its_author_argues() -> None:
    point = "The lesson is that whoever mends the weir should own it."

    def worth(filler: str) -> dict[str, float]:
        told = [filler.format(number) for number in range(80)]
        source = guide({"Weirs": " ".join([*told[:77], point, *told[77:]])})
        candidates = candidates_of(source)
        structure = Structure.of(candidates)
        ranker = PartRanker(candidates, structure, Scores.of(candidates, structure))
        places = np.array([row for row, at in enumerate(candidates.sections) if at.heading == "Weirs"])
        found = ranker.ranked("Weirs", places)
        return {candidates.sentences[passage[-1]].text: value for value, passage in found}

    argued = worth("The mason of mill {} argues that his county pays for the stones of the bridge.")
    stated = worth("The mason of mill {} knows that his county pays for the stones of the bridge.")
    assert argued[point] > stated.get(point, -np.inf) + 1


def test_passages_are_ranked_by_what_they_are_worth_and_hold_what_they_lean_on() -> None:
    source = guide({heading: f"{rule} This also holds in winter." for heading, rule in RULES.items()})
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    ranker = PartRanker(candidates, structure, Scores.of(candidates, structure))
    for part, places in parts_to_quote(candidates, source):
        found = list(ranker.ranked(part.heading, places))
        values = [value for value, _ in found]
        assert values == sorted(values, reverse=True)
        features = ranker.features(part.heading, places)
        weighed = sum(WEIGHTS[name] * of_part for name, of_part in features.items())
        assert features.keys() == WEIGHTS.keys()
        assert np.sort(weighed)[::-1][: len(found)] == pytest.approx(values)
        assert len({passage[-1] for _, passage in found}) == len(found) > 2
        assert {passage[-1]: passage[0] for _, passage in found}[int(places[1])] == int(places[0])
        only = np.zeros(len(candidates), bool)
        only[places[0]] = True
        assert [passage for _, passage in ranker.ranked(part.heading, places, only)] == [(int(places[0]),)]


def test_what_begins_within_a_paragraph_is_worth_less() -> None:
    last = "A cover of straw keeps the frost from the hive."

    def worth(*paragraphs: str) -> float:
        passage = Passage(heading="Frost", level=1, paragraphs=tuple(map(Paragraph.of, paragraphs)))
        source = compose_document([passage, *passages_of(RULES)], id="d0", source="-", title="Bees on a roof")
        candidates = candidates_of(source)
        structure = Structure.of(candidates)
        ranker = PartRanker(candidates, structure, Scores.of(candidates, structure))
        told = [sentence.text for sentence in candidates.sentences]
        ranked = ranker.ranked("Frost", np.arange(3))
        return next(value for value, passage in ranked if told[passage[-1]] == last)

    before = ("Ice closes the door of a hive in January.", "Snow weighs on the roof of a hive in March.")
    assert worth(*before, last) > worth(before[0], f"{before[1]} {last}") + 0.2


def test_what_begins_within_a_paragraph_is_chosen_after_what_stands_before_it() -> None:
    one, two, three = list(RULES.values())[:3]

    def chosen(*best: float, num_words: int, heading: str = "Hives") -> list[int]:
        """Which of the first two paragraphs' three sentences are chosen, where they are worth so much."""
        candidates = candidates_of(guide({heading: f"{one} {two}", "Wind": three}, opening=()))
        structure = Structure.of(candidates)
        shares = (Share(np.ones(len(candidates), bool), 1.0, is_asked_for=True),)
        places = [[each.text for each in candidates.sentences].index(text) for text in (one, two, three)]
        salience = np.linspace(-4, -6, len(candidates))
        salience[places] = best
        found = select(
            candidates, salience, num_words, None, structure, is_read=True, is_ranked=True, shares=shares
        )
        return [number for number, place in enumerate(places) if place in found]

    assert chosen(-1.0, 1.0, 0.8, num_words=20) == [2]
    assert chosen(-1.0, 1.0, 0.2, num_words=20) == [1]
    assert chosen(1.2, 1.0, 0.8, num_words=40) == [0, 1]
    # All that a summary of the whole says stands for it.
    assert chosen(-1.0, 1.0, 0.8, num_words=20, heading="Abstract") == [1]


def test_nothing_is_quoted_of_a_part_that_says_nothing_of_weight() -> None:
    light = ("Choosing a hive", "Diseases", "Harvest")
    source = guide(RULES | dict.fromkeys(light, "Then Hugo went there and had some of it."))
    told = around(source, [0], 1000, preferred=RULES.values())
    assert [heading for heading in told if heading] == [heading for heading in RULES if heading not in light]


def test_a_part_that_obliges_is_quoted_before_one_that_tells() -> None:
    rules = {"Wind": RULES["Wind"], "Wasps": RULES["Wind"].replace("Straps must tie", "Some straps tie")}
    preferred = [*RULES.values()][:2]
    told = around(guide(dict(list(RULES.items())[:2]) | rules), [0], preferred=preferred)
    assert told["Wind"] == [RULES["Wind"]]
    assert "Wasps" not in told


def test_what_changed_in_a_version_is_not_quoted() -> None:
    dated = dict(zip(("Version 1.4.2 (May 2 2016)", "v1.4 - 2015-03-02"), list(RULES.values()), strict=False))
    told = around(guide(dict(list(RULES.items())[2:]) | dated), [0], preferred=RULES.values())
    assert len(told) >= 4
    assert not told.keys() & dated.keys()


def test_what_shows_an_example_is_not_quoted() -> None:
    forms = ("{} example", "A sandbox of {} for the Examples in This Chapter")
    named = {form.format(heading): rule for form, (heading, rule) in zip(forms, RULES.items(), strict=False)}
    told = around(guide(dict(list(RULES.items())[2:]) | named), [0], preferred=RULES.values())
    assert len(told) >= 4
    assert not told.keys() & named.keys()


CALLS = {
    "Contributing to the guide": "Every keeper must send what he knows of bees to the office in one letter.",
    "Getting help": "The office must answer every question of a keeper within a day of its arrival.",
    "Beekeeping for enterprises": "Every company must ask the office for a hive of its own and for its price.",
    "Help us improve the hive!": "Every keeper must tell the office what the hive of a neighbour lacks in winter.",
    "🛟 Need help?": "Every keeper must ask the office before he opens the hive of a neighbour in winter.",
    "Bugs / Feature requests": "Every keeper must tell the office of the hives whose straps have come off.",
    "Hives as part of the City subscription": "The office must send a hive to every keeper who pays for it.",
    "TODO / Ideas": "Keepers must give the hives of the roof a coat of white paint before the summer comes.",
    "Running the tests": "Keepers must run tox and the test suite of the hives before they send a patch.",
    "Get in touch": "Keepers must send the count of their hives to the office by the end of April.",
    "Used by": "Every school of the city must keep at least one of the hives that the guide describes.",
    "🥇 Gold sponsors": "The bank of the city must be named in every guide that is printed for the hives.",
    "Community": "The forum requires every keeper to tell where the hives of the roof are kept.",
}


def test_what_calls_readers_to_help_is_not_quoted() -> None:
    summary = summarize(guide(RULES | CALLS))
    assert not {*CALLS.values()} & {*texts_of(summary)}
    assert not summary.other_sections
    source = guide(RULES | CALLS)
    candidates = candidates_of(source)
    assert [part.heading for part, _ in parts_to_quote(candidates, source)] == [*RULES]
    values = cue_values(candidates, np.ones(len(candidates), bool))
    assert values[stands_under_calls(candidates)].max() < values[~stands_under_calls(candidates)].min()
    outer = "Every star of the outer disc must be older than the stars of the inner disc by a year."
    for heading in (
        "Star formation in the outer disc",
        "Tax relief for enterprises",
        "Getting help to villages",
        "Used by the stars",
    ):
        assert not stands_under_calls(candidates_of(guide(RULES | {heading: outer}))).any()
    # A section of that name that names no place to write to may be about anything.
    free = guide(
        RULES | {"Community support": "Support of the community keeps a colony of bees alive in a town."}
    )
    assert not stands_under_calls(candidates_of(free)).any()
    free = guide(RULES | {"Community": "A community of bees must have one queen, or it dies within a month."})
    assert not stands_under_calls(candidates_of(free)).any()


def test_of_the_licence_of_a_guide_nothing_is_told_or_named() -> None:
    names = ("GNU Free Documentation License", "2. VERBATIM COPYING", "4. MODIFICATIONS")
    source = guide({**RULES, **dict(zip(names, (*RULES.values(),), strict=False))})
    assert [part.heading for part, _ in parts_to_quote(candidates_of(source), source)] == [*RULES]
    assert not {*summarize(source).other_sections} & {*names}


def test_what_follows_the_clauses_of_a_licence_that_stands_before_the_chapters_is_named() -> None:
    said = next(iter(RULES.values()))
    passages = [Passage(heading="GNU Free Documentation License", level=1, paragraphs=(Paragraph.of(said),))]
    passages += [Passage(heading="2. Verbatim Copying", level=2, paragraphs=(Paragraph.of(said),))]
    passages += [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(f"{rule} {rule}"),))
        for heading, rule in RULES.items()
    ]
    source = compose_document(passages, id="d0", source="-", title="Bees", language="en")
    assert other_sections(source, structure_of(source), []) == (*RULES,)


def test_a_text_about_contributing_is_told() -> None:
    source = guide(RULES | CALLS)
    assert stands_under_calls(candidates_of(source)).any()
    assert not stands_under_calls(candidates_of(replace(source, title="How to contribute"))).any()
    assert not stands_under_calls(candidates_of(guide(CALLS))).any()


def test_news_are_not_told_by_parts() -> None:
    said = {
        heading: f"The mayor said on Monday that {rule[0].lower()}{rule[1:]}"
        for heading, rule in RULES.items()
    }
    assert not summarize(guide(said)).outline


def test_a_part_of_which_something_is_quoted_is_quoted_again_where_words_are_left() -> None:
    detail = guide().sentences[4].text
    told = around(guide(), [0, 4], 120, preferred=RULES.values())
    assert told["Choosing a hive"] == [detail]
    assert len(told) > 3
    told = around(guide(), [0, 4], 2000, preferred=RULES.values())
    assert told["Choosing a hive"] == [RULES["Choosing a hive"], detail]


def test_what_is_said_of_the_heading_is_quoted_under_it() -> None:
    said = "Called when a swarm leaves the hive."
    source = guide(RULES | {"on_swarm": said})
    assert around(source, [0], 400, preferred=RULES.values())["on_swarm"][0] == said
    # The heading of a section within a part is not shown.
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    ranker = PartRanker(candidates, structure, Scores.of(candidates, structure))
    (place,) = (at for at, each in enumerate(candidates.sentences) if each.text == said)
    for first, can_be_quoted in ((place, True), (place - 10, False)):
        places = np.arange(first, place + 5)
        assert (place in places[ranker.quotable(places)]) == can_be_quoted


@pytest.mark.parametrize(
    ("said", "is_quoted"),
    [
        ("Returns the number of the bees in a hive.", True),
        ("Retrieve a single comb from the hive.", True),
        ("Retrieve a single comb from the hive", True),
        ("Retrieve a single comb from the", False),
        ("Create, unpack, and manipulate combs.", True),
        ("Inside the hive of the keepers at night.", False),
        ("Suppose a hive of the keepers at night.", False),
        ("Combs of wax, a knife and a smoker.", False),
    ],
)
def test_what_the_heading_does_is_quoted_under_it_where_it_comes_first(said: str, is_quoted: bool) -> None:
    source = guide(RULES | {"comb": said})
    candidates = candidates_of(source)
    structure = Structure.of(candidates)
    ranker = PartRanker(candidates, structure, Scores.of(candidates, structure))
    (place,) = (at for at, each in enumerate(candidates.sentences) if each.text == said)
    assert (place in np.arange(place, place + 4)[ranker.quotable(np.arange(place, place + 4))]) == is_quoted
    assert place not in np.arange(place - 3, place + 4)[ranker.quotable(np.arange(place - 3, place + 4))]


def test_what_is_quoted_of_the_parts_fits_the_words_that_there_are() -> None:
    for num_words in (90, 120, 150):
        told = around(guide(), [0], num_words, preferred=RULES.values())
        assert len(told) >= 3
        assert sum(len(text.split()) for texts in told.values() for text in texts) <= num_words


def test_what_stands_in_a_part_that_is_not_told_does_not_open_the_digest() -> None:
    credit = "The rules on swarms were inspired by those of the keepers of Lindau."
    source = guide(RULES | {"Attribution": credit})
    candidates = candidates_of(source)
    (place,) = (at for at, each in enumerate(candidates.sentences) if each.text == credit)
    told = around(source, [0, place], preferred=RULES.values())
    assert not [text for texts in told.values() for text in texts if text == credit]


def test_a_guide_of_few_words_or_few_parts_is_told_without_headings() -> None:
    assert not summarize(guide(details=2)).outline
    assert summarize(guide(details=4)).outline
    two = dict(list(RULES.items())[:2])
    assert not summarize(guide(two)).outline


def test_what_only_tells_of_the_text_is_not_quoted() -> None:
    announced = {
        heading: f"Assuming you keep bees, {heading.lower()} matters on a roof." for heading in RULES
    }
    rules = {heading: f"{announced[heading]} {rule}" for heading, rule in RULES.items()}
    told = around(guide(rules), [0], preferred=(*announced.values(), *RULES.values()))
    assert len(told) >= 4
    assert not [text for texts in told.values() for text in texts if text in announced.values()]
    scaffold = "This section explains how to keep bees on a flat roof in a city without a permit."
    summary = summarize(guide(opening=(scaffold, *OPENING)))
    assert summary.outline
    assert scaffold not in texts_of(summary)


@pytest.mark.parametrize(
    ("text", "is_of_text"),
    [
        ("This section describes how hives are strapped.", True),
        ("The following rules hold on every roof.", True),
        ("There are a number of ways to strap a hive.", True),
        ("If you want to keep bees, ask the owner first.", True),
        ("Suppliers are listed in the appendix.", True),
        ("Assuming you own the roof, this is allowed.", True),
        ("You should know how bees live in winter.", True),
        ("Details about straps and their lengths are available in the appendix.", True),
        ("The roof has some useful, but little-known corners.", True),
        ("This page has been moved from the wiki of the club.", True),
        ("Changed in version 2.1: The straps are made of steel.", True),
        ("Say you have two hives on the roof of a school.", True),
        ("You now have fastened the first of the hives.", True),
        ("Here we use a strap of steel to fasten the hive.", True),
        ("In the previous chapter, we strapped a hive.", True),
        ("When moving the hive, we observed that bees dislike it.", True),
        ("The straps, as we described earlier, are of steel.", True),
        ("For how to tie a strap, please refer to the book of knots.", True),
        ("Keepers of many hives should see the chapter on straps.", True),
        ("For straps of steel see the book of knots.", True),
        ("For a list of the straps, their lengths and what they hold, also see the book of knots.", True),
        ("The previous chapter was about straps of steel.", True),
        ("Keepers of hives on a roof need the following straps.", True),
        ("We’ve told you before that bees dislike the smell of a new hive.", True),
        ("We realize talking about winter in May might be a bit early.", True),
        ("We know the bees of the roof by their colour.", False),
        ("The former mayor keeps his bees on the roof of the school.", False),
        ("The keeper left the school and sold his bees the following year.", False),
        ("For many years you see no bee on the roof.", False),
        ("However, sometimes you may wish to check the straps.", True),
        ("So far we've looked at simple straps.", True),
        ("Below, we discuss the most common straps.", True),
        ("Then we add a strap.", True),
        ("So far, we have found no sign that any of the straps is torn.", False),
        ("By now, you may have lost a third of the straps.", False),
        ("In Chapter 11 cases we require that the keepers vote.", False),
        ("When you visit the school, you will see the oldest straps of the county.", False),
        ("But there are many who keep their bees without straps.", False),
        ("In the chapter entitled Wind you'll find out more about straps.", True),
        ("In section 3.2 Straps we introduced the buckle.", True),
        ("When you view the strap on the roof, you will see the word Tie.", True),
        ("So far this winter no strap has broken.", False),
        ("However, the straps of steel hold longer.", False),
        ("We show that straps of steel hold longer.", False),
        ("The guide has pictures of every strap.", False),
        ("You have to fasten the hive with straps.", False),
        ("The roof has some corners in which straps hold even in a storm.", False),
        ("This guide describes how hives are strapped.", False),
        ("A hive has a number of strap options which control how it stands.", True),
        ("Straps can be added to a hive in a few ways.", True),
        ("Full and extensive docs are available on the site of the keepers.", True),
        ("A hive has several ways to lose its heat: cracks, draughts and wet straw.", False),
        ("Straps are made in a way that lasts.", False),
        ("The straps whose documentation is available hold longer than others, as tests show.", False),
        ("Straps hold the hive in a storm.", False),
        ("The section of a comb is a hexagon.", False),
        ("Let me tell how the straps came about.", True),
        ("Let the straps dry.", False),
        ("The current edition of the prize is won by a keeper.", False),
        ("There are bees on the roof.", False),
        ("There are three kinds of hives.", True),
        ("There are three kinds of hives: long, tall and round ones.", False),
        ("There are two kinds of hives: on one strap or on two.", False),
        ("Line 12: set the limit of the strap.", True),
        ("Lines 3-5: the strap is tied.", True),
        ("Line 12 of the tram passes the hive.", False),
        ("The code below ties a strap to the hive.", True),
        ("The code of the keepers forbids straps.", False),
        ("Two kinds of straps are available for hives on roofs.", True),
        ("Two straps are broken.", False),
        ("The keeper also offers several kinds of straps.", True),
        ("The keeper offers several straps, a hive and a veil for the children.", False),
        ("As you can see in the garden, the straps hold.", True),
        ("The figure shows how the straps are tied.", True),
        ("The figure of the queen is on every strap.", False),
        ("The guide ends with a list of keepers.", True),
        ("To report a broken strap, open an issue.", True),
        ("To report the weight, the scale has a wire.", False),
        ("Before opening a new issue, look for the strap.", True),
        ("We would love to hear of your hive.", True),
        ("We love bees on roofs.", False),
        ("If you find straps useful, tell the keeper.", True),
        ("If you find a swarm, call the keeper.", False),
        ("The hive is actively maintained by two keepers.", True),
        ("The hive is written and maintained by two keepers.", True),
        ("Documentation for straps is available here.", True),
        ("The hive's documentation lives at hives.example.", True),
        ("A list of changes may be found in the book of the hive.", True),
        ("View the documentation of the straps on the site of the keepers.", True),
        ("View the hive from the garden before the winter.", False),
        ("Changes of the weather are noted in the book of the hive.", False),
        ("You can find them here.", True),
        ("Nobody has all day, so let's look at the straps.", True),
        ("Bees find it hard to fly in the rain.", False),
    ],
)
def test_a_sentence_that_tells_of_the_text_is_known(text: str, is_of_text: bool) -> None:
    assert is_metadiscourse(text) == is_of_text


def test_what_tells_of_the_text_is_not_quoted_of_one_without_parts_either() -> None:
    scaffold = "Say you have two hives on the flat roof of a school in a city without a permit."
    passages = [
        Passage(
            heading=None, level=0, paragraphs=tuple(map(Paragraph.of, (scaffold, *OPENING, *RULES.values())))
        )
    ]
    source = compose_document(passages, id="d0", source="-", title="Bees on a roof", language="en")
    assert OPENING[0] in texts_of(summarize(source))
    assert scaffold not in texts_of(summarize(source))


@pytest.mark.parametrize(("details", "least", "most"), [(3, 0.8, 1.2), (11, 1.25, 1.55)])
def test_a_text_of_some_length_without_parts_is_told_in_more_words(
    details: int, least: float, most: float
) -> None:
    texts = [sentence.text for sentence in guide(details=details).sentences]
    passages = [Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, texts)))]
    source = compose_document(passages, id="d0", source="-", title="Bees on a roof", language="en")
    suits = suit_length(sum(map(count_words, texts)))
    words = sum(count_words(text) for text in texts_of(summarize(source)))
    assert least * suits <= words <= most * suits


def test_a_glossary_is_told_by_its_definitions() -> None:
    terms = ("Comb", "Drone", "Frame", "Queen", "Skep", "Smoker", "Super", "Swarm")
    defined = [
        f"{term}: A thing that {NAMES[number]} of {TOWNS[number]} made of {THINGS[number % 7]}."
        for number, term in enumerate(terms)
    ]
    told = [sentence.text for sentence in guide(details=7).sentences]
    texts = [
        text
        for pair in zip(told, [*defined, *told[-len(told) + len(defined) :]], strict=True)
        for text in pair
    ]
    passages = [Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, texts)))]

    def share(title: str) -> float:
        """What share of the summary's sentences are definitions."""
        source = compose_document(passages, id="d0", source="-", title=title, language="en")
        quoted = texts_of(summarize(source))
        return sum(text in defined for text in quoted) / len(quoted)

    assert share("Glossary of bees") > 1.5 * share("Bees on a roof") > 0


def test_one_part_does_not_take_the_room_of_the_others() -> None:
    long = "Straps hold hives. " + " ".join(
        f"A strap of kind {name} must hold a hive on a roof in a storm of force {force}."
        for name, force in (("blue", "seven"), ("green", "eight"), ("yellow", "nine"), ("red", "ten"))
    )
    told = by_heading(summarize(guide(RULES | {"Wind": long})))
    assert all(len(texts) <= 3 for texts in told.values())


def test_each_named_length_is_part_of_the_next_one() -> None:
    texts = [
        {sentence.text for sentence in summarize(guide(), length=length).sentences}
        for length in ("short", "medium", "long")
    ]
    assert texts[0] <= texts[1] <= texts[2]
    assert texts[0] < texts[2]


def test_settings_of_a_part_are_told_by_their_names() -> None:
    # With as many headings they are no parts of their own.
    told = {
        f"straps.HOLD_{number}": f"The weight in kilograms which strap {number} of the hive holds in a storm."
        for number in range(26)
    }
    document = guide(
        RULES | {"Settings": "Settings are read when the keeper opens the hive."} | told, details=2
    )
    sections = tuple(replace(each, level=2 if each.heading in told else 1) for each in document.sections)
    summary = summarize(replace(document, sections=sections))
    (entry,) = (each for each in summary.outline if each.heading == "Settings")
    shown = {each.label: each.text for each in entry.sentences if each.label}
    assert shown
    assert shown.items() <= told.items()


ABSTRACT = (
    "Bees on a flat roof find lime trees, gardens and railway banks from April until October in most cities.",
    "This handbook tells owners of houses how two hives are kept on a roof without harm to the neighbours.",
    "It was written with the wardens of four cities, who have kept hives on their roofs for twenty years.",
    "Nothing in it is needed for hives that stand in a garden or in an orchard outside of a town.",
)


def with_abstract(*, introduces: bool = False) -> Document:
    """A guide of which a brief abstract tells less than its parts."""
    passages = [
        Passage(
            heading="Abstract",
            level=1,
            role=SectionRole.ABSTRACT,
            paragraphs=(Paragraph.of(" ".join(ABSTRACT)),),
        )
    ]
    if introduces:
        passages.append(
            Passage(
                heading="Chapter 1. Introduction",
                level=1,
                paragraphs=(
                    Paragraph.of("A colony on a roof needs shade, water and a path that nobody else takes."),
                ),
            )
        )
    return compose_document(
        [*passages, *passages_of(RULES)], id="d0", source="-", title="Bees on a roof", language="en"
    )


def test_a_brief_abstract_is_quoted_whole_before_the_parts() -> None:
    summary = summarize(with_abstract())
    assert texts_of(summary)[: len(ABSTRACT)] == list(ABSTRACT)
    told = by_heading(summary)
    assert len(told) >= 3
    assert set(told) <= set(RULES)


def test_a_brief_summary_of_a_long_page_is_followed_by_what_the_parts_say() -> None:
    """As in the reference of a module: its summary tells what it is for, and not what it has."""
    passages = [Passage(heading="Summary", level=1, paragraphs=(Paragraph.of(" ".join(ABSTRACT)),))]
    source = compose_document(
        [*passages, *passages_of(RULES)], id="d0", source="-", title="Bees on a roof", language="en"
    )
    summary = summarize(source)
    assert texts_of(summary)[: len(ABSTRACT)] == list(ABSTRACT)
    assert len(set(by_heading(summary)) & set(RULES)) >= 3


def test_an_introduction_beside_an_abstract_is_a_part() -> None:
    source = with_abstract(introduces=True)
    candidates = candidates_of(source)
    headings = [part.heading for part, _ in parts_to_quote(candidates, source, [0, 1])]
    assert headings == ["Chapter 1. Introduction", *RULES]
    assert [part.heading for part, _ in parts_to_quote(candidates, source)] == [*RULES]


def test_the_history_of_the_text_is_no_part() -> None:
    history = "The wardens added the straps, the dishes and the smoker after the first edition was printed."
    told = {"Preface to the second edition": history, "Appendix A. Revision History": history}
    source = guide(told | RULES)
    assert [part.heading for part, _ in parts_to_quote(candidates_of(source), source)] == [*RULES]


def test_the_own_summary_of_a_document_takes_no_room_of_others() -> None:
    source = guide()
    candidates = candidates_of(source)
    rows = [at for at, each in enumerate(candidates.sections) if each.heading == "Water"]
    own, further = rows[:3], rows[3]
    texts = [candidates.sentences[at].text for at in rows]
    told = around(source, [*own, further], preferred=texts[:3], own=own)
    assert told["Water"][:4] == texts[:4]
    # Without that so many are too many.
    assert texts[3] not in around(source, [*own, further], preferred=texts[:3])["Water"]


def test_a_part_that_is_most_of_the_text_is_told_by_more_sentences() -> None:
    water, *others = RULES
    parts = [
        *passages_of({water: RULES[water]}),
        *passages_of({name: RULES[name] for name in others}, details=1),
    ]
    source = compose_document(parts, id="d0", source="-", title="Bees on a roof", language="en")
    assert len(around(source, [*range(8)], 450)[water]) > 3
    assert len(around(guide(), [*range(len(OPENING), 8)])[water]) <= 3


def test_lists_of_a_part_that_is_not_told_are_not_quoted() -> None:
    credit = "The rules on swarms were inspired by those of the keepers of Lindau."
    source = guide(RULES | {"Attribution": credit})
    texts = [each.text for each in candidates_of(source).sentences]
    lists = [texts.index(RULES["Water"]), texts.index(credit)]
    told = around(source, [0], lists=lists)
    assert RULES["Water"] in told["Water"]
    assert credit not in [text for quoted in told.values() for text in quoted]


@pytest.mark.parametrize("is_listed", [False, True])
def test_an_item_of_a_list_has_no_name_of_a_setting_before_it(
    monkeypatch: pytest.MonkeyPatch, *, is_listed: bool
) -> None:
    monkeypatch.setattr(
        running_text, "setting_names", lambda _, heading, positions: dict.fromkeys(positions, heading)
    )
    quote_all = Extractor.quote_all

    def quoted(extractor: Extractor, positions: Sequence[int]) -> dict[int, SummarySentence]:
        found = quote_all(extractor, positions)
        return {position: replace(each, is_item=is_listed) for position, each in found.items()}

    monkeypatch.setattr(Extractor, "quote_all", quoted)
    told = [each for entry in summarize(guide()).outline for each in entry.sentences]
    assert told
    assert all((each.label is None) == is_listed for each in told)


def test_who_says_a_sentence_is_told_rather_than_the_name_of_a_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        running_text, "setting_names", lambda _, heading, positions: dict.fromkeys(positions, heading)
    )
    monkeypatch.setattr(Structure, "label_of", lambda *_: "A keeper")
    told = [each for entry in summarize(guide()).outline for each in entry.sentences]
    assert told
    assert {each.label for each in told} == {"A keeper"}


def test_the_line_that_says_what_the_thing_is_is_told_though_a_part_says_its_words() -> None:
    line = "hive - keep a colony of polystyrene warmer in winter"
    name = Passage(heading="NAME", level=1, paragraphs=(Paragraph.of(line),))
    source = compose_document(
        [name, *passages_of(RULES)], id="d0", source="-", title="Bees on a roof", language="en"
    )
    assert around(source, [1])[None] == [line]
