"""The synthetic documents of the Top-Down claims are what they say, and the measures measure."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import topdown as benchmark
from benchmarks.claims import importance
from benchmarks.claims import topdown as claim
from benchmarks.claims import topdown_summaries as summaries
from benchmarks.claims.lost_ships import EOS, LOST, SAFE, SHIPS, TOKEN_IDS, make_book


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, len(SHIPS)), st.integers(claim.LEAST_GAP, 20), st.booleans())
def test_every_answer_stands_out_of_reach_and_once(seed, ships, gap, asks_first):
    book = make_book(random.Random(seed), ships=ships, gap=gap, asks_first=asks_first)
    assert len(book.answers) == ships
    for place, is_lost in book.answers.items():
        (told,) = (
            index for index, word in enumerate(book.words) if word == book.words[place] and index != place
        )
        assert (told > place) == asks_first
        assert book.words[told + 1] == (LOST if is_lost else SAFE)[0]
        # Also from the nearest word that tells.
        nearest = told if asks_first else told + len(LOST)
        assert abs(place - nearest) > claim.REACH
    assert len(book.token_ids) == len(book.words) + 2
    assert max(book.token_ids) < len(TOKEN_IDS)


@pytest.mark.parametrize("update", ["cross_attention", "none"])
def test_an_untrained_model_guesses_and_training_changes_it(update):
    torch.set_num_threads(1)
    model = claim.make_model(update, seed=0).eval()
    books = [make_book(random.Random(number), ships=6, gap=claim.LEAST_GAP) for number in range(20)]
    outcome = claim.measure(model, books, claim.LEAST_GAP)
    assert (outcome.questions, outcome.update) == (120, update)
    assert 0.3 < outcome.right < 0.7
    before = model.classifier.weight.clone()
    # Of two answers that are equally likely.
    assert claim.train(model, claim.Training(steps=5, batch=4)) == pytest.approx(np.log(2), abs=0.2)
    assert not torch.equal(model.classifier.weight, before)


@pytest.mark.parametrize("asks_first", [False, True])
def test_without_update_a_question_never_hears_of_its_answer(asks_first):
    model = claim.make_model("none", seed=1).eval()
    book = make_book(random.Random(3), ships=5, gap=claim.LEAST_GAP, asks_first=asks_first)
    batch = claim.make_batch([book])
    flipped = batch["input_ids"].clone()
    for word, other in zip(LOST[:3], SAFE[:3], strict=True):
        flipped[batch["input_ids"] == TOKEN_IDS[word]] = TOKEN_IDS[other]
    asked = batch["labels"] != -100
    with torch.no_grad():
        logits = [model(input_ids).logits[asked] for input_ids in (batch["input_ids"], flipped)]
    assert not torch.equal(batch["input_ids"], flipped)
    assert torch.equal(*logits)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, summaries.MOST_ASKED))
def test_a_summary_answers_before_it_names_and_in_the_order_of_the_questions(seed, asked):
    book = make_book(random.Random(seed), ships=8, gap=claim.LEAST_GAP, asked=asked, asks_first=True)
    fates, names, stops = (book.summary[start :: summaries.SENTENCE] for start in range(3))
    assert list(names) == [book.words[place] for place in sorted(book.answers)]
    assert list(fates) == [(LOST if book.answers[place] else SAFE)[0] for place in sorted(book.answers)]
    assert set(stops) == {"."}
    # A question stands in one place, whatever the document.
    assert list(book.answers) == [3 + 5 * number for number in range(asked)]
    labels = summaries.make_batch([book])["labels"]
    assert labels.tolist() == [[*(TOKEN_IDS[word] for word in book.summary), EOS]]


TINY = summaries.Training(steps=2, batch=4, warmup=1)


def test_summarisers_have_as_many_weights_with_the_update_as_without():
    parameters = [summaries.count_parameters(update) for update in summaries.ENCODER_FFN]
    assert max(parameters) / min(parameters) < 1.01


def test_a_decoder_learns_from_the_encoder_that_decides_which_stays(monkeypatch):
    torch.set_num_threads(1)
    monkeypatch.setattr(summaries, "BATCHES", 3)
    decider = summaries.train_encoder("cross_attention", TINY)
    books = [
        make_book(random.Random(number), ships=3, gap=claim.LEAST_GAP, asks_first=True) for number in range(4)
    ]
    batch = claim.make_batch(books)
    with torch.no_grad():
        # What the decoder reads is what the decisions were made from.
        begun = summaries.make_summariser(decider, seed=0).model.encoder(batch["input_ids"])
        assert torch.equal(begun[0], decider.encoder(batch["input_ids"])[0])
    model = summaries.train_summariser(decider, TINY)
    for name, weight in decider.encoder.named_parameters():
        assert torch.equal(weight, model.model.encoder.state_dict()[name])
    assert not torch.equal(model.lm_head.weight, summaries.make_summariser(decider, seed=0).lm_head.weight)
    outcome = summaries.measure(model, books, decided=True, seed=0, ships=3, gap=claim.LEAST_GAP)
    assert (outcome.update, outcome.ships, outcome.questions) == ("cross_attention", 3, 12)
    assert (outcome.right, outcome.exact) == (0.0, 0.0)


def test_few_questions_come_first():
    training = replace(summaries.SUMMARIES, batch=1)
    asked = [len(books[0].answers) for books in summaries.make_books(training)]
    assert len(asked) == summaries.BATCHES
    assert asked[0] == 1
    assert asked == sorted(asked)
    assert asked[45] == asked[-1] == summaries.MOST_ASKED
    numbers = [batch["number"] for batch in summaries.rehearse([{"number": n} for n in range(150)], training)]
    assert len(numbers) == training.steps
    easy = round(training.easy_share * training.steps)
    assert numbers[:easy] == sorted(numbers[:easy])
    assert set(numbers[:easy]) == set(range(45))
    assert set(numbers[easy:]) <= set(range(45, 150))


def test_written_answers_are_counted_in_their_places(monkeypatch):
    books = [
        make_book(random.Random(number), ships=4, gap=claim.LEAST_GAP, asks_first=True) for number in range(3)
    ]

    class Found(NamedTuple):
        token_ids: tuple[int, ...]

    def write(number, words):
        if number == 1:  # one answer is wrong, its name is right
            words[3] = SAFE[0] if words[3] == LOST[0] else LOST[0]
        if number == 2:  # ends after two sentences
            words = words[: 2 * summaries.SENTENCE]
        return [Found((*(TOKEN_IDS[word] for word in words), EOS))]

    monkeypatch.setattr(
        summaries,
        "beam_search",
        lambda *_: [write(number, list(book.summary)) for number, book in enumerate(books)],
    )
    model = summaries.TopDownForConditionalGeneration(summaries.make_config("none"))
    outcome = summaries.measure(model, books, decided=True, seed=0, ships=4, gap=claim.LEAST_GAP)
    assert (outcome.right, outcome.named, outcome.exact) == (9 / 12, 10 / 12, 1 / 3)


def test_the_claim_on_summaries_needs_every_seed_and_a_model_that_can_write():
    right = summaries.Outcome(
        update="cross_attention", decided=True, seed=0, ships=4, gap=7, tokens=86, questions=400,
        right=0.97, named=0.99, exact=0.9,
    )  # fmt: skip
    guess = replace(right, update="none", right=0.5, exact=0.06)
    assert summaries.holds([right, guess])
    assert not summaries.holds([right, replace(right, seed=1, right=0.94), guess])
    assert not summaries.holds([right, guess, replace(guess, seed=1, right=0.76)])
    assert not summaries.holds([replace(right, named=0.94)])
    # An encoder that decisions have spoilt need not know the names; one as drawn must.
    silent = replace(guess, right=0.0, named=0.0)
    assert summaries.holds([right, silent, replace(guess, decided=False)])
    assert not summaries.holds([right, silent, replace(silent, decided=False)])
    table = summaries.make_table([right, replace(right, seed=1, right=0.99), guess]).splitlines()
    assert table[2] == ("| `cross_attention` | trained | 4 | 86 | 98.0% (97.0 to 99.0) | 99.0% | 90.0% |")
    assert len(table) == 4


def test_the_spread_of_runs_is_said():
    assert importance.spread([0.5, 0.5]) == "50.0%"
    assert importance.spread([0.5, 0.52, 0.51]) == "51.0% (50.0 to 52.0)"


def test_the_best_threshold_is_found():
    scores = np.array([0.1, 0.9, 0.8, 0.8, 0.2, 0.3])
    important = np.array([False, True, True, False, False, True])
    best = importance.best_threshold(scores, important)
    expected = max(importance.score_at(threshold, scores, important).f1 for threshold in scores)
    assert best.f1 == pytest.approx(expected)
    assert importance.score_at(-np.inf, scores, important).recall == 1.0


def test_a_tagger_beats_frequency_where_words_tell():
    """What is important is written on the words here, whatever their frequency."""
    torch.set_num_threads(1)
    chance = random.Random(0)
    documents = []
    for _ in range(60):
        words = tuple(chance.choice("abcdefgh") for _ in range(40))
        documents.append(
            importance.LabelledWords(words=words, important=np.array([word in "aceg" for word in words]))
        )
    training = importance.Training(words=40, epochs=6, batch=4, learning_rate=5e-3, warmup=5)
    scores = importance.compare(documents[20:], documents[10:20], documents[:10], training)
    assert scores["tagger"].f1 > 0.95
    assert max(score.f1 for name, score in scores.items() if name != "tagger") < 0.8


def test_the_benchmark_measures_and_compares():
    rows = {
        (name, length): benchmark.Measurement(wall=1.0, cpu=cpu * length, peak=peak)
        for name, cpu, peak in (("topdown", 1.1, 900), ("local", 1.0, 800), ("led", 2.0, 1800))
        for length in benchmark.TINY.lengths
    }
    found = {title: value for title, _, value in benchmark.targets(benchmark.TINY, rows)}
    assert found["time per token: 512 tokens ÷ 128"] == 1.0
    assert found["time ÷ local attention alone, 512 tokens"] == pytest.approx(1.1)
    assert found["memory ÷ LED, 256 tokens"] == 0.5
    report = benchmark.render(benchmark.TINY, {key: [row] for key, row in rows.items()}, 1)
    assert report.count("\n| ") >= len(rows) + len(found)


@pytest.mark.parametrize("name", list(benchmark.CONTENDERS))
def test_every_contender_of_the_benchmark_encodes(name):
    threads = torch.get_num_threads()
    try:
        setting = benchmark.Setting(
            hidden=16, heads=2, ffn=16, vocab=60, bottom_up=1, segment_layers=1, top_down=1, window=8,
            lengths=(16, 32, 64), threads=1, warm_up=8,
        )  # fmt: skip
        measurement = benchmark.work(name, setting, 64)
    finally:
        torch.set_num_threads(threads)
    assert measurement.wall > 0
    assert measurement.peak > 0
