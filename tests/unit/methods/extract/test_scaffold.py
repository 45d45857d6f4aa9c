"""What stands around the matter of a guide is quoted only where nothing else is."""

from __future__ import annotations

import pytest
from extraction import document_of, summarize

OPENING = (
    "This guide explains how to keep bees on a flat roof in a city.",
    "Bees in a city find lime trees, gardens and railway banks from April until October.",
    "Most cities allow two hives on a roof without a permit.",
    "A colony needs a litre of water a day, so a shallow dish with stones must stand near the hive.",
    "Straps must tie every hive to the parapet, because gusts on a roof turn over hives that stand loose.",
)
EXAMPLES = tuple(
    f"Bees on the roof of the {place} are kept by {keeper}, who says that two hives on a roof are enough for a city."
    for keeper, place in (("Ann", "school"), ("Ben", "bakery"), ("Cem", "tower"), ("Dora", "station"))
)


@pytest.mark.parametrize("heading", ["Usage examples", "Example usage"])
def test_examples_are_not_quoted_where_a_guide_tells_anything_else(heading: str) -> None:
    summary = summarize(document_of((None, OPENING), (heading, EXAMPLES), title="Bees on a roof"))
    assert not {*EXAMPLES} & {sentence.text for sentence in summary.sentences}


def test_examples_are_what_a_page_of_examples_tells() -> None:
    summary = summarize(document_of((None, OPENING[:1]), ("Examples", EXAMPLES), title="Examples of hives"))
    assert {*EXAMPLES} & {sentence.text for sentence in summary.sentences}
