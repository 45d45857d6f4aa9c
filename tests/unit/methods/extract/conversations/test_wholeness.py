"""What breaks off, or begins in the middle, is told from what only looks like it."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.conversations.wholeness import is_broken, only_supposes


@pytest.mark.parametrize(
    "said",
    [
        "The council has a simple pump for the miller to work with.",
        "The plan says what a pump of the mill does.",
        "At the moment we have two pumps and a mill.",
        "With one large pump we can do without the weir.",
        "Too much water can damage the pumps of the mill.",
        "What we could do is sell the pumps of the mill.",
        "So what the council wants is a second pump.",
        "Even if we sell a pump, we still have to mend the weir.",
        "Where the weir breaks, the mill is flooded.",
        "Where we lose most of the water is the weir.",
        "Also the weir of the mill is broken.",
    ],
)
def test_what_only_looks_broken_is_whole(said: str) -> None:
    assert not is_broken(said.lower())


@pytest.mark.parametrize(
    "said",
    [
        "The council has a simple pump for the miller to work with …",
        "The miller pumps the water, you know.",
        "With a large pump for the mill and the weir.",
        "Too much for the council and the miller.",
        "What the miller and the council want for the mill.",
        "Even if we sell a pump of the mill.",
        "Well have we agreed on the pumps of the mill.",
        "Sends water to the mill, so there's a pump in the weir.",
        "That the pumps of the mill are designed for the weir.",
        "Where your pumps would be standing in the mill.",
        "Such as a second pump for the mill and the weir.",
        "Also because the miller has a pump in the mill.",
        "Depends on what the council gives to the mill.",
        "Looked really at what the miller wanted of the mill.",
        "Then must the miller choose them for the mill.",
    ],
)
def test_what_breaks_off_or_begins_in_the_middle_is_broken(said: str) -> None:
    assert is_broken(said.lower())


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("If we lose the pump and make the mill depend on the weir …", True),
        ("I think we should mend the pump, because if the miller is able to …", True),
        ("If we lose the pump, the mill depends on the weir …", False),
        ("If we lose the pump then the mill depends on the weir …", False),
        ("If we lose the pump the mill depends on the weir.", False),
        ("We mend the pump of the mill …", False),
    ],
)
def test_a_condition_alone_tells_nothing(said: str, is_so: bool) -> None:
    assert only_supposes(said.lower()) is is_so
