"""The synthetic documents of the Top-Down claims are what they say, and the measures measure."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import topdown as benchmark
from benchmarks.claims import importance
from benchmarks.claims import topdown as claim
from benchmarks.claims.lost_ships import LOST, SAFE, SHIPS, TOKEN_IDS, make_book


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, len(SHIPS)), st.integers(claim.LEAST_GAP, 20))
def test_every_answer_stands_out_of_reach_and_once(seed, ships, gap):
    book = make_book(random.Random(seed), ships=ships, gap=gap)
    assert len(book.answers) == ships
    for place, is_lost in book.answers.items():
        told = [index for index, word in enumerate(book.words) if word == book.words[place]]
        assert told[-1] == place
        assert len(told) == 2
        assert book.words[told[0] + 1] == (LOST if is_lost else SAFE)[0]
        # Also from the nearest word that tells.
        assert place - (told[0] + len(LOST)) > claim.REACH
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


def test_without_update_a_question_never_hears_of_its_answer():
    model = claim.make_model("none", seed=1).eval()
    book = make_book(random.Random(3), ships=5, gap=claim.LEAST_GAP)
    batch = claim.make_batch([book])
    flipped = batch["input_ids"].clone()
    for word, other in zip(LOST[:3], SAFE[:3], strict=True):
        flipped[batch["input_ids"] == TOKEN_IDS[word]] = TOKEN_IDS[other]
    asked = batch["labels"] != -100
    with torch.no_grad():
        logits = [model(input_ids).logits[asked] for input_ids in (batch["input_ids"], flipped)]
    assert not torch.equal(batch["input_ids"], flipped)
    assert torch.equal(*logits)


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
