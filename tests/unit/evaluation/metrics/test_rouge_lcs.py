"""Longest common subsequences against rouge_score's own table and its own choice among equals."""

from __future__ import annotations

import random

import pytest
from rouge_score import rouge_scorer

from lsum_cli.evaluation.metrics.rouge import lcs_length, lcs_positions


def test_published_case():
    first, second = list("12345"), list("2534")
    assert lcs_length(first, second) == 3
    assert sorted(lcs_positions(first, second)) == [1, 2, 3]
    assert lcs_length(first, list("89")) == 0
    assert lcs_positions(first, list("89")) == []


def test_nothing_on_either_side():
    for first, second in (([], []), (["a"], []), ([], ["a"])):
        assert lcs_length(first, second) == 0
        assert lcs_positions(first, second) == []


@pytest.mark.parametrize("letters", ["ab", "abcdef", "abcdefghijklmnopqrstuvwxyz"])
def test_the_same_subsequence_as_rouge_score_chooses(letters):
    chance = random.Random(letters)
    for _ in range(150):
        first, second = ([chance.choice(letters) for _ in range(chance.randrange(0, 70))] for _ in range(2))
        table = rouge_scorer._lcs_table(first, second)
        assert lcs_length(first, second) == table[-1][-1]
        assert lcs_positions(first, second)[::-1] == rouge_scorer._backtrack_norec(table, first, second)
