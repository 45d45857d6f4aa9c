"""Of talk a sentence is a decision, or an action, only where it says so."""

from __future__ import annotations

import pytest

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.commitments import commitments
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

IDLE = [
    f"{who}: You know, the ferry is what it is, and so it goes on." for who in ("Ben", "Carol", "Anna")
] * 30


def document(*turns: str, language: str = "en") -> Document:
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, turns)))
    return compose_document([passage], id="d0", source="-", title=None, language=language)


def mark_of(said: str) -> str | None:
    made = document(f"Anna: {said}")
    candidates = Candidates.of(paginate([made], choose_locality([made]).locality, 1024), [made])
    return dict(commitments(candidates, [0])).get(0)


@pytest.mark.parametrize(
    ("said", "mark"),
    [
        ("So we decided to paint the ferry green.", "Decision"),
        ("Um we've all agreed that the the pier stays open.", "Decision"),
        ("Okay, then we'll go with the wooden pier.", "Decision"),
        ("The decision is to close the pier in winter.", "Decision"),
        ("There voted four in favour, two against, and amendment 2 is agreed.", "Decision"),
        ("I'll send the plan of the pier to the harbour.", "Action"),
        ("The marketing expert will work on the new timetable.", "Action"),
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
