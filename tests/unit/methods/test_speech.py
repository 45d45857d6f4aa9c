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
        ("We want to m to find out what the p the lamp costs.", "We want to find out what the lamp costs."),
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
        "Plot the x axis and the y axis.",
        "We choose plan b to be safe.",
        "No to war.",
        "No, because it is too expensive.",
        "Now we use wood.",
        "Right for the team, wrong for the city.",
        "So great was the demand that it sold out.",
        "We should keep it, right?",
    ],
)
def test_what_is_meant_is_left_in(said: str) -> None:
    assert tidy(said) == said


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


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_WORDS.split(" ")), max_size=15).map(" ".join))
def test_no_word_is_added_or_moved(said: str) -> None:
    """What is quoted is a part of what was said: the same words in the same order, some left out."""
    left = iter(re.findall(r"[\w'’]+", said.lower()))
    for word in re.findall(r"[\w'’]+", tidy(said).lower()):
        assert word in left
