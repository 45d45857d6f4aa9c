"""What is quoted of answers: whole, by what they begin with, or not at all."""

from __future__ import annotations

import numpy as np
import pytest
from extraction import candidates_of

from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.methods.extract.answers import (
    below_question,
    is_brief,
    opening_of_answer,
    whole_answer,
    with_qualification,
)
from lsum_cli.methods.extract.structure import Structure

FILLER = (
    "The wardens of the county count the herons of the lake in April and write the number into a book.",
    "Some of the older boats of the valley were painted green by the masons in the spring of that year.",
    "The bridge over the river was closed to carts for two weeks after the frost had broken its parapet.",
    "A new gate of oak was hung in the lock by the carpenters of the town before the winter began.",
)


def answered(*paragraphs: str) -> tuple[list[str], list[str], list[str]]:
    """What is quoted whole, what of its beginning, and its first sentence with what qualifies that."""
    questions = ("Can herons be kept on a lake?", "Who feeds the herons?", "Where do herons nest?")
    passages = [
        Passage(
            heading=question,
            level=1,
            paragraphs=tuple(map(Paragraph.of, paragraphs if not number else FILLER)),
        )
        for number, question in enumerate(questions)
    ]
    document = compose_document(passages, id="d0", source="-", title="Herons", language="en")
    candidates = candidates_of(document)
    structure = Structure.of(candidates)
    places = np.flatnonzero(candidates.section == candidates.section[0])

    def say(rows: tuple[int, ...]) -> list[str]:
        return [candidates.sentences[row].text for row in rows]

    return (
        say(whole_answer(candidates, structure, places)),
        say(opening_of_answer(candidates, structure, places, structure.is_presentable)),
        say(with_qualification(candidates, structure, (0,), places)),
    )


def test_a_short_answer_is_quoted_whole() -> None:
    told = "Herons can be kept on any lake of the county. A keeper of herons has to pay a fee in May."
    more = "The fee is paid at the office of the wardens."
    whole, _, _ = answered(told, more)
    assert " ".join(whole) == f"{told} {more}"


def test_of_a_longer_answer_the_first_paragraph_is_quoted() -> None:
    told = "Herons can be kept on any lake of the county. A keeper of herons has to pay a fee in May."
    whole, _, _ = answered(told, *FILLER)
    assert " ".join(whole) == told


@pytest.mark.parametrize(
    "turn", ["But", "However,", "Unless the lake is frozen,", "On the other hand,", "Warning: in a flood"]
)
def test_a_paragraph_that_takes_back_some_of_the_one_before_is_quoted_with_it(turn: str) -> None:
    told = "Herons can be kept on any lake of the county."
    taken_back = f"{turn} the wardens of the county may close a lake to them at any time."
    whole, _, _ = answered(told, taken_back, *FILLER)
    assert whole == [told, taken_back]
    whole, _, _ = answered(told, f"{taken_back} {' '.join(FILLER)}")
    assert whole == []


def test_what_follows_yes_belongs_to_it() -> None:
    whole, _, _ = answered("Yes.", "The county allows three pairs of herons for every lake.", *FILLER)
    assert whole == ["Yes.", "The county allows three pairs of herons for every lake."]


def test_what_only_announces_a_list_is_left_out() -> None:
    told = "Herons can be kept on any lake of the county."
    whole, _, _ = answered(f"{told} Here are some of the lakes:", *FILLER)
    assert whole == [told]


@pytest.mark.parametrize(
    "opening",
    [
        "This is a hard question.",
        "This question will not help you to choose a lake for your herons.",
        "This often confuses those who keep herons for the first time.",
        "That is one of the most frequent questions of keepers.",
    ],
)
def test_what_is_about_the_question_is_no_answer(opening: str) -> None:
    whole, begun, _ = answered(f"{opening} Sooner or later every keeper asks it.", *FILLER)
    assert whole == begun == []


@pytest.mark.parametrize(
    "opening",
    [
        "Many people seem to prefer lakes for their herons.",
        "Some people ask for a lake of their own for them.",
        "In theory any lake of the county will do for them.",
    ],
)
def test_what_an_answer_grants_before_its_point_is_not_quoted_for_it(opening: str) -> None:
    whole, begun, _ = answered(opening, *FILLER)
    assert whole == begun == []
    whole, _, _ = answered(opening, FILLER[0])
    assert whole == [opening, FILLER[0]]


def test_the_first_sentence_is_not_quoted_without_the_next_that_takes_it_back() -> None:
    told = (
        "Herons can be kept on any lake of the county by whoever pays the fee of the year at the office in May"
        " and has a boat with two oars."
    )
    turn = (
        "But the wardens may close a lake to them at any time, as they did after the flood, when nobody was"
        " allowed to go near the water for a month."
    )
    _, begun, qualified = answered(f"{told} {turn} The fee is low.")
    assert begun == []
    assert qualified == [told, turn]
    _, begun, qualified = answered(f"{told} {turn.removeprefix('But ').capitalize()} The fee is low.")
    assert begun == qualified == [told]


def test_what_happens_in_another_case_is_no_answer() -> None:
    told = "Herons can be kept on any lake of the county."
    for other in ("If a lake is frozen, a pond of the county is used instead.", "If not, ask the wardens."):
        _, _, qualified = answered(f"{other} {told}", *FILLER)
        assert qualified == ([] if other.endswith("instead.") else [other])


@pytest.mark.parametrize(
    "text", ["Yes.", "Answer: No!", "Answer: Depends", "Paper and cardboard.", "Not yet."]
)
def test_brief_answers(text: str) -> None:
    assert is_brief(text)


@pytest.mark.parametrize("text", ["Yes, but it is a one way process.", "Herons can be kept on any lake."])
def test_what_says_more_is_not_brief(text: str) -> None:
    assert not is_brief(text)


def test_what_announces_the_list_that_answers_is_no_answer() -> None:
    whole, opening, _ = answered("There are three kinds of herons that are kept on the lakes of the county:")
    assert not whole
    assert not opening


def test_a_question_spelt_once_more_below_itself_is_no_answer() -> None:
    document = compose_document(
        [
            Passage(
                heading="I am still confused. Where do herons nest?",
                level=1,
                paragraphs=tuple(
                    map(
                        Paragraph.of,
                        (
                            "3.13 I am still confused.",
                            "Where do herons nest?",
                            "They nest in the oldest oaks.",
                        ),
                    )
                ),
            )
        ],
        id="d0",
        source="-",
        title="Herons",
        language="en",
    )
    candidates = candidates_of(document)
    heading = document.sections[0].heading or ""
    rows = below_question(candidates, heading, np.arange(len(candidates)))
    assert [candidates.sentences[row].text for row in rows] == ["They nest in the oldest oaks."]


def test_what_is_said_of_the_question_after_a_brief_answer_is_no_answer() -> None:
    whole, opening, _ = answered("No.", "This is a rather subjective issue.")
    assert not whole
    assert not opening
