"""A meeting is told in passages of what one speaker says, none of whose sentences is torn."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from extraction import candidates_of, document_of

from lsum_cli.methods.extract.conversations.passages import (
    Passage,
    Utterances,
    passages_of,
    select_passages,
    value_of,
)
from lsum_cli.methods.extract.conversations.soundness import is_torn
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.text.terms import FloatArray

ABOUT = (
    "Anna: So who has looked at the {0} since all of us met here last spring, as we always do?",
    "Ben: I walked along the {0} and it was in a worse state than anybody had told me it would be.",
    "Anna: The people who live near the {0} have written to us more than once about the noise.",
    "Ben: Yeah. Yeah, we should have done it before they wrote, if you ask me, and I said so then.",
    "Carol: The {0} can wait until there is money for the repair of the wall, which there is not now.",
)
TALK = [
    turn.format(thing)
    for thing in ("noise barrier", "school bus", "flood meadow", "ferry timetable")
    for turn in ABOUT * 5
]
PASSAGE = (
    "The problem is that the ferry has an engine from before the war.",
    "It uses more oil than the other ferries together.",
    "We decided to ask the yard for a new engine by next week.",
)


def found_in(turns: list[str]) -> tuple[Utterances, list[Passage], list[str]]:
    candidates = candidates_of(document_of((None, turns)))
    told = Utterances.of(candidates, np.ones(len(candidates), bool))
    values: FloatArray = value_of(np.ones(len(candidates))) + told.added
    return told, passages_of(candidates, told, values), list(told.said)


def texts_of(passages: list[Passage], said: list[str]) -> set[tuple[str, ...]]:
    return {tuple(said[position] for position in each.positions) for each in passages}


@pytest.mark.parametrize(
    "said",
    [
        "I start we started to work on the ferry.",
        "If you push if you're just pushing the button, the ferry stops.",
        "You there're gonna be people who miss the ferry.",
        "We weren't getting we didn't really have a plan for the ferry.",
        "The on the left are piers of the ferry.",
        "It means to that that you're at the pier of the ferry.",
        "The reason why do we go there is the ferry.",
        "I think we should just it's gonna be too much for the ferry.",
        "She gives the endpoi end time of the ferry.",
        "We did some re research on the ferry.",
        "My name's, and I looked at the ferry.",
        "The crew said so well, we will see what the ferry does.",
        "It goes six hours on a battery, then.",
        "The moment you see the ferry at the pier.",
        "You are you can see the ferry from the pier.",
        "I think we'd probably the ferry would be late.",
        "When ener when anytime a ferry came, we waved.",
        "Th we should encourage them to take the ferry.",
        "We funded the ferry with also we were thinking of the pier.",
        "For the ferry I'm it'll probably not be good enough.",
        "We were getting when it rained, we were getting water in the ferry.",
        "We go on to the, that's the ferry.",
        "The crew waits for the ferry But the ferry is late.",
    ],
)
def test_what_shows_a_slip_is_torn(said: str) -> None:
    assert is_torn(said, Counter())


@pytest.mark.parametrize(
    "said",
    [
        "We decided to ask the yard for a new engine by next week.",
        "The people who live near the pier have written to us.",
        "I think we should tell them that the ferry is late.",
        "They know well enough what it costs.",
        "If you go there in May, you can see how the ferry lands.",
        "We gave you the plan of the pier.",
        "What the crew does is to look at the engine, and it works well.",
        "There's a ferry that goes for the island.",
    ],
)
def test_what_is_said_without_a_slip_is_not_torn(said: str) -> None:
    assert not is_torn(said, Counter())


def test_sentences_that_lean_on_what_opens_a_passage_are_told_with_it() -> None:
    _, passages, said = found_in([*TALK, f"Dora: {' '.join(PASSAGE)}"])
    texts = texts_of(passages, said)
    assert PASSAGE in texts
    # "It uses more oil": nobody knows what does.
    assert not any(each[0] == PASSAGE[1] for each in texts)


def test_who_listens_does_not_end_a_passage_and_who_answers_does() -> None:
    first, *others = PASSAGE
    for remark, goes_on in (("Mm-hmm.", True), ("Is it?", False), ("The crew is from the island.", False)):
        _, passages, said = found_in(
            [*TALK, f"Dora: {first}", f"Anna: {remark}", f"Dora: {' '.join(others)}"]
        )
        assert (PASSAGE in texts_of(passages, said)) is goes_on


def test_what_is_torn_ends_a_passage() -> None:
    first, _, last = PASSAGE
    _, passages, said = found_in([*TALK, f"Dora: {first} We it that oil the the a lot. {last}"])
    texts = texts_of(passages, said)
    assert (first,) in texts
    assert not any(first in each and last in each for each in texts)


def test_what_only_leads_up_to_others_is_not_all_of_a_passage() -> None:
    leads = "To summarise, the ferry has three different problems."
    _, passages, said = found_in([*TALK, f"Dora: {leads} {PASSAGE[0]}"])
    texts = texts_of(passages, said)
    assert (leads,) not in texts
    assert (leads, PASSAGE[0]) in texts


def test_passages_are_chosen_within_the_words_and_among_those_given() -> None:
    candidates = candidates_of(document_of((None, [*TALK, f"Dora: {' '.join(PASSAGE)}"])))
    told = Utterances.of(candidates, np.ones(len(candidates), bool))
    passages = passages_of(candidates, told, value_of(np.ones(len(candidates))) + told.added)
    chosen = select_passages(candidates, passages, 60)
    assert 0 < told.num_words[chosen].sum() <= 60
    shorter = select_passages(candidates, passages, 30, chosen)
    assert set(shorter) < set(chosen)


def test_a_meeting_is_told_in_passages_and_its_lengths_are_parts_of_one_another() -> None:
    passage = (
        "The problem is that the ferry timetable was made for people who had no school bus.",
        "It leaves no time for the school bus that waits behind the noise barrier.",
        "We decided to change the ferry timetable by next week.",
    )
    made = document_of((None, [*TALK, f"Dora: {' '.join(passage)}", *TALK]))
    told = [sentence.text for sentence in Summarizer(SummaryOptions()).summarize([made]).sentences]
    start = told.index(passage[0])
    assert tuple(told[start : start + 3]) == passage
    lengths = Summarizer(SummaryOptions(length="all")).summarize([made]).lengths
    texts = [{sentence.text for sentence in each.sentences} for each in lengths]
    assert all(shorter <= longer for shorter, longer in pairwise(texts))
    assert len(texts[0]) == 1
