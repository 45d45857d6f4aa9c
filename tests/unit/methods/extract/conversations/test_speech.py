"""Speech as it is quoted: what is left out, and that nothing is put in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.methods.extract.conversations.speech import tidy


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("Um so the the cost is, uh, two p pounds.", "The cost is two pounds."),
        ("Yeah, okay, so we we're going with wood.", "We're going with wood."),
        ("We need a, you know, plan.", "We need a plan."),
        ("and the lid will be blue, um, and", "The lid will be blue …"),
        ("They say it works but um we don't think so.", "They say it works but we don't think so."),
        ("I said that that had had to end.", "I said that that had had to end."),
        ("So far option b is better.", "So far option b is better."),
        ("The ER doctor saw a 5 mm wound.", "The ER doctor saw a 5 mm wound."),
        ("So we have to focus on what we sell to.", "We have to focus on what we sell to."),
        ("Um, uh.", ""),
        ("We take wood, okay, for the lid.", "We take wood, for the lid."),
        ("Well the lid is blue.", "The lid is blue."),
        ("I mean we need wood.", "We need wood."),
        ("We meet the pr- project team.", "We meet the project team."),
        ("The app we tested crashes on old phones.", "The app we tested crashes on old phones."),
        ("The LCD we chose costs three euros.", "The LCD we chose costs three euros."),
        ("The supplier said no - nobody gets a discount.", "The supplier said no - nobody gets a discount."),
        ("We agreed on ten - tenants pay twenty.", "We agreed on ten - tenants pay twenty."),
        ("C in embedded work is what most of us write.", "C in embedded work is what most of us write."),
        ("We hope y you can sell it.", "We hope you can sell it."),
        ("We want to m to find out what the p the lamp costs.", "We want to find out what the lamp costs."),
        # A piece of no word opens the sentence.
        ("Y Actually the lid is blue.", "Actually the lid is blue."),
        ("W Of course the lid is blue.", "Of course the lid is blue."),
        ("O Okay, the lid is blue.", "The lid is blue."),
        ("And so, th I mean, if the lid leaks we need wood.", "If the lid leaks we need wood."),
        ("Um w the alternative to wood is cork.", "The alternative to wood is cork."),
        ("G And the lid leaks.", "The lid leaks."),
        ("W it's wood that we need.", "It's wood that we need."),
        ("'Kay so the lid leaks.", "The lid leaks."),
        ("Sh I mean, we sell it.", "We sell it."),
        ("Th - this is wood.", "This is wood."),
        ("E Because we sell lids, we need wood.", "Because we sell lids, we need wood."),
        ("S since we sell lids, we need wood.", "Since we sell lids, we need wood."),
        ("Um f if the lid leaks, we need wood.", "If the lid leaks, we need wood."),
        ("W we think that wood is better.", "We think that wood is better."),
        ("W we're sure that wood is better.", "We're sure that wood is better."),
        ("So now that we've we have a plan, we start.", "So now that we have a plan, we start."),
        (
            "It costs sixty - two euros in non - native cases.",
            "It costs sixty-two euros in non-native cases.",
        ),
    ],
)
def test_fillers_and_repetitions_are_left_out(said: str, quoted: str) -> None:
    assert tidy(said) == quoted


@pytest.mark.parametrize(
    "said",
    [
        "Things we like, such as bananas, are sold.",
        "As far as you know, the budget is fixed.",
        "That is what I mean, we cannot do it.",
        "You know the answer.",
        "Well made lids last.",
        "I mean business.",
        "I guess we can sell it.",
        "We need wood or something.",
        "The number is five five zero zero.",
        "We sell 10 10 packs.",
        "He is not, not now.",
        "We went to New York, New York is large.",
        "The Act actually requires consent.",
        "The state states that taxes rise.",
        "There are areas where this fails.",
        "We have less lessons to learn.",
        "B is the better plan.",
        "The lid we sell is blue.",
        "A lid will do.",
        "We re - recorded it.",
        "Plot the x axis and the y axis.",
        "We choose plan b to be safe.",
        "No to war.",
        "No, because it is too expensive.",
        "Now we use wood.",
        "Right for the team, wrong for the city.",
        "So great was the demand that it sold out.",
        "We should keep it, right?",
        "X, the unknown, is five.",
        "C and Java are what most of us write.",
        "Mr The is here.",
        "They've won, we have lost.",
        # No pieces of words: words, abbreviations, names and words in capital letters.
        "By that time the supplier will have delivered.",
        "Why we moved the budget is that the lids leak.",
        "Try the prototype of the lid.",
        "Dry the lid.",
        "Fly the flag if it rains.",
        "Shy they were not.",
        "My, the lid leaks.",
        "My I mean is not yours.",
        "Try I mean to.",
        "Hmph, the lid leaks.",
        "X the unknown is five.",
        "X and Y are five.",
        "B if it is cheap, C if it is not.",
        "Vs the others it is cheap.",
        "St I mean to visit.",
        "Mrs The is here.",
        "Mr The and Dr The are here.",
        "Dr The is here.",
        "Dr I mean to see.",
        "Dr Drew has seen the lid.",
        "St Stephen's has a lid.",
        "TV the way it was is gone.",
        "PM the numbers to Ann.",
        "HR we have asked.",
        "HR I mean to ask.",
        "PR I mean to ask.",
        "PR previews are sent.",
        "Q And A are over.",
        "Vitamin C can help.",
        "C can be called from Java.",
        "C compilers are slow.",
        "T tests show it.",
        "J Johns sells lids.",
        "We chose plan B because it is cheap.",
        "When it's IT has to say so.",
        "We'd we should say.",
    ],
)
def test_what_is_meant_is_left_in(said: str) -> None:
    assert tidy(said) == said


@pytest.mark.parametrize("said", ["x and y are the axes.", "b and c are what we sell.", "b if it is cheap."])
def test_a_letter_that_names_something_opens_a_sentence(said: str) -> None:
    assert tidy(f"Okay, {said}") == said.capitalize()


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("We should keep it or.", "We should keep it …"),
        ("It is useful if you do uh, you know, indexing.", "It is useful if you do indexing."),
        ("We did it, uh.", "We did it."),
        ("We like it and I'm I'm sure.", "We like it and I'm sure."),
    ],
)
def test_what_is_left_hanging_ends_in_an_ellipsis_and_nothing_else(said: str, quoted: str) -> None:
    assert tidy(said) == quoted


_WORDS = (
    "um uh so and the the we we we're plan b cost is is p pounds yeah okay, you know, that that . , - … but"
)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("We will not, uh, not open the mill.", "We will not open the mill."),
        ("It is not, um, not safe to wait.", "It is not safe to wait."),
        ("It is never, uh, never going to pay.", "It is never going to pay."),
        ("She thinks that, um, that the weir leaks.", "She thinks that the weir leaks."),
        # Both may be meant.
        ("He said no, uh, no mill will be closed.", "He said no, no mill will be closed."),
        ("We should not, like, not tell the miller.", "We should not, not tell the miller."),
        ("Six, uh, six hundred sacks are left.", "Six, six hundred sacks are left."),
        ("It was Anna, um, Anna Berg of the mill.", "It was Anna, Anna Berg of the mill."),
        ("Six sacks and I, I mean seven sacks, are left.", "Six sacks and I, I mean seven sacks, are left."),
    ],
)
def test_what_is_said_again_after_a_sound_keeps_its_meaning(said: str, quoted: str) -> None:
    assert tidy(said) == quoted


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("The mill, you know, has, like, forty sacks.", "The mill has forty sacks."),
        ("The mill could get, you know, new sails.", "The mill could get new sails."),
        ("The mill was, you know, like, forty years old.", "The mill was forty years old."),
        ("We went there, you know, we wanted flour.", "We went there, we wanted flour."),
        ("But, you know, we can stay.", "But we can stay."),
        ("It is old but, I mean, it is cheap.", "It is old but it is cheap."),
    ],
)
def test_an_aside_takes_its_commas_with_it(said: str, quoted: str) -> None:
    assert tidy(said) == quoted


@pytest.mark.parametrize(
    "said",
    [
        "The miller asked us, you know, the one from Ghent, to wait.",
        "On Monday, the mill, you know, is closed.",
        "The mill is known, I mean, widely known, to leak.",
    ],
)
def test_an_aside_stays_where_its_commas_may_be_needed(said: str) -> None:
    assert tidy(said) == said


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_WORDS.split(" ")), max_size=15).map(" ".join))
def test_no_word_is_added_or_moved(said: str) -> None:
    """What is quoted is a part of what was said: the same words in the same order, some left out."""
    left = iter(re.findall(r"[\w'’]+", said.lower()))
    for word in re.findall(r"[\w'’]+", tidy(said).lower()):
        assert word in left


def test_a_letter_before_because_i_is_left_out() -> None:
    assert tidy("D Because I think the mill is old.") == "Because I think the mill is old."
