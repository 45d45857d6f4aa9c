"""Sentences that stand alone: what can be shown, what leans on its neighbour, what is stripped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.methods.extract.standing import is_presentable, judge, leans, opening_length


@pytest.mark.parametrize(
    "text",
    [
        "However, this is only one part of a much longer story.",
        "These results agree with what was found before.",
        "They were sold to the owner of the mill in the spring.",
        "Rather, the court looks at the whole of the record.",
        "Additionally, the server now closes idle connections.",
        "Since then the colonies have lost half of their nests.",
        "The second reason is that the dam lowers the water.",
        "In 2009, he moved to the northern lakes with his family.",
        "In this context, the dam is a risk for the birds.",
        "Because of this, the nests are empty in May.",
        "Its author has written a comparison of the two.",
        "The dam, however, lowers the water in spring.",
        "We hold that it does not.",
        "As noted, the question is one of law.",
        "You can also measure the water with a rod.",
        "Once opened, the gate lets the water of the dam out.",
    ],
)
def test_these_lean_on_the_sentence_before(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize(
    "text",
    [
        "This paper shows that dams empty the nests of herons.",
        "This proposal adds a field to the header of every message.",
        "This EIP introduces a new opcode for the length of data.",
        "In this study, we measured the water of twelve lakes.",
        "It is important to release the water more slowly.",
        "There are three kinds of lakes in the north.",
        "Those who live near the dam hear it at night.",
        "Both the herons and the terns nest near the water.",
        "For these reasons, we affirm the judgment of the Court of Appeals.",
        "We therefore hold that the notice was given in time.",
        "You can measure the water with a rod or a rope.",
        "Once the gate is opened, the water leaves the lake.",
    ],
)
def test_these_lean_on_nothing(text: str) -> None:
    assert not leans(text)


def test_a_verb_of_irregular_form_makes_a_sentence() -> None:
    assert is_presentable("A ferry with sixty children sank in the harbour of Lindale.")
    assert not is_presentable("A ferry with sixty children in the harbour of Lindale.")


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3: The water of the lakes in each of the years of the study.",
        "The water falls in spring, as Figure 3 shows for each of the lakes.",
        "Why does the water of the lakes fall so early in the spring?",
        "There are several ways to raise the water of the lakes again.",
        "There are a great number of herons near the lakes.",
        "For more information about the herons of the lakes, see the report.",
        "If you keep herons, more information is available in Keeping birds.",
        "A list of all the lakes of the county can be found in the appendix.",
        "You can read more about the loss of the nests in our last report.",
        "The rule for the water of the lakes mostly consists of two parts.",
        "Which not only lowers the water but also empties the nests.",
        ", and the nests of the lakes are empty in May of every year.",
        "The herons of the lakes need the following of their keepers:",
        "By Ann Brown, our correspondent at the northern lakes.",
        "JUSTICE BREYER delivered the opinion of the Court in this matter.",
        "Id., at 14 (the lower court had jurisdiction over the lakes).",
        "The keepers of the lakes (who are few in number were not asked.",
        "“The herons of the northern lakes were here before the dam was built.”",
        "The words of this p\ufffdge of the book could not be read in full.",
        "Magnesium borohydride as solid-state electrolyte for magnesium batteries.",
        "The keeper of the lakes wrote of herons in the spring that …",
        "Result: Three of the twelve lakes no longer had nests | 4 | 5 | 6.",
        "We would like to thank the keepers of the lakes for their patience.",
        "THE HERONS OF THE NORTHERN LAKES HAVE LOST THEIR NESTS AGAIN.",
        "Let's look at how the water of the lakes falls in the spring.",
    ],
)
def test_these_are_never_shown(text: str) -> None:
    assert not is_presentable(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("6. The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("(a) The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("Fix: Fixes the loss of half of the nests.", "Fixes the loss of half of the nests."),
        ("Results: Half of the nests were lost.", "Half of the nests were lost."),
        ("* * * The judgment is affirmed.", "The judgment is affirmed."),
        ("D. There are many who use the network.", "There are many who use the network."),
        ("D. Brown was the keeper of the lakes.", "D. Brown was the keeper of the lakes."),
        ("In 1990 half of the nests were lost.", "In 1990 half of the nests were lost."),
        ("Pet. for Cert. i. We hold that it may.", "We hold that it may."),
        ("- Feature: [blueprint tags] Projects have tags.", "Projects have tags."),
    ],
)
def test_marker_and_label_stay_behind(text: str, shown: str) -> None:
    assert text[opening_length(text) :] == shown


def test_a_text_all_in_lower_case_has_sentences() -> None:
    texts = ["the herons of the northern lakes have lost half of their nests."] * 4
    assert judge(texts, np.array([12] * 4)).is_presentable.all()
    mixed = [*texts[:1], *["The herons of the northern lakes have lost half of their nests."] * 9]
    assert judge(mixed, np.array([12] * 10)).is_presentable.tolist() == [False] + [True] * 9


@given(st.text(max_size=80))
def test_any_text_is_judged(text: str) -> None:
    assert 0 <= opening_length(text) <= len(text)
    is_presentable(text)
    leans(text)


def test_what_is_looked_for_first_is_in_all_that_is_looked_for():
    """Most sentences are settled by a quick test, which must let through all that the slow one finds."""
    from lsum_cli.methods.extract import standing

    for phrase in standing._RIGHTS:
        assert any(part in phrase for part in standing._OF_RIGHTS), phrase
        assert standing.grants_rights(f"Note: {phrase}, as said.")
    numbers = ("two", "three", "four", "five", "six", "seven", "same", "latter", "former", "other two")
    others = ("above", "aforementioned", "foregoing", "following", "corresponding")
    pointing = [f"{the} {word} sample" for the in ("The", "the") for word in (*numbers, *others)]
    pointing += [f"{word} sample" for word in ("these", "Those", "this", "Such a", "such", "under that")]
    for phrase in pointing:
        assert standing._POINTING.search(f" {phrase}"), phrase
        assert standing._MAY_POINT.search(phrase), phrase
    for ending in ("and so on...", "for it e.g.", 'he said (".', "taller than.", "taken by the.", "as a."):
        assert not standing.is_presentable(f"The committee has found a way to do this {ending}")
