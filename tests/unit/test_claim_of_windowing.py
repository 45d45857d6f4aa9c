"""The synthetic documents of the windowing models' claim are what it says, and its measures measure."""

from __future__ import annotations

import random

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.claims import windowing as claim
from benchmarks.claims.mill_tours import WINDOW_LEN, make_tour, tour_tokenizer
from lsum_cli.models.windowing.vocabulary import encode_source
from lsum_cli.training.windowing import Windowing

TOKENIZER = tour_tokenizer()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30))
@example(seed=325, windows=16)  # the mill's name was drawn once more for another sentence of its window
def test_every_window_tells_one_fact_and_holds_it_whole(seed, windows):
    tour = make_tour(random.Random(seed), windows=windows)
    source = encode_source(TOKENIZER, tour.sentences)
    assert len(source) == windows * WINDOW_LEN
    words = " ".join(tour.sentences).split()
    assert len(words) == len(source)
    for window, fact in enumerate(tour.summary):
        name, _, colour, good, _ = fact.split()
        here = words[window * WINDOW_LEN : (window + 1) * WINDOW_LEN]
        place = here.index(name)
        told = " ".join(here[place : place + 9])
        assert f"makes {colour} {good} ." in told
        assert here.count(name) == 1
        # Names are no words of the vocabulary: they can only be copied.
        assert name in source.unknown_words


def test_labels_lead_through_all_windows():
    objective = claim.make_objective(Windowing.DYNAMIC, claim.Training(size=4))
    for seed in range(20):
        tour = make_tour(random.Random(seed), windows=3)
        features = objective.encode_pair(tour.sentences, tour.summary)
        assert features is not None
        assert features["window_index"].tolist() == [*[0] * 6, *[1] * 6, *[2] * 6]


def test_an_untrained_model_states_nothing_and_training_lowers_the_loss():
    torch.set_num_threads(1)
    training = claim.Training(steps=3, batch=4, size=16)
    objective = claim.make_objective(Windowing.DYNAMIC, training)
    objective.model.eval()
    tours = [make_tour(random.Random(number), windows=3) for number in range(3)]
    outcome = claim.measure(objective, tours)
    assert outcome.stated == 0
    assert 0 < outcome.visited <= 1
    early = claim.train(objective, training)
    late = claim.train(objective, claim.Training(steps=30, batch=4, size=16))
    assert late < early


def outcome(windowing: str, **changes) -> claim.Outcome:
    good = {"stated": 1.0, "in_order": 1.0, "visited": 1.0, "all_visited": 1.0, "ended_early": 0.0}
    return claim.Outcome(windowing=windowing, windows=30, documents=1, **(good | changes))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"dynamic": {"stated": 0.89}}, False),
        ({"dynamic": {"in_order": 0.99}}, False),
        ({"dynamic": {"all_visited": 0.5}}, False),
        ({"none": {"stated": 0.16}}, False),
        ({"static": {"ended_early": 0.4}}, False),
    ],
)
def test_the_claim_holds_only_if_all_of_it_does(changes, expected):
    usual = {"dynamic": {}, "static": {"ended_early": 1.0}, "none": {"stated": 0.03}}
    outcomes = [outcome(name, **(usual[name] | changes.get(name, {}))) for name in usual]
    assert claim.holds(outcomes) is expected
