"""ROUGE: hand-computed cases, rouge_score's published cases, and equality with it to the last bit."""

from __future__ import annotations

import random

import pytest
from rouge_score import rouge_scorer

from lsum_cli.evaluation.metrics.rouge import (
    ROUGE_METRICS,
    RougeScore,
    RougeScorer,
    count_union_hits,
    resolve_settings,
    score_pairs,
)
from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer

PLAIN = RougeSettings(stem=False, tokenizer=Tokenizer.ROUGE_SCORE)
STEMMED = RougeSettings(tokenizer=Tokenizer.ROUGE_SCORE)
UNICODE = RougeSettings(tokenizer=Tokenizer.UNICODE)


def test_hand_computed():
    # The reference has 6 tokens, the summary 3; 2 words and 1 pair in common.
    scores = RougeScorer(PLAIN).score("the cat sat on the mat", "the cat ran")
    assert scores["rouge1"] == RougeScore(precision=2 / 3, recall=2 / 6, f1=4 / 9)
    assert (scores["rouge2"].precision, scores["rouge2"].recall) == (1 / 2, 1 / 5)
    assert scores["rouge2"].f1 == pytest.approx(2 / 7)
    assert scores["rougeL"] == RougeScore(precision=2 / 3, recall=2 / 6, f1=4 / 9)


@pytest.mark.parametrize(
    ("prediction", "measure", "precision", "recall", "f1"),
    [
        ("testing", "rouge1", 1, 1 / 3, 1 / 2),
        ("testing one", "rouge2", 1, 1 / 2, 2 / 3),
        ("testing one", "rougeL", 1, 2 / 3, 4 / 5),
        ("testing two", "rougeL", 1, 2 / 3, 4 / 5),
    ],
)
def test_published_cases(prediction, measure, precision, recall, f1):
    score = RougeScorer(PLAIN).score("testing one two", prediction)[measure]
    assert (score.precision, score.recall, score.f1) == pytest.approx((precision, recall, f1))


def test_published_cases_of_summary_level():
    score = RougeScorer(PLAIN).score("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5")["rougeLsum"]
    assert (score.precision, score.recall) == (0.4, 0.8)
    assert score.f1 == pytest.approx(0.5333, abs=1e-4)
    swapped = RougeScorer(STEMMED).score(
        "First sentence.\nSecond Sentence.", "Second sentence.\nFirst Sentence."
    )
    assert swapped["rougeLsum"].f1 == 1
    assert swapped["rougeL"].f1 == 0.5
    assert count_union_hits([list("12345")], [list("12678"), list("13895")]) == 4


@pytest.mark.parametrize(("reference", "prediction"), [("w1 w2", ""), ("", "w1"), ("w1 w2", "/"), ("", "")])
def test_no_token_scores_nothing(reference, prediction):
    assert set(RougeScorer(PLAIN).score(reference, prediction).values()) == {RougeScore()}


@pytest.mark.parametrize(
    "text",
    [
        "The marsh grows. It grows slowly, by 3.5 mm a year!",
        "我喜欢猫。他喜欢狗。",
        "Съешь ещё этих мягких французских булок. Выпей же чаю.",
        "猫が好きです。犬も好きです。",
        "แมวชอบปลา",
        "मुझे बिल्ली पसंद है।",
        "été où l'été dure",
    ],
)
def test_identity_is_1_in_every_script(text):
    scorer = RougeScorer(resolve_settings(RougeSettings(), [text]))
    assert {score.f1 for score in scorer.score(text, text).values()} == {1}


@pytest.mark.parametrize("settings", [PLAIN, STEMMED, UNICODE])
def test_disjoint_is_0(settings):
    scores = RougeScorer(settings).score("Mud settles where grass stands.", "Bells crack: nobody pays!")
    assert {score.f1 for score in scores.values()} == {0}


def test_every_number_is_that_of_rouge_score():
    chance = random.Random(3)
    words = ["marsh", "marshes", "growing", "grew", "1,024", "the", "of", "state-owned", "mud's", "U.S.", "a"]
    theirs = rouge_scorer.RougeScorer(list(ROUGE_METRICS), use_stemmer=True)
    ours = RougeScorer(STEMMED)
    for _ in range(60):
        reference, prediction = (
            "\n".join(
                " ".join(chance.choice(words) for _ in range(chance.randrange(1, 15)))
                for _ in range(chance.randrange(1, 6))
            )
            for _ in range(2)
        )
        expected = theirs.score(reference, prediction)
        found = ours.score(reference, prediction)
        for measure in ROUGE_METRICS:
            score = found[measure]
            assert (score.precision, score.recall, score.f1) == tuple(expected[measure])


def test_stemming_is_a_setting():
    pair = ("He walked home", "walking homes")
    assert RougeScorer(STEMMED).score(*pair)["rouge1"].recall == pytest.approx(2 / 3)
    assert RougeScorer(PLAIN).score(*pair)["rouge1"].recall == 0


def test_ptb_makes_tokens_of_brackets_and_clitics():
    settings = RougeSettings(stem=False, tokenizer=Tokenizer.ROUGE_SCORE, prepare=Preparation.PTB)
    scores = RougeScorer(settings).score("It can't (really) be.", "( ca")
    # it ca n't -lrb- really -rrb- be, of which rouge_score makes: it ca n t lrb really rrb be
    assert scores["rouge1"].recall == 2 / 8


def test_processes_give_the_same_in_the_same_order():
    pairs = [(f"the marsh has {number} birds", f"{number} birds sit") for number in range(120)]
    assert score_pairs(pairs, STEMMED, processes=2) == score_pairs(pairs, STEMMED)


def test_progress_is_told():
    events = []
    score_pairs([("a b", "a")] * 3, PLAIN, progress=events.append)
    assert [(event.done, event.total) for event in events] == [(1, 3), (2, 3), (3, 3)]
