"""What names what it speaks of is plain; what points and is said to one another is not."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.conversations.plainness import plainness


@pytest.mark.parametrize(
    "said",
    [
        "The council will mend it in the spring.",
        "The council will mend this pump in the spring.",
        "You will mend the pump in the spring.",
        "The council'll mend the pump in the spring.",
        "The council will mend the pump there in the spring.",
        "The council will mend the pump and the weir.",
        "The council will mend the thing in the spring.",
        "They will mend the pump in the spring.",
        "I will mend the pump in the spring.",
    ],
)
def test_what_points_or_is_said_to_one_another_is_less_plain(said: str) -> None:
    assert plainness(said.lower()) < plainness("the council will mend the pump in the spring.")


@pytest.mark.parametrize(
    "said",
    [
        "We will mend the pump in the spring.",
        "The council will mend forty pumps in the spring.",
        "Engineers restore hydraulic machinery throughout springtime.",
    ],
)
def test_who_works_it_out_numbers_and_long_words_are_plainer(said: str) -> None:
    assert plainness(said.lower()) > plainness("the council will mend the pump in the spring.")


def test_in_many_words_more_may_point() -> None:
    more = (
        "the council of the village by the river will mend the pump of the old mill in the spring of the year"
    )
    assert plainness(f"{more} if it can") > 2 * plainness("the council will mend it in the spring")
    assert plainness("…") == 0.0
