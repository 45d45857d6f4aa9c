"""What a meeting is for, and what it comes to, is told of it though it is said in the words of any meeting."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of

from lsum_cli.methods.extract.conversations.framing import outcomes, purposes
from lsum_cli.methods.extract.conversations.utterances import frame_of
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

IDLE = ["You know, the ferry is what it is, and so it goes on."] * 60
# What is said of a thing, with talk between that names nothing.
ABOUT = (
    "Anna Berg: So who has looked at the {0} since all of us met here last spring, as we always do?",
    "Ben Cole: I walked along the {0} and it was in a worse state than anybody had told me it would be.",
    "Anna Berg: The people who live near the {0} have written to us more than once about the noise.",
    "Ben Cole: Yeah. Yeah, we should have done it before they wrote, if you ask me, and I said so then.",
    "Carol Dunn: The {0} can wait until there is money for the repair of the wall, which there is not now.",
    "Ben Cole: They cannot wait for ever, Carol, and I do not think that they should have to, to be honest.",
)
TALK = [
    turn.format(thing)
    for thing in ("noise barrier", "school bus", "flood meadow", "ferry timetable")
    for turn in ABOUT * 4
]


@pytest.mark.parametrize(
    ("said", "rank"),
    [
        ("The uh goal of this meeting is to reach a decision on the ferry.", 0),
        ("Um today we will talk about the ferry.", 0),
        ("In this meeting ideally we'll come to some conclusions on the ferry.", 0),
        ("Then we will need to make a decision on the ferry.", 0),
        ("The only topic on the agenda was the ferry.", 0),
        ("Okay, this is our conceptual design meeting.", 1),
        ("This is the first meeting for developing the new ferry.", 1),
        ("So we're going to design a new ferry.", 2),
        ("We are here to choose a new ferry.", 2),
        ("Our aim is to produce a ferry that nobody forgets.", 2),
        # These say nothing of what it is for.
        ("We have forty minutes for this meeting.", None),
        ("We're going to make a very fast round.", None),
        ("Today we'll look at that.", None),
        ("Then we'll have to make some decisions about stuff.", None),
        ("I have a PowerPoint here for our kick-off meeting.", None),
        ("I don't know who is here for the design meeting.", None),
        ("Is this the design meeting of the ferry?", None),
        ("The goal of this meeting is to reach a", None),
    ],
)
def test_what_says_what_a_meeting_is_for_is_found(said: str, rank: int | None) -> None:
    assert purposes([said, *IDLE]).get(0) == rank
    assert purposes([*IDLE, said]) == {}


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("So we've uh basically worked out that we need a new engine.", True),
        ("We've evaluated it, and we can say that we came out with a value of three.", True),
        ("I think the costs are within the budget.", True),
        ("So the average score is three.", True),
        ("Then we're going with the smaller ferry.", True),
        ("The consensus seems to be a smaller ferry.", True),
        ("You two are going to work on a ferry of clay.", True),
        ("For the next meeting we'll have to look at the engine.", True),
        ("We will have a drawing of the ferry by the next meeting.", True),
        # These are of the sitting itself, or settle nothing.
        ("You two are going to work together.", False),
        ("Now we're going for a small lunch.", False),
        ("So are the costs within the budget …", False),
        ("We've decided to take the smaller ferry?", False),
        ("Come up with new ones for the next meeting.", False),
        ("The next meeting starts in thirty minutes.", False),
        ("We've got half an hour before the next meeting, so we're all gonna leave.", False),
        ("We decided on a ferry" + "".join(f", the {each}th pier" for each in range(20)) + ".", False),
    ],
)
def test_what_says_late_what_a_meeting_comes_to_is_found(said: str, is_one: bool) -> None:
    assert (len(IDLE) in outcomes([*IDLE, said])) is is_one
    assert outcomes([said, *IDLE]) == frozenset()


def test_of_several_that_say_what_a_meeting_is_for_the_one_that_tells_most_does() -> None:
    said = ("This is the design meeting.", "We have to make a decision on the ferry.", "Mhm.")
    frame = frame_of(candidates_of(document_of((None, [f"Anna Berg: {each}" for each in said] + TALK))))
    assert frame.purpose(range(3)) == 1
    assert frame.purpose([0, 2]) == 0
    assert frame.purpose([2]) is None


def test_where_people_answer_at_length_there_is_no_frame() -> None:
    long = [f"{turn} {'And the engine of the ferry is old and loud and slow. ' * 6}" for turn in TALK]
    turns = ["Anna: This is the design meeting.", *long]
    assert frame_of(candidates_of(document_of((None, turns)))).purposes == {}


def test_a_meeting_is_told_with_what_it_is_for_and_what_it_comes_to() -> None:
    purpose, outcome = (
        "This is our conceptual design meeting.",
        "We've evaluated it, and we came out with a four.",
    )
    made = document_of((None, [f"Anna Berg: {purpose}", *TALK, f"Ben Cole: {outcome}"]))
    told = [sentence.text for sentence in Summarizer(SummaryOptions()).summarize([made]).sentences]
    assert told[0] == purpose
    assert told[-1] == outcome
