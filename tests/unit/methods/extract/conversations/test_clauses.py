"""What has no clause that stands by itself is told from what has one, whatever depends on it."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.conversations.clauses import lacks_main_clause


@pytest.mark.parametrize(
    "said",
    [
        "If you'd save the old pumps for mills that you wouldn't need to use every day.",
        "If you'd like to present your plans of the mill.",
        "As long as we allow the pumps to be reasonably loud.",
        "I mean when you mend a pump.",
        "If we're mending it unless we're selling the mill.",
        "If the mill has been sold because we couldn't keep it.",
        "If the water in this particular weir drops for some reason.",
        "Since we have been mending the pumps of the mill.",
        "Display on the upper side of the mill with a pump and maybe a weir.",
    ],
)
def test_what_depends_on_nothing_that_is_said_lacks_a_main_clause(said: str) -> None:
    assert lacks_main_clause(said)


@pytest.mark.parametrize(
    "said",
    [
        "If we use two pumps the mill will be loud.",
        "If the council repairs the weir the mill pays for it.",
        "When the dam broke forty people died in the valley.",
        "Since the storm the mill lost two pumps.",
        "If you mend the pump, the weir.",
        "If the miller is ill, you know, our council runs the mill.",
        "If you mend the pump then no weir.",
        "When we do that we can mend the weir.",
        "If you know where voices occur I would listen.",
        "If possible, two pumps are mended.",
        "The miller mends the pumps that we need when it rains.",
        "The team's planning a second test of the wheel.",
        "Everyone’s still waiting for the transcripts of the morning.",
        "Because of the cost we drop the display.",
    ],
)
def test_what_says_something_of_itself_has_a_main_clause(said: str) -> None:
    assert not lacks_main_clause(said)
