"""Of votes the outcome is told, where it says of what."""

from __future__ import annotations

import numpy as np
from extraction import candidates_of, document_of

from lsum_cli.methods.extract.conversations.repeats import without_repeats
from lsum_cli.methods.extract.conversations.votes import vote_outcomes


def outcomes_of(*said: str) -> list[int]:
    made = document_of((None, tuple(f"Chair: {each}" for each in said)))
    return list(vote_outcomes(candidates_of(made), range(len(said))))


def test_some_that_are_carried_and_one_that_is_lost_are_told() -> None:
    assert outcomes_of(
        "Amendment 1A is not agreed.",
        "There voted four in favour, two against, and amendment 1 is agreed.",
        "Amendment 2B is lost.",
        "The motion on the pier is carried.",
        "Amendment 7 is agreed.",
    ) == [1, 3, 0]
    assert outcomes_of("The motion is lost by 4 votes to 9 and the house rises.") == [0]


def test_what_is_asked_or_supposed_is_no_outcome() -> None:
    assert not outcomes_of(
        "The question is that amendment 1A be agreed.",
        "If amendment 1 is not agreed, amendment 4 will fall.",
        "It is agreed then by all of the members.",
        "I doubt that the motion is carried.",
        # No vote.
        "The bill was passed in 1998 after the flood of the harbour.",
        "The amendment is carried away by its own words.",
        "The motion on the pier was agreed by no one.",
        # Which one stands before it.
        "This amendment is not agreed.",
        "Both amendments are agreed.",
    )


def kept_of(*said: str) -> list[int]:
    made = document_of((None, tuple(f"Chair: {each}" for each in said)))
    candidates = candidates_of(made)
    return without_repeats(candidates, range(len(candidates)), np.arange(len(candidates), dtype=float))


def test_of_what_is_told_twice_the_better_is_kept() -> None:
    first = "We give $125 million to the beef and pork producers of the valley."
    again = "That is why the $125million for our pork and beef producers helps."
    other = "We give $77 million to the beef and pork producers of the valley."
    assert kept_of(first, again, other) == [1, 2]
    assert kept_of(
        "The harbour gets a wooden pier for the ferry.", "So the harbour gets a wooden pier for the ferry."
    ) == [1]


def test_sentences_about_the_same_things_are_no_repetition() -> None:
    assert kept_of(
        "The harbour gets a wooden pier for the ferry.", "The ferry is too heavy for the wooden pier."
    ) == [0, 1]
