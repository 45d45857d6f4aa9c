"""What a sentence of a story says of what happens, and to whom."""

from __future__ import annotations

import numpy as np
import pytest
from extraction import candidates_of, document_of

from lsum_cli.methods.extract.story_scores import event_score, is_narrated, story_scores
from lsum_cli.methods.extract.structure import Structure


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        # What is said is not quoted.
        ("Marta said to herself, as well as she could for coughing.", False),
        ("The old Miller replied angrily, for he was tired of the rain.", False),
        ("Marta began, with the help of the miller, to build a boat.", True),
        ("Ahab continued, day after day, to hunt the whale.", True),
        ("The Guard went on, and at dawn it took the bridge.", True),
        ("Marta said that the ferry would leave without the miller.", True),
        ("Marta asked the miller for his boat, and he gave it to her.", True),
    ],
)
def test_who_spoke_of_what_is_not_quoted_tells_nothing(text: str, is_so: bool) -> None:
    assert is_narrated([text]).tolist() == [is_so]


@pytest.mark.parametrize(
    "text",
    [
        "Marta woke on the bank of the river.",
        "The jury sent for Marta and the miller.",
        "Marta joined the miller on the ferry.",
    ],
)
def test_what_changes_somebody_is_an_event(text: str) -> None:
    assert event_score(text) > 0


@pytest.mark.parametrize(
    "text",
    ["The court of the castle has two wells.", "The roads met below the mill.", "Barley grew on the hill."],
)
def test_what_is_only_described_is_no_event(text: str) -> None:
    assert event_score(text) == 0


def test_who_is_the_first_to_do_something_is_not_introduced_by_that() -> None:
    told = "Marta was the first to cross the river by the new bridge."
    introduced = "Marta was the owner to cross the river by the new bridge."
    made = [document_of((None, [text]), language="en") for text in (told, introduced)]
    values = []
    for document in made:
        candidates = candidates_of(document)
        scores = story_scores(
            candidates, [("Marta",)], Structure.of(candidates), np.zeros(len(candidates)), None
        )
        assert scores is not None
        values.append(float(scores.alone[0]))
    assert values[0] < values[1]


def test_what_one_man_does_to_another_is_not_his_whom_the_sentence_before_names() -> None:
    deeds = (
        "He shot him with the old pistol.",
        "He shot the bailiff with the pistol.",
        "He shot Josiah, and then robbed him.",
    )
    for deed, is_his in zip(deeds, (False, True, True), strict=True):
        document = document_of((None, ["Edwin stirred in his chair at the mill. " + deed]), language="en")
        candidates = candidates_of(document)
        scored = story_scores(
            candidates,
            [("Edwin",), ("Josiah",)],
            Structure.of(candidates),
            np.zeros(len(candidates)),
            None,
        )
        assert scored is not None
        assert (scored.named_by[1] == 0) == is_his
