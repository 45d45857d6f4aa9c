"""The comparison of windowing models on a real corpus shortens, writes and judges as it says."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.claims import windowing_corpus as claim
from benchmarks.claims.chosen_sentences import Pair, choose, shorten
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.training.windowing import Windowing

TINY = claim.Training(
    documents=2,
    stretches=4,
    held_out=2,
    steps=dict.fromkeys(("dynamic", "static", "none"), 2),
    batch=2,
    size=8,
    vocabulary=30,
    window_len=12,
    stride=10,
)


def example(number: int) -> Example:
    """A text of forty words in ten sentences, full stops included, and ten words about it."""
    names = random.Random(number).choices(("mill", "ship", "town", "tree", "road"), k=10)
    paragraphs = tuple(Paragraph.of(f"The {name} stands.") for name in names)
    document = compose_document([Passage(paragraphs=paragraphs)], id=f"d{number}", source="a test")
    reference = f"A {names[0]} and a {names[5]}. They are old."
    return Example(id=str(number), documents=(document,), reference=reference, where=f"line {number}")


EXAMPLES = [example(0), example(1)]


def pair(sentences: int, chosen: list[int]) -> Pair:
    text = [f"sentence {number} has five words" for number in range(sentences)]
    return Pair(text, chosen, ["a reference"])


@given(st.integers(1, 100), st.integers(1, 8), st.integers(0, 1000), st.booleans(), st.data())
def test_parts_of_a_text_keep_its_order_and_what_is_chosen_of_them(sentences, stretches, seed, evenly, data):
    chosen = sorted(data.draw(st.sets(st.integers(0, sentences - 1), max_size=6)))
    whole = pair(sentences, chosen)
    part = shorten(whole, random.Random(seed), stretches=stretches, window_len=20, evenly=evenly)
    if part is None:
        # A run may have nothing to say; what is put together lacks it only where the whole text does.
        assert not (evenly and chosen)
        return
    text, targets = part
    assert text == sorted(set(text), key=whole.sentences.index)
    assert len(text) <= 4 * stretches
    assert targets == [sentence for sentence in text if whole.sentences.index(sentence) in chosen]
    if sentences <= 4 * stretches:
        assert text == whole.sentences
    if not evenly:
        first = whole.sentences.index(text[0])
        assert text == whole.sentences[first : first + len(text)]


def test_a_text_put_together_has_something_to_say_in_every_stretch():
    whole = pair(80, [1, 17, 33, 62, 77])
    part = shorten(whole, random.Random(0), stretches=5, window_len=20, evenly=True)
    assert part is not None
    text, targets = part
    assert targets == [whole.sentences[number] for number in whole.chosen]
    assert [text.index(sentence) // 4 for sentence in targets] == [0, 1, 2, 3, 4]


def test_sentences_nearest_to_the_reference_are_chosen():
    found = choose(example(0))
    assert found.reference == ["A " + found.reference[0][2:], "They are old."]
    named = {word for word in found.reference[0].split() if word in ("mill", "ship", "town", "tree", "road")}
    assert named & set(" ".join(found.sentences[number] for number in found.chosen).split())
    assert list(found.chosen) == sorted(found.chosen)


@pytest.mark.parametrize("references", [True, False])
def test_the_fixed_input_model_learns_from_the_first_window(references):
    pairs = [choose(each) for each in EXAMPLES]
    training = replace(TINY, references=references)
    settings = claim.ModelSettings(
        windowing=Windowing.NONE,
        window_len=12,
        stride=10,
        embedding_size=8,
        hidden_size=8,
        vocabulary_size=30,
    )
    recipe = claim.Recipe(
        method="windowing", model=settings, training=claim.TrainingSettings(label_smoothing_factor=0.0)
    )
    objective = claim.build_objective(recipe, EXAMPLES, None)
    for features, whole in zip(claim.encode(objective, pairs, training), pairs, strict=True):
        assert len(features["input_ids"]) == 12
        chosen = [whole.sentences[number] for number in whole.chosen]
        targets = whole.reference if references else chosen
        assert len(features["labels"]) == claim.count_tokens(objective, targets) + 1


@pytest.mark.parametrize("windowing", list(Windowing))
def test_a_model_is_trained_and_measured(windowing):
    outcome, scores = claim.measure(windowing, TINY, EXAMPLES, EXAMPLES)
    assert outcome.windowing == windowing.value
    assert outcome.steps == 2
    assert scores.shape == (2, len(claim.ROUGE_METRICS))
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
        cpu_seconds=1.0,
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
