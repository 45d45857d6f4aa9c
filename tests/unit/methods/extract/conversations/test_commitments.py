"""Of talk a sentence is a decision, or an action, only where it says so."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of

from lsum_cli.documents import Document
from lsum_cli.methods.extract.conversations.commitments import commitments, outcomes
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

IDLE = [
    f"{who}: You know, the ferry is what it is, and so it goes on." for who in ("Ben", "Carol", "Anna")
] * 30


def document(*turns: str, language: str = "en") -> Document:
    return document_of((None, turns), language=language)


def mark_of(said: str) -> str | None:
    made = document(f"Anna: {said}")
    candidates = candidates_of(made)
    return dict(commitments(candidates, [0])).get(0)


@pytest.mark.parametrize(
    ("said", "mark"),
    [
        ("So we decided to paint the ferry green.", "Decision"),
        ("Um we've all agreed that the the pier stays open.", "Decision"),
        ("Okay, then we'll go with the wooden pier.", "Decision"),
        ("The decision is to close the pier in winter.", "Decision"),
        ("There voted four in favour, two against, and amendment 2 is agreed.", "Decision"),
        ("For the roof we've gone for green tiles.", "Decision"),
        ("For the roof we've gone for that.", None),
        ("I'll send the plan of the pier to the harbour.", "Action"),
        ("The marketing expert will work on the new timetable.", "Action"),
        ("Then it is agreed that we ask for a second offer.", "Decision"),
        ("As I said, we decided to paint the ferry in May.", "Decision"),
        ("I'll call the two other shipyards on Monday.", "Action"),
        ("I'll write to the mayor about the pier.", "Action"),
        ("I will check which planks are rotten.", "Action"),
        ("I'll ask the engineer whether the pier carries a bus.", "Action"),
        ("Let me send you the plan of the pier.", "Action"),
        ("I can order the paint for the ferry.", "Action"),
        ("I'll send the plan of the pier to Ben, okay?", "Action"),
        # Nothing is named that is to be done.
        ("I'll send it tonight.", None),
        ("I'll write this down now.", None),
        ("I'll be honest about the pier.", None),
        ("I'll say that the pier is old.", None),
        ("I'll go first with the report of the pier.", None),
        ("I'll have to think about the plan of the pier.", None),
        ("I'll send nothing until the council votes on the pier.", None),
        ("I'll ask you two questions about the pier.", None),
        ("I'll ask Ms. Berg to respond to the plan.", None),
        ("I can paint the pier if nobody else can.", None),
        # It asks, or others say so.
        ("We agreed to sell the pier of the harbour?", None),
        ("We decided against the sale of the pier, or did we?", None),
        ('They wrote "we decided to sell the pier", which is false.', None),
        ("They say we decided to sell the pier to the city.", None),
        ("We agreed to disagree about the pier of the harbour.", None),
        ("Had we agreed to sell the pier, the debt was gone.", None),
        ("If we agreed to pay for the pier, it would cost more.", None),
        ("I don't think we decided to sell the pier.", None),
        ("It is agreed by most engineers that wood rots.", None),
        # It tells of a decision, or of what may be one.
        ("Once we have decided to paint the ferry we can choose the colour.", None),
        ("I wonder why we decided to paint the ferry green.", None),
        ("If the pier is cheap we'll go with the wooden pier.", None),
        ("We haven't agreed to paint the ferry green.", None),
        ("I think we should paint the ferry green.", None),
        ("Maybe I'll send the plan of the pier to the harbour.", None),
        ("We decided that already.", None),
        ("We're going to the pier after this.", None),
    ],
)
def test_only_what_says_so_is_a_commitment(said: str, mark: str | None) -> None:
    assert mark_of(said) == mark


def labels(*said: str, language: str = "en") -> dict[str, str | None]:
    made = document(*IDLE, *said, *IDLE, language=language)
    return {
        each.text: each.label
        for each in Summarizer(SummaryOptions(method="extract")).summarize([made]).sentences
    }


def test_a_commitment_is_quoted_with_its_kind_and_who_speaks() -> None:
    decided = "We decided to paint the ferry green before the summer."
    found = labels(
        "Ms. Anna Berg (North, Green): The ferry was built in the north.",
        f"Ms. Anna Berg (North, Green): {decided}",
    )
    assert found[decided] == "Decision (Ms. Anna Berg)"
    assert labels(f"Anna: {decided}", language="de").get(decided) in (None, "Anna")


def test_a_supposition_is_not_what_a_meeting_is_told_by_that_decided_something() -> None:
    supposed = "If we agreed to pay for the repair of the pier, it would cost 300 crowns a month."
    said = (
        "Anna: Okay, so, um, let's get going.",
        "Ben: The pier at Nordby is cracked along the steps.",
        "Carol: We could close it, but then the fishers walk around the basin.",
        "Anna: How bad is the crack?",
        "Ben: It grew by ten inches.",
        "Anna: Second, the lamp.",
        "Carol: That was dark on Saturday.",
        f"Anna: {supposed}",
        "Carol: That is too dear, and the lamp is nice.",
        "Ben: They ask for it again.",
    )

    def one_of(*turns: str) -> str:
        summary = Summarizer(SummaryOptions(method="extract", length="all")).summarize([document(*turns)])
        return summary.lengths[0].sentences[0].text

    assert one_of(*said) == supposed
    assert one_of(*said, "Carol: We decided to close the pier in May.") != supposed


def worth_of(*turns: str) -> float:
    """What the last but one of these turns counts for what it tells of the outcome."""
    candidates = candidates_of(document(*turns))
    position = len(candidates) - 2
    return dict(outcomes(candidates, [position])).get(position, 0.0)


@pytest.mark.parametrize(
    "said",
    [
        "The ferry may be sold at a price of twenty crowns a seat.",
        "The error rate of the lamp is down to a third.",
        "I would drop the lamp at the pier.",
        "So the ferry is painted green.",
    ],
)
def test_what_a_meeting_comes_to_counts_more(said: str) -> None:
    assert worth_of(*IDLE, f"Ben: {said}", *IDLE[:1]) > 0
    assert worth_of(*IDLE, "Ben: The ferry is painted green.", *IDLE[:1]) == 0


def test_what_the_chair_says_late_of_all_counts_more() -> None:
    said = "We keep the old ferry on the lake."
    opened = ("Carol: Hm.", "Anna: Welcome to this meeting.", *IDLE)
    assert worth_of(*opened, f"Anna: {said}", *IDLE[:1]) > 0
    assert worth_of(*opened, f"Ben: {said}", *IDLE[:1]) == 0
    # Where nobody does so, who opens it leads it.
    assert worth_of("Carol: Hm.", *IDLE, f"Carol: {said}", *IDLE[:1]) > 0


def test_an_amount_of_what_is_not_named_tells_nothing() -> None:
    assert worth_of(*IDLE, "Ben: It saves us twenty crowns of the budget.", *IDLE[:1]) == 0


def test_what_a_meeting_is_for_counts_more_once_and_at_its_beginning() -> None:
    said = ("We are here to design a ferry.", "The aim of this meeting is a ferry.")
    candidates = candidates_of(document(*(f"Anna: {each}" for each in said), *IDLE))
    assert dict(outcomes(candidates, [0, 1])).keys() == {1}
    assert worth_of(*IDLE, f"Carol: {said[0]}", *IDLE[:1]) == 0


def test_what_a_meeting_comes_to_counts_more_in_its_last_quarter() -> None:
    said = "Ben: The consensus seems to be a smaller ferry."
    assert worth_of(*IDLE, said, *IDLE[:1]) > worth_of(said, *IDLE[:1]) == 0


def test_what_somebody_is_given_to_do_in_the_end_counts_more() -> None:
    said = "Ben: You two are going to work on a ferry of clay."
    assert worth_of(*IDLE, said, *IDLE[:1]) > worth_of(*IDLE, said, *IDLE) == 0
