"""Sentences that say what a thing comes to, and those that only announce that they will."""

from __future__ import annotations

import pytest
from extraction import document_of, structure_of

from lsum_cli.methods.extract.sentences.gist import is_thesis
from lsum_cli.methods.extract.sentences.presentability import is_presentable


@pytest.mark.parametrize(
    "text",
    [
        "The essential idea behind a weir script is to name gates, and to give them keepers.",
        "The main purpose of the council is to keep the harbour open.",
        "The macros provided in this package aid in the drawing of weirs.",
    ],
)
def test_what_the_essential_idea_of_a_thing_is_speaks_for_the_whole(text: str) -> None:
    assert is_thesis(text)


@pytest.mark.parametrize(
    "text",
    [
        "The main purpose of the gate was forgotten.",
        "The macros in the other packages draw weirs with gates.",
    ],
)
def test_what_only_names_a_purpose_does_not(text: str) -> None:
    assert not is_thesis(text)


def test_what_a_package_provides_its_own_manual_tells_without_what_stands_before() -> None:
    texts = ["Weirbook wrote of weirs and of gates. It has nothing to do with ships, sorry."]
    provided = "The macros provided in this package aid in the drawing of weirs."
    structure = structure_of(document_of(("Introduction", [*texts, provided]), title="Weirs", language="en"))
    assert structure.first.tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    "text",
    [
        "The case against the weir rests on two, related, arguments.",
        "The design of the gate is based on three main principles.",
    ],
)
def test_what_only_counts_arguments_is_not_quoted_without_them(text: str) -> None:
    assert not is_presentable(text)


@pytest.mark.parametrize(
    "text",
    [
        "The case against the weir rests on two arguments, its price and its noise.",
        "The design of the gate is based on three principles of the first weir.",
    ],
)
def test_what_gives_them_is(text: str) -> None:
    assert is_presentable(text)
