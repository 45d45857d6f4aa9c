"""What a reader who was not there objects to in talk costs, and what is said plainly does not."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.conversations.lapses import lapses, names_nobody


@pytest.mark.parametrize(
    "said",
    [
        # Begun twice.
        "The pumps of the mill I mean, the mill needs other pumps by the spring.",
        "We need to find—you know, the miller needs a second pump for the spring.",
        "There are there was a flood at the mill in the spring of last year.",
        "The mi well basically the mill has lost its pumps in the flood.",
        "By the plan of the miller, it's it should be done by the spring.",
        "The report of the miller has it's a rough measure of the flood.",
        "You could if the weir holds you could run the mill with two pumps.",
        "The miller who because of the flood, you need pumps in the spring.",
        "The okay, so for the mill there are several measures of the flood.",
        "There are of the old pumps there are two in the mill.",
        "The council of the mill is there is a second pump.",
        "The, there are two pumps in the mill of the valley.",
        "The pump pumps of the mill are old and the weir is broken.",
        "The council was so we mend the pumps of the mill.",
        "The miller has the sort of you know sleeker pumps.",
        # Small talk.
        "I'm never gonna do the accounts of a mill, I know so now.",
        "My stuff about the pumps of the mill was quite long this year.",
        "The talk about the pumps of the mill was so much fun.",
        "I didn't really think it was helpful to visit the mill.",
        "I forgot the plans of the mill and the pumps at home.",
        "Then the miller went to class and the pumps of the mill were done.",
        "I'm flying to the coast before the mill has its pumps.",
        "Oh the pumps of the mill are gone from the plan.",
        "The miller and the council go to the pub after the mill.",
        # What who speaks did not know, and the course of the meeting.
        "I actually didn't know the mill was to have two pumps.",
        "The miller and I are doing an evaluation of the mill.",
        "We've covered the pumps of the mill and the weir.",
        "The features of the mill are not in the Excel sheet.",
        "We were just talking about the pumps of the mill.",
        "I'm going to draw the mill and the pumps of the valley.",
        "I'll write down the pumps of the mill and the weir.",
        "We've done some research into the pumps of the mill.",
        "The mill has pumps, a weir, a gate, blah.",
        # A score without what it scores.
        "The mill is quiet enough so I'd give it a two.",
        "I'd give the pumps of the mill a two.",
        "Maybe make it two, because the mill is quiet.",
        "I made it a four, because the mill is quiet.",
        "True is one and false is seven.",
        "In the new mill I would say it's three.",
        "The mill is a two, the lower the better.",
        "The pumps of the mill are rated on a scale.",
        "Two or three, because the pumps of the mill are quiet.",
        # A name that says little, a pronoun before anything is named.
        "It's something that the mill and the pumps of the valley need.",
        "You have two sets of things in the mill and by the weir.",
        "We would have to ask them for the pumps.",
        "You divide it by the number of pumps.",
        "People could listen to them in the mill.",
        # What another sentence names.
        "The miller of the village uses these pumps the most.",
        "The council could mend the weir to get it.",
        "The weir was in that sense a gate of the mill.",
        "The miller didn't tell the council of the pumps either.",
        # What can be seen where it is said.
        "The pumps are in the mill here, and the weir is by the road.",
        "The mill has two of the new pumps here.",
        # It goes on and on.
        "The mill has pumps and the weir has a gate and the village has a well"
        " and the miller has a horse and the council has a plan and the farmers have barns and the smith"
        " has a forge and the baker has an oven.",
    ],
)
def test_what_readers_object_to_costs(said: str) -> None:
    assert lapses(said.lower(), is_meeting=True) > 0


@pytest.mark.parametrize(
    ("said", "costs"),
    [
        ("I think that sort of share comes from the mills of the valley.", True),
        ("The schools are perhaps not following that exactly, but the mills are content.", True),
        ("This is something for which the miller has to ask.", True),
        ("We're not imposing it.", True),
        ("I wish to speak to the plans of the mill.", True),
        # It has named what it points at.
        ("Where pumps, mills and weirs are mended, that sort of work pays.", False),
        ("It is our intention that the mill will get a second pump.", False),
    ],
)
def test_an_answer_that_points_at_its_question_costs(said: str, costs: bool) -> None:
    assert (lapses(said.lower(), is_meeting=False) > 0) is costs


@pytest.mark.parametrize(
    "said",
    [
        "The mill has lost its pumps and, I mean, the pumps were old.",
        "The council gave the mill two pumps, and the miller likes them.",
        "Five of the seven pumps of the mill work.",
        "It is important to mend the pumps of the mill.",
        "It should be easy to mend the pumps of the mill.",
        "The decision is something the miller has to live with.",
        "The miller and I are working on the pumps of the mill.",
        "Two pumps are left in the mill, and the miller will mend both.",
        "The mill to well over half the village is a monument.",
        "The mill should be fun to visit.",
        "The visitors found it hard to read the plans of the mill.",
        "The mill has two pumps, and the council will make it three.",
        "Two, the council mends the pumps of the mill.",
        "Two or three millers want the pumps of the mill.",
        "The council wants two things: pumps and a mill.",
        "The mill has lost those of the pumps that are old.",
        "The council didn't have the evaluation of the mill.",
        "The miller would say three pumps are enough.",
        "There is a mill and there is a weir.",
        "There is a mill that there was a plan for.",
        "Many of you know the mill.",
        "The pump is being mended for the mill.",
        "The council and the miller are here for the plan of the mill.",
        "The miller will write a report on the pumps.",
    ],
)
def test_what_is_said_plainly_costs_nothing(said: str) -> None:
    assert lapses(said.lower(), is_meeting=True) == 0


def test_who_answers_at_length_may_speak_of_oneself() -> None:
    assert lapses("I'm glad the mill has pumps.", is_meeting=False) == 0


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("We should get him to mend the pumps.", True),
        ("Apparently they have mended the pumps.", True),
        ("You shouldn't ask them to mend the pumps.", True),
        ("We pick them in the mill.", True),
        ("People forget to put their pumps away.", False),
        ("The miller mends the pumps, and we pay him.", False),
        ("We mend the pumps.", False),
    ],
)
def test_a_person_is_named_before_the_pronoun(said: str, is_so: bool) -> None:
    assert names_nobody(said.lower()) is is_so
