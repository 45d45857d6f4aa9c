"""The comparison of windowing models on a real corpus shortens, writes and judges as it says."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.claims import windowing_corpus as claim
from lsum_cli.datasets.example import Example
from lsum_cli.segmentation import Paragraph, Passage, compose_document
from lsum_cli.training.windowing import Windowing

TINY = claim.Training(
    documents=2, held_out=2, cpu_seconds=0.05, batch=2, size=8, vocabulary=30, window_len=12, stride=10
)


def example(number: int) -> Example:
    """A text of forty words in ten sentences, full stops included, and ten words about it."""
    names = random.Random(number).choices(("mill", "ship", "town", "tree", "road"), k=10)
    paragraphs = tuple(Paragraph.of(f"The {name} stands.") for name in names)
    document = compose_document([Passage(paragraphs=paragraphs)], id=f"d{number}", source="a test")
    reference = f"A {names[0]} and a {names[5]}. They are old."
    return Example(id=str(number), documents=(document,), reference=reference, where=f"line {number}")


EXAMPLES = [example(0), example(1)]


@given(st.integers(1, 200), st.integers(1, 8), st.integers(0, 1000))
def test_a_shortened_text_keeps_its_first_window_and_its_order(sentences, stretches, seed):
    text = [f"sentence {number} has five words" for number in range(sentences)]
    training = claim.Training(window_len=20, stretches=stretches)
    kept = claim.shorten(text, training, random.Random(seed))
    assert kept == sorted(kept, key=text.index)
    assert len(set(kept)) == len(kept)
    assert kept[:4] == text[:4]
    assert len(kept) <= 4 * stretches
    if sentences <= 4 * stretches:
        assert kept == text


@pytest.mark.parametrize("windowing", list(Windowing))
def test_a_model_is_trained_and_measured(windowing):
    outcome, scores = claim.measure(windowing, TINY, EXAMPLES, EXAMPLES)
    assert outcome.windowing == windowing.value
    assert outcome.steps >= 1
    assert scores.shape == (2, len(claim.MEASURES))
    # Every model writes as much as the references have, to the tolerance the constants give.
    assert outcome.words == pytest.approx(10, abs=1.5)
    # The text of forty words has four windows of twelve; the fixed-input model reads one of them.
    assert 0.25 <= outcome.visited <= 1
    if windowing is Windowing.NONE:
        assert outcome.visited == pytest.approx(0.25)
    if windowing is Windowing.STATIC:
        assert outcome.visited == 1


def outcome(windowing: str, rouge1: float, rouge_lsum: float) -> claim.Outcome:
    return claim.Outcome(
        windowing=windowing,
        steps=1,
        loss=1.0,
        words=1.0,
        visited=1.0,
        rouge1=rouge1,
        rouge2=0.0,
        rougeLsum=rouge_lsum,
    )


@pytest.mark.parametrize(
    ("static", "dynamic", "expected"),
    [
        ((31, 29), (31, 29), True),
        ((30, 29), (31, 29), False),
        ((31, 28), (31, 29), False),
        ((31, 29), (31, 27), False),
    ],
)
def test_the_claim_holds_only_if_both_models_win_in_both_measures(static, dynamic, expected):
    outcomes = [outcome("static", *static), outcome("dynamic", *dynamic), outcome("none", 30, 28)]
    assert claim.holds(outcomes) is expected
