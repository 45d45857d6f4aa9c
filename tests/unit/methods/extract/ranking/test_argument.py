"""Essays: what their authors claim is quoted, and not what they narrate."""

from __future__ import annotations

import numpy as np
import pytest
from extraction import candidates_of

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.ranking.argument import claim_values, is_essay
from lsum_cli.methods.extract.ranking.part_ranker import PartRanker
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.structure import Structure

PLAIN = "The captain of the ferry keeps the keys of the harbour in a box."
ARGUED = "The captain claims that the ferry of the harbour pays for itself."


def essay(*paragraphs: str) -> Document:
    passage = Passage(heading=None, level=0, paragraphs=tuple(map(Paragraph.of, paragraphs)))
    return compose_document([passage], id="d0", source="-", title="The ferry")


def worth(text: str) -> float:
    candidates = candidates_of(essay(text, PLAIN))
    return float(claim_values(candidates, np.ones(len(candidates), bool))[0])


@pytest.mark.parametrize(
    "text",
    [
        "The ferry is, in my view, a school for both villages.",
        "I suspect that the harbour would be empty without the ferry.",
        "The real reason for the bridge lies in the fear of winter.",
        "The message of the old captains is one of warning.",
        "The peculiar evil of a toll is that it robs the poor.",
        "In short, the villages need each other.",
        "A ferry is a promise to those on the other shore.",
        "The villages must keep the ferry.",
    ],
)
def test_a_claim_counts_more_than_what_is_only_said(text: str) -> None:
    assert worth(text) > worth(PLAIN)


@pytest.mark.parametrize(
    "text",
    [
        "In 1995 the harbour gets a second ferry.",
        "The captain went to the mill with his brother.",
        "For example, the keys of the harbour are kept in a box.",
        "I will now turn to the captain and the harbour.",
        "As we mentioned, the captain keeps the keys.",
    ],
)
def test_stories_examples_and_what_tells_of_the_text_count_less(text: str) -> None:
    assert worth(text) < worth(PLAIN)


def test_what_closes_the_text_counts_more() -> None:
    candidates = candidates_of(essay(PLAIN, f"{PLAIN} {PLAIN}", "Drawn by Ada Miller"))
    can_stand = np.array([True, True, True, False])
    assert np.argmax(claim_values(candidates, can_stand)) == 1


def of_paragraphs(num_argued: int, num_sentences: int) -> Candidates:
    sentences = [ARGUED] * num_argued + [PLAIN] * (60 - num_argued)
    starts = range(0, 60, num_sentences)
    return candidates_of(essay(*(" ".join(sentences[at : at + num_sentences]) for at in starts)))


def test_a_text_argues_that_claims_often_and_in_paragraphs() -> None:
    assert is_essay(of_paragraphs(4, 5))
    assert not is_essay(of_paragraphs(2, 5))
    assert not is_essay(of_paragraphs(4, 2))


def test_of_a_text_that_argues_the_claim_is_preferred() -> None:
    claim = "The point of a ferry is that both villages keep it."

    def preferred(filler: str) -> tuple[float, float]:
        told = [filler.format(number) for number in range(60)]
        candidates = candidates_of(
            essay(*(" ".join(told[at : at + 5]) for at in (0, 5, 10)), f"{PLAIN} {claim} {told[20]}", PLAIN)
        )
        structure = Structure.of(candidates)
        scores = Scores.of(candidates, structure)
        row = next(number for number, each in enumerate(candidates.sentences) if each.text == claim)
        ranker = PartRanker(candidates, structure, scores)
        return float(scores.values[row] - scores.values.mean()) / float(scores.values.std()), float(
            ranker.standing[row] - ranker.standing.mean()
        )

    argued = preferred("The mason of mill {} argues that his county pays for the stones.")
    stated = preferred("The mason of mill {} knows that his county pays for the stones.")
    assert argued[0] > stated[0] + 0.3
    assert argued[1] > stated[1] + 0.3
