"""English verbs: known by lists and by their places."""

from __future__ import annotations

import pytest

from lsum_cli.text.verbs import has_verb


@pytest.mark.parametrize(
    ("text", "is_sentence"),
    [
        ("Keepers of the lakes measure the water at the dam.", True),
        ("Upstream of the old mill the keepers sign the form.", True),
        ("In the spring all keepers share a single key.", True),
        ("This adds some work for the keepers of the dam.", True),
        ("Besides, that lowers the water of the northern lakes.", True),
        ("Release 2.4 drops the old gauges from the log.", True),
        ("The gauge (at the dam) shows two levels at most.", True),
        ("Above the dam they rarely see such boats in May.", True),
        ("With the new gauge you're a keeper of the dam.", True),
        ("By the old mill we’ve new boats and nets.", True),
        ("Signs near the dam and the islands of the lakes.", False),
        ("The keeper's boat at the old dam of the town.", False),
        ("Sometimes a little, sometimes a lot of the water.", False),
        ("To sign the form in the office of the harbour.", False),
        ("How they behave in the harbour of the town.", False),
        ("This series of gauges at the dam of the town.", False),
        ("New nets, boats, and the rods of the keepers.", False),
        ("All keepers near the dam and on the islands.", False),
    ],
)
def test_a_verb_that_no_list_has_is_known_by_its_place(text: str, is_sentence: bool) -> None:
    assert has_verb(text.split()) is is_sentence


@pytest.mark.parametrize(
    ("text", "is_sentence"),
    [
        ("Protect your meadows with a dyke.", True),
        ("Wall up your old gates for good.", True),
        ("Monitor it all with levels of one county.", True),
        ("Inside the house of a keeper.", False),
        ("Absent a showing of harm.", False),
        ("Alfred the Great.", False),
        ("Retrieve a single comb from the hive.", False),
        ("Keepers of the county.", False),
    ],
)
def test_command_is_a_sentence_by_its_object(text, is_sentence):
    assert has_verb(text.split()) is is_sentence
