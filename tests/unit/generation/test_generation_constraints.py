from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.generation.constraints import (
    BannedTokens,
    ForcedToken,
    MinimumLength,
    NoRepeatedNgram,
    constraints_of,
)
from lsum_cli.generation.options import GenerationOptions

VOCAB = 6


def allowed(rule, length, rows=1):
    scores = torch.zeros(rows, VOCAB)
    rule.apply(scores, length)
    return [[token for token in range(VOCAB) if score[token] == 0.0] for score in scores]


def test_minimum_length_bans_the_end_token_while_ids_are_fewer():
    rule = MinimumLength(3, end_token_id=2)
    assert allowed(rule, 2) == [[0, 1, 3, 4, 5]]
    assert allowed(rule, 3) == [[0, 1, 2, 3, 4, 5]]


def test_forced_token_costs_nothing_and_leaves_nothing_else():
    rule = ForcedToken(4, length=7)
    scores = torch.full((2, VOCAB), -3.0)
    rule.apply(scores, 6)
    assert (scores == -3.0).all()
    rule.apply(scores, 7)
    assert scores[:, 4].tolist() == [0.0, 0.0]
    assert scores.isneginf().sum() == 2 * (VOCAB - 1)


def test_banned_tokens():
    assert allowed(BannedTokens((1, 5)), 1, rows=2) == [[0, 2, 3, 4]] * 2


def test_forced_tokens_overrule_bans():
    options = GenerationOptions(
        max_length=5, min_length=5, no_repeat_ngram=1, forced_first_token_id=0, forced_last_token_id=2
    )
    scores = torch.zeros(1, VOCAB)
    for rule in constraints_of([options]):
        rule.apply(scores, 4)
    assert scores[0, 2] == 0.0


def banned_by_definition(ids, size):
    """Tokens that would complete an n-gram which stands in ``ids`` already."""
    present = {tuple(ids[i : i + size]) for i in range(len(ids) - size + 1)}
    return [
        token for token in range(VOCAB) if tuple([*ids, token][-size:]) in present and len(ids) + 1 >= size
    ]


@settings(max_examples=150, deadline=None)
@given(
    size=st.integers(1, 4),
    beams=st.integers(1, 3),
    choices=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=14),
)
def test_no_ngram_comes_twice_however_beams_branch(size, beams, choices):
    rule = NoRepeatedNgram(size, start_token_id=2)
    rows = [[2] for _ in range(beams)]
    for which_token, which_parent in choices:
        for row, free in zip(rows, allowed(rule, len(rows[0]), rows=beams), strict=True):
            assert free == [t for t in range(VOCAB) if t not in banned_by_definition(row, size)]
        parents = [(which_parent + 7 * row) % beams for row in range(beams)]
        tokens = [(which_token + 5 * row) % VOCAB for row in range(beams)]
        rule.advance(tokens, parents)
        rows = [[*rows[parent], token] for parent, token in zip(parents, tokens, strict=True)]


def test_exempt_tokens_may_repeat_and_do_not_part_an_ngram():
    rule = NoRepeatedNgram(2, start_token_id=2, exempt_token_ids=(5,))
    for token in (3, 5, 5, 5, 4, 5):
        allowed(rule, 1)
        rule.advance([token], [0])
    # 3 4 was written with shifts between: after another 3 no 4, but any number of shifts.
    allowed(rule, 1)
    rule.advance([3], [0])
    (free,) = allowed(rule, 1)
    assert 4 not in free
    assert 5 in free
